// The GPU's state beside our work, from NVIDIA's management library, opened at run time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace course::gpu {

struct Conditions {
  std::string unavailable;                      // why none of this is known; empty when it is
  std::uint32_t sm_clock = 0, memory_clock = 0; // MHz
  std::uint32_t highest_sm_clock = 0;           // MHz
  std::vector<std::string> throttled;           // reasons, but for idling: "power cap"
  std::uint32_t other_processes = 0;            // that compute on this GPU, `own` ones not counted
};

// `pci` as CUDA names the GPU: "0000:19:00.0". `own`: the process ids of our workers.
Conditions conditions(const std::string& pci, const std::vector<std::uint32_t>& own);

} // namespace course::gpu
