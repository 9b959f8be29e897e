#include "device/gpu/tensor_maps.hpp"

#include <algorithm>

namespace course::gpu {

std::vector<TensorArgument> tensor_arguments(const device::Bytes& arguments) {
  constexpr std::size_t kAlignment = 64; // of a CUtensorMap (cuda.h)
  std::vector<TensorArgument> found;
  for (std::size_t at = 0; at + model::kTensorMapBytes <= arguments.size(); at += kAlignment) {
    model::TensorMapBytes bytes;
    std::copy_n(arguments.begin() + static_cast<std::ptrdiff_t>(at), bytes.size(), bytes.begin());
    if (const auto map = model::decoded(bytes)) found.push_back({at, *map});
  }
  return found;
}

int tensor_data_type(const model::TensorMap& map) {
  switch (map.element) { // UINT8, FLOAT16, UINT16, FLOAT32, INT32, FLOAT64, INT64 of cuda.h
  case 1:
    return 0;
  case 2:
    return map.floating ? 6 : 1;
  case 4:
    return map.floating ? 7 : 3;
  default:
    return map.floating ? 8 : 5;
  }
}

} // namespace course::gpu
