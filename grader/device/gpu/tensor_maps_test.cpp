#include "device/gpu/tensor_maps.hpp"

#include <doctest/doctest.h>

namespace course::gpu {
namespace {

model::TensorMap map_of_floats() {
  model::TensorMap map;
  map.address = 0x4000;
  map.rank = 2;
  map.size = {96, 64};
  map.stride = {4, 384};
  map.box = {32, 32};
  map.swizzle = model::Swizzle::bytes_128;
  map.promotion = 2;
  return map;
}

} // namespace

TEST_CASE("tensor maps are found among other arguments, where maps can lie") {
  const auto map = map_of_floats();
  const auto bytes = model::encoded(map);
  device::Bytes arguments(64); // a pointer and a number, say, and what aligns a map
  arguments.insert(arguments.end(), bytes.begin(), bytes.end());
  arguments.resize(arguments.size() + 12);
  const auto found = tensor_arguments(arguments);
  REQUIRE(found.size() == 1);
  CHECK(found[0].offset == 64);
  CHECK(found[0].map == map);
  arguments.insert(arguments.begin(), std::byte{});
  CHECK(tensor_arguments(arguments).empty());
  CHECK(tensor_arguments({}).empty());
}

TEST_CASE("kernels with a parameter aligned as maps are have their offsets, and no others") {
  const auto kernel = [](const std::string& name, int alignment) {
    return ".visible .entry " + name + "(.param .u64 " + name + "_param_0, .param .align " +
           std::to_string(alignment) + " .b8 " + name + "_param_1[128]) { ret; }\n";
  };
  const auto found =
      aligned_parameters(".version 9.0\n.target sm_90a\n.address_size 64\n" + kernel("plain", 8) +
                         kernel("of_cuda_12", 64) + kernel("of_cuda_13", 128));
  using Offsets = std::vector<std::uint32_t>;
  CHECK(found == std::map<std::string, Offsets>{{"of_cuda_12", {0, 64, 192}},
                                                {"of_cuda_13", {0, 128, 256}}});
  CHECK(aligned_parameters("no PTX").empty());
}

TEST_CASE("elements have a type of their size, floating where the map's are") {
  auto map = map_of_floats();
  CHECK(tensor_data_type(map) == 7);
  map.floating = false;
  CHECK(tensor_data_type(map) == 3);
  map.element = 2;
  CHECK(tensor_data_type(map) == 1);
  map.element = 1;
  CHECK(tensor_data_type(map) == 0);
}

} // namespace course::gpu
