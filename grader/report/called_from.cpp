#include "report/called_from.hpp"

#include <fmt/format.h>

namespace course::report {

std::string called_from(const device::Finding& finding) {
  std::string text;
  for (const auto line : finding.called_from)
    text += fmt::format("{} line {}", text.empty() ? " Called from" : ", and there from", line);
  return text.empty() ? text : text + ".";
}

} // namespace course::report
