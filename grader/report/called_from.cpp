#include "report/called_from.hpp"

#include "report/sentence.hpp"

namespace course::report {

std::string called_from(const device::Finding& finding) {
  std::string text;
  for (const auto line : finding.called_from)
    text = text.empty() ? tr("Called from line {}", line)
                        : tr("{}, and there from line {}", text, line);
  return text.empty() ? text : " " + ended(text);
}

} // namespace course::report
