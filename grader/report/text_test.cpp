#include "report/text.hpp"

#include <doctest/doctest.h>

#include <sstream>

namespace course::report {

TEST_CASE("plain text and other alphabets pass unchanged") {
  CHECK(printable("a b\nc") == "a b\nc");
  CHECK(printable("Grüße, 世界, 🙂") == "Grüße, 世界, 🙂");
}

TEST_CASE("what steers a terminal is replaced") {
  CHECK(printable("\033[31mred") == "?[31mred");
  CHECK(printable("\r\b\a\x7f") == "????");
  CHECK(printable("\xc2\x9b"
                  "31m") == "?31m"); // CSI as a C1 control
  CHECK(printable("\xe2\x80\xae"
                  "gnp") == "?gnp");       // right to left
  CHECK(printable("\xe2\x81\xa6") == "?"); // isolate
  CHECK(printable(std::string_view("\0x", 2)) == "?x");
}

TEST_CASE("what is not UTF-8 is replaced, byte by byte") {
  CHECK(printable("\xff\xfe") == "??");
  CHECK(printable("\xc3") == "?");                // cut short
  CHECK(printable("\xc0\xaf") == "??");           // overlong
  CHECK(printable("\xed\xa0\x80") == "???");      // a surrogate
  CHECK(printable("\xf4\x90\x80\x80") == "????"); // past the last code point
}

TEST_CASE("tabs go to multiples of eight") {
  CHECK(printable("\tx") == "        x");
  CHECK(printable("abc\tx\n\ty") == "abc     x\n        y");
}

TEST_CASE("Chinese is broken between characters, and no line begins with its marks") {
  CHECK(wrapped("共享内存有 32 个存储体，每个存储体一次只服务一个字。", 20, 0) ==
        "共享内存有 32 个存储\n体，每个存储体一次只\n服务一个字。\n");
  CHECK(wrapped("一二三四五。六", 10, 0) == "一二三四\n五。六\n");
  CHECK(wrapped("一二三四（五）六", 10, 0) == "一二三四\n（五）六\n");
  CHECK(wrapped("tile[31][0] 被读", 12, 0) == "tile[31][0]\n被读\n");
}

TEST_CASE("wrapped Chinese keeps to its width, and every character") {
  const std::string text =
      "线程束中的各个 lane 访问同一个 bank 的不同字时，请求要分几趟完成：每趟一个字。";
  for (int width = 12; width < 90; ++width) {
    CAPTURE(width);
    std::istringstream lines(wrapped(text, width, 2));
    std::string line, all;
    while (std::getline(lines, line)) {
      CHECK(static_cast<int>(columns(line)) <= width);
      all += line.substr(2);
    }
    std::string bare = text;
    std::erase(bare, ' ');
    std::erase(all, ' ');
    CHECK(all == bare);
  }
}

TEST_CASE("wrapped text keeps to its width, and every word") {
  const std::string text = "one two three four five six seven eight nine ten";
  for (int width = 14; width < 60; ++width) {
    std::istringstream lines(wrapped(text, width, 2));
    std::string line, words;
    while (std::getline(lines, line)) {
      CHECK(static_cast<int>(line.size()) <= width);
      CHECK(line.starts_with("  "));
      if (!words.empty()) words += ' ';
      words += line.substr(2);
    }
    CHECK(words == text);
  }
}

TEST_CASE("a word that is too long is cut, and nothing is lost") {
  CHECK(wrapped("aaaaaaaaaabbbbbbbbbbcc dd", 10, 0) == "aaaaaaaaaa\nbbbbbbbbbb\ncc dd\n");
  CHECK(wrapped("äääääääääääää", 10, 0) == "ääääääääää\näää\n");
  CHECK(wrapped("", 10, 0) == "");
}

TEST_CASE("a command is not broken where a line is long enough for it") {
  const auto text = "The same again: " + unbroken("./course grade 2_pad --seed 7") + " and so on";
  CHECK(wrapped(text, 80, 0) == "The same again: ./course grade 2_pad --seed 7 and so on\n");
  CHECK(wrapped(text, 40, 0) == "The same again:\n./course grade 2_pad --seed 7 and so on\n");
  CHECK(wrapped(text, 20, 0) == "The same again:\n./course grade 2_pad\n--seed 7 and so on\n");
}

TEST_CASE("ink is for terminals with colours only") {
  CHECK(inked("x", Ink::red, {80, false}) == "x");
  CHECK(inked("x", Ink::red, {80, true}) == "\033[1;31mx\033[0m");
  CHECK(inked("x", Ink::plain, {80, true}) == "x");
}

TEST_CASE("a wide mark is its own space, and a narrow one is none") {
  CHECK(wrapped("它是对的。 第二句： a.b", 40, 0) == "它是对的。第二句：a.b\n");
  CHECK(wrapped("It is. The second: a.b", 40, 0) == "It is. The second: a.b\n");
  CHECK(wrapped("它等 4 字节。 下一句", 13, 0) == "它等 4 字节。\n下一句\n");
}

} // namespace course::report
