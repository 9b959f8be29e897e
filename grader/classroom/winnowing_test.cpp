#include "classroom/winnowing.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>

namespace course::classroom {
namespace {

const std::string kKernel = R"(
  __shared__ float tile[32][33];
  const int row = blockIdx.y * 32 + threadIdx.y;
  const int column = blockIdx.x * 32 + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = in[row * columns + column];
  __syncthreads();
  out[column * rows + row] = tile[threadIdx.x][threadIdx.y];
  for (int i = 0; i < 32; ++i) sum += tile[i][threadIdx.x] * weight[i];
)";

std::size_t shared(const Fingerprints& one, const Fingerprints& other) {
  std::vector<std::uint64_t> both;
  std::set_intersection(one.prints.begin(), one.prints.end(), other.prints.begin(),
                        other.prints.end(), std::back_inserter(both));
  return both.size();
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

} // namespace

TEST_CASE("tokens do not change with names, numbers, spaces and comments") {
  using Tokens = std::vector<std::string>;
  CHECK(tokens("int a=b[3];") == Tokens{"int", "n", "=", "n", "[", "0", "]", ";"});
  CHECK(tokens("int /* x */ count = other [ 0x1F ] ; // y") == tokens("int a=b[3];"));
  CHECK(tokens("f(\"a\\\"b\", 'c')") == Tokens{"n", "(", "s", ",", "s", ")"});
  CHECK(tokens("__syncthreads()") == Tokens{"__syncthreads", "(", ")"});
}

TEST_CASE("renaming and spacing leave all fingerprints as they are") {
  auto renamed = replaced(replaced(kKernel, "tile", "buffer"), "row", "r");
  renamed = replaced(renamed, "\n", "\n\n  // a comment\n\t");
  CHECK(fingerprints(renamed).whole == fingerprints(kKernel).whole);
  CHECK(fingerprints(renamed).prints == fingerprints(kKernel).prints);
}

TEST_CASE("a copied part is found in another text, and other texts have nothing in common") {
  const auto whole = fingerprints(kKernel);
  CHECK(whole.prints.size() > 10);
  const auto part = fingerprints("void before() { while (true) { go(); } }" +
                                 kKernel.substr(kKernel.find("out["), std::string::npos));
  CHECK(shared(whole, part) >= 4);
  const auto other = fingerprints("template <class T> T most(const T* values, int count) {\n"
                                  "  T best = values[0];\n  while (--count) if (best < *++values) "
                                  "best = *values;\n  return best;\n}");
  CHECK(shared(whole, other) == 0);
}

TEST_CASE("any bytes have fingerprints") {
  CHECK(fingerprints("").prints.empty());
  CHECK(fingerprints("x").prints.empty());
  std::string bytes;
  for (int i = 0; i < 2000; ++i) bytes += static_cast<char>(i * 37);
  CHECK_FALSE(fingerprints(bytes).prints.empty());
  for (const char* cut : {"\"never closed", "/* never closed", "'\\", "//", "/*", "\"\\"})
    tokens(cut);
}

} // namespace course::classroom
