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
