// Requests of one warp, at one source line or at all, kept as they come.
#pragma once

#include "device/device.hpp"
#include "device/emulator/count/warp_trace.hpp"
#include "device/emulator/decode/memory_operand.hpp"

#include <cstddef>
#include <map>
#include <vector>

namespace course::emulator {

struct Warp;

class RequestLog {
public:
  explicit RequestLog(device::Watch watch) : watch_(std::move(watch)) {}
  // All lines of a warp; the trace has to outlive this.
  explicit RequestLog(WarpTrace& trace) : trace_(&trace) {
    watch_.block = trace.block;
    watch_.warp = trace.warp;
  }

  bool wanted() const { return trace_ || watch_.line != 0; }

  // Keeps the request if it is of the warp and the line that are watched; whether it did. A warp is
  // executed by one thread, and only the watched one's requests change anything, so no lock is
  // needed.
  template <typename Lanes>
  bool see(const MemoryOperand& access, const Warp& warp, std::uint32_t active, std::uint32_t width,
           const Lanes& at, std::uint64_t bytes = 0) {
    if (!watches(access, warp)) return false;
    if (!has_room(access, warp)) return false;
    device::WatchedRequest& kept = add(access, warp);
    kept.bytes = bytes;
    kept.request.active = active;
    kept.request.width = width;
    for (int lane = 0; lane < kLanes; ++lane) kept.request.offset[lane] = at.of[lane];
    return true;
  }

  // After see(): what the lanes of that request move. `at`: where a lane's bytes are in this
  // process, now that the instruction is about to be executed.
  template <typename At>
  void see_values(const MemoryOperand& access, const Warp& warp, At&& at) {
    if (!knows_values(access)) return;
    auto& kept = trace_->requests.back();
    if (kept.watched.request.width != access.width()) return;
    for (int lane = 0; lane < kLanes; ++lane)
      if ((kept.watched.request.active >> lane & 1) != 0)
        add_values(kept, access, warp, lane, at(lane));
  }

  // To forget what came since, where a launch is executed again.
  struct Mark {
    std::size_t kept = 0;
    std::uint64_t seen = 0;
    std::map<WarpTrace::Place, std::uint64_t> in_all = {};
  };
  Mark mark() const;
  void rewind(const Mark&);

  std::vector<device::WatchedRequest> take() { return std::move(kept_); }
  std::uint64_t seen() const { return seen_; }

private:
  bool watches(const MemoryOperand&, const Warp&) const;
  bool has_room(const MemoryOperand&, const Warp&);
  device::WatchedRequest& add(const MemoryOperand&, const Warp&);
  bool knows_values(const MemoryOperand&) const;
  static void add_values(TracedRequest&, const MemoryOperand&, const Warp&, int lane,
                         const std::byte* in_memory);

  device::Watch watch_;
  WarpTrace* trace_ = nullptr;
  std::vector<device::WatchedRequest> kept_;
  std::uint64_t seen_ = 0;
};

} // namespace course::emulator
