// The emulated device: executes PTX warp by warp as an H200 of compute capability 9.0.
#pragma once

#include "device/device.hpp"

namespace course::emulator {

struct Options {
  unsigned threads = 0;     // blocks in parallel; 0: as many as the machine has cores
  bool check_memory = true; // races and uninitialised reads; bounds are always checked
};

std::unique_ptr<device::Device> make_device(const Options& = {});

} // namespace course::emulator
