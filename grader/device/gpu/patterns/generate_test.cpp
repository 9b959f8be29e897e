#include "device/gpu/patterns/generate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>

namespace course::gpu::patterns {

TEST_CASE("drawn patterns can be measured: aligned, inside the window, with a lane at least") {
  for (const auto& kind : kinds()) {
    CAPTURE(kind.name);
    for (const auto& pattern : generate(kind, 200, 3)) {
      CHECK(pattern.active != 0);
      for (const auto& offsets : {pattern.lane, pattern.global}) {
        const bool fits = std::all_of(offsets.begin(), offsets.end(), [&](std::uint32_t offset) {
          return offset % kind.alignment == 0 && offset <= kWindowBytes - kind.alignment;
        });
        CHECK(fits);
      }
      if (kind.all_lanes) CHECK(pattern.active == 0xffffffff);
    }
  }
}

TEST_CASE("the same seed draws the same, another draws another, each kind its own") {
  const Kind& load = *find_kind("shared_load_4");
  const Kind& store = *find_kind("shared_store_4");
  const auto one = generate(load, 50, 1), again = generate(load, 50, 1);
  const auto other = generate(load, 50, 2), kind = generate(store, 50, 1);
  const auto same = [&](const std::vector<Pattern>& a, const std::vector<Pattern>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), [](const Pattern& x, const Pattern& y) {
      return x.active == y.active && x.lane == y.lane;
    });
  };
  CHECK(same(one, again));
  CHECK_FALSE(same(one, other));
  CHECK_FALSE(same(one, kind));
}

TEST_CASE("there are full masks, partial ones, and ones of a few lanes") {
  int full = 0, few = 0, partial = 0;
  for (const auto& pattern : generate(*find_kind("shared_load_4"), 500, 9)) {
    const int lanes = std::popcount(pattern.active);
    ++(lanes == 32 ? full : lanes <= 4 ? few : partial);
  }
  CHECK(full > 150);
  CHECK(few > 50);
  CHECK(partial > 80);
}

} // namespace course::gpu::patterns
