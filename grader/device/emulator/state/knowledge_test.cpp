#include "device/emulator/state/knowledge.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

namespace course::emulator {
namespace {

// Of two threads of one warp in each of four blocks, the first stamp that is not known.
using Stamps = std::vector<std::uint32_t>;
constexpr std::uint64_t kBlocks[] = {1, 2, 30, 500}; // at several depths of the tree

Stamps stamps_of(const Known& known) {
  Stamps stamps;
  for (const std::uint64_t block : kBlocks) {
    for (const std::uint32_t lane : {0u, 1u}) {
      std::uint32_t stamp = 0;
      while (covers(known, block, record(stamp, 0, 0) | lane)) ++stamp;
      stamps.push_back(stamp);
    }
  }
  return stamps;
}

// A tree, and what should be known by it.
struct Both {
  Known known;
  Stamps stamps = Stamps(2 * std::size(kBlocks), 0);
};

void learn(Both& both, std::size_t block, std::uint32_t how, std::uint32_t stamp) {
  Knowledge one;
  if (how == 0) one.all = stamp;
  if (how == 1) one.warps = {{0, stamp}};
  if (how > 1) one.threads = {{how - 2, stamp}};
  both.known = with(std::move(both.known), kBlocks[block], one);
  for (std::uint32_t lane = 0; lane < 2; ++lane) {
    std::uint32_t& known = both.stamps[2 * block + lane];
    if (how < 2 || how == lane + 2) known = std::max(known, stamp);
  }
}

void learn(Both& both, const Both& from) {
  both.known = join(std::move(both.known), from.known);
  for (std::size_t i = 0; i < both.stamps.size(); ++i)
    both.stamps[i] = std::max(both.stamps[i], from.stamps[i]);
}

} // namespace

TEST_CASE("what some learn others do not know, though they have most of a tree in common") {
  std::mt19937 draw(1);
  std::vector<Both> all(6);
  for (int round = 0; round < 3000; ++round) {
    Both& one = all[draw() % all.size()];
    const Both& other = all[draw() % all.size()];
    switch (draw() % 4) {
    case 0:
      one = other; // from here on they share it
      break;
    case 1:
      learn(one, other);
      break;
    default:
      learn(one, draw() % std::size(kBlocks), draw() % 4, 1 + draw() % (2 + round / 100));
    }
    if (draw() % 40 == 0) one = Both{};
    for (const Both& each : all) REQUIRE(stamps_of(each.known) == each.stamps);
  }
}

TEST_CASE("a join with nothing new is the same tree") {
  Both more, less;
  for (std::uint32_t lane : {0u, 1u}) {
    learn(more, 2, 2 + lane, 7);
    learn(less, 2, 2 + lane, 5);
  }
  const Known kept = more.known;
  CHECK(join(more.known, less.known) == kept);
  CHECK(join(less.known, more.known) == kept);
  CHECK(join(nullptr, kept) == kept);
  CHECK(join(kept, nullptr) == kept);
}

} // namespace course::emulator
