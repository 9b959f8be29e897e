// CUPTI's SASS metrics: what each machine instruction of one kernel launch did.
//
// Order and traps as seen on an H200 with CUDA 13.0: only the first kernel launched between begin
// and end is collected, and a memset counts as one; a second configuration in the same process is
// refused, so a process can count one launch.
#pragma once

#include "device/gpu/cupti.hpp"
#include "device/gpu/driver.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace course::gpu {

enum class SassMetric {
  executed,
  wavefronts,
  ideal,
  sectors,
  // From here on: of what no bank serves, and not known on every GPU.
  remote,
  remote_stores,
  remote_atomics,
  remote_async,
  remote_copies,
  copies,
  copies_in,
  copies_out,
  products, // their bytes are ncu's alone: CUPTI has no such metric of instructions
};
inline constexpr std::size_t kPlainSassMetrics = 4, kSassMetrics = 13;

struct SassRecord {
  std::string function; // mangled
  std::uint32_t pc = 0; // bytes from the function's start
  std::array<std::uint64_t, kSassMetrics> value{};

  std::uint64_t operator[](SassMetric metric) const {
    return value[static_cast<std::size_t>(metric)];
  }
};

class SassCounter {
public:
  // Both arguments must outlive this. All errors are one sentence.
  // `beyond_banks`: whether the code has what the metrics behind the first four count.
  SassCounter(const Driver& driver, const Cupti& cupti, bool beyond_banks)
      : driver_(driver), cupti_(cupti), metrics_(beyond_banks ? kSassMetrics : kPlainSassMetrics) {}

  // With the stream idle, just before the launch. Empty when counting is on.
  std::string begin();
  // With the stream idle again.
  std::variant<std::vector<SassRecord>, std::string> end();

private:
  std::string configure();

  const Driver& driver_;
  const Cupti& cupti_;
  std::size_t metrics_;
  std::array<std::uint64_t, kSassMetrics> ids_{};
};

} // namespace course::gpu
