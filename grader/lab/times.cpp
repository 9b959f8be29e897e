#include "lab/times.hpp"

#include "judge/counts.hpp"
#include "judge/least_time.hpp"
#include "lab/cost.hpp"
#include "lab/data_rows.hpp"
#include "system/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>

namespace course::lab {
namespace {

constexpr std::size_t kOthersShown = 2;

// exercise,file,kind,fails,shape,median_us,low_us,high_us
std::optional<TimedFile> timed_file(const Fields& fields) {
  if (fields.size() != 8) return std::nullopt;
  const auto median = number_in(fields[5]), low = number_in(fields[6]), high = number_in(fields[7]);
  if (!median || !low || !high) return std::nullopt;
  return TimedFile{fields[0],   fields[2],    fields[3], 1e-6 * *median,
                   1e-6 * *low, 1e-6 * *high, fields[1]};
}

std::vector<std::string> names_in(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

std::vector<judge::facts::Untimed::Others> others_of(const std::vector<TimedFile>& files,
                                                     const std::vector<std::string>& failed) {
  std::map<std::string, judge::facts::Untimed::Others> groups;
  for (const auto& file : files) {
    const auto checks = names_in(file.fails);
    const auto is_failed = [&](const auto& name) { return std::ranges::count(checks, name) > 0; };
    if (checks.empty() || (!failed.empty() && std::ranges::none_of(failed, is_failed))) continue;
    auto& group = groups[file.fails];
    const bool first = group.checks.empty();
    group.checks = checks;
    group.low = first ? file.seconds : std::min(group.low, file.seconds);
    group.high = first ? file.seconds : std::max(group.high, file.seconds);
  }
  std::vector<judge::facts::Untimed::Others> others;
  for (const auto& [fails, group] : groups) others.push_back(group);
  std::ranges::sort(others, std::greater{}, &judge::facts::Untimed::Others::high);
  if (others.size() > kOthersShown) others.resize(kOthersShown);
  return others;
}

// How many times as much `large` is, without what many_times() adds for nothing.
double growth(std::uint64_t large, std::uint64_t small, std::uint64_t added) {
  const auto plain = [&](std::uint64_t cost) {
    return std::max(1.0, static_cast<double>(cost) / static_cast<double>(kManyTimes) -
                             static_cast<double>(added));
  };
  return plain(large) / plain(small);
}

std::optional<judge::facts::LeastTime> least_of(const Case& timed, judge::Executions executions,
                                                const model::Rates& rates) {
  const judge::Execution* largest = nullptr;
  for (const auto& one : executions)
    if (!largest || one.bounds.cost.instructions > largest->bounds.cost.instructions)
      largest = &one;
  constexpr auto kNone = judge::Measure::kNoLimit;
  if (!largest || largest->bounds.cost.instructions == kNone) return std::nullopt;
  // Where values decide what is counted, those of another size may take less.
  const auto work_of_largest = judge::work_of(judge::count(largest->observed));
  const auto differs = [&](const judge::Execution& one) {
    return one.bounds.cost.instructions == largest->bounds.cost.instructions &&
           judge::work_of(judge::count(one.observed)) != work_of_largest;
  };
  if (std::ranges::any_of(executions, differs)) return std::nullopt;
  const auto none = many_times(0, 0);
  const auto& small = largest->bounds.cost;
  const auto& large = timed.bounds.cost;
  const double instructions =
      growth(large.instructions, small.instructions, none.instructions / kManyTimes);
  const double requests = growth(large.requests, small.requests, none.requests / kManyTimes);
  auto work = work_of_largest;
  work.instructions *= instructions;
  work.passes *= requests;
  work.loaded_sectors *= requests;
  work.stored_sectors *= requests;
  for (const auto& operand : timed.operands)
    work.bytes += static_cast<double>(operand.elements * bytes_of(operand.type));
  return judge::least_time(work, rates);
}

} // namespace

std::vector<TimedFile> timed_files(const std::filesystem::path& root, const std::string& exercise,
                                   const model::Gpu& gpu) {
  std::vector<TimedFile> files;
  const auto data = root / "book" / "data" / gpu.architecture.name;
  const auto text = system::content_of(data / "exercise_times.csv");
  for (const auto& fields : data_rows(text.value_or("")))
    if (fields.front() == exercise)
      if (const auto file = timed_file(fields)) files.push_back(*file);
  return files;
}

std::optional<judge::facts::Untimed> untimed(const Exercise& exercise,
                                             const std::vector<TimedFile>& files,
                                             const std::vector<std::string>& failed,
                                             judge::Executions executions, const model::Gpu& gpu) {
  const auto solution = std::ranges::find(files, "solution", &TimedFile::kind);
  if (!exercise.time || solution == files.end()) return std::nullopt;
  const auto timed = exercise.time->shape();
  return judge::facts::Untimed{timed.shape,
                               solution->seconds,
                               others_of(files, failed),
                               least_of(timed, executions, gpu.rates),
                               false,
                               std::string(gpu.model)};
}

} // namespace course::lab
