#include "device/removed.hpp"

#include <doctest/doctest.h>

namespace course::device {
namespace {

const std::string kSource =
    "template <int N>\n"
    "__global__ void __launch_bounds__(1024) turn(float* out) {\n"
    "  __shared__ float tile[N][N],\n"
    "      row[N];\n"
    "}\n"
    "__global__ void copy(float* out) { __shared__ float tile[32]; }\n"
    "__global__ void never(float* out);\n"
    "__device__ void helper() { __shared__ float part[32]; }\n"
    "extern \"C\" __global__ void plain() { extern __shared__ int all[]; }\n";

std::string removed(const std::string& variables, const std::string& source = kSource) {
  const Module module{
      ".version 9.0\n.target sm_90\n.address_size 64\n" + variables +
          ".visible .entry _Z4turnILi32EEvPf() { ret; }\n"
          ".visible .entry _Z4copyPf() { ret; }\n.visible .entry plain() { ret; }\n",
      {},
      source};
  std::string text;
  for (const auto& array : removed_arrays(module))
    text += array.kernel + "::" + array.name + ":" + std::to_string(array.line) + " ";
  return text;
}

} // namespace

TEST_CASE("arrays that the compiled kernel no longer has are named") {
  CHECK(removed("") == "turn::tile:3 turn::row:4 copy::tile:6 ");
  CHECK(removed(".shared .b8 _ZZ4turnILi32EEvPfE4tile[4096];\n") == "turn::row:4 copy::tile:6 ");
  CHECK(
      removed(".shared .b8 _ZZ4copyPfE4tile[128];\n.shared .b8 _ZZ4turnILi32EEvPfE3row[128];\n") ==
      "turn::tile:3 ");
}

TEST_CASE("without a source, or with one of other kernels, nothing is said") {
  CHECK(removed("", "").empty());
  CHECK(removed("", "__global__ void other() { __shared__ int a[4]; }").empty());
  CHECK(removed("", "__global__ void copy() { { __shared__ int a[4];").find("copy::a:1") == 0);
  CHECK(removed("", "__global__ __global__ (((").empty());
}

} // namespace course::device
