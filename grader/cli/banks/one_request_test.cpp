#include "cli/banks/one_request.hpp"

#include <doctest/doctest.h>

#include <sstream>

namespace course::cli {
namespace {

Question asking(const std::string& index) {
  Question question;
  question.index = index;
  return question;
}

std::string page(const Question& question) {
  const auto result = answer(question);
  REQUIRE_MESSAGE(std::holds_alternative<std::string>(result), question.index);
  return std::get<std::string>(result);
}

std::string refusal(const Question& question) {
  const auto result = answer(question);
  REQUIRE_MESSAGE(std::holds_alternative<Refusal>(result), question.index);
  return std::get<Refusal>(result).message;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a column of a tile is shown whole, with its remedy") {
  Question question = asking("32*t");
  CHECK(page(question) == R"(4-byte load, lane t at element 32*t, 32 lanes active
  on H200, compute capability 9.0

  lane    0    1    2    3    4    5    6    7
  word    0   32   64   96  128  160  192  224
  bank    0    0    0    0    0    0    0    0

  lane    8    9   10   11   12   13   14   15
  word  256  288  320  352  384  416  448  480
  bank    0    0    0    0    0    0    0    0

  lane   16   17   18   19   20   21   22   23
  word  512  544  576  608  640  672  704  736
  bank    0    0    0    0    0    0    0    0

  lane   24   25   26   27   28   29   30   31
  word  768  800  832  864  896  928  960  992
  bank    0    0    0    0    0    0    0    0

  bank    0       4       8       12      16      20      24      28
  pass  1 0 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .
  pass  2 1 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .
  pass  3 2 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .
  pass  4 3 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .
  pass  5 4 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .
  pass  6 5 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .
    ...   25 more passes
  pass 32 v . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .
  lanes 0-9, a = 10 to v = 31

  fullest bank   0, with 32 different words: a 32-way conflict
  wavefronts    32
  ideal          1
  conflicts     31

  What would fix it:
    a stride of 33 in place of 32: 1 element of padding a row
      1 wavefront, 0 conflicts
    element i kept at i ^ (i / 32 % 32): a swizzle, which needs no more memory
      1 wavefront, 0 conflicts
)");
}

TEST_CASE("a request without conflicts has nothing to fix") {
  const std::string text = page(asking("33*t"));
  CHECK(contains(text, "wavefronts     1\n"));
  CHECK(contains(text, "conflicts      0\n"));
  CHECK(contains(text, "Nothing to fix."));
  CHECK_FALSE(contains(text, "What would fix it"));
}

TEST_CASE("the fullest bank is named, the lowest of several") {
  CHECK(contains(page(asking("t * 32 + 7")), "fullest bank   7, with 32 different words"));
  CHECK(contains(page(asking("t / 8 * 32 + t % 8 * 2 + 3")), "fullest bank   3, with 4 different"));
  CHECK(contains(page(asking("8*t")), "an 8-way conflict"));
}

TEST_CASE("an atomic on one word gets advice that is no layout") {
  Question question = asking("0");
  question.access = model::RequestKind::shared_atomic;
  const std::string text = page(question);
  CHECK(contains(text, "32 lanes update one word"));
  CHECK_FALSE(contains(text, "What would fix it"));
  question.width = 8;
  CHECK(contains(page(question), "conflicts"));
}

TEST_CASE("groups of lanes are no conflict of banks") {
  Question question = asking("t");
  question.width = 8;
  question.active = 0x00070007;
  const std::string text = page(question);
  CHECK(contains(text, "conflicts      1\n"));
  CHECK(contains(text, "No two lanes meet in a bank."));
}

TEST_CASE("older devices have their own numbers, and no picture of 32 banks") {
  Question question = asking("32*t");
  question.architecture = &model::k1x;
  const std::string text = page(question);
  CHECK(contains(text, "on compute capability 1.x, by the guide"));
  CHECK(contains(text, "a 16-way conflict"));
  CHECK_FALSE(contains(text, "pass  1"));
  question.access = model::RequestKind::shared_atomic;
  CHECK(contains(refusal(question), "1.x devices serve atomics is not documented"));
}

TEST_CASE("every line fits in the terminal") {
  for (const char* index : {"32*t", "8192+33*t", "57000+t", "t%2*64"})
    for (int width : {1, 4, 16})
      for (int columns : {60, 80}) {
        Question question = asking(index);
        question.width = width;
        question.columns = columns;
        const auto result = answer(question);
        if (std::holds_alternative<Refusal>(result)) continue;
        std::istringstream lines(std::get<std::string>(result));
        for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(line.size() <= 80, line);
      }
}

TEST_CASE("colours are there when asked for, and only then") {
  Question question = asking("2*t");
  CHECK_FALSE(contains(page(question), "\x1b"));
  question.colour = true;
  CHECK(contains(page(question), "\x1b[31m"));
}

TEST_CASE("what cannot be asked is refused with a reason and a place") {
  CHECK(refusal(asking("t - 1")) == "t - 1\n^ index -1 in lane 0 is negative");
  CHECK(refusal(asking("100000 * t")) ==
        "100000 * t\n^ index 100000 in lane 1: a block's shared memory has room for 58112");
  CHECK(refusal(asking("5 / (t - 4)")) == "5 / (t - 4)\n^ index -1 in lane 0 is negative");
  CHECK(refusal(asking("5 % (t - 4)")) == "5 % (t - 4)\n  ^ division by zero in lane 4");
  CHECK(refusal(asking("33*")) == "33*\n   ^ a number, t or ( is missing here");
  CHECK(contains(refusal(asking("9223372036854775807")), "room for 58112"));
  Question nobody = asking("t");
  nobody.active = 0;
  CHECK(contains(refusal(nobody), "at least one active lane"));
  Question wide_atomic = asking("t");
  wide_atomic.access = model::RequestKind::shared_atomic;
  wide_atomic.width = 16;
  CHECK(contains(refusal(wide_atomic), "4 or 8 bytes"));
}

TEST_CASE("lanes that take no part may have any index") {
  Question question = asking("t - 1");
  question.active = 0xfffffffe;
  CHECK(contains(page(question), "31 lanes active"));
}

TEST_CASE("the last element of shared memory can be asked for, and the next cannot") {
  CHECK(contains(page(asking("58111")), "Nothing to fix."));
  CHECK(contains(refusal(asking("58112")), "room for 58112"));
  Question first_devices = asking("4096");
  first_devices.architecture = &model::k1x;
  CHECK(contains(refusal(first_devices), "room for 4096"));
}

TEST_CASE("a column of units is free in a swizzled tile, and a column of words is not") {
  // Rows of 128 bytes: 8 units of 16, or 32 words.
  Question question = asking("8*t");
  question.width = 16;
  CHECK(contains(page(question), "wavefronts    32\n  ideal          4\n"));
  question.swizzle = model::Swizzle::bytes_128;
  CHECK(contains(page(question), "wavefronts     4\n  ideal          4\n"));
  CHECK(
      contains(page(question), "in a tile that a tensor map brought with a swizzle of 128 bytes"));
  CHECK(contains(page(question), "Nothing to fix."));
  question.index = "32*t";
  question.width = 4;
  CHECK(contains(page(question), "wavefronts     4\n  ideal          1\n"));
  CHECK(contains(page(question), "Let a lane take 16 bytes (--width 16)"));
  CHECK_FALSE(contains(page(question), "padding a row"));
  // Rows of 32 and 64 bytes, of which four and two are one row of the banks.
  for (const auto& [swizzle, index] :
       {std::pair{model::Swizzle::bytes_32, "2*t"}, std::pair{model::Swizzle::bytes_64, "4*t"}}) {
    question.swizzle = swizzle;
    question.index = index;
    question.width = 16;
    CHECK(contains(page(question), "wavefronts     4\n  ideal          4\n"));
  }
}

TEST_CASE("older devices have no tensor maps") {
  Question question = asking("32*t");
  question.swizzle = model::Swizzle::bytes_128;
  question.architecture = model::architecture_named("2.x");
  CHECK(contains(refusal(question), "have no tensor maps"));
}

} // namespace course::cli
