// CUDA arrays: rows of elements in device memory, slice after slice, that textures and surfaces
// read and write.
#pragma once

#include <cstdint>
#include <driver_types.h>

// The type that the API names and hides. A GPU keeps elements in an order of its own, which no
// program sees.
struct cudaArray {
  cudaChannelFormatDesc format{};
  cudaExtent extent{}; // in elements; height and depth 0 where it has none; layers are its depth
  unsigned flags = 0;
  std::uint64_t address = 0;
  std::size_t element = 0; // bytes

  std::size_t rows() const { return extent.height ? extent.height : 1; }
  std::size_t slices() const { return extent.depth ? extent.depth : 1; }
  std::size_t pitch() const { return extent.width * element; }
  std::size_t slice() const { return pitch() * rows(); }
};

namespace course::client {

bool is_array(cudaArray_const_t);

} // namespace course::client
