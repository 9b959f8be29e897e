#include "report/words/check_words.hpp"

#include "report/words/finding_words.hpp"
#include "report/words/numbers.hpp"
#include "report/words/occupancy_words.hpp"
#include "report/words/shape_words.hpp"
#include "report/words/time_words.hpp"
#include "report/words/traffic_words.hpp"
#include "report/words/way_words.hpp"

#include <fmt/format.h>

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
  return place.line ? fmt::format(", on line {}", place.line) : "";
}

// Whether "for 4,096 elements" is the shape in words already.
bool is_shape(const Check& check, std::uint64_t elements) {
  return check.shape == counted(elements, "element");
}

// ---- of a check that is not measured

const char* why(facts::Missing missing) {
  switch (missing) {
  case facts::Missing::nothing_executed:
    return "nothing was executed";
  case facts::Missing::kernel_ended:
    return "the kernel was ended";
  case facts::Missing::kernel_not_executed:
    return "the kernel could not be executed";
  case facts::Missing::memory_first:
    return "memory comes first";
  case facts::Missing::output_first:
    return "the output comes first";
  case facts::Missing::kernel_first:
    return "the kernel comes first";
  case facts::Missing::rest_first:
    return "the rest comes first";
  case facts::Missing::launch_missing:
    return "a launch is missing";
  case facts::Missing::no_global_memory:
    return "no global memory is touched";
  case facts::Missing::no_shared_memory:
    return "no shared memory is touched";
  case facts::Missing::no_memory:
    return "no memory is touched";
  case facts::Missing::way_not_followed:
    return "the way of the data was not followed";
  case facts::Missing::unknown_number:
    return "no number of that name is counted";
  case facts::Missing::needs_gpu:
    return "needs a GPU";
  case facts::Missing::not_limited:
    return "is not limited here";
  case facts::Missing::no_table:
    return "this copy of the course lacks book/data, which has what was measured";
  }
  return "";
}

CheckWords say(const Check&, const facts::NotMeasured& found) {
  return {why(found.why), "", "", found.device};
}

CheckWords say(const Check& check, const facts::NotKnown& found) {
  CheckWords words{"not certain", on_line(check.place), "", ""};
  switch (found.what) {
  case facts::Uncertain::shuffles:
    words.message = "what the compiler made of some shuffles is not known, and the limit would "
                    "rest on them";
    break;
  case facts::Uncertain::retries:
    words.message = "warps try again while others change the same word, so a GPU counts more, and "
                    "each time another number; no limit can rest on that";
    break;
  case facts::Uncertain::accesses:
    words.message = "what the compiler made of an access is not known for certain, and the limit "
                    "would rest on it";
    break;
  }
  return words;
}

// ---- the steps before anything is graded

CheckWords say(const Check&, const facts::Nothing&) {
  return {};
}

CheckWords say(const Check&, const facts::Ended& found) {
  return {"", "", "", found.headline};
}

CheckWords say(const Check&, const facts::Launched& found) {
  return {fmt::format("{} launch{}", found.launches, found.launches == 1 ? "" : "es"), "", "", ""};
}

CheckWords say(const Check& check, const facts::NothingLaunched& found) {
  return {"nothing was launched", "", "",
          fmt::format("{}() returned without launching a kernel for {}", found.function,
                      in_words(check.shape)),
          true};
}

CheckWords say(const Check& check, const facts::CallRefused& found) {
  return {found.call + " was refused", "", "",
          fmt::format("for {}, {} was refused with {}{}", in_words(check.shape), found.call,
                      found.error, found.why.empty() ? "" : ": " + found.why),
          true};
}

CheckWords say(const Check& check, const facts::CopiedByHost& found) {
  return {fmt::format("{} bytes copied without a kernel", found.bytes), "", "",
          fmt::format("for a {} matrix, host code copies {} bytes from one place in device memory "
                      "to another, which is not counted; let a kernel move them",
                      check.shape, found.bytes),
          true};
}

// ---- right and wrong

CheckWords say(const Check&, const facts::KernelEnded&) {
  return {"ended", "", "", ""};
}

CheckWords say(const Check& check, const facts::CostsTooMuch& found) {
  const auto& measure = check.measures.front();
  const auto what = measure.what == "requests"
                        ? counted(measure.value, "request to memory", "requests to memory")
                        : counted(measure.value, "instruction");
  return {what, "", thousands(measure.high),
          fmt::format("its warps take {} for {}; {} are already many times what the work needs",
                      what, counted(found.elements, "element"), thousands(measure.high)),
          is_shape(check, found.elements)};
}

CheckWords say(const Check&, const facts::OutputRight&) {
  return {"every element", "", "", ""};
}

CheckWords say(const Check&, const facts::OutputWrong& found) {
  const auto& output = found.comparison;
  CheckWords words;
  words.what =
      output.pattern == Pattern::all_unwritten
          ? "no element was written"
          : fmt::format("{} of {} {}", thousands(output.wrong), counted(output.elements, "element"),
                        output.wrong == output.unwritten ? "never written" : "wrong");
  const auto& first = *output.first;
  const auto where = judge::subscript(found.buffer, first, output.extent);
  words.message =
      first.unwritten
          ? fmt::format("{} was never written; expected {}", where, judge::text(first.expected))
          : fmt::format("{} is {}; expected {}", where, judge::text(first.got),
                        judge::text(first.expected));
  return words;
}

CheckWords say(const Check& check, const facts::Found& found) {
  const auto& finding = found.finding;
  const bool two = finding.other_line != 0 && finding.other_line != finding.line;
  const std::string what = what_happened(finding.kind);
  if (!two) return {what, on_line(check.place), "", finding.message};
  return {fmt::format("{}, lines {} and {}", what, std::min(finding.line, finding.other_line),
                      std::max(finding.line, finding.other_line)),
          "", "", finding.message};
}

CheckWords say(const Check&, const facts::Changed& found) {
  using Where = judge::Damage::Where;
  const auto where = found.damage.where;
  const auto what = fmt::format("{}`{}` was changed",
                                where == Where::before  ? "memory before "
                                : where == Where::after ? "memory after "
                                                        : "",
                                found.damage.buffer);
  return {what, "", "", fmt::format("{} at byte {}", what, thousands(found.damage.byte))};
}

CheckWords say(const Check&, const facts::MemoryFine&) {
  return {"in bounds, initialised, no races", "", "", ""};
}

// ---- counts

// Sectors a request where requests are the solution's, in number; otherwise in all.
CheckWords say(const Check& check, const facts::Sectors& found) {
  const auto& measure = check.measures[found.stores];
  CheckWords words;
  if (found.requests > 0 && found.requests == found.of_solution) {
    std::tie(words.what, words.limit) = apart(measure.value, measure.high, found.requests);
    words.what += " sectors a request";
  } else {
    words.what = counted(measure.value, "sector") + (found.stores ? " stored" : " loaded");
    words.limit = thousands(measure.high);
  }
  if (check.status != Status::failed) return words;
  words.says_shape = is_shape(check, found.elements);
  words.where = on_line(check.place);
  words.message =
      fmt::format("{} to {}, for {}, touched {}; {} would do", counted(found.requests, "request"),
                  found.stores ? "store" : "load", counted(found.elements, "element"),
                  counted(measure.value, "sector"), thousands(measure.high));
  return words;
}

CheckWords say(const Check& check, const facts::SharedTraffic& found) {
  auto words = traffic_words(check, found);
  if (check.status == Status::failed) words.where = on_line(check.place);
  words.says_shape = is_shape(check, found.elements);
  return words;
}

std::string on_lines(const std::vector<std::uint32_t>& lines) {
  if (lines.empty()) return "";
  if (lines.size() == 1) return fmt::format(", on line {}", lines[0]);
  if (lines.size() > 2) return fmt::format(", on {} lines", lines.size());
  return fmt::format(", on lines {} and {}", lines[0], lines[1]);
}

CheckWords say(const Check& check, const facts::Conflicts& found) {
  const auto& measure = check.measures.front();
  CheckWords words;
  words.limit = thousands(measure.high);
  if (found.requests == 0) {
    words.what = "none in " + counted(found.all_requests, "request");
    return words;
  }
  words.what = measure.high == 0 ? ratio(measure.value, found.requests) + " a request"
                                 : thousands(measure.value);
  words.where = on_lines(found.lines);
  words.message = fmt::format("{} took {}; {} would do", counted(found.requests, "request"),
                              counted(found.wavefronts, "pass", "passes"), thousands(found.ideal));
  return words;
}

std::string amount(facts::Unit unit, std::uint64_t value) {
  switch (unit) {
  case facts::Unit::threads:
    return counted(value, "thread");
  case facts::Unit::launches:
    return counted(value, "launch", "launches");
  case facts::Unit::bytes_a_block:
    return counted(value, "byte a block", "bytes a block");
  case facts::Unit::barriers:
    return counted(value, "barrier");
  case facts::Unit::instructions:
    return counted(value, "instruction");
  case facts::Unit::shuffles:
    return counted(value, "shuffle");
  case facts::Unit::replays:
    return counted(value, "replay");
  case facts::Unit::requests:
    return counted(value, "request");
  case facts::Unit::conflicts:
    return counted(value, "conflict");
  }
  return thousands(value);
}

// "at least 4", "4 to 6", "6" where nothing less is too little. Empty without a limit.
std::string limit_of(const Measure& measure) {
  const bool bounded = measure.high != Measure::kNoLimit;
  if (!bounded) return measure.low == 0 ? "" : "at least " + thousands(measure.low);
  if (measure.low == 0 || measure.low == measure.high) return thousands(measure.high);
  return thousands(measure.low) + " to " + thousands(measure.high);
}

CheckWords say(const Check& check, const facts::Counted& found) {
  const auto& measure = check.measures.front();
  CheckWords words{amount(found.unit, measure.value), "", limit_of(measure), ""};
  if (check.status != Status::failed) return words;
  const bool of_a_block = found.unit == facts::Unit::bytes_a_block; // however many elements
  words.message = of_a_block && measure.high == 0 && measure.low == 0
                      ? words.what + ", where none is allowed"
                      : fmt::format("{}{}; the limit is {}", words.what,
                                    of_a_block ? "" : " for " + counted(found.elements, "element"),
                                    words.limit);
  words.says_shape = !of_a_block && is_shape(check, found.elements);
  words.where = on_line(check.place);
  return words;
}

CheckWords say(const Check& check, const facts::ExactConflicts& found) {
  const auto& measure = check.measures.front();
  CheckWords words;
  words.what = counted(measure.value, "conflict") + " in " + check.shape;
  words.limit = "exactly " + thousands(measure.high);
  words.says_shape = true;
  if (check.status == Status::failed)
    words.message = fmt::format("{}; exactly {} are asked for: {}", words.what,
                                thousands(measure.high), found.where);
  return words;
}

CheckWords say(const Check& check, const facts::Astray& found) {
  return way_words(check, found);
}

// ---- time, predictions, occupancy

CheckWords say(const Check&, const facts::Timed& found) {
  return time_words(found);
}

CheckWords say(const Check&, const facts::Untimed& found) {
  return time_words(found);
}

CheckWords say(const Check&, const facts::Predicted& found) {
  using Verdict = facts::Predicted::Verdict;
  const auto among_them = fmt::format("of the {} reads, {}", found.reads, found.read);
  if (!found.said)
    return {found.read + ": nothing predicted", "", "",
            among_them + " has no number from 0 to 31 yet", true};
  const auto number = thousands(*found.said);
  const auto said = fmt::format("{}: {} predicted, ", found.read, number);
  if (found.verdict == Verdict::right)
    return {fmt::format("{}{} measured", said, *found.said), "", "", ""};
  // Which way it is wrong, and no more: the answer would spoil the question.
  const bool high = found.verdict == Verdict::too_high;
  return {said + (high ? "too high" : "too low"), "", "",
          fmt::format("{} has {} conflicts than the {} that you predict", among_them,
                      high ? "fewer" : "more", number),
          true};
}

CheckWords say(const Check& check, const facts::Answered& found) {
  if (!found.said)
    return {"no answer yet", "", "", "of your answers, " + check.name + " is still missing", true};
  if (found.right) return {"as an H200 says", "", "", ""};
  return {"not what an H200 says", "", "",
          "of your answers, " + check.name + " is not what was measured on an H200", true};
}

CheckWords say(const Check& check, const facts::Occupied& found) {
  return {counted(check.measures.front().value, found.warps ? "warp" : "block"), "",
          fmt::format("at least {}", found.least),
          check.status == Status::failed ? what_limits(found) : ""};
}

} // namespace

CheckWords words(const Check& check) {
  return std::visit([&](const auto& found) { return say(check, found); }, check.facts);
}

} // namespace course::report
