// Footprint: which threads touched which words of global memory in a launch, in a few bits a word.
//
// Blocks run on all cores, and what is kept must not depend on how. So a word's trace only grows:
// who was first to touch it stays, "several" is set when anybody else comes, and a bit for each
// kind of access. From the trace alone follows whether two threads can be in conflict over the
// word. Most launches have no such word and are done; for the others, memory is put back and the
// launch executed again with all that happened to those words kept (histories.hpp).
//
// Traces come by pages of memory, made when the page is first touched; a page keeps what it held
// before its first store. Bytes and halves that are stored have traces of their own.
#pragma once

#include "device/emulator/decode/memory_operand.hpp"
#include "device/emulator/state/global_memory.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace course::emulator {

struct Warp;

// owner:23 and a bit each. 0: untouched.
using Trace = std::uint32_t;
inline constexpr Trace kTraceRead = 1;         // plainly
inline constexpr Trace kTraceWrite = 2;        // plainly
inline constexpr Trace kTraceStrongRead = 4;   // volatile, relaxed, acquire
inline constexpr Trace kTraceStrongWrite = 8;  // volatile, relaxed, release
inline constexpr Trace kTraceAtomic = 16;      // atom, red
inline constexpr Trace kTraceWithinBlock = 32; // strong at the scope of a block
inline constexpr Trace kTraceSeveral = 64;     // several threads
inline constexpr Trace kTraceStrong32 = 128;   // strong accesses of 4 bytes, or of 16
inline constexpr Trace kTraceStrong64 = 256;   // of 8, or of 16
inline constexpr Trace kTraceChanges = kTraceWrite | kTraceStrongWrite | kTraceAtomic;
inline constexpr int kOwnerShift = 9;
inline constexpr Trace kTraceKinds = (1u << kOwnerShift) - 1; // all of the above

// Owners are threads of the grid, counted on modulo this: two threads that are a multiple of it
// apart, in a grid of more than 8 million, pass for one. A prime, which no stride is a multiple of.
inline constexpr std::uint64_t kOwners = (1u << 23) - 37;

Trace trace_of(const Warp&, const MemoryOperand&); // its kind's bits
std::uint64_t bytes_of_page(const Allocation&, std::uint64_t index);
// Whether threads may be in conflict over a word. Without branches, for loops over many.
constexpr bool in_conflict(Trace trace) {
  const auto any = [trace](Trace bits) { return static_cast<int>((trace & bits) != 0); };
  const int kinds = any(kTraceWrite) | (any(kTraceRead | kTraceWithinBlock) & any(kTraceChanges)) |
                    (any(kTraceStrongWrite) & any(kTraceStrongRead)) |
                    (any(kTraceStrong32) & any(kTraceStrong64) & any(kTraceChanges));
  return (any(kTraceSeveral) & kinds) != 0;
}

// Of one page. `shift`: log2 of the bytes that a trace stands for.
struct Traces {
  explicit Traces(std::uint32_t log_bytes)
      : shift(log_bytes), of(std::make_unique<Trace[]>(kPageBytes >> log_bytes)) {}

  std::uint32_t shift;
  std::unique_ptr<Trace[]> of;
};

struct FootprintPage {
  std::atomic_flag busy;
  std::atomic<const Traces*> traces{nullptr}; // those of words, or the last narrow ones
  Traces words{2};
  Trace all = 0;                               // what any of its traces says, but for owners
  std::vector<std::unique_ptr<Traces>> narrow; // somebody may still be looking at earlier ones
  struct Before { // what a page was, of an allocation and with its index there
    void take(const Allocation&, std::uint64_t index);
    void put_back(const Allocation&, std::uint64_t index) const;
    void put_back_written(const Allocation&, std::uint64_t index) const;

    std::byte bytes[kPageBytes];
    std::uint64_t written[kPageBytes / 64];
  };
  bool saved = false;
  std::unique_ptr<Before> before;
  // Which of the words of one Histories each trace's are, from 1; 0: of none yet.
  std::uint64_t histories = 0;
  std::vector<std::uint32_t> number_in_histories;
};

class Undo;
struct Effects;

class Footprint {
public:
  // Before each execution of a launch. `concurrent`: by several workers.
  void begin(bool concurrent);

  // Before an access by `mask`, which is in bounds and aligned.
  void note(Warp&, const MemoryOperand&, std::uint32_t mask, Allocation&, const LaneAddresses&);

  bool has_conflicts() const;
  // f(memory, index of the page in it, its traces)
  template <typename F>
  void for_each_page(F f) const {
    for (const Touched& touched : touched_)
      f(*touched.memory, touched.page, *touched.footprint->traces.load(std::memory_order_relaxed));
  }
  // Memory becomes what it was before the launch. Traces stay.
  void roll_back();
  // To do that later, when the traces are forgotten; and which words they are of.
  Undo take_undo();        // undo.cpp
  Effects effects() const; // of the launch: effects.cpp
  // A number for what memory is now, of what the launch has changed.
  std::uint64_t digest() const;
  // The traces go. Allocations have to be there still.
  void forget();

private:
  template <bool kAvx2>
  friend struct FootprintLoops;

  struct Touched {
    Allocation* memory;
    std::uint64_t page;
    FootprintPage* footprint;
  };

  FootprintPage& page(Allocation&, std::uint64_t index);
  FootprintPage& make_page(Allocation&, std::uint64_t index);
  void save(const Allocation&, std::uint64_t index, FootprintPage&);
  void refine(FootprintPage&, std::uint32_t shift);

  bool concurrent_ = false;
  std::mutex mutex_; // of what follows
  std::vector<Touched> touched_;
  std::vector<std::unique_ptr<FootprintPage>> all_;
  std::vector<FootprintPage*> free_;
};

} // namespace course::emulator
