#include "report/faults.hpp"

#include "report/text.hpp"

#include <charconv>
#include <string_view>

namespace course::report {
namespace {

// "2_pad.cu(22): error: …", as nvcc says it, and "2_pad.cu:22:5: error: …" of the host compiler.
bool read_message(std::string_view line, Fault& fault) {
  const auto kind = line.find(": error");
  const auto other = line.find(": warning");
  const auto end = std::min(kind, other);
  if (end == line.npos) return false;
  const auto open = line.find_first_of("(:");
  if (open >= end) return false;
  const auto digits = line.substr(open + 1, end - open - 1);
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), fault.line);
  if (read.ec != std::errc{} || fault.line == 0) return false;
  fault.serious = kind < other;
  const auto text = line.find(": ", end + 2);
  fault.message = text == line.npos ? std::string(line) : std::string(line.substr(text + 2));
  return true;
}

} // namespace

std::vector<Fault> faults(const GradedExercise& exercise) {
  std::vector<Fault> found;
  Fault fault;
  fault.exercise = exercise.id;
  fault.path = exercise.path;
  for (const auto& line : lines_of(exercise.compiler)) {
    fault.rule = judge::name_of(judge::CheckKind::compile);
    if (read_message(line, fault)) found.push_back(fault);
  }
  const bool said = exercise.verdict == "did_not_compile" && !found.empty();
  if (exercise.verdict == "not_measurable") {
    fault.rule = exercise.verdict;
    fault.line = 0;
    fault.serious = true;
    fault.message = reason(exercise);
    found.push_back(fault);
  }
  for (const auto& check : exercise.checks) {
    if (check.status != judge::Status::failed ||
        (said && judge::check_kind(check.name) == judge::CheckKind::compile))
      continue;
    fault.rule = check.name;
    fault.line = check.line;
    fault.serious = true;
    fault.message = check.message.empty()
                        ? check.observed + (check.limit.empty() ? "" : ", limit " + check.limit)
                        : check.message;
    found.push_back(fault);
  }
  return found;
}

} // namespace course::report
