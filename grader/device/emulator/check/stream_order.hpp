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
  // A launch that begins before the one of its stream before it has ended counts as of a stream
  // beside their own; one that begins early behind it, as of a third, for the first of them may not
  // have ended either. What comes behind them is behind all.
  static constexpr std::uint32_t kOneBeside = 1u << 30, kBeside = 3u << 30;

public:
  void apply(const device::StreamCall&);

  // Whether there are streams of which work may be unordered: two that the program made, or a
  // non-blocking one beside the default stream. More streams or events than anybody has: none.
  bool concurrent() const;

  struct Work { // of one stream, counted from 1
    std::uint32_t stream = 0, number = 0;
    std::uint32_t asked_for() const { return stream & ~kBeside; } // in which stream
  };
  // When work lets a launch of its stream begin that may begin early: a copy or fill when it is
  // done; a launch when all of its blocks have come to their ends, before what they have stored
  // has to be seen, or when they say so.
  enum class LetsNext : std::uint8_t { when_done, at_end, itself };
  // Work of the stream in use begins now.
  Work begin(LetsNext = LetsNext::when_done);
  // There will be launches that begin early. Without, it is known from the first one on.
  void expect_early() { any_early_ = true; }
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
  static std::uint32_t beside(std::uint32_t stream);
  struct Last { // launch of a stream, behind which the next one may begin early
    Work work;
    Clock before;
  };
  std::map<std::uint32_t, Last> last_; // by stream, where it is the last work
  std::optional<std::uint32_t> early_; // stream whose next launch may begin early
  std::optional<Work> beside_;
  bool any_early_ = false;                 // launches that may begin early
  std::uint32_t in_use_ = 0, working_ = 0; // stream; of the work that began last
  bool settled_ = false;
};

} // namespace course::emulator
