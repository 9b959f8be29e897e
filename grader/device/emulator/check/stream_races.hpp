// Races between the streams of a program: which work touched which words of global memory, or of
// variables in constant memory, and whether a later one that nothing orders behind it touches them
// too.
//
// Of each stream the last work is kept that read a word plainly, wrote it plainly, read it by a
// strong access, and changed it by one. The last stands for those before it: who is behind it is
// behind them. Kept by pages of memory, once something touches them, and only from when a program
// has streams that can be unordered (StreamOrder::concurrent) until its host waits for all of them.
//
// Who acquires what a launch of another stream has released is behind all that this launch did:
// what it did after the release is taken for done before. And behind all that this launch was
// behind at its end; so is what comes behind the one that acquired it, by a stream, an event or the
// host.
//
// Blocks of a launch touch memory in parallel. Of a launch's lines at a word the first in the
// program's order is kept, so that what is found does not depend on who came first.
#pragma once

#include "device/emulator/check/stream_order.hpp"
#include "device/emulator/decode/memory_operand.hpp"
#include "device/emulator/state/global_memory.hpp"
#include "device/emulator/state/knowledge.hpp"
#include "device/message.hpp"
#include <atomic>
#include <cstdint>
#include <deque>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace course::emulator {

class Program;
struct Warp;
struct StreamPage;

// The variables of a module in constant memory, by offset there. Without bytes: what is known of
// them is which streams have touched them.
using ConstantVariables = std::map<std::uint32_t, Allocation>;

// What work is called: a launch by its kernel, a copy or fill by what it is.
struct WorkName {
  std::string kernel; // as findings have it
  device::Message called;

  explicit WorkName(const std::string& name) : kernel(name), called(name) {}
  WorkName(const char* name, device::MessageId what) : kernel(name), called(what) {}
};

// The names of work that allocates and frees, which messages say in their own words.
inline constexpr const char* kAllocates = "cudaMallocAsync";
inline constexpr const char* kFrees = "cudaFreeAsync";

class StreamRaces {
public:
  StreamRaces();
  ~StreamRaces();
  StreamRaces(const StreamRaces&) = delete;

  // Work begins: a launch of an entry of the program, which reads these variables, or a copy or
  // fill, which has none.
  void begin(const StreamOrder&, StreamOrder::Work, const Program*, WorkName,
             ConstantVariables* = nullptr);

  // An access of the launch by `mask`, in bounds and aligned. Reports what it races with.
  void note(Warp&, const MemoryOperand&, std::uint32_t mask, Allocation&, const LaneAddresses&);
  // The same of constant memory.
  void note_constant(Warp&, const MemoryOperand&, std::uint32_t mask, const LaneOffsets&);
  // A launch has ended, and this is what it released.
  void keep(const ReleasedPlaces&);
  bool has_released() const { return !released_.empty(); }
  // A lane reads what is at the address by a strong access of the device's scope.
  void acquire(Warp&, std::uint32_t lane, device::Address);
  // A lane waits for the launch of its stream that this one has begun early behind.
  void wait_for_earlier(Warp&, std::uint32_t lane);
  // What a copy or fill does to memory. Gives what it races with.
  std::vector<device::Finding> note(Allocation&, std::uint64_t offset, std::uint64_t size,
                                    bool writes);

  // All work has been waited for.
  void forget();
  // Of memory that is freed.
  void forget(Allocation&);

private:
  enum Kind : std::uint8_t { read, write, strong_read, strong_change }; // of an access
  static constexpr std::size_t kKinds = 4;
  using Toucher = std::uint32_t; // Work::first + the site's index; 0: nobody
  using Array = std::atomic<Toucher>;
  friend struct StreamPage;

  // Of each stream, as streams_ numbers them: work from here on is not before. Of streams beyond,
  // none is.
  using Before = std::vector<Toucher>;
  struct Work {
    Toucher first = 0, end = 0;
    const Program* program = nullptr; // of a launch
    WorkName name;
    std::uint32_t stream = 0;            // as streams_ numbers it
    std::uint32_t asked_for = 0;         // in this one, as the program numbers it
    std::set<std::size_t> acquired = {}; // of these a thread of it has acquired something
    Before at_end = {}; // what is before the end of this: before its begin, or acquired
  };
  struct Conflict {
    Toucher who = 0;
    Kind kind{}; // of its access
  };

  static Kind kind_of(const Warp&, const MemoryOperand&);
  StreamPage& page(Allocation&, std::uint64_t index);
  Array* array(StreamPage&, Kind, bool bytes);
  // `width` bytes from `at` in a page: what they race with, and then the note of them.
  Conflict touch(StreamPage&, std::uint32_t at, std::uint32_t width, Kind, Toucher);
  Conflict conflict(const StreamPage&, std::uint32_t at, std::uint32_t width, Kind) const;
  std::size_t number_of(Toucher) const; // of its work
  static void join(Before&, const Before&);
  void be_behind(Before&, const Work&) const; // and all that it was behind
  void put_behind(Warp&, std::uint32_t lane, std::size_t work);
  bool is_behind(const Warp&, std::uint32_t lane, std::size_t work) const;
  void report(Warp&, const MemoryOperand&, std::uint32_t lane, const Allocation&,
              std::uint64_t offset, const Conflict&);

  Toucher first_ = 0, next_ = 1;                   // of the work at hand, and of the next
  std::uint32_t stream_ = 0;                       // of the work at hand, as streams_ numbers it
  Before unordered_;                               // of the work at hand, when it began
  std::map<std::uint32_t, std::uint32_t> streams_; // in order of their first work
  std::vector<std::vector<std::pair<std::uint32_t, Toucher>>> begun_; // of each: number, first
  std::vector<Work> works_;
  std::unordered_map<device::Address, std::size_t> released_; // by which work
  ConstantVariables* constants_ = nullptr;                    // of the work at hand
  std::optional<std::size_t> earlier_;                        // work that it has begun early behind

  std::mutex mutex_; // of what follows
  std::vector<Allocation*> touched_;
  std::deque<StreamPage> pages_;
  std::vector<std::unique_ptr<Array[]>> arrays_;
};

} // namespace course::emulator
