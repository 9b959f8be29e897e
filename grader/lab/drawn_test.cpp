#include "lab/drawn.hpp"

#include "lab/labs.hpp"
#include "system/environment.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace course::lab {
namespace {

std::vector<Case> drawn(const Exercise& exercise, std::uint64_t seed) {
  auto cases = cases_of(exercise, seed);
  cases.erase(cases.begin(), cases.begin() + static_cast<std::ptrdiff_t>(exercise.cases.size()));
  return cases;
}

std::uint64_t size_of(const Case& one) {
  std::uint64_t bytes = 0;
  for (const auto& operand : one.operands) bytes += operand.elements * bytes_of(operand.type);
  return bytes;
}

} // namespace

TEST_CASE("a draw stays within its ends, and meets all that is between them") {
  std::set<std::uint64_t> met, primes;
  Draw draw(7);
  for (int i = 0; i < 500; ++i) {
    met.insert(draw.between(3, 9));
    primes.insert(draw.prime(8, 20));
  }
  CHECK(met == std::set<std::uint64_t>{3, 4, 5, 6, 7, 8, 9});
  CHECK(primes == std::set<std::uint64_t>{11, 13, 17, 19});
}

TEST_CASE("every exercise with a kernel has a shape of this seed, and others of another") {
  for (const auto& exercise : exercises(COURSE_SOURCE_DIR)) {
    INFO(exercise.id);
    const auto again = drawn(exercise, 1), shapes = drawn(exercise, 1);
    if (!exercise.launches) {
      CHECK(shapes.empty());
      continue;
    }
    REQUIRE_FALSE(shapes.empty());
    std::set<std::string> all;
    for (std::uint64_t seed = 0; seed < 20; ++seed)
      for (const auto& one : drawn(exercise, seed)) all.insert(one.shape.label);
    CHECK(all.size() >= 4);
    for (std::size_t i = 0; i < shapes.size(); ++i) CHECK(again[i].shape == shapes[i].shape);
  }
}

// COURSE_DRAWN_SEEDS: how many, more than a unit test draws.
TEST_CASE("every seed has as many shapes, of which none has a name or comes twice") {
  const auto seeds = std::stoul(system::environment("COURSE_DRAWN_SEEDS").value_or("20"));
  for (const auto& exercise : exercises(COURSE_SOURCE_DIR)) {
    if (!exercise.drawn) continue;
    INFO(exercise.id);
    Draw any(1);
    const auto wanted = exercise.cases.size() + exercise.drawn(any).size();
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      std::set<std::string> labels;
      for (const auto& one : cases_of(exercise, seed)) labels.insert(name(one.shape));
      CHECK(labels.size() == wanted);
    }
  }
}

TEST_CASE("where there are too few shapes to draw, those that there are have to do") {
  Exercise exercise;
  const auto of = [](const std::string& label) {
    Case one;
    one.shape.label = label;
    return one;
  };
  exercise.cases = {of("1 row")};
  exercise.drawn = [&](Draw&) { return std::vector{of("1 row"), of("2 rows"), of("2 rows")}; };
  const auto cases = cases_of(exercise, 1);
  REQUIRE(cases.size() == 2);
  CHECK(cases[1].shape.label == "2 rows");
  CHECK(cases[1].drawn);
}

TEST_CASE("a drawn shape costs little, and has all that a named one has") {
  for (const auto& exercise : exercises(COURSE_SOURCE_DIR)) {
    std::uint64_t most = 4 << 20; // or a little more than the largest that has a name
    for (const auto& named : exercise.cases) most = std::max(most, size_of(named) * 5 / 4);
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      for (const auto& one : drawn(exercise, seed)) {
        INFO(exercise.id << " " << one.shape.label);
        const auto inputs = one.inputs(Flavour::exact, 1);
        REQUIRE(inputs.size() == one.operands.size());
        for (std::size_t i = 0; i < inputs.size(); ++i)
          if (!one.operands[i].output) CHECK(inputs[i].size() == one.operands[i].elements);
        CHECK(size_of(one) <= most);
        CHECK(one.reference(inputs).size() == one.extent.rows * one.extent.cols + one.answers);
        CHECK(one.arguments.size() == exercise.cases[0].arguments.size());
        for (const auto& [name, range] : exercise.cases[0].bounds.others)
          CHECK((one.bounds.others.count(name) || name == "requests" || name == "threads" ||
                 name == "shared_bytes"));
      }
    }
  }
}

} // namespace course::lab
