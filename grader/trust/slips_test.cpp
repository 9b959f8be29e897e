#include "trust/slips.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace course::trust {
namespace {

const std::string kSlipText =
    "constexpr int kTile = 32;\n"
    "\n"
    "__global__ void turn(float* out, const float* in, int rows, int cols) {\n"
    "  __shared__ float tile[kTile][kTile + 1];  // never change < comments\n"
    "  const int x = threadIdx.x, y = threadIdx.y;\n"
    "  if (x < cols && y < rows) tile[y][x] = in[y * cols + x];\n"
    "  __syncthreads();\n"
    "  out[x * rows + y] = tile[x][y];\n"
    "}\n"
    "\n"
    "void transpose(float* out, const float* in, int rows, int cols) {\n"
    "  turn<<<1, dim3(kTile, kTile)>>>(out, in, rows, cols);\n"
    "}\n";

std::set<std::string> slips_of(const std::string& text, std::uint64_t most) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < most; ++seed) {
    Dice dice(seed);
    auto copy = text;
    slip(copy, dice);
    seen.insert(copy);
  }
  return seen;
}

bool some_has(const std::set<std::string>& texts, const std::string& piece) {
  return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
    return text.find(piece) != std::string::npos;
  });
}

TEST_CASE("each kind of slip comes") {
  const auto seen = slips_of(kSlipText, 3000);
  CHECK(seen.size() > 300);
  for (const char* piece :
       {"kTile = 33;", "if (x <= cols", "if (x < rows", "if (x < cols || y", "threadIdx.z",
        "__syncwarp();", "    ;\n", "  __syncthreads();\n  __syncthreads();\n", "if (!(x < cols",
        "tile[y - 1]", "in[(y * cols + x) % 32]", "__trap();", "cudaDeviceReset();"}) {
    CAPTURE(piece);
    CHECK(some_has(seen, piece));
  }
}

TEST_CASE("brackets stay in pairs, and comments and the rest of a line as they are") {
  for (const auto& text : slips_of(kSlipText, 1000)) {
    for (const auto& [open, close] : {std::pair{'(', ')'}, {'[', ']'}, {'{', '}'}})
      CHECK(std::count(text.begin(), text.end(), open) ==
            std::count(text.begin(), text.end(), close));
    CHECK(text.find("// never change < comments\n") != std::string::npos);
  }
}

TEST_CASE("what is on the host is not put into a kernel, and the other way round") {
  for (const auto& text : slips_of(kSlipText, 1000)) {
    const auto host = text.find("void transpose(");
    REQUIRE(host != std::string::npos);
    CHECK(text.substr(0, host).find("cudaDeviceReset") == std::string::npos);
    CHECK(text.substr(host).find("__trap") == std::string::npos);
  }
}

TEST_CASE("what has nothing to change is left alone") {
  for (const char* text : {"", "\n", "// nothing\n", "#include <cstdio>\n", "\"open", "/*", "'",
                           "[", "if (", "1", "x", ";", "\xff\xfe"}) {
    CAPTURE(text);
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      Dice dice(seed);
      std::string copy = text;
      slip(copy, dice);
      CHECK(copy.size() < 300);
    }
  }
}

} // namespace
} // namespace course::trust
