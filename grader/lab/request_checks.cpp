#include "lab/request_checks.hpp"

#include "judge/numbers.hpp"
#include "judge/one_number.hpp"

namespace course::lab {
namespace {

using Of = std::uint64_t (*)(const device::LineCounts&);
using Limit = std::function<judge::Range(const judge::Bounds&)>;

std::uint64_t requests(const device::LineCounts& line) {
  return line.requests;
}
std::uint64_t conflicts(const device::LineCounts& line) {
  return line.conflicts();
}

// The check of a number that lines have, summed over those whose access starts with `kind`.
OwnCheck check(const std::string& name, const std::string& noun, const std::string& kind, Of of,
               const Limit& limit) {
  judge::Number number;
  number.weight = [=](const device::LineCounts& line) {
    return line.access.starts_with(kind) ? of(line) : 0;
  };
  number.measure = [=, weight = number.weight](const judge::Execution& execution) {
    std::uint64_t sum = 0;
    for (const auto& line : execution.observed.lines) sum += weight(line);
    const auto range = limit(execution.bounds);
    return judge::Measure{name, sum, range.low, range.high};
  };
  number.words = [=](std::uint64_t value) { return judge::counted(value, noun); };
  return
      [=](judge::Executions executions) { return judge::check_number(name, executions, number); };
}

} // namespace

OwnCheck requests_within(const std::string& name, const std::string& kind) {
  const Limit limit = [name](const judge::Bounds& bounds) {
    const auto found = bounds.others.find(name);
    return found == bounds.others.end() ? judge::Range{} : found->second;
  };
  return check(name, "request", kind, requests, limit);
}

OwnCheck both(OwnCheck one, OwnCheck other) {
  return [one = std::move(one), other = std::move(other)](judge::Executions executions) {
    auto check = one(executions);
    if (check.status != judge::Status::passed) return check;
    auto second = other(executions);
    if (second.status != judge::Status::failed) return check;
    second.name = check.name;
    return second;
  };
}

OwnCheck conflicts_within(const std::string& name, const std::string& kind) {
  const Limit limit = [](const judge::Bounds& bounds) { return judge::Range{0, bounds.conflicts}; };
  return check(name, "conflict", kind, conflicts, limit);
}

} // namespace course::lab
