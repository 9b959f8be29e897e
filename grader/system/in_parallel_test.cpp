#include "system/in_parallel.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <vector>

namespace course::system {

TEST_CASE("each number is worked on once, whether there are more threads or fewer") {
  for (const std::size_t threads : {1, 3, 40}) {
    std::vector<std::atomic<int>> done(17);
    in_parallel(done.size(), threads, [&](std::size_t i) { ++done[i]; });
    for (const auto& one : done) CHECK(one == 1);
  }
  in_parallel(0, 4, [](std::size_t) { FAIL("there is nothing to do"); });
}

} // namespace course::system
