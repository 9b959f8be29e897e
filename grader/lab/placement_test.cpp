#include "lab/placement.hpp"

#include "runtime/recording.hpp"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace course::lab {
namespace {

const std::vector<Operand> kOperands{{"out", 6, true}, {"in", 6, false}};
const Floats kInput{1, 2, 3, 4, 5, 6};

std::vector<device::Bytes> contents(const std::vector<device::Buffer>& buffers) {
  std::vector<device::Bytes> bytes;
  bytes.reserve(buffers.size());
  for (const auto& buffer : buffers) bytes.push_back(buffer.bytes);
  return bytes;
}

} // namespace

TEST_CASE("operands lie apart, on addresses of their own, aligned") {
  const Placement placement(kOperands, 0);
  CHECK(placement.operand(0).address == runtime::kFirstAddress);
  CHECK(placement.operand(1).address - placement.operand(0).address >=
        runtime::kAddressGranularity);
  CHECK(placement.operand(1).address % 256 == 0);
  CHECK(Placement(kOperands, 512).operand(1).address % 256 == 0);
}

TEST_CASE("large operands do not overlap") {
  const Placement placement({{"a", 5'000'000, false}, {"b", 1, false}}, 0);
  CHECK(placement.operand(0).address + placement.operand(0).size < placement.operand(1).address);
}

TEST_CASE("outputs are poisoned and not initialised, inputs are as given") {
  for (const std::uint64_t guard : {0, 256}) {
    const Placement placement(kOperands, guard);
    const auto buffers = placement.buffers({{}, kInput});
    CHECK_FALSE(buffers[0].initialised);
    CHECK(buffers[1].initialised);
    CHECK(buffers[0].address + guard == placement.operand(0).address);
    const auto after = contents(buffers);
    for (const float value : placement.values(after, 0))
      CHECK(std::bit_cast<std::uint32_t>(value) == judge::kPoison);
    CHECK(placement.values(after, 1) == kInput);
  }
}

TEST_CASE("an untouched memory has no damage, a written output is none") {
  const Placement placement(kOperands, 256);
  const auto before = placement.buffers({{}, kInput});
  auto after = contents(before);
  after[0][256] = std::byte{1};
  CHECK(placement.damage(before, after).empty());
}

TEST_CASE("a changed input is damage") {
  const Placement placement(kOperands, 0);
  const auto before = placement.buffers({{}, kInput});
  auto after = contents(before);
  after[1][5] = std::byte{0xff};
  const auto damage = placement.damage(before, after);
  REQUIRE(damage.size() == 1);
  CHECK(damage[0].where == judge::Damage::Where::within);
  CHECK(damage[0].buffer == "in");
  CHECK(damage[0].byte == 5);
}

TEST_CASE("one byte past either end of an operand is damage") {
  const Placement placement(kOperands, 256);
  const auto before = placement.buffers({{}, kInput});
  auto after = contents(before);
  after[0][255] = std::byte{0};
  after[1][256 + 24] = std::byte{0};
  const auto damage = placement.damage(before, after);
  REQUIRE(damage.size() == 2);
  CHECK(damage[0].where == judge::Damage::Where::before);
  CHECK(damage[0].buffer == "out");
  CHECK(damage[0].byte == 255);
  CHECK(damage[1].where == judge::Damage::Where::after);
  CHECK(damage[1].buffer == "in");
  CHECK(damage[1].byte == 0);
}

TEST_CASE("a device that returns too little is seen through") {
  const Placement placement(kOperands, 0);
  const auto before = placement.buffers({{}, kInput});
  CHECK(placement.values({}, 0).empty());
  CHECK(placement.damage(before, {}).size() == 1);
}

TEST_CASE("an empty operand has an address and no values") {
  const Placement placement({{"out", 0, true}, {"in", 0, false}}, 0);
  const auto buffers = placement.buffers({{}, {}});
  CHECK(buffers[0].bytes.size() == 4);
  CHECK(placement.values(contents(buffers), 0).empty());
}

TEST_CASE("integers lie in memory as integers, and come back as they were given") {
  const Placement placement({{"out", 3, true, Type::i32}, {"in", 3, false, Type::i16}}, 0);
  CHECK(placement.operand(1).size == 6);
  const auto buffers = placement.buffers({{}, {1, -2, 32767}});
  const std::array<std::int16_t, 3> expected{1, -2, 32767};
  REQUIRE(buffers[1].bytes.size() == sizeof expected);
  CHECK(std::memcmp(buffers[1].bytes.data(), expected.data(), sizeof expected) == 0);
  CHECK(placement.values(contents(buffers), 1) == Floats{1, -2, 32767});
}

TEST_CASE("ints that are one float to who rounds them have floats of their own, in their order") {
  constexpr auto kMost = std::numeric_limits<std::int32_t>::max();
  const Placement placement({{"keys", 8, false, Type::i32}}, 0);
  const Floats given{-0x1p31f,   -0x1p30f - 0x1p7f, -16'777'215,    16'777'215,
                     16'777'216, 0x1p30f,           0x1.000002p30f, 0x1.fffffep30f};
  auto after = contents(placement.buffers({given}));
  CHECK(placement.values(after, 0) == given);
  std::array<std::int32_t, 8> keys;
  std::memcpy(keys.data(), after[0].data(), sizeof keys);
  CHECK(std::ranges::is_sorted(keys));
  CHECK(keys[0] == -kMost - 1);
  CHECK(keys[2] == -16'777'215);
  CHECK(keys[5] < keys[6]);
  CHECK(static_cast<float>(keys[5]) == static_cast<float>(keys[6]));
  CHECK(keys[7] == kMost);
  for (const std::int32_t other : {keys[6] + 1, keys[6] - 1, keys[5] - 1, kMost - 1}) {
    std::memcpy(after[0].data() + sizeof other * 6, &other, sizeof other);
    CHECK(placement.values(after, 0)[6] != given[6]);
  }
}

TEST_CASE("what an int holds of a float comes back as it was given") {
  for (const float value : {0x1p24f + 4, -0x1.000004p30f, 0x1.000004p30f, -7.0f}) {
    const float held = held_by_int(value);
    CHECK(held_by_int(held) == held);
    CHECK(std::abs(held - value) <= 0x1p7f);
  }
}

TEST_CASE("numbers of bf16 lie in memory as the upper halves of floats") {
  const Placement placement({{"in", 3, false, Type::bf16}}, 0);
  CHECK(placement.operand(0).size == 6);
  const auto buffers = placement.buffers({{1, -2.5, 0x1.02p10f}});
  const std::array<std::uint16_t, 3> expected{0x3f80, 0xc020, 0x4481};
  REQUIRE(buffers[0].bytes.size() == sizeof expected);
  CHECK(std::memcmp(buffers[0].bytes.data(), expected.data(), sizeof expected) == 0);
  CHECK(placement.values(contents(buffers), 0) == Floats{1, -2.5, 0x1.02p10f});
}

TEST_CASE("an integer that was never written is still poison, one that was is a number") {
  const Placement placement({{"out", 2, true, Type::i32}}, 0);
  auto after = contents(placement.buffers({{}}));
  const std::int32_t written = -7;
  std::memcpy(after[0].data(), &written, sizeof written);
  const auto values = placement.values(after, 0);
  CHECK(values[0] == -7);
  CHECK(std::bit_cast<std::uint32_t>(values[1]) == judge::kPoison);
}

} // namespace course::lab
