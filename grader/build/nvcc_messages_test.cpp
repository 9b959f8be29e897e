#include "build/nvcc_messages.hpp"

#include <doctest/doctest.h>

namespace course::build {
namespace {

const Seen kSeen{"/cache/jobs/0123", "student.cu", "my pad.cu"};
const Seen kPlain{"/cache/jobs/0123", "2_pad.cu", "2_pad.cu"};

} // namespace

TEST_CASE("the folder that nvcc ran in is not shown") {
  CHECK(clean_messages("In file included from /cache/jobs/0123/2_pad.cu:1:\n", kPlain) ==
        "In file included from 2_pad.cu:1:\n");
  CHECK(clean_messages("a __attribute__((shared)) variable, __attribute__((constant)) too",
                       kPlain) == "a __shared__ variable, __constant__ too");
  CHECK(clean_messages("/cache/jobs/0123x/2_pad.cu", kPlain) == "/cache/jobs/0123x/2_pad.cu");
}

TEST_CASE("files that nvcc makes on its way are called by the student's name") {
  CHECK(
      clean_messages("/usr/bin/ld: /cache/jobs/0123/tmpxft_00000004_00000000-11_2_pad.o: in "
                     "function `g()':\ntmpxft_00000004_00000000-6_2_pad.cudafe1.cpp:(.text+0x11): "
                     "undefined",
                     kPlain) == "/usr/bin/ld: 2_pad.cu: in function `g()':\n2_pad.cu:(.text+0x11): "
                                "undefined");
  CHECK(clean_messages("see tmpxft_1-2_2_pad.o.", kPlain) == "see 2_pad.cu.");
  CHECK(clean_messages("tmpxft_", kPlain) == "2_pad.cu");
}

TEST_CASE("a copy under another name is called by the student's") {
  CHECK(clean_messages("student.cu(3): error", kSeen) == "my pad.cu(3): error");
}

TEST_CASE("escape sequences and other control characters do not reach the terminal") {
  CHECK(plain_text("a\x1b[2J\x07\rb\n\tc\x7f") == "a[2Jb\n\tc");
  CHECK(plain_text(std::string_view("a\0b", 3)) == "ab");
  CHECK(plain_text("\u009b31m\u0085") == "31m");
}

TEST_CASE("characters that turn the direction of text are taken out") {
  CHECK(plain_text("a\u202e\u2066b\u2069\u202cc") == "abc");
}

TEST_CASE("other characters stay as they are") {
  CHECK(plain_text("Größe – 日本 𝄞") == "Größe – 日本 𝄞");
}

TEST_CASE("what is not UTF-8 becomes a mark in its place") {
  CHECK(plain_text("a\xff"
                   "b") == "a\uFFFDb");
  CHECK(plain_text("\xc3") == "\uFFFD");                     // cut off
  CHECK(plain_text("\xc0\xaf") == "\uFFFD\uFFFD");           // longer than needed
  CHECK(plain_text("\xed\xa0\x80") == "\uFFFD\uFFFD\uFFFD"); // half of a pair
  CHECK(plain_text("\xf4\x90\x80\x80").size() == 4 * 3);     // past the last
  CHECK(plain_text("\xe2\x82") == "\uFFFD\uFFFD");
}

TEST_CASE("endless messages are cut, and the cut is counted") {
  std::string text;
  for (int line = 0; line < kMostLines; ++line) text += "line\n";
  CHECK(clean_messages(text, kPlain) == text);
  CHECK(clean_messages(text + "a\nb\nc\n", kPlain) == text + "… and 3 more lines\n");
}

TEST_CASE("PTX names the student's file, and other files as they are") {
  CHECK(clean_ptx("\t.file\t1 \"/cache/jobs/0123/student.cu\"\n\t.file 2 \"/usr/x.h\"\n", kSeen) ==
        "\t.file\t1 \"my pad.cu\"\n\t.file 2 \"/usr/x.h\"\n");
}

} // namespace course::build
