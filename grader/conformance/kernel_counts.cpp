#include "conformance/kernels.hpp"

#include "device/model/counted.hpp"
#include "report/words/message_words.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>
#include <utility>

namespace course::conformance {
namespace {

constexpr const char* kBothRuns = "both";

using Key = std::tuple<std::string, std::uint32_t, model::Use>; // file, line

Key key(const lab::LineTotal& total) {
  return {total.file, total.line, total.use};
}

// The lines that `row` is a part of, as lab::totals names them; nothing for a row that costs
// nothing.
std::optional<lab::LineTotal> total_of(const device::LineCounts& row) {
  const auto totals = lab::totals({row});
  if (totals.empty() || totals.front().is_beyond_banks()) return {};
  return totals.front();
}

std::string differing(std::uint64_t here, std::uint64_t measured, std::string_view what) {
  if (here == measured) return "";
  return std::to_string(here) + " " + std::string(what) + ", measured " + std::to_string(measured) +
         "; ";
}

std::string difference(const KernelLine& here, const KernelLine& measured) {
  const auto& a = here.total;
  const auto& b = measured.total;
  std::string what;
  model::for_each_count(a, b,
                        [&](const model::KnownCount& known, std::uint64_t mine,
                            std::uint64_t theirs) { what += differing(mine, theirs, known.word); });
  const bool plain =
      a.use.memory == model::Memory::shared && a.use.direction != model::Direction::atomic;
  if (plain && here.requests > measured.requests) // the GPU's include those without an active lane
    what += std::to_string(here.requests) + " requests, measured no more than " +
            std::to_string(measured.requests) + "; ";
  if (what.empty()) return "";
  return what.substr(0, what.size() - 2);
}

std::map<Key, KernelLine> by_key(const CountedKernel& counted) {
  std::map<Key, KernelLine> lines;
  for (const auto& line : counted.lines) lines[key(line.total)] = line;
  return lines;
}

bool same(const KernelLine& a, const KernelLine& b) {
  return a.total == b.total && a.requests == b.requests;
}

} // namespace

CountedKernel counted_kernel(const device::Observation& seen) {
  CountedKernel result;
  if (seen.status != device::Observation::Status::completed) {
    result.failure = seen.reason.empty() ? "it was not completed" : report::in_words(seen.reason);
    return result;
  }
  std::map<Key, KernelLine> lines;
  for (const auto& total : lab::totals(seen.lines))
    if (!total.is_beyond_banks()) lines[key(total)].total = total;
  for (const auto& row : seen.lines) {
    const auto total = total_of(row);
    if (!total) continue;
    const auto found = lines.find(key(*total));
    if (found == lines.end()) continue; // the global side of an asynchronous copy
    found->second.requests += row.requests;
    found->second.marked = found->second.marked || !row.exact();
  }
  for (auto& [name, line] : lines) result.lines.push_back(std::move(line));
  return result;
}

// ---- What a GPU counted

std::string rows_of(const MeasuredKernel& kernel) {
  const auto start = quoted(kernel.file) + "," + kernel.digest + "," + kernel.level + "," +
                     quoted(kernel.name) + ",";
  const auto rows = [&](const std::string& run, const CountedKernel& counted) {
    std::string text;
    if (!counted.failure.empty()) return start + run + ",,0,none,0,0,0,0\n";
    for (const auto& line : counted.lines)
      text += start + run + "," + quoted(line.total.file) + "," + std::to_string(line.total.line) +
              "," + name_of(line.total.use) + "," + std::to_string(line.requests) + "," +
              std::to_string(line.total.wavefronts) + "," + std::to_string(line.total.ideal) + "," +
              std::to_string(line.total.sectors) + "\n";
    return text;
  };
  const auto& a = kernel.first;
  const auto& b = kernel.second;
  const bool alike =
      a.failure.empty() == b.failure.empty() &&
      std::equal(a.lines.begin(), a.lines.end(), b.lines.begin(), b.lines.end(), same);
  return alike ? rows(kBothRuns, a) : rows("1", a) + rows("2", b);
}

std::variant<std::vector<MeasuredKernel>, std::string> measured_kernels_in(const Table& table) {
  std::vector<MeasuredKernel> all;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto& row = table.rows[i];
    const auto where = "row " + std::to_string(i + 1) + ": ";
    std::istringstream columns(kKernelColumns);
    for (std::string column; std::getline(columns, column, ',');)
      if (!row.contains(column)) return where + "there is no column " + column;
    const bool next = all.empty() || all.back().file != row.at("file") ||
                      all.back().level != row.at("level") || all.back().name != row.at("kernel");
    if (next)
      all.push_back({row.at("file"), row.at("digest"), row.at("level"), row.at("kernel"), {}, {}});
    KernelLine line;
    std::istringstream numbers(row.at("line") + " " + row.at("executed") + " " +
                               row.at("wavefronts") + " " + row.at("ideal") + " " +
                               row.at("sectors"));
    auto& total = line.total;
    if (!(numbers >> total.line >> line.requests >> total.wavefronts >> total.ideal >>
          total.sectors))
      return where + "a number cannot be read";
    const bool none = row.at("access") == "none";
    const auto use = model::use_named(row.at("access"));
    if (!use && !none) return where + "there is no access " + row.at("access");
    total.use = use.value_or(model::Use());
    total.file = row.at("source");
    for (const auto& [run, counted] :
         {std::pair{"1", &all.back().first}, {"2", &all.back().second}}) {
      if (row.at("run") != run && row.at("run") != kBothRuns) continue;
      if (none)
        counted->failure = "the GPU did not complete it";
      else
        counted->lines.push_back(line);
    }
  }
  return all;
}

// ---- Compared

KernelOutcome compared(CountedKernel here, const MeasuredKernel& measured) {
  KernelOutcome outcome;
  outcome.here = std::move(here);
  if (!outcome.here.failure.empty()) {
    outcome.kind = KernelOutcome::Kind::refused;
    outcome.differences = {outcome.here.failure};
    return outcome;
  }
  const auto calculated = by_key(outcome.here), first = by_key(measured.first),
             second = by_key(measured.second);
  std::map<Key, KernelLine> all = calculated;
  all.insert(first.begin(), first.end());
  all.insert(second.begin(), second.end());
  bool marked = false, wrong = false;
  for (const auto& [name, line] : all) {
    const auto at = [&](const std::map<Key, KernelLine>& lines) {
      const auto found = lines.find(name);
      return found == lines.end() ? KernelLine() : found->second;
    };
    const auto mine = at(calculated);
    marked = marked || mine.marked;
    std::string what = difference(mine, at(first));
    if (const auto again = difference(mine, at(second)); again != what)
      what += (what.empty() ? "" : "; ") + ("the next run: " + again);
    if (what.empty()) continue;
    wrong = wrong || !mine.marked;
    outcome.differences.push_back("line " + std::to_string(std::get<1>(name)) + ", " +
                                  name_of(std::get<2>(name)) +
                                  (mine.marked ? " (marked): " : ": ") + what);
  }
  using Kind = KernelOutcome::Kind;
  outcome.kind = wrong ? Kind::unequal : marked ? Kind::marked : Kind::equal;
  return outcome;
}

std::vector<std::string> less_than_twin(const CountedKernel& attacked, const CountedKernel& plain) {
  std::map<model::Use, std::pair<lab::LineTotal, lab::LineTotal>> sums;
  const auto add = [](lab::LineTotal& sum, const KernelLine& line) {
    model::add_counts(sum, line.total);
    sum.requests += line.requests;
  };
  for (const auto& line : attacked.lines) {
    if (line.marked) return {};
    add(sums[line.total.use].first, line);
  }
  for (const auto& line : plain.lines) add(sums[line.total.use].second, line);
  std::vector<std::string> result;
  for (const auto& [use, pair] : sums) {
    const auto& [mine, twin] = pair;
    model::for_each_count(
        mine, twin, [&](const model::KnownCount& known, std::uint64_t a, std::uint64_t b) {
          if (a < b)
            result.push_back(name_of(use) + ": " + std::to_string(a) + " " +
                             std::string(known.word) + ", its plain twin " + std::to_string(b));
        });
  }
  return result;
}

} // namespace course::conformance
