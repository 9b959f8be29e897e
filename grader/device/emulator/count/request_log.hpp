// Requests of one warp at one source line, kept as they come.
#pragma once

#include "device/device.hpp"
#include "device/emulator/decode/memory_operand.hpp"

#include <vector>

namespace course::emulator {

struct Warp;

class RequestLog {
public:
  explicit RequestLog(device::Watch watch) : watch_(std::move(watch)) {}

  bool wanted() const { return watch_.line != 0; }

  // Keeps the request if it is of the warp and the line that are watched. A warp is executed by one
  // thread, and only the watched one's requests change anything, so no lock is needed.
  template <typename Lanes>
  void see(const MemoryOperand& access, const Warp& warp, std::uint32_t active, std::uint32_t width,
           const Lanes& at, std::uint64_t bytes = 0) {
    if (!watches(access, warp)) return;
    if (++seen_ > watch_.most) return;
    device::RequestSample& request = add(access, warp);
    kept_.back().bytes = bytes;
    request.active = active;
    request.width = width;
    for (int lane = 0; lane < kLanes; ++lane) request.offset[lane] = at.of[lane];
  }

  // To forget what came since, where a launch is executed again.
  struct Mark {
    std::size_t kept = 0;
    std::uint64_t seen = 0;
  };
  Mark mark() const { return {kept_.size(), seen_}; }
  void rewind(const Mark& mark) {
    kept_.resize(mark.kept);
    seen_ = mark.seen;
  }

  std::vector<device::WatchedRequest> take() { return std::move(kept_); }
  std::uint64_t seen() const { return seen_; }

private:
  bool watches(const MemoryOperand&, const Warp&) const;
  device::RequestSample& add(const MemoryOperand&, const Warp&);

  device::Watch watch_;
  std::vector<device::WatchedRequest> kept_;
  std::uint64_t seen_ = 0;
};

} // namespace course::emulator
