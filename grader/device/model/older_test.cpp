#include "device/model/older.hpp"

#include <doctest/doctest.h>

namespace course::model {
namespace {

Request strided(int bytes, int width = 4) {
  Request request{Access::shared_load, width};
  for (int lane = 0; lane < kLanes; ++lane) request.offset[lane] = lane * bytes;
  return request;
}

int ways(Generation generation, const Request& request) {
  return shared_passes(generation, request).ways;
}

constexpr Generation kOlder[] = {Generation::cc1, Generation::cc2, Generation::cc3_4byte,
                                 Generation::cc3_8byte};

} // namespace

TEST_CASE("neighbouring words conflict on no device") {
  for (Generation generation : kOlder)
    CHECK(shared_passes(generation, strided(4)).conflicts() == 0);
  CHECK(shared_passes(Generation::cc1, strided(4)) == Passes{2, 2, 1});
  CHECK(shared_passes(Generation::cc2, strided(4)) == Passes{1, 1, 1});
}

TEST_CASE("stride 2 is a two-way conflict but on 3.x") {
  CHECK(ways(Generation::cc1, strided(8)) == 2);
  CHECK(ways(Generation::cc2, strided(8)) == 2);
  CHECK(ways(Generation::cc3_4byte, strided(8)) == 1);
  CHECK(ways(Generation::cc3_8byte, strided(8)) == 1);
}

TEST_CASE("a column of a 32-wide tile is 16-way on 16 banks and 32-way on 32") {
  CHECK(shared_passes(Generation::cc1, strided(128)) == Passes{32, 2, 16});
  CHECK(shared_passes(Generation::cc2, strided(128)) == Passes{32, 1, 32});
  CHECK(ways(Generation::cc3_4byte, strided(128)) == 16);
  CHECK(ways(Generation::cc3_8byte, strided(128)) == 16);
}

TEST_CASE("padding by a word frees a column where a tile has as many columns as there are banks") {
  for (Generation generation : kOlder)
    CHECK(shared_passes(generation, strided(33 * 4)).conflicts() == 0);
  CHECK(ways(Generation::cc1, strided(17 * 4)) == 1);
}

TEST_CASE("1.x broadcasts one word a step, later devices all of them") {
  CHECK(ways(Generation::cc1, strided(0)) == 1);
  // Lanes 0-7 want word 0, lanes 8-15 word 16, both of bank 0: a step for each word.
  Request two_words = strided(0);
  for (int lane = 0; lane < kLanes; ++lane) two_words.offset[lane] = lane / 8 % 2 * 64;
  CHECK(ways(Generation::cc1, two_words) == 2);
  // In two banks: one word is broadcast, the other serves one lane a step, until it is broadcast.
  for (int lane = 0; lane < kLanes; ++lane) two_words.offset[lane] = lane / 8 % 2 * 4;
  CHECK(ways(Generation::cc1, two_words) == 2);
  CHECK(ways(Generation::cc2, two_words) == 1);
}

TEST_CASE("1.x broadcasts to the fullest bank, where it saves most") {
  Request request = strided(0);
  request.active = 0x1ff;
  const std::uint32_t words[] = {0, 0, 16, 16, 32, 48, 1, 1, 1};
  for (int lane = 0; lane < 9; ++lane) request.offset[lane] = words[lane] * 4;
  CHECK(ways(Generation::cc1, request) == 4); // 5 when word 1 goes first
}

TEST_CASE("neighbouring bytes conflict on 1.x only") {
  CHECK(ways(Generation::cc1, strided(1, 1)) == 4);
  CHECK(ways(Generation::cc1, strided(4, 1)) == 1);
  CHECK(ways(Generation::cc2, strided(1, 1)) == 1);
}

TEST_CASE("neighbouring doubles conflict on 1.x, where they are two requests of stride 2") {
  CHECK(shared_passes(Generation::cc1, strided(8, 8)) == Passes{8, 4, 2});
  CHECK(shared_passes(Generation::cc2, strided(8, 8)) == Passes{2, 2, 1});
  CHECK(shared_passes(Generation::cc3_4byte, strided(8, 8)) == Passes{1, 1, 1});
  CHECK(shared_passes(Generation::cc3_8byte, strided(8, 8)) == Passes{1, 1, 1});
}

TEST_CASE("16-byte accesses are served in parts on every device") {
  CHECK(shared_passes(Generation::cc2, strided(16, 16)) == Passes{4, 4, 1});
  CHECK(shared_passes(Generation::cc3_4byte, strided(16, 16)) == Passes{2, 2, 1});
  CHECK(shared_passes(Generation::cc3_8byte, strided(16, 16)) == Passes{2, 2, 1});
}

TEST_CASE("in 4-byte mode words 32 apart come together only in one aligned segment of 64") {
  Request pair = strided(4);
  pair.active = 0x3;
  pair.offset[0] = 0;
  pair.offset[1] = 32 * 4;
  CHECK(ways(Generation::cc3_4byte, pair) == 1);
  CHECK(ways(Generation::cc3_8byte, pair) == 1);
  pair.offset[0] = 32 * 4;
  pair.offset[1] = 64 * 4;
  CHECK(ways(Generation::cc3_4byte, pair) == 2);
  pair.offset[0] = 0; // and 64 words: one bank of 8-byte words
  CHECK(ways(Generation::cc3_8byte, pair) == 2);
}

TEST_CASE("the modes of 3.x differ where words 64 apart meet words 32 apart") {
  // Even words of two segments' halves: word 1 and word 33 are a conflict in neither, word 1 and
  // word 64 only in 8-byte mode.
  Request pair = strided(4);
  pair.active = 0x3;
  pair.offset[0] = 1 * 4;
  pair.offset[1] = 64 * 4;
  CHECK(ways(Generation::cc3_4byte, pair) == 1);
  CHECK(ways(Generation::cc3_8byte, pair) == 2);
}

TEST_CASE("older devices have no rule for atomics") {
  for (Generation generation : kOlder) {
    CHECK_FALSE(has_rule(generation, Access::shared_atomic, 4));
    Request request = strided(4);
    request.access = Access::shared_atomic;
    CHECK(shared_passes(generation, request) == Passes{});
  }
  CHECK(has_rule(Generation::h200, Access::shared_atomic, 4));
}

TEST_CASE("generations have names, banks and memory") {
  for (std::string_view name : {"h200", "1.x", "2.x", "3.x-4byte", "3.x-8byte"}) {
    REQUIRE(generation_of(name));
    CHECK(name_of(*generation_of(name)) == name);
  }
  CHECK_FALSE(generation_of("4.x"));
  CHECK(banks_of(Generation::cc1) == 16);
  CHECK(bank_of(Generation::cc1, 64) == 0);
  CHECK(bank_of(Generation::cc3_4byte, 4) == 1);
  CHECK(bank_of(Generation::cc3_8byte, 4) == 0);
  CHECK(shared_bytes_of(Generation::h200) == 232448);
}

TEST_CASE("no active lane, no pass, on any device") {
  for (Generation generation : kOlder) {
    Request request = strided(4);
    request.active = 0;
    CHECK(shared_passes(generation, request) == Passes{});
  }
}

} // namespace course::model
