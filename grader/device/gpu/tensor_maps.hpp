// Tensor maps among a kernel's arguments. The recording runtime encodes them in the course's own
// way (model/tensor_map.hpp), which the emulated device reads; a GPU needs the driver's encoding.
#pragma once

#include "device/device.hpp"
#include "device/model/tensor_map.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace course::gpu {

struct TensorArgument {
  std::size_t offset = 0; // in the arguments, in bytes
  model::TensorMap map;
};

// Every map that lies where a CUtensorMap can: at a multiple of 64 bytes.
std::vector<TensorArgument> tensor_arguments(const device::Bytes& arguments);

// Where the parameters of a kernel lie in a launch's argument bytes, and behind them the bytes in
// all: of the PTX's kernels that have a parameter aligned as maps are, to 64 bytes or more (cuda.h
// of CUDA 12; 128 since CUDA 13). By name.
std::map<std::string, std::vector<std::uint32_t>> aligned_parameters(const std::string& ptx);

// CUtensorMapDataType of elements that are copied as the map's are.
int tensor_data_type(const model::TensorMap&);

} // namespace course::gpu
