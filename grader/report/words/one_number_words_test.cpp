#include "judge/hand_made.hpp"
#include "judge/one_number.hpp"
#include "report/words/check_words.hpp"

#include <doctest/doctest.h>

namespace course::judge {
namespace {

constexpr auto kNoLimit = Measure::kNoLimit;

std::string limit(std::uint64_t low, std::uint64_t high) {
  Check check;
  check.measures = {{"a number", 0, low, high}};
  check.facts = facts::Counted{facts::Unit::requests, 1};
  return report::words(check).limit;
}

Number requests(std::uint64_t low, std::uint64_t high) {
  return {[=](const Execution& execution) {
            std::uint64_t sum = 0;
            for (const auto& line : execution.observed.lines) sum += line.requests;
            return Measure{"requests", sum, low, high};
          },
          facts::Unit::requests,
          [](const device::LineCounts& line) { return line.line == 29 ? line.wavefronts : 0; }};
}

} // namespace

TEST_CASE("a limit is said with the ends that it has") {
  CHECK(limit(0, 1000) == "1,000");
  CHECK(limit(64, 64) == "64");
  CHECK(limit(4, 6) == "4 to 6");
  CHECK(limit(4, kNoLimit) == "at least 4");
  CHECK(limit(0, kNoLimit).empty());
}

TEST_CASE("a number beyond its limit fails, with its words, its limit and the heaviest line") {
  const std::vector executions = {hand_made::transpose(64, 64)}; // four accesses, 128 requests each
  CHECK(check_number("requests", executions, requests(512, 512)).status == Status::passed);
  CHECK(report::words(check_number("requests", executions, requests(512, 512))).message.empty());
  const auto check = check_number("requests", executions, requests(0, 511));
  CHECK(check.status == Status::failed);
  CHECK(report::words(check).observed() == "512 requests, on line 29");
  CHECK(report::words(check).message == "512 requests for 4,096 elements; the limit is 511");
  CHECK(check.place.line == 29);
  CHECK(check_number("requests", executions, requests(513, kNoLimit)).status == Status::failed);
}

TEST_CASE("a number of a block is not said for so many elements, nor placed without a weight") {
  const std::vector executions = {hand_made::transpose(64, 64)};
  auto number = requests(0, 511);
  number.unit = facts::Unit::bytes_a_block;
  number.weight = nullptr;
  const auto check = check_number("requests", executions, number);
  CHECK(report::words(check).message == "512 bytes per block; the limit is 511");
  CHECK(report::words(check).observed() == "512 bytes per block");
  CHECK(check.place.line == 0);
}

TEST_CASE("without an execution there is no number") {
  CHECK(check_number("requests", {}, requests(0, 1)).status == Status::not_measured);
}

} // namespace course::judge
