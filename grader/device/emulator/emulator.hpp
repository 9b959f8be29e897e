// The emulated device: executes PTX warp by warp as a GPU does, an H200 unless another is named.
#pragma once

#include "device/device.hpp"
#include "device/live.hpp"
#include "device/model/known_gpus.hpp"

namespace course::emulator {

struct Exploration;
struct WarpTrace;

struct Options {
  unsigned threads = 0;            // blocks in parallel; 0: as many as the machine has cores
  bool check_memory = true;        // races and uninitialised reads; bounds are always checked
  bool count_instructions = false; // live: those of each line
  std::uint64_t sample = 0;        // of each launch so many blocks are executed; 0: all
  // Whose rules shared memory is counted by; nullptr: that GPU's.
  const model::Architecture* banks = nullptr;
  device::Order order = {};   // live: of all launches
  bool knows_launches = true; // live: what comes again is not executed again
  bool lenient = false;       // live: what a GPU survives is found, and ends no kernel
  // Of each launch every order that differs, where there are few (exploration.hpp); it has to
  // outlive the device. nullptr: none.
  Exploration* exploration = nullptr;
  // Live: keeps what it asks for; it has to outlive the device. nullptr: nobody asks.
  WarpTrace* trace = nullptr;
  std::uint64_t budget = 0; // live: warp-instructions of all launches; 0: without end
  const model::Gpu* gpu = &model::default_gpu(); // that is emulated
};

std::unique_ptr<device::Device> make_device(const Options& = {});
std::unique_ptr<device::Live> make_live(const Options& = {}); // live.cpp

} // namespace course::emulator
