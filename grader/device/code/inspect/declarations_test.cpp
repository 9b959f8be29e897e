#include "device/code/inspect/declarations.hpp"

#include <doctest/doctest.h>

namespace course::code {
namespace {

using Extents = std::vector<std::uint64_t>;

// Extents, with the element's bytes behind them; empty when there is no answer.
Extents shape(const std::string& source, const std::string& name, std::uint64_t bytes) {
  const auto found = Declarations(source).shape(name, bytes);
  if (!found) return {};
  Extents all = found->extents;
  all.push_back(found->element);
  return all;
}

} // namespace

TEST_CASE("an array's extents are numbers, constants, or made of them") {
  const std::string source = "constexpr int kTile = 32, kRows = kTile / (1 << 2);\n"
                             "#define PAD 1 // a word\n"
                             "const unsigned kWide = 2 * kTile;\n"
                             "__global__ void k() {\n"
                             "  __shared__ float tile[kTile][kTile + PAD], row[kWide];\n"
                             "  __shared__ __align__(16) unsigned long long sums[0x10];\n"
                             "  __shared__ std::uint8_t memory[sizeof(float) * 8];\n"
                             "  __shared__ float4 quads[4]; __shared__ int total;\n"
                             "}\n";
  CHECK(shape(source, "tile", 4224) == Extents{32, 33, 4});
  CHECK(shape(source, "row", 256) == Extents{64, 4});
  CHECK(shape(source, "sums", 128) == Extents{16, 8});
  CHECK(shape(source, "memory", 32) == Extents{32, 1});
  CHECK(shape(source, "quads", 64) == Extents{4, 16});
  CHECK(shape(source, "total", 4) == Extents{4});
}

TEST_CASE("a struct is as large as its share of the array") {
  CHECK(shape("struct Tile { float at[32][33]; }; __shared__ Tile tiles[2];", "tiles", 8448) ==
        Extents{2, 4224});
}

TEST_CASE("a first extent that is not known follows from the bytes") {
  CHECK(shape("template <int N> __global__ void k() { __shared__ float x[N][8]; }", "x", 512) ==
        Extents{16, 8, 4});
  CHECK(shape("extern __shared__ float memory[];", "memory", 0) == Extents{0, 4});
}

TEST_CASE("where there is a doubt there is no answer") {
  CHECK(shape("", "tile", 4096).empty());
  CHECK(shape("__shared__ float tile[32][32];", "tile", 4224).empty()); // other bytes
  CHECK(shape("template <int N> __global__ void k() { __shared__ float x[8][N]; }", "x", 512)
            .empty());
  // The template's own kTile, whatever the file's is.
  CHECK(shape("constexpr int kTile = 32; template <class T, int kTile> __global__ void k() {"
              "__shared__ T x[kTile][kTile]; }",
              "x", 1024)
            .empty());
  CHECK(shape("__shared__ float x[8][16]; } void l() { __shared__ float x[16][8];", "x", 512)
            .empty());
  CHECK(shape("#define N 8\n#define N 16\n__shared__ Thing x[N];", "x", 512).empty());
  CHECK(shape("// __shared__ float x[8];\n\"__shared__ float x[8];\"", "x", 32).empty());
  CHECK(shape("__shared__ Thing x[a(b];", "x", 32).empty());
  CHECK(shape("constexpr int a = b, b = a; __shared__ int x[a][a];", "x", 32).empty());
  CHECK(shape("__shared__ float x[1 / 0]; __shared__ float y[2][3 - 4];", "y", 32).empty());
}

} // namespace course::code
