// Buffers of a test as numbers, and back.
#pragma once

#include "device/device.hpp"

#include <cstring>
#include <vector>

namespace course::gpu {

template <class T>
device::Bytes bytes_of(const std::vector<T>& values) {
  device::Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <class T>
std::vector<T> values_of(const device::Bytes& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

} // namespace course::gpu
