// The order of a program's streams: which work (launches, copies, fills) comes before which.
//
// Work is executed in the order of the calls. On a GPU that order holds within a stream; between
// two streams only an event holds, or that the host waited in between. Streams, events and the host
// have a clock each: of every stream, the number of its last work that has to be done before.
//
// The default stream waits for all streams that the program made, and they for it, but for those
// that are non-blocking.
#pragma once

#include "device/device.hpp"

#include <cstdint>
#include <map>
#include <optional>

namespace course::emulator {

class StreamOrder {
public:
  void apply(const device::StreamCall&);

  // Whether there are streams of which work may be unordered: two that the program made, or a
  // non-blocking one beside the default stream. More streams or events than anybody has: none.
  bool concurrent() const;

  struct Work { // of one stream, counted from 1
    std::uint32_t stream = 0, number = 0;
  };
  // Work of the stream in use begins now. `lets_next`: it is a launch that says itself when one of
  // its stream that may begin early may.
  Work begin(bool lets_next = false);
  // The launch of its stream that the work that began last has begun early behind.
  std::optional<Work> beside() const { return beside_; }
  // The last work of a stream that is before the work that began last; 0: none is.
  std::uint32_t known(std::uint32_t stream) const;

  // Whether the host has waited for it.
  bool host_knows(Work) const;
  // Whether the host has waited for all work since. Then numbers begin anew.
  bool take_settled();

private:
  using Clock = std::map<std::uint32_t, std::uint32_t>; // by stream
  static void join(Clock&, const Clock&);
  Clock& enter(std::uint32_t stream);
  void settle();

  static constexpr std::size_t kMost = 65'536; // streams, and events
  std::map<std::uint32_t, bool> blocking_;     // of the streams that the program made
  std::size_t non_blocking_ = 0;
  std::map<std::uint32_t, Clock> streams_, events_; // with work since the host waited for all
  Clock host_;
  // Of two launches, of which one begins before the other has ended, one counts as of a stream
  // beside their own. What comes behind them is behind both.
  static constexpr std::uint32_t kBeside = 1u << 31;
  struct Last { // launch of a stream, that lets the next one begin early
    Work work;
    Clock before;
  };
  std::map<std::uint32_t, Last> last_; // by stream, where it is the last work
  std::optional<std::uint32_t> early_; // stream whose next launch may begin early
  std::optional<Work> beside_;
  bool any_early_ = false;                 // work that lets others
  std::uint32_t in_use_ = 0, working_ = 0; // stream; of the work that began last
  bool settled_ = false;
};

} // namespace course::emulator
