#include "report/words/check_words.hpp"

#include "report/words/check_table.hpp"
#include "report/words/count_words.hpp"
#include "report/words/ended_words.hpp"
#include "report/words/finding_words.hpp"
#include "report/words/message_words.hpp"
#include "report/words/numbers.hpp"
#include "report/words/occupancy_words.hpp"
#include "report/words/shape_words.hpp"
#include "report/words/time_words.hpp"
#include "report/words/traffic_words.hpp"
#include "report/words/way_words.hpp"

#include <algorithm>
#include <string>

namespace course::report {
namespace {

namespace facts = judge::facts;
using judge::Check;
using judge::Measure;
using judge::Pattern;
using judge::Status;

std::string on_line(const judge::Place& place) {
  return place.line ? tr(", on line {}", place.line) : "";
}

std::string elements(std::uint64_t count) {
  return counted(count, "{} element", "{} elements");
}

// ---- of a check that is not measured

std::string why(facts::Missing missing) {
  switch (missing) {
  case facts::Missing::nothing_executed:
    return tr("nothing was executed");
  case facts::Missing::kernel_ended:
    return tr("the kernel was ended");
  case facts::Missing::kernel_not_executed:
    return tr("the kernel could not be executed");
  case facts::Missing::memory_first:
    return tr("memory comes first");
  case facts::Missing::output_first:
    return tr("the output comes first");
  case facts::Missing::kernel_first:
    return tr("the kernel comes first");
  case facts::Missing::rest_first:
    return tr("the rest comes first");
  case facts::Missing::launch_missing:
    return tr("a launch is missing");
  case facts::Missing::no_global_memory:
    return tr("no global memory is touched");
  case facts::Missing::no_shared_memory:
    return tr("no shared memory is touched");
  case facts::Missing::no_memory:
    return tr("no memory is touched");
  case facts::Missing::way_not_followed:
    return tr("the way of the data was not followed");
  case facts::Missing::unknown_number:
    return tr("no number of that name is counted");
  case facts::Missing::needs_gpu:
    return tr("needs a GPU");
  case facts::Missing::needs_other_gpu:
    return tr("needs another GPU");
  case facts::Missing::not_limited:
    return tr("is not limited here");
  case facts::Missing::no_solution:
    return tr("is limited by what the solution costs, which your instructor has");
  case facts::Missing::no_table:
    return tr("this copy of the course lacks book/data, which has what was measured");
  }
  return "";
}

CheckWords say(const Check&, const facts::NotMeasured& found) {
  return {why(found.why), "", "", in_words(found.device)};
}

CheckWords say(const Check& check, const facts::NotKnown& found) {
  CheckWords words{tr("not certain"), on_line(check.place), "", ""};
  switch (found.what) {
  case facts::Uncertain::shuffles:
    words.message = tr("what the compiler made of some shuffles is not known, and the limit would "
                       "rest on them");
    break;
  case facts::Uncertain::retries:
    words.message = tr("warps try again while others change the same word, so a GPU counts more, "
                       "and each time another number; no limit can rest on that");
    break;
  case facts::Uncertain::accesses:
    words.message = tr("what the compiler made of an access is not known for certain, and the "
                       "limit would rest on it");
    break;
  }
  return words;
}

// ---- the steps before anything is graded

CheckWords say(const Check&, const facts::Nothing&) {
  return {};
}

CheckWords say(const Check&, const facts::Ended& found) {
  return {"", "", "", ended_words(found.how).headline};
}

CheckWords say(const Check&, const facts::Launched& found) {
  return {counted(found.launches, "{} launch", "{} launches"), "", "", ""};
}

CheckWords say(const Check& check, const facts::NothingLaunched& found) {
  return {
      tr("nothing was launched"), "", "",
      tr("{}() returned without launching a kernel for {}", found.function, in_words(check.shape)),
      true};
}

CheckWords say(const Check& check, const facts::CallRefused& found) {
  return {tr("{} was refused", found.call), "", "",
          found.why.empty()
              ? tr("for {}, {} was refused with {}", in_words(check.shape), found.call, found.error)
              : tr("for {}, {} was refused with {}: {}", in_words(check.shape), found.call,
                   found.error, in_words(found.why)),
          true};
}

CheckWords say(const Check& check, const facts::CopiedByHost& found) {
  return {tr("{} bytes copied without a kernel", found.bytes), "", "",
          tr("for a {} matrix, host code copies {} bytes from one place in device memory to "
             "another, which is not counted; let a kernel move them",
             called(check.shape), found.bytes),
          true};
}

// ---- right and wrong

CheckWords say(const Check&, const facts::KernelEnded&) {
  return {trc("of a kernel", "ended"), "", "", ""};
}

CheckWords say(const Check& check, const facts::CostsTooMuch& found) {
  const auto& measure = check.measures.front();
  const auto what = measure.what == "requests"
                        ? counted(measure.value, "{} request to memory", "{} requests to memory")
                        : counted(measure.value, "{} instruction", "{} instructions");
  return {what, "", thousands(measure.high),
          tr("its warps take {} for {}; {} are already many times what the work needs", what,
             elements(found.elements), thousands(measure.high)),
          counts_elements(check.shape, found.elements)};
}

CheckWords say(const Check&, const facts::OutputRight&) {
  return {tr("every element"), "", "", ""};
}

CheckWords say(const Check&, const facts::OutputWrong& found) {
  const auto& output = found.comparison;
  CheckWords words;
  words.what = output.pattern == Pattern::all_unwritten ? tr("no element was written")
               : output.wrong == output.unwritten
                   ? trn("{} of {} element never written", "{} of {} elements never written",
                         output.elements, thousands(output.wrong), thousands(output.elements))
                   : trn("{} of {} element wrong", "{} of {} elements wrong", output.elements,
                         thousands(output.wrong), thousands(output.elements));
  const auto& first = *output.first;
  const auto where = judge::subscript(found.buffer, first, output.extent);
  words.message = first.unwritten
                      ? tr("{} was never written; expected {}", where, judge::text(first.expected))
                      : tr("{} is {}; expected {}", where, judge::text(first.got, first.expected),
                           judge::text(first.expected, first.got));
  return words;
}

CheckWords say(const Check& check, const facts::Found& found) {
  const auto& finding = found.finding;
  const bool two = finding.other_line != 0 && finding.other_line != finding.line;
  const auto what = what_happened(finding);
  if (!two) return {what, on_line(check.place), "", in_words(finding.message)};
  return {tr("{}, lines {} and {}", what, std::min(finding.line, finding.other_line),
             std::max(finding.line, finding.other_line)),
          "", "", in_words(finding.message)};
}

CheckWords say(const Check&, const facts::Changed& found) {
  using Where = judge::Damage::Where;
  const auto where = found.damage.where;
  const auto& buffer = found.damage.buffer;
  const auto what = where == Where::before  ? tr("memory before `{}` was changed", buffer)
                    : where == Where::after ? tr("memory after `{}` was changed", buffer)
                                            : tr("`{}` was changed", buffer);
  return {what, "", "", tr("{} at byte {}", what, thousands(found.damage.byte))};
}

CheckWords say(const Check&, const facts::MemoryFine&) {
  return {tr("in bounds, initialised, no races"), "", "", ""};
}

// ---- counts

// Sectors a request where requests are the solution's, in number; otherwise in all.
CheckWords say(const Check& check, const facts::Sectors& found) {
  const auto& measure = check.measures[found.stores];
  CheckWords words;
  if (found.requests > 0 && found.requests == found.of_solution) {
    std::tie(words.what, words.limit) = apart(measure.value, measure.high, found.requests);
    words.what = tr("{} sectors per request", words.what);
  } else {
    words.what = found.stores ? counted(measure.value, "{} sector stored", "{} sectors stored")
                              : counted(measure.value, "{} sector loaded", "{} sectors loaded");
    words.limit = thousands(measure.high);
  }
  if (check.status != Status::failed) return words;
  words.says_shape = counts_elements(check.shape, found.elements);
  words.where = on_line(check.place);
  const auto requests = found.stores
                            ? counted(found.requests, "{} request to store", "{} requests to store")
                            : counted(found.requests, "{} request to load", "{} requests to load");
  words.message = tr("{}, for {}, touched {}; {} would do", requests, elements(found.elements),
                     counted(measure.value, "{} sector", "{} sectors"), thousands(measure.high));
  return words;
}

CheckWords say(const Check& check, const facts::SharedTraffic& found) {
  auto words = traffic_words(check, found);
  if (check.status == Status::failed) words.where = on_line(check.place);
  words.says_shape = counts_elements(check.shape, found.elements);
  return words;
}

std::string on_lines(const std::vector<std::uint32_t>& lines) {
  if (lines.empty()) return "";
  if (lines.size() == 1) return tr(", on line {}", lines[0]);
  if (lines.size() > 2) return tr(", on {} lines", lines.size());
  return tr(", on lines {} and {}", lines[0], lines[1]);
}

CheckWords say(const Check& check, const facts::Conflicts& found) {
  const auto& measure = check.measures.front();
  CheckWords words;
  words.limit = thousands(measure.high);
  if (found.requests == 0) {
    words.what = counted(found.all_requests, "none in {} request", "none in {} requests");
    return words;
  }
  words.what = measure.high == 0 ? tr("{} per request", ratio(measure.value, found.requests))
                                 : thousands(measure.value);
  words.where = on_lines(found.lines);
  words.message =
      tr("{} took {}; {} would do", counted(found.requests, "{} request", "{} requests"),
         counted(found.wavefronts, "{} pass", "{} passes"), thousands(found.ideal));
  return words;
}

std::string amount(facts::Unit unit, std::uint64_t value) {
  switch (unit) {
  case facts::Unit::threads:
    return counted(value, "{} thread", "{} threads");
  case facts::Unit::launches:
    return counted(value, "{} launch", "{} launches");
  case facts::Unit::bytes_a_block:
    return counted(value, "{} byte per block", "{} bytes per block");
  case facts::Unit::barriers:
    return counted(value, "{} barrier", "{} barriers");
  case facts::Unit::instructions:
    return counted(value, "{} instruction", "{} instructions");
  case facts::Unit::shuffles:
    return counted(value, "{} shuffle", "{} shuffles");
  case facts::Unit::replays:
    return counted(value, "{} replay", "{} replays");
  case facts::Unit::requests:
    return counted(value, "{} request", "{} requests");
  case facts::Unit::passes:
    return counted(value, "{} pass", "{} passes");
  case facts::Unit::conflicts:
    return counted(value, "{} conflict", "{} conflicts");
  }
  return thousands(value);
}

// "at least 4", "4 to 6", "6" where nothing less is too little. Empty without a limit.
std::string limit_of(const Measure& measure) {
  const bool bounded = measure.high != Measure::kNoLimit;
  if (!bounded) return measure.low == 0 ? "" : tr("at least {}", thousands(measure.low));
  if (measure.low == 0 || measure.low == measure.high) return thousands(measure.high);
  return tr("{} to {}", thousands(measure.low), thousands(measure.high));
}

CheckWords say(const Check& check, const facts::Counted& found) {
  const auto& measure = check.measures.front();
  CheckWords words{amount(found.unit, measure.value), "", limit_of(measure), ""};
  if (check.status != Status::failed) return words;
  const bool of_a_block = found.unit == facts::Unit::bytes_a_block; // however many elements
  words.message = of_a_block && measure.high == 0 && measure.low == 0
                      ? tr("{}, where none is allowed", words.what)
                  : of_a_block ? tr("{}; the limit is {}", words.what, words.limit)
                               : tr("{} for {}; the limit is {}", words.what,
                                    elements(found.elements), words.limit);
  words.says_shape = !of_a_block && counts_elements(check.shape, found.elements);
  words.where = on_line(check.place);
  return words;
}

CheckWords say(const Check& check, const facts::ExactConflicts& found) {
  const auto& measure = check.measures.front();
  CheckWords words;
  words.what =
      tr("{} in {}", counted(measure.value, "{} conflict", "{} conflicts"), called(check.shape));
  words.limit = tr("exactly {}", thousands(measure.high));
  words.says_shape = true;
  if (check.status == Status::failed)
    words.message =
        tr("{}; exactly {} are asked for: {}", words.what, thousands(measure.high), found.where);
  return words;
}

CheckWords say(const Check& check, const facts::Uses& found) {
  return uses_words(check, found);
}

CheckWords say(const Check& check, const facts::Astray& found) {
  return way_words(check, found);
}

// ---- time, answers, occupancy

CheckWords say(const Check&, const facts::Timed& found) {
  return time_words(found);
}

CheckWords say(const Check&, const facts::Untimed& found) {
  return time_words(found);
}

// Never which answers are right; how many, where a check takes some of them for enough.
CheckWords say(const Check&, const facts::Answered& found) {
  const auto all = found.said.size();
  const bool some = found.least < all;
  const auto limit = some ? tr("at least {}", found.least) : "";
  if (const auto& slip = found.too_large)
    return {tr("{} is no answer", slip->said), "", limit,
            tr("answer {} of {} is {}, and the task asks for a number from 0 to {}",
               slip->place + 1, all, slip->said, slip->most),
            true};
  if (const auto missing = found.missing())
    return {missing == all ? tr("no answer yet") : tr("{} of {} missing", missing, all), "", limit,
            tr("still missing of your {} answers: {}; they are judged together", all, missing),
            true};
  if (found.right == all)
    return {found.measured ? tr("all {} as an H200 says", all)
                           : trc("answers", "all {} right", all),
            "", limit, ""};
  if (some)
    return {trc("answers", "{} of {} right", found.right, all), "", limit,
            tr("right of your {} answers: {}; which, you are not told", all, found.right), true};
  return {found.measured ? tr("not all {} as an H200 says", all)
                         : trc("answers", "not all {} right", all),
          "", limit,
          tr("of your {} answers, at least one is not right; they are judged together", all), true};
}

CheckWords say(const Check& check, const facts::Occupied& found) {
  const auto value = check.measures.front().value;
  return {
      found.warps ? counted(value, "{} warp", "{} warps") : counted(value, "{} block", "{} blocks"),
      "", tr("at least {}", found.least), check.status == Status::failed ? what_limits(found) : ""};
}

} // namespace

CheckWords words(const Check& check) {
  return std::visit([&](const auto& found) { return say(check, found); }, check.facts);
}

std::string awaited_words(const std::vector<std::string>& checks, const std::string& awaited) {
  return tr("Points of {} count once {} passes.", listed(checks), awaited);
}

} // namespace course::report
