#include "device/model/atomics.hpp"

#include <doctest/doctest.h>

#include <random>

#include "device/model/shared.hpp"

namespace course::model {
namespace {

Request strided(RequestKind access, int bytes, int width = 4) {
  Request request{access, width};
  for (int lane = 0; lane < kLanes; ++lane) request.offset[lane] = lane * bytes;
  return request;
}

} // namespace

TEST_CASE("lanes that add to one word do not share a pass") {
  CHECK(shared_passes(strided(RequestKind::shared_atomic, 0)) == Passes{32, 1, 32});
  CHECK(shared_passes(strided(RequestKind::shared_atomic, 4)) == Passes{1, 1, 1});
  CHECK(shared_passes(strided(RequestKind::shared_atomic, 8)) == Passes{2, 1, 2});
}

TEST_CASE("increments of one word do share a pass") {
  CHECK(shared_passes(strided(RequestKind::shared_atomic_increment, 0)) == Passes{1, 1, 1});
  CHECK(shared_passes(strided(RequestKind::shared_atomic_increment, 128)) == Passes{32, 1, 32});
}

TEST_CASE("compare-and-swap takes two passes for each lane in the fullest bank") {
  CHECK(shared_passes(strided(RequestKind::shared_atomic_cas, 4)) == Passes{2, 2, 1});
  CHECK(shared_passes(strided(RequestKind::shared_atomic_cas, 0)) == Passes{64, 2, 32});
}

TEST_CASE("a float add goes round once for each lane in the fullest bank") {
  CHECK(shared_passes(strided(RequestKind::shared_atomic_loop, 4)) == Passes{3, 3, 1});
  CHECK(shared_passes(strided(RequestKind::shared_atomic_loop, 0)) == Passes{96, 96, 32});
  // Stride 2: two words a bank, so a round loads 2 + 2, then the second round 1 + 2.
  CHECK(shared_passes(strided(RequestKind::shared_atomic_loop, 8)) == Passes{7, 6, 2});
}

TEST_CASE("a 64-bit add has winners in each half of the warp") {
  // Conflict-free by halves: one round, 2 to load and 2 a half to swap.
  CHECK(shared_passes(strided(RequestKind::shared_atomic_loop, 8, 8)) == Passes{6, 6, 1});
  Request half = strided(RequestKind::shared_atomic_loop, 8, 8);
  half.active = 0xffff;
  CHECK(shared_passes(half) == Passes{3, 3, 1});
}

TEST_CASE("a lane that leaves a 64-bit word as it was spares the upper half a round") {
  const Request one_word = strided(RequestKind::shared_atomic_loop, 0, 8);
  const auto adding = [&](auto operand) {
    return atomic_passes(one_word, {{}, [=](int lane, std::uint64_t now) {
                                      return now + static_cast<std::uint64_t>(operand(lane));
                                    }});
  };
  CHECK(adding([](int) { return 1; }).ways == 32);
  CHECK(adding([](int lane) { return lane; }).ways == 31);
  CHECK(adding([](int) { return 0; }).ways == 16);
}

TEST_CASE("a 64-bit max attempts only what is larger than memory as it then is") {
  const Request one_word = strided(RequestKind::shared_atomic_loop, 0, 8);
  const auto maximum = [&](std::uint64_t before, auto operand) {
    LoopValues values;
    values.before.fill(before);
    values.after = [=](int lane, std::uint64_t now) {
      return std::max(now, static_cast<std::uint64_t>(operand(lane)));
    };
    values.ends_unchanged = true;
    return atomic_passes(one_word, values);
  };
  const auto rising = [](int lane) { return lane + 1; };
  const auto falling = [](int lane) { return 100 - lane; };
  CHECK(maximum(1000, rising) == Passes{1, 1, 1}); // a load, and nothing to do
  // Lane 0 wins, and no other has anything left to do when it loads again.
  CHECK(maximum(0, falling) == Passes{1 + 4 + 1, 1 + 4 + 1, 1});
  CHECK(maximum(0, rising).ways == 32);
}

TEST_CASE("attempts may conflict again exactly where some of the lanes conflict") {
  std::mt19937 random(5);
  int may = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const auto access =
        random() % 2 ? RequestKind::shared_atomic_loop : RequestKind::shared_atomic_cas;
    Request request{access, random() % 2 ? 8 : 4, 0};
    for (auto& offset : request.offset)
      offset =
          static_cast<std::uint32_t>(random() % 48) * static_cast<std::uint32_t>(request.width);
    for (auto lanes = 1 + random() % 4; lanes > 0; --lanes)
      request.active |= 1u << (trial % 3 ? random() % 16 : random() % 32);
    bool conflicts = false;
    Request left = request; // every part of the lanes
    for (; left.active != 0; left.active = (left.active - 1) & request.active)
      conflicts = conflicts || shared_passes(left).conflicts() > 0;
    CAPTURE(request.active);
    CHECK(may_conflict_again(request) == conflicts);
    may += conflicts;
  }
  CHECK(may > 300);
  CHECK(may < 2700);
}

TEST_CASE("inactive lanes do not count") {
  Request request = strided(RequestKind::shared_atomic, 0);
  request.active = 0x80000101;
  CHECK(shared_passes(request) == Passes{3, 1, 3});
}

TEST_CASE("an atomic never takes fewer passes than the fullest bank has lanes") {
  std::mt19937 random(3);
  for (int trial = 0; trial < 2000; ++trial) {
    Request request{RequestKind::shared_atomic, 4, static_cast<std::uint32_t>(random())};
    std::array<int, kBanks> lanes{};
    int most = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
      request.offset[lane] = random() % 64 * 4;
      if (request.active >> lane & 1)
        most = std::max(most, ++lanes[request.offset[lane] / 4 % kBanks]);
    }
    CHECK(shared_passes(request).wavefronts == most);
    request.access = RequestKind::shared_atomic_loop;
    CHECK(shared_passes(request).ways == most);
  }
}

} // namespace course::model
