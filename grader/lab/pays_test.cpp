#include "lab/pays.hpp"

#include <doctest/doctest.h>

namespace course::lab {
namespace {

std::vector<TimedFile> timed(double skeleton, double wrong) {
  const auto file = [](const char* kind, const char* fails, double us, const char* name) {
    return TimedFile{"x", kind, fails, us * 1e-6, us * 1e-6, us * 1e-6, name};
  };
  return {file("solution", "", 100, "solution.cu"), file("skeleton", "conflicts", skeleton, "x.cu"),
          file("wrong", "traffic", 150, "slow.cu"), file("wrong", "coalescing", wrong, "fast.cu")};
}

} // namespace

TEST_CASE("a lesson pays where the skeleton takes a tenth more and nothing that fails is faster") {
  const auto found = pays(timed(111, 99));
  REQUIRE(found);
  CHECK(found->skeleton == doctest::Approx(1.11));
  CHECK(found->fastest_wrong == doctest::Approx(0.99));
  CHECK(found->fastest_file == "fast.cu");
  CHECK(found->holds());
}

TEST_CASE("a lesson does not pay where its skeleton is nearly as fast") {
  CHECK_FALSE(pays(timed(108, 100))->holds());
}

TEST_CASE("a lesson does not pay where a text that fails a check is faster") {
  CHECK_FALSE(pays(timed(200, 97))->holds());
}

TEST_CASE("what was not timed says nothing") {
  CHECK_FALSE(pays({}));
  CHECK_FALSE(pays({{"x", "skeleton", "conflicts", 1e-6}}));
  CHECK(pays({{"x", "solution", "", 1e-6}})->holds());
}

TEST_CASE("where the measurement leaves it open, a lesson is not said to be worth nothing") {
  auto files = timed(108, 97);
  files[0].low = 98e-6;
  CHECK(pays(files)->holds());
}

} // namespace course::lab
