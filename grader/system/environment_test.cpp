#include "system/environment.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace course::system {

TEST_CASE("a program has this process's environment, but for what is given instead") {
  const auto words = environment_with({{"PATH", "/nowhere"}, {"COURSE_ONLY_HERE", "a b"}});
  CHECK(std::ranges::count(words, "PATH=/nowhere") == 1);
  CHECK(std::ranges::count(words, "COURSE_ONLY_HERE=a b") == 1);
  CHECK(std::ranges::count_if(words, [](const auto& one) { return one.starts_with("PATH="); }) == 1);
  CHECK_FALSE(environment("COURSE_ONLY_HERE"));
}

} // namespace course::system
