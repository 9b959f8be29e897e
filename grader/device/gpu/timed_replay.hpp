// The worker's side of timing: two jobs on the same buffers, run one after the other as told.
#pragma once

#include "device/gpu/device_memory.hpp"
#include "device/gpu/driver.hpp"
#include "device/gpu/messages.hpp"
#include "device/gpu/modules.hpp"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace course::gpu {

class TimedReplay {
public:
  // The work must outlive this. Its error is one sentence, as all below.
  static std::variant<std::unique_ptr<TimedReplay>, std::string> open(const Driver&,
                                                                      const TimedWork&);
  ~TimedReplay();

  // Restores the inputs and varies them by the seed, loads the side's modules anew (so that nothing
  // is left in its variables by an earlier run), and does what its plan does before the first
  // launch.
  std::optional<std::string> prepare(Side, std::uint64_t seed);

  // From the first launch to the last, between two events, on a cold L2.
  std::variant<double, std::string> run(); // seconds

  // See CompareOutputs.
  std::variant<Different, std::string> compare(std::uint64_t seed);

  // The output of the student's last run.
  std::variant<device::Bytes, std::string> read() const;

private:
  TimedReplay(const Driver& driver, const TimedWork& work)
      : driver_(driver), work_(work), memory_(driver) {}
  std::optional<std::string> set_up();
  std::optional<std::string> allocate();
  std::optional<std::string> keep_inputs();
  std::optional<std::string> restore(std::uint64_t seed);
  std::optional<std::string> map_allocations(const device::Job&);
  std::optional<std::string> prepare(const device::Job&, std::uint64_t seed);
  std::optional<std::string> flush();
  std::optional<std::string> run_solution(std::uint64_t seed);
  std::optional<std::string> launch(const char* kernel, std::uint64_t blocks, unsigned threads,
                                    void** arguments);
  // The steps that are timed, put in the stream. The last launch among them, if any.
  std::variant<const device::Launch*, std::string> enqueue_timed();
  Region output() const { return work_.buffers[work_.output.buffer].region; }

  struct Kept { // a buffer's contents, held on the device unless they are one byte repeated
    CUdeviceptr copy = 0;
    std::byte fill{};
  };
  const Driver& driver_;
  const TimedWork& work_;
  DeviceMemory memory_;
  const device::Job* job_ = nullptr; // the one that is prepared, or ran last
  std::optional<Modules> modules_;   // its
  std::vector<Kept> kept_;           // by buffer
  std::vector<device::Address> allocated_;
  const device::Job* allocations_of_ = nullptr;
  std::optional<Modules> kernels_; // timing's own
  CUdeviceptr scratch_ = 0;        // what L2 is flushed with
  CUdeviceptr students_ = 0;       // the student's last output
  CUdeviceptr difference_ = 0;     // what the comparison found
  std::uint64_t scratch_size_ = 0;
  CUevent before_ = nullptr, after_ = nullptr;
};

// Bytes read and written a second by a device-to-device copy far larger than L2: what no kernel
// that must move its data through memory exceeds. The best of a few.
std::variant<double, std::string> copy_rate(const Driver&);

} // namespace course::gpu
