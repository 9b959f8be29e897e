#include "progress/line_diff.hpp"

#include <doctest/doctest.h>

namespace course::progress {

TEST_CASE("equal texts have no difference") {
  CHECK(line_diff("a\nb\n", "a\nb\n", {}).empty());
  CHECK(line_diff("", "", {}).empty());
}

TEST_CASE("a difference is shown as by diff -u, with three lines around it") {
  CHECK(line_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", {}) ==
        "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST_CASE("differences far apart have parts of their own, near ones share one") {
  std::string before, after;
  for (int i = 1; i <= 30; ++i) {
    before += std::to_string(i) + "\n";
    after += (i == 5 || i == 25 ? "x" : std::to_string(i)) + "\n";
  }
  const auto apart = line_diff(before, after, {});
  CHECK(apart.starts_with("@@ -2,7 +2,7 @@\n"));
  CHECK(apart.find("@@ -22,7 +22,7 @@\n") != std::string::npos);
  const auto near = line_diff("1\n2\n3\n4\n5\n6\n7\n", "x\n2\n3\n4\n5\n6\ny\n", {});
  CHECK(near == "@@ -1,7 +1,7 @@\n-1\n+x\n 2\n 3\n 4\n 5\n 6\n-7\n+y\n");
}

TEST_CASE("lines that are only added or only removed are counted on their side") {
  CHECK(line_diff("a\n", "a\nb\nc\n", {}) == "@@ -1,1 +1,3 @@\n a\n+b\n+c\n");
  CHECK(line_diff("a\nb\n", "", {}) == "@@ -1,2 +1,0 @@\n-a\n-b\n");
}

TEST_CASE("a line is cut where the terminal ends, and steers nothing") {
  const auto text = line_diff("", "\033[31m" + std::string(100, 'x') + "\n", {40, false});
  for (const auto& line : report::lines_of(text)) CHECK(report::columns(line) <= 40);
  CHECK(text.find('\033') == std::string::npos);
  CHECK(text.ends_with("...\n"));
}

TEST_CASE("texts too long to compare line by line are still right") {
  std::string before, after;
  for (int i = 0; i < 5000; ++i) {
    before += "a" + std::to_string(i) + "\n";
    after += "b" + std::to_string(i) + "\n";
  }
  const auto lines = report::lines_of(line_diff(before, after, {}));
  CHECK(lines.size() == 10'001);
  CHECK(lines[1] == "-a0");
  CHECK(lines.back() == "+b4999");
}

} // namespace course::progress
