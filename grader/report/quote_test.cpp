#include "report/quote.hpp"

#include <doctest/doctest.h>

namespace course::report {
namespace {

using model::Direction, model::Memory, model::Use;

const std::string kSource = "__global__ void f(float* out, const float* in) {\n"
                            "  __shared__ float tile[32][32];\n"
                            "  extern __shared__ float more [];\n"
                            "  tile[y][x] = in[i];\n"
                            "  out[idx[j]] = tile[x][y]; // tile[0]\n"
                            "  out[a] = tile[b] + tile[c];\n"
                            "  if (more[a] == tile[b]) return;\n"
                            "  int n = 1;\n";

std::string underlined(std::uint32_t line, Use access) {
  const auto under = underline(kSource, line, access);
  return under ? lines_of(kSource)[line - 1].substr(under->start, under->length) : "";
}

constexpr Use kSharedLoad{Memory::shared, Direction::load};
constexpr Use kSharedStore{Memory::shared, Direction::store};
constexpr Use kGlobalLoad{Memory::global, Direction::load};
constexpr Use kGlobalStore{Memory::global, Direction::store};

} // namespace

TEST_CASE("lines that end as Windows ends them are quoted as other lines") {
  CHECK(quote("a\r\nb[1] = 2;\r\nc\r\n", 2, {}, {}) == "    2 | b[1] = 2;\n");
}

TEST_CASE("the expression that makes an access is underlined") {
  CHECK(underlined(4, kSharedStore) == "tile[y][x]");
  CHECK(underlined(4, kGlobalLoad) == "in[i]");
  CHECK(underlined(5, kSharedLoad) == "tile[x][y]");
  CHECK(underlined(5, kGlobalStore) == "out[idx[j]]");
  CHECK(underlined(5, kGlobalLoad) == "idx[j]");
}

TEST_CASE("an access that could be either of two, or is not in the line, is not underlined") {
  CHECK(underlined(6, kSharedLoad).empty());
  CHECK(underlined(7, kSharedLoad).empty());
  CHECK(underlined(8, kSharedLoad).empty());
  CHECK(underlined(5, kSharedStore).empty());
  CHECK_FALSE(underline(kSource, 0, kSharedLoad));
  CHECK_FALSE(underline(kSource, 99, kSharedLoad));
  CHECK_FALSE(underline("x[[[", 1, kGlobalLoad));
}

TEST_CASE("of two arrays the one that was touched is underlined") {
  const std::string source = "  __shared__ float ta[32][32], tb[32][33], row[8];\n"
                             "  sum += ta[y][i] * tb[x][i];\n"
                             "  sum += ta[y][i] * ta[x][i];\n"
                             "  tb[y][x] += 1;\n";
  const auto marked = [&](std::uint32_t line, Use access, const std::string& array) {
    const auto under = underline(source, line, access, array);
    return under ? lines_of(source)[line - 1].substr(under->start, under->length) : "";
  };
  CHECK(marked(2, kSharedLoad, "tb") == "tb[x][i]");
  CHECK(marked(2, kSharedLoad, "ta") == "ta[y][i]");
  CHECK(marked(2, kSharedLoad, "row").empty());
  CHECK(marked(2, kSharedLoad, "").empty());
  CHECK(marked(2, kGlobalLoad, "").empty());
  CHECK(marked(3, kSharedLoad, "ta").empty());
  CHECK(marked(4, kSharedLoad, "tb") == "tb[y][x]");
  CHECK(marked(4, kSharedStore, "tb") == "tb[y][x]");
}

TEST_CASE("an array of the thread's own is not taken for global memory") {
  const std::string source = "void k(float* out) {\n  float part[4];\n  out[i] = part[j];\n";
  CHECK_FALSE(underline(source, 3, kGlobalLoad));
  CHECK(underline(source, 3, kGlobalStore)->start == 2);
}

TEST_CASE("a line is quoted with its number") {
  CHECK(quote(kSource, 4, Underline{2, 10}, {}) == "    4 |   tile[y][x] = in[i];\n"
                                                   "      |   ~~~~~~~~~~\n");
  CHECK(quote(kSource, 4, {}, {}) == "    4 |   tile[y][x] = in[i];\n");
  CHECK(quote(kSource, 99, {}, {}) == "");
}

TEST_CASE("a quoted line carries no control bytes") {
  CHECK(quote("\033[2Jx\n", 1, {}, {}) == "    1 | ?[2Jx\n");
}

TEST_CASE("a line that is too wide is cut around what is underlined") {
  const std::string wide = std::string(100, 'a') + " tile[x] " + std::string(100, 'b');
  for (int width : {40, 60, 80}) {
    const auto text = quote(wide, 1, Underline{101, 7}, {width, false});
    for (const auto& line : lines_of(text)) CHECK(static_cast<int>(line.size()) <= width);
    const auto lines = lines_of(text);
    REQUIRE(lines.size() == 2);
    const auto start = lines[1].find('~');
    CHECK(lines[0].substr(start, 7) == "tile[x]");
    CHECK(lines[0].find("...") != std::string::npos);
  }
}

TEST_CASE("a cut line of another alphabet stays within its width") {
  std::string wide;
  for (int i = 0; i < 100; ++i) wide += "ü";
  const auto text = quote(wide, 1, {}, {40, false});
  CHECK(columns(lines_of(text)[0]) <= 40);
}

} // namespace course::report
