#include "device/emulator/check/order.hpp"

#include <doctest/doctest.h>

#include <random>

namespace course::emulator {

TEST_CASE("what a warp is told is what its knowledge covers, record by record") {
  std::mt19937 random(11);
  const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
  for (int trial = 0; trial < 20; ++trial) {
    BlockOrder order;
    order.begin(true);
    const Record any = record(1, 5, 2) | 3;
    CHECK_FALSE(order.is_told(7, any));
    Knowledge knowledge;
    for (int part = 0; part < 3; ++part) { // told one after the other
      Knowledge more;
      more.all = trial % 2 ? below(20) : 0;
      for (std::uint32_t warp = below(3); warp < 32; warp += 1 + below(9))
        more.warps.push_back({warp, below(50)});
      for (std::uint32_t thread = below(30); thread < 1024; thread += 1 + below(60))
        more.threads.push_back({thread, below(60)});
      order.tell(7, more);
      knowledge.add(more);
    }
    bool as_known = true;
    int covered = 0;
    for (int i = 0; i < 4000; ++i) {
      const Record one = record(below(64), below(100), below(32)) | below(32) |
                         (below(2) ? kAtomic : 0) | (below(4) ? 0 : kSeveralLanes);
      as_known = as_known && order.is_told(7, one) == knowledge.covers(one);
      covered += knowledge.covers(one);
    }
    CHECK(as_known);
    CHECK(covered > 400);
    CHECK(covered < 3600);
    CHECK_FALSE(order.is_told(8, any)); // another warp
    order.begin(true);                  // another block
    CHECK_FALSE(order.is_told(7, any));
  }
}

} // namespace course::emulator
