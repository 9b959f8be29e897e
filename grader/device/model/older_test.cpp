#include "device/model/older.hpp"

#include "device/model/known_gpus.hpp"

#include <doctest/doctest.h>

namespace course::model {
namespace {

Request strided(int bytes, int width = 4) {
  Request request{RequestKind::shared_load, width};
  for (int lane = 0; lane < kLanes; ++lane) request.offset[lane] = lane * bytes;
  return request;
}

int ways(const Architecture& architecture, const Request& request) {
  return shared_passes(architecture, request).ways;
}

constexpr const Architecture* kOlder[] = {&k1x, &k2x, &k3x4Byte, &k3x8Byte};

} // namespace

TEST_CASE("neighbouring words conflict on no device") {
  for (const auto* architecture : kOlder)
    CHECK(shared_passes(*architecture, strided(4)).conflicts() == 0);
  CHECK(shared_passes(k1x, strided(4)) == Passes{2, 2, 1});
  CHECK(shared_passes(k2x, strided(4)) == Passes{1, 1, 1});
}

TEST_CASE("stride 2 is a two-way conflict but on 3.x") {
  CHECK(ways(k1x, strided(8)) == 2);
  CHECK(ways(k2x, strided(8)) == 2);
  CHECK(ways(k3x4Byte, strided(8)) == 1);
  CHECK(ways(k3x8Byte, strided(8)) == 1);
}

TEST_CASE("a column of a 32-wide tile is 16-way on 16 banks and 32-way on 32") {
  CHECK(shared_passes(k1x, strided(128)) == Passes{32, 2, 16});
  CHECK(shared_passes(k2x, strided(128)) == Passes{32, 1, 32});
  CHECK(ways(k3x4Byte, strided(128)) == 16);
  CHECK(ways(k3x8Byte, strided(128)) == 16);
}

TEST_CASE("padding by a word frees a column where a tile has as many columns as there are banks") {
  for (const auto* architecture : kOlder)
    CHECK(shared_passes(*architecture, strided(33 * 4)).conflicts() == 0);
  CHECK(ways(k1x, strided(17 * 4)) == 1);
}

TEST_CASE("1.x broadcasts one word a step, later devices all of them") {
  CHECK(ways(k1x, strided(0)) == 1);
  // Lanes 0-7 want word 0, lanes 8-15 word 16, both of bank 0: a step for each word.
  Request two_words = strided(0);
  for (int lane = 0; lane < kLanes; ++lane) two_words.offset[lane] = lane / 8 % 2 * 64;
  CHECK(ways(k1x, two_words) == 2);
  // In two banks: one word is broadcast, the other serves one lane a step, until it is broadcast.
  for (int lane = 0; lane < kLanes; ++lane) two_words.offset[lane] = lane / 8 % 2 * 4;
  CHECK(ways(k1x, two_words) == 2);
  CHECK(ways(k2x, two_words) == 1);
}

TEST_CASE("1.x broadcasts to the fullest bank, where it saves most") {
  Request request = strided(0);
  request.active = 0x1ff;
  const std::uint32_t words[] = {0, 0, 16, 16, 32, 48, 1, 1, 1};
  for (int lane = 0; lane < 9; ++lane) request.offset[lane] = words[lane] * 4;
  CHECK(ways(k1x, request) == 4); // 5 when word 1 goes first
}

TEST_CASE("neighbouring bytes conflict on 1.x only") {
  CHECK(ways(k1x, strided(1, 1)) == 4);
  CHECK(ways(k1x, strided(4, 1)) == 1);
  CHECK(ways(k2x, strided(1, 1)) == 1);
}

TEST_CASE("neighbouring doubles conflict on 1.x, where they are two requests of stride 2") {
  CHECK(shared_passes(k1x, strided(8, 8)) == Passes{8, 4, 2});
  CHECK(shared_passes(k2x, strided(8, 8)) == Passes{2, 2, 1});
  CHECK(shared_passes(k3x4Byte, strided(8, 8)) == Passes{1, 1, 1});
  CHECK(shared_passes(k3x8Byte, strided(8, 8)) == Passes{1, 1, 1});
}

TEST_CASE("16-byte accesses are served in parts on every device") {
  CHECK(shared_passes(k2x, strided(16, 16)) == Passes{4, 4, 1});
  CHECK(shared_passes(k3x4Byte, strided(16, 16)) == Passes{2, 2, 1});
  CHECK(shared_passes(k3x8Byte, strided(16, 16)) == Passes{2, 2, 1});
}

TEST_CASE("in 4-byte mode words 32 apart come together only in one aligned segment of 64") {
  Request pair = strided(4);
  pair.active = 0x3;
  pair.offset[0] = 0;
  pair.offset[1] = 32 * 4;
  CHECK(ways(k3x4Byte, pair) == 1);
  CHECK(ways(k3x8Byte, pair) == 1);
  pair.offset[0] = 32 * 4;
  pair.offset[1] = 64 * 4;
  CHECK(ways(k3x4Byte, pair) == 2);
  pair.offset[0] = 0; // and 64 words: one bank of 8-byte words
  CHECK(ways(k3x8Byte, pair) == 2);
}

TEST_CASE("the modes of 3.x differ where words 64 apart meet words 32 apart") {
  // Even words of two segments' halves: word 1 and word 33 are a conflict in neither, word 1 and
  // word 64 only in 8-byte mode.
  Request pair = strided(4);
  pair.active = 0x3;
  pair.offset[0] = 1 * 4;
  pair.offset[1] = 64 * 4;
  CHECK(ways(k3x4Byte, pair) == 1);
  CHECK(ways(k3x8Byte, pair) == 2);
}

TEST_CASE("older devices have no rule for atomics") {
  for (const auto* architecture : kOlder) {
    CHECK_FALSE(has_rule(*architecture, RequestKind::shared_atomic, 4));
    Request request = strided(4);
    request.access = RequestKind::shared_atomic;
    CHECK(shared_passes(*architecture, request) == Passes{});
  }
  CHECK(has_rule(default_gpu().architecture, RequestKind::shared_atomic, 4));
}

TEST_CASE("devices have names, banks and memory") {
  for (const auto* one : architectures()) CHECK(architecture_named(one->name) == one);
  CHECK(architecture_names() ==
        std::vector<std::string>{"h200", "1.x", "2.x", "3.x-4byte", "3.x-8byte"});
  CHECK(architecture_named("4.x") == nullptr);
  CHECK(k1x.banks == 16);
  CHECK(bank_of(k1x, 64) == 0);
  CHECK(bank_of(k3x4Byte, 4) == 1);
  CHECK(bank_of(k3x8Byte, 4) == 0);
  CHECK(default_gpu().architecture.shared_bytes_a_block == 232448);
}

TEST_CASE("no active lane, no pass, on any device") {
  for (const auto* architecture : kOlder) {
    Request request = strided(4);
    request.active = 0;
    CHECK(shared_passes(*architecture, request) == Passes{});
  }
}

} // namespace course::model
