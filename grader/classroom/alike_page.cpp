#include "classroom/alike_page.hpp"

#include "classroom/text_encoding.hpp"
#include "classroom/winnowing.hpp"
#include "language/translate.hpp"
#include "report/markup.hpp"
#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace course::classroom {
namespace {

std::set<std::uint64_t> common_prints(const SideBySide& pair) {
  const auto one = fingerprints(pair.texts[0]).prints, other = fingerprints(pair.texts[1]).prints;
  const auto skeleton = fingerprints(pair.skeleton).prints;
  std::vector<std::uint64_t> both;
  std::set_intersection(one.begin(), one.end(), other.begin(), other.end(),
                        std::back_inserter(both));
  std::set<std::uint64_t> common;
  std::set_difference(both.begin(), both.end(), skeleton.begin(), skeleton.end(),
                      std::inserter(common, common.end()));
  return common;
}

std::string column(const std::string& name, const std::string& text,
                   const std::set<std::uint64_t>& common) {
  const auto marked = lines_of_prints(text, common);
  std::string lines;
  std::size_t number = 0;
  for (const auto& line : report::lines_of(report::printable(utf8_of(text)))) {
    const bool same = marked.count(number++) > 0;
    lines += (same ? "<mark>" : "") + report::escaped(line) + (same ? "</mark>" : "") + "\n";
  }
  return "<section><h2>" + report::escaped(name) + "</h2>\n<pre tabindex=\"0\">" + lines +
         "</pre></section>\n";
}

} // namespace

std::string alike_page(const SideBySide& pair, const report::PageTitle& title) {
  const auto common = common_prints(pair);
  return report::page_start(tr("{}: {}, {}", pair.exercise, pair.names[0], pair.names[1])) +
         "<h1>" + report::escaped(pair.exercise) + "</h1>\n" +
         report::paragraph("faint", tr("Marked: what both have and the skeleton does not, names, "
                                       "numbers, spaces and comments aside. Read both before you "
                                       "conclude anything.")) +
         "<div class=\"beside\">\n" + column(pair.names[0], pair.texts[0], common) +
         column(pair.names[1], pair.texts[1], common) + "</div>\n" + report::page_end(title);
}

} // namespace course::classroom
