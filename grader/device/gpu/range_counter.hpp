// CUPTI's range profiler: totals of one kernel launch, where instructions cannot be counted.
//
// It counts instructions, and requests and wavefronts of shared memory. It has no ideal number of
// wavefronts, so conflicts cannot be told from it, and its wavefronts are the hardware's, which may
// include some that arbitration with other traffic caused.
#pragma once

#include "device/gpu/cupti.hpp"
#include "device/gpu/driver.hpp"
#include "device/gpu/messages.hpp"

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace course::gpu {

// A total, the access it is reported as, and the field it belongs in.
struct Total {
  const char* metric;
  std::optional<model::RequestKind> access;
  std::uint64_t InstructionCounts::*field;
};

class RangeCounter {
public:
  // Both arguments must outlive this. All errors are one sentence.
  // `remote`: of other blocks' shared memory, from the total numbered `first` on.
  RangeCounter(const Driver& driver, const Cupti& cupti, bool remote, std::uint32_t first);
  ~RangeCounter();

  // With the stream idle, just before the launch. Empty when counting is on.
  std::string begin();
  // With the stream idle again: one element a kind of access, without file and line.
  std::variant<std::vector<InstructionCounts>, std::string> end();

  // The first total that one pass was not enough for; 0 where none is left.
  std::uint32_t next_total() const;

private:
  std::string describe_counters();
  std::string describe(std::size_t& number_of_passes);
  std::vector<const char*> metric_names() const;
  void forget_host();
  std::string configure();

  const Driver& driver_;
  const Cupti& cupti_;
  std::span<const Total> totals_;
  bool remote_;
  std::uint32_t first_;
  CUpti_Profiler_Host_Object* host_ = nullptr;
  CUpti_RangeProfiler_Object* profiler_ = nullptr;
  std::vector<std::uint8_t> config_, data_;
};

} // namespace course::gpu
