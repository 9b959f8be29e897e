#include "report/words/count_words.hpp"

#include "language/translate.hpp"

#include <set>

namespace course::report {
namespace {

// "line 12", "lines 12 and 14"; empty where no row is so.
template <class Is>
std::string lines_of_rows(const std::vector<device::LineCounts>& rows, Is is) {
  std::set<std::uint32_t> lines;
  for (const auto& row : rows)
    if (is(row)) lines.insert(row.line);
  if (lines.empty()) return "";
  std::vector<std::string> all;
  for (const auto line : lines) all.push_back(std::to_string(line));
  if (all.size() == 1) return tr("line {}", all[0]);
  const auto last = all.back();
  all.pop_back();
  return tr("lines {} and {}", listed(all), last);
}

} // namespace

std::string listed(const std::vector<std::string>& all) {
  std::string text;
  for (const auto& one : all) text = text.empty() ? one : trc("a list", "{}, {}", text, one);
  return text;
}

std::vector<std::string> notes_on_counts(const std::vector<device::LineCounts>& rows,
                                         bool leave_a_check_open) {
  using Row = device::LineCounts;
  std::vector<std::string> notes;
  if (const auto on = lines_of_rows(rows, [](const Row& row) { return !row.width_from_sass; });
      !on.empty())
    notes.push_back(
        leave_a_check_open
            ? tr("Note: the compiler may have made other accesses of those on {}. They are counted "
                 "as the PTX has them, and a check is not measured for it: written as plain loads "
                 "and stores, or in fewer branches, they may be certain. A GPU measures them as "
                 "they are.",
                 on)
            : tr("Note: the compiler may have made other accesses of those on {}. They "
                 "are counted as the PTX has them, and no check fails by that alone.",
                 on));
  const auto is_remote = [](const Row& row) { return row.kind.is_on(model::Memory::remote); };
  const auto tries_again = [=](const Row& row) { return row.at_least && !is_remote(row); };
  if (const auto on = lines_of_rows(
          rows, [=](const Row& row) { return tries_again(row) && row.conflicts_at_least; });
      !on.empty())
    notes.push_back(tr("Note: the atomics on {} try again while other warps change the "
                       "same words. A GPU counts at least what is shown, and each time "
                       "another number.",
                       on));
  if (const auto on = lines_of_rows(
          rows, [=](const Row& row) { return tries_again(row) && !row.conflicts_at_least; });
      !on.empty())
    notes.push_back(tr("Note: the atomics on {} try again while other warps change the same words. "
                       "A GPU counts more passes for it, and each time another number, but no more "
                       "conflicts.",
                       on));
  if (const auto on =
          lines_of_rows(rows, [=](const Row& row) { return row.at_least && is_remote(row); });
      !on.empty())
    notes.push_back(tr("Note: lanes of one atomic on {} go to several other blocks. A GPU takes a "
                       "few sectors more than are shown for some of these.",
                       on));
  if (const auto on = lines_of_rows(rows, [](const Row& row) { return row.may_fill; }); !on.empty())
    notes.push_back(tr("Note: the copies on {} may fill up with zeros. Each is counted as what it "
                       "does; a GPU's counters take some of them for others, and not always the "
                       "same ones.",
                       on));
  return notes;
}

} // namespace course::report
