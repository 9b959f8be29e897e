// CUPTI's range profiler: totals of one kernel launch, where instructions cannot be counted.
//
// It counts instructions, and requests and wavefronts of shared memory. It has no ideal number of
// wavefronts, so conflicts cannot be told from it, and its wavefronts are the hardware's, which may
// include some that arbitration with other traffic caused.
#pragma once

#include "device/gpu/cupti.hpp"
#include "device/gpu/driver.hpp"
#include "device/gpu/messages.hpp"

#include <string>
#include <variant>
#include <vector>

namespace course::gpu {

class RangeCounter {
public:
  // Both arguments must outlive this. All errors are one sentence.
  RangeCounter(const Driver& driver, const Cupti& cupti) : driver_(driver), cupti_(cupti) {}
  ~RangeCounter();

  // With the stream idle, just before the launch. Empty when counting is on.
  std::string begin();
  // With the stream idle again: one element a kind of access, without file and line.
  std::variant<std::vector<InstructionCounts>, std::string> end();

private:
  std::string describe_counters();
  std::string configure();

  const Driver& driver_;
  const Cupti& cupti_;
  CUpti_Profiler_Host_Object* host_ = nullptr;
  CUpti_RangeProfiler_Object* profiler_ = nullptr;
  std::vector<std::uint8_t> config_, data_;
};

} // namespace course::gpu
