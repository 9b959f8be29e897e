#include "classroom/alike.hpp"

#include <doctest/doctest.h>

#include <numeric>

namespace course::classroom {
namespace {

// A text that is told apart by its prints, from..to.
Fingerprints text(std::uint64_t whole, std::uint64_t from, std::uint64_t to) {
  Fingerprints file;
  file.whole = whole;
  file.prints.resize(to - from);
  std::iota(file.prints.begin(), file.prints.end(), from);
  return file;
}

const Fingerprints kSkeleton = text(0, 0, 100);

} // namespace

TEST_CASE("a pair that shares what the skeleton does not give is named, and how much it shares") {
  Alike alike(kSkeleton);
  alike.add("anna", text(1, 90, 120));
  alike.add("bert", text(2, 95, 116)); // 16 of its own 16 are anna's
  alike.add("clara", text(3, 200, 230));
  const auto found = alike.find("05_transpose/2_pad");
  REQUIRE(found.size() == 1);
  CHECK(found[0].exercise == "05_transpose/2_pad");
  CHECK(found[0].students == std::vector<std::string>{"anna", "bert"});
  CHECK(found[0].share == 1.0);
  CHECK(found[0].closest == std::array<std::string, 2>{"anna", "bert"});
}

TEST_CASE("a text that many have is one group of all of them, however many they are") {
  Alike few(kSkeleton), all(kSkeleton);
  for (int i = 0; i < 40; ++i) {
    const auto name = "s" + std::to_string(i);
    few.add(name, i < 3 ? text(1, 100, 120) : text(10 + i, 1000 * (i + 1), 1000 * (i + 1) + 20));
    all.add(name, text(1 + i % 7, 100 + i % 7, 120 + i % 7)); // each a little changed
  }
  REQUIRE(few.find("x").size() == 1);
  CHECK(few.find("x")[0].students.size() == 3);
  REQUIRE(all.find("x").size() == 1);
  CHECK(all.find("x")[0].students.size() == 40);
}

TEST_CASE("a copy of a public file names it, and public files alone are nobody's") {
  Alike alike(kSkeleton);
  alike.add_public("the course's solution", text(1, 100, 120));
  alike.add_public("wrong/x.cu", text(2, 101, 121));
  alike.add("clara", text(3, 200, 230));
  CHECK(alike.find("x").empty());
  alike.add("anna", text(4, 98, 118));
  const auto found = alike.find("x");
  REQUIRE(found.size() == 1);
  CHECK(found[0].students == std::vector<std::string>{"anna"});
  CHECK(found[0].sources.size() == 2);
  CHECK(found[0].closest[0] == "anna");
  CHECK_FALSE(found[0].closest[1].empty());
}

TEST_CASE("the skeleton as it was, and files with little beside it, accuse nobody") {
  Alike alike(kSkeleton);
  alike.add("anna", kSkeleton);
  alike.add("bert", kSkeleton);
  alike.add("clara", text(3, 0, 106));
  alike.add("dora", text(4, 0, 107));
  CHECK(alike.find("x").empty());
}

TEST_CASE("less than what counts as alike is not named") {
  Alike alike(kSkeleton);
  alike.add("anna", text(1, 100, 120));
  alike.add("bert", text(2, 110, 130)); // half
  CHECK(alike.find("x").empty());
}

TEST_CASE("those who are like nothing public come first, and one right solution joins nobody") {
  Alike alike(kSkeleton);
  alike.add_public("the course's solution", text(1, 100, 130));
  alike.add("anna", text(2, 100, 128)); // right, as the solution is
  alike.add("bert", text(3, 102, 130)); // right as well
  alike.add("clara", text(4, 500, 520));
  alike.add("dora", text(5, 501, 520));                    // as clara, and as nobody else
  auto emil = text(6, 100, 130), fred = text(7, 100, 129); // right, and the same of their own
  for (std::uint64_t print = 700; print < 712; ++print)
    for (auto* one : {&emil, &fred}) one->prints.push_back(print);
  alike.add("emil", emil);
  alike.add("fred", fred);
  const auto found = alike.find("x");
  REQUIRE(found.size() == 3);
  CHECK(found[0].students == std::vector<std::string>{"clara", "dora"});
  CHECK(found[0].sources.empty());
  CHECK(found[1].students == std::vector<std::string>{"emil", "fred"});
  CHECK(found[1].sources.empty());
  CHECK(found[2].students == std::vector<std::string>{"anna", "bert", "emil", "fred"});
  CHECK(found[2].sources == std::vector<std::string>{"the course's solution"});
}

} // namespace course::classroom
