// Shadow looks at lanes that are side by side together. What it keeps has to be what it would keep
// if it took one lane after the other.
#include "device/emulator/check/checker.hpp"

#include <doctest/doctest.h>

#include <random>

namespace course::emulator {
namespace {

constexpr std::uint32_t kBytes = 2048, kWarps = 4;

// A block's shared memory, whose accesses are ordered by barriers. `asks`: each record is looked at
// as if something else might order it.
struct Memory {
  explicit Memory(std::uint32_t granule, bool asks = false)
      : block(std::make_unique<Block>()), checker(std::make_unique<Checker>(*block)),
        warps(kWarps) {
    block->checker = checker.get();
    checker->order.begin(asks);
    shadow.resize(kBytes, granule);
    for (std::uint32_t i = 0; i < kWarps; ++i) {
      warps[i].index = i;
      warps[i].block = block.get();
    }
    shadow.begin_block(warps);
  }
  void meet(std::uint32_t warp) { shadow.warp_barrier(warps[warp], kAllLanes, true); }
  void barrier() { shadow.block_barrier(warps); }

  Shadow shadow;
  std::unique_ptr<Block> block;
  std::unique_ptr<Checker> checker;
  std::vector<Warp> warps;
};

struct Drawn {
  std::mt19937 random{5};
  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); }

  std::uint32_t mask() {
    switch (below(4)) {
    case 0:
      return kAllLanes;
    case 1:
      return kAllLanes << below(31);
    case 2:
      return kAllLanes >> below(31);
    default:
      return static_cast<std::uint32_t>(random() | 1);
    }
  }
  // Side by side, in groups at one place, by a stride, or anywhere.
  LaneOffsets offsets(std::uint32_t width) {
    const std::uint32_t places = kBytes / width, first = below(places), kind = below(5);
    const std::uint32_t group = 1u << below(6), stride = below(40);
    LaneOffsets at;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      const std::uint32_t place = kind == 0   ? lane
                                  : kind == 1 ? lane / group
                                  : kind == 2 ? lane % group
                                  : kind == 3 ? lane * stride
                                              : below(places);
      at.of[lane] = (first + place) % places * width;
    }
    return at;
  }
};

bool one_place(const LaneOffsets& at) {
  for (const std::uint32_t offset : at.of)
    if (offset != at.of[0]) return false;
  return true;
}

void compare(const Memory& whole, const Memory& by_lane) {
  bool same = true;
  for (std::uint32_t at = 0; at < kBytes; ++at)
    same = same && whole.shadow.reader_at(at) == by_lane.shadow.reader_at(at) &&
           whole.shadow.other_reader_at(at) == by_lane.shadow.other_reader_at(at) &&
           whole.shadow.writer_at(at) == by_lane.shadow.writer_at(at);
  CHECK(same);
}

void write_all(Memory& memory, MemoryOperand access) {
  access.direction = Direction::store;
  access.element = 4;
  access.components = 1;
  for (std::uint32_t first = 0; first < kBytes; first += 4 * kLanes) {
    LaneOffsets at;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) at.of[lane] = first + 4 * lane;
    CHECK(memory.shadow.write(memory.warps[first / 128 % kWarps], access, kAllLanes, at) == 0);
  }
}

} // namespace

TEST_CASE("a request leaves what its lanes would leave one after the other") {
  Drawn drawn;
  for (const std::uint32_t granule : {4u, 1u}) {
    for (const std::uint32_t width : {1u, 2u, 4u, 8u, 16u}) {
      if (width < granule) continue;
      CAPTURE(granule);
      CAPTURE(width);
      Memory whole(granule), by_lane(granule, true);
      MemoryOperand access;
      access.space = ptx::Space::shared;
      access.direction = Direction::load;
      access.element = static_cast<std::uint8_t>(std::min(width, 4u));
      access.components = static_cast<std::uint8_t>(width / access.element);
      for (std::uint32_t round = 0; round < 30; ++round) {
        access.id = round;
        write_all(whole, access);
        write_all(by_lane, access);
        whole.barrier();
        by_lane.barrier();
        for (int i = 0; i < 20; ++i) {
          const std::uint32_t warp = drawn.below(kWarps), mask = drawn.mask();
          const LaneOffsets at = drawn.offsets(width);
          if (mask == kAllLanes && one_place(at)) continue; // one lane stands for all
          CHECK(whole.shadow.read(whole.warps[warp], access, mask, at) == 0);
          for (std::uint32_t lane = 0; lane < kLanes; ++lane)
            if (mask >> lane & 1)
              CHECK(by_lane.shadow.read(by_lane.warps[warp], access, 1u << lane, at) == 0);
          compare(whole, by_lane);
          if (drawn.below(4)) continue;
          whole.meet(warp);
          by_lane.meet(warp);
        }
        whole.barrier();
        by_lane.barrier();
      }
    }
  }
}

TEST_CASE("of lanes that write to one place, those are told that others have overwritten") {
  Drawn drawn;
  MemoryOperand access;
  access.space = ptx::Space::shared;
  access.direction = Direction::store;
  for (int round = 0; round < 200; ++round) {
    Memory memory(4);
    const std::uint32_t mask = drawn.mask();
    const LaneOffsets at = drawn.offsets(4);
    std::uint32_t expected = 0;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane)
      for (std::uint32_t later = lane + 1; later < kLanes; ++later)
        if ((mask >> lane & mask >> later & 1) && at.of[lane] == at.of[later])
          expected |= 1u << lane;
    CHECK(memory.shadow.write(memory.warps[1], access, mask, at) == expected);
    for (std::uint32_t lane = 0; lane < kLanes; ++lane)
      if (mask & ~expected & 1u << lane) {
        CHECK(lane_of(memory.shadow.writer_at(at.of[lane])) == lane);
        CHECK(warp_of(memory.shadow.writer_at(at.of[lane])) == 1);
      }
  }
}

} // namespace course::emulator
