#include "trust/declaration.hpp"

#include <doctest/doctest.h>

namespace course::trust {
namespace {

TEST_CASE("a declaration is read line by line") {
  const auto read = declaration("// attack: leaves early\n"
                                "// against: 05_transpose/2_pad\n"
                                "// must: crashed: exit code 0\n"
                                "// must: failed output, memory\n"
                                "// never: root:\n"
                                "// device: gpu\n"
                                "// named: a\\x1b[2J.cu\n"
                                "// seconds: 90\n"
                                "\n"
                                "// link: this is no part of it\n");
  CHECK(read.complaints.empty());
  CHECK(read.kind == Declaration::Kind::attack);
  CHECK(read.idea == "leaves early");
  CHECK(read.exercise == "05_transpose/2_pad");
  REQUIRE(read.wanted.size() == 2);
  CHECK(read.wanted[0].ending == "crashed");
  CHECK(read.wanted[0].piece == "exit code 0");
  CHECK(read.wanted[1].checks == std::vector<std::string>{"output", "memory"});
  CHECK(text(read.wanted[1]) == "failed output, memory");
  CHECK(read.never == std::vector<std::string>{"root:"});
  CHECK(read.device == Declaration::Device::gpu);
  CHECK(read.named == "a\x1b[2J.cu");
  CHECK(read.link.empty());
  CHECK(read.seconds == 90);
}

TEST_CASE("what a declaration says to the formatter is no key") {
  const auto wide = declaration("// attack: wide\n// against: 05_transpose/2_pad\n"
                                "// clang-format off\n// must: failed output\n");
  CHECK(wide.complaints.empty());
  CHECK_FALSE(declaration("// attack: wide\n// against: x\n// clang format\n// must: passed\n")
                  .complaints.empty());
}

TEST_CASE("a declaration may follow a byte order mark and end its lines as others do") {
  const auto read = declaration("\xef\xbb\xbf// control: a mark\r\n// against: a/b\r\n"
                                "// must: passed\r\n");
  CHECK(read.complaints.empty());
  CHECK(read.kind == Declaration::Kind::control);
  CHECK(read.wanted.at(0).ending == "passed");
}

TEST_CASE("an honest way says which it is, in a line or two, and has to pass") {
  const auto read = declaration("// honest: one lane finds the row,\n// and others ask: it\n"
                                "// device: both\n\nint x;\n",
                                "05_transpose/2_pad");
  CHECK(read.complaints.empty());
  CHECK(read.kind == Declaration::Kind::control);
  CHECK(read.idea == "one lane finds the row, and others ask: it");
  CHECK(read.exercise == "05_transpose/2_pad");
  CHECK(read.device == Declaration::Device::both);
  REQUIRE(read.wanted.size() == 1);
  CHECK(read.wanted[0].ending == "passed");
  CHECK(declaration("// honest: x\n// must: passed: a note\n", "a/b").wanted.at(0).piece ==
        "a note");
  CHECK_FALSE(declaration("// honest: x\n// must: crashed\n", "a/b").complaints.empty());
  CHECK_FALSE(declaration("// honest: of no exercise\n").complaints.empty());
}

TEST_CASE("a declaration that says too little, or what nobody reads, is wrong") {
  CHECK_FALSE(declaration("").complaints.empty());
  CHECK_FALSE(declaration("// attack: x\n// against: a/b\n").complaints.empty());
  CHECK_FALSE(declaration("// attack: x\n// must: crashed\n").complaints.empty());
  const std::string good = "// attack: x\n// against: a/b\n// must: crashed\n";
  CHECK(declaration(good).complaints.empty());
  CHECK_FALSE(declaration(good + "// must: fails\n").complaints.empty());
  CHECK_FALSE(declaration(good + "// must: failed\n").complaints.empty());
  CHECK_FALSE(declaration(good + "// device: abacus\n").complaints.empty());
  CHECK_FALSE(declaration(good + "// seconds: -1\n").complaints.empty());
  CHECK_FALSE(declaration(good + "// shape: 3 x 3\n").complaints.empty());
}

TEST_CASE("an attack is graded on the emulated device unless it says otherwise") {
  using Device = Declaration::Device;
  const std::string text = "// attack: x\n// against: a/b\n// must: failed none\n";
  CHECK(declaration(text).device == Device::emulated);
  CHECK(declaration(text + "// device: emulated\n").device == Device::emulated);
  CHECK(declaration(text + "// device: both\n").device == Device::both);
  CHECK(declaration(text + "// device: both\n").complaints.empty());
}

TEST_CASE("a control has to pass") {
  CHECK_FALSE(declaration("// control: x\n// against: a/b\n// must: crashed\n").complaints.empty());
}

} // namespace
} // namespace course::trust
