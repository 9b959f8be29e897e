#include "trust/mutate.hpp"

#include <doctest/doctest.h>

#include <set>

namespace course::trust {
namespace {

const std::string kText = "// a comment\nvoid f(int n, float* out) {\n  for (int i = 0; i < 32; "
                          "++i) g(i, out[n + i]);\n}\n";

TEST_CASE("the same seed makes the same change, another seed another one") {
  std::set<std::string> seen;
  std::size_t changed = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const auto one = mutated(kText, kText, seed);
    CHECK(one == mutated(kText, kText, seed));
    changed += one != kText;
    seen.insert(one);
  }
  CHECK(changed > 450);
  CHECK(seen.size() > 250);
}

TEST_CASE("a change may bring pieces of another file") {
  bool brought = false;
  for (std::uint64_t seed = 0; seed < 500; ++seed)
    brought = brought || mutated(kText, "marzipan\n", seed).find("marzipan") != std::string::npos;
  CHECK(brought);
}

TEST_CASE("empty files, and files of one byte, can be changed too") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CHECK(mutated("", "", seed).size() < 1000);
    CHECK(mutated("x", "\n", seed).size() < 1000);
    CHECK(mutated("//", "1", seed).size() < 1000);
  }
}

} // namespace
} // namespace course::trust
