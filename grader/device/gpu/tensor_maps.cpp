#include "device/gpu/tensor_maps.hpp"

#include "device/code/ptx/parse.hpp"

#include <algorithm>

namespace course::gpu {
namespace {

constexpr std::size_t kLeastAlignment = 64;

bool is_aligned_as_maps(const ptx::Variable& parameter) {
  return parameter.align >= kLeastAlignment;
}

} // namespace

std::vector<TensorArgument> tensor_arguments(const device::Bytes& arguments) {
  std::vector<TensorArgument> found;
  for (std::size_t at = 0; at + model::kTensorMapBytes <= arguments.size(); at += kLeastAlignment) {
    model::TensorMapBytes bytes;
    std::copy_n(arguments.begin() + static_cast<std::ptrdiff_t>(at), bytes.size(), bytes.begin());
    if (const auto map = model::decoded(bytes)) found.push_back({at, *map});
  }
  return found;
}

std::map<std::string, std::vector<std::uint32_t>> aligned_parameters(const std::string& ptx) {
  std::map<std::string, std::vector<std::uint32_t>> offsets;
  const auto parsed = ptx::parse(ptx);
  const auto* module = std::get_if<ptx::Module>(&parsed);
  if (!module) return offsets;
  for (const auto& function : module->functions)
    if (function.is_entry && std::ranges::any_of(function.parameters, is_aligned_as_maps))
      offsets[function.name] = ptx::parameter_offsets(function);
  return offsets;
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
