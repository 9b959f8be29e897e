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
  // The request must outlive this. Its error is one sentence, as all below.
  static std::variant<std::unique_ptr<TimedReplay>, std::string> open(const Driver&,
                                                                      const OpenTiming&);
  ~TimedReplay();

  // Restores a set of inputs, loads the side's modules anew (so that nothing is left in its
  // variables by an earlier run), and does what its plan does before the first launch.
  std::optional<std::string> prepare(const Prepare&);

  // From the first launch to the last, between two events, on a cold L2.
  std::variant<double, std::string> run(); // seconds

  // The contents of the buffers that are asked for.
  std::variant<std::vector<device::Bytes>, std::string> read(const ReadBuffers&) const;

private:
  TimedReplay(const Driver& driver, const OpenTiming& request)
      : driver_(driver), request_(request), memory_(driver) {}
  const device::Job& job() const {
    return side_ == Side::student ? request_.student : request_.solution;
  }
  std::optional<std::string> set_up();
  std::optional<std::string> keep_inputs();
  std::optional<std::string> restore(std::uint32_t input);
  std::optional<std::string> map_allocations(Side);
  std::optional<std::string> flush();

  struct Kept { // a buffer's contents, held on the device unless they are one byte repeated
    CUdeviceptr copy = 0;
    std::byte fill{};
  };
  const Driver& driver_;
  const OpenTiming& request_;
  DeviceMemory memory_;
  Side side_{};
  std::optional<Modules> modules_;
  std::vector<std::vector<Kept>> kept_; // by set, by buffer
  std::vector<device::Address> allocated_;
  std::optional<Side> allocations_of_;
  std::optional<Modules> flush_;
  CUdeviceptr scratch_ = 0;
  std::uint64_t scratch_size_ = 0;
  CUevent before_ = nullptr, after_ = nullptr;
};

// Bytes read and written a second by a device-to-device copy far larger than L2: what no kernel
// that must move its data through memory exceeds. The best of a few.
std::variant<double, std::string> copy_rate(const Driver&);

} // namespace course::gpu
