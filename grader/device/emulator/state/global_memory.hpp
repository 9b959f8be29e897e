// Global memory: the allocations of a job, at the addresses that the plan gave them.
//
// Blocks access it in parallel. What they write to the same bytes without atomics is as undefined
// here as on the GPU, but harmless to the emulator: bytes are bytes.
#pragma once

#include "device/device.hpp"
#include "device/emulator/state/contents.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace course::emulator {

struct FootprintPage; // check/footprint.hpp
struct StreamPage;    // check/stream_races.hpp

inline constexpr std::uint64_t kPageBytes = 4096; // of memory, that have one of each

// Most of what it takes to touch memory for the first time is asking for its pages, one by one:
// asks for large ones.
void in_large_pages(std::byte*, std::uint64_t size);

struct ReleaseBytes {
  bool owned = true; // false: somebody else keeps them
  void operator()(std::byte*) const;
};
struct ReleasePages {
  void operator()(FootprintPage**) const;
};

struct Allocation {
  device::Address base = 0;
  std::uint64_t size = 0;
  std::string name;      // "out"; empty where nobody has given it one
  device::Message named; // the same of a program's own, by the call that it comes from
  bool freed = false;
  bool read_only = false;                         // for kernels
  std::unique_ptr<std::byte, ReleaseBytes> bytes; // absent when freed
  // A bit for each byte that has been written; absent when all count as written.
  std::unique_ptr<std::uint64_t[]> written;
  // For each page, what a launch left in it (footprint.hpp); nullptr where nothing did.
  std::unique_ptr<FootprintPage*[], ReleasePages> footprint;
  // For each page, which streams have touched it: kept by StreamRaces, and absent before.
  std::atomic<StreamPage*>* stream_pages = nullptr;
  Contents contents; // told by who changes it, but for kernels without checks

  bool holds(device::Address at, std::uint64_t width) const {
    return at >= base && width <= size && at - base <= size - width;
  }
  // As messages call what is at an offset: "out[3] (byte 12)", and "out" where that is all of it.
  device::Message element(std::uint64_t offset, std::uint32_t width) const;
  device::Message called() const; // "out", "memory at 0x1000200000"
  bool is_written(std::uint64_t offset, std::uint64_t width) const { // all of it
    if (!written) return true;
    const std::uint64_t bit = offset % 64;
    if (bit + width >= 64) return are_written(offset, width);
    const std::uint64_t bits = ((std::uint64_t{1} << width) - 1) << bit;
    return (~__atomic_load_n(&written[offset / 64], __ATOMIC_RELAXED) & bits) == 0;
  }
  void set_written(std::uint64_t offset, std::uint64_t width);   // from any thread
  void set_unwritten(std::uint64_t offset, std::uint64_t width); // likewise

private:
  bool are_written(std::uint64_t offset, std::uint64_t width) const; // of any words
};

class DeviceHeap;

class GlobalMemory {
public:
  GlobalMemory();
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;

  // Bytes are zero. `written` false: reading before writing is a finding. What was freed at these
  // addresses is forgotten. Throws std::bad_alloc when the machine has no room.
  Allocation& allocate(device::Address, std::uint64_t size, std::string name, bool written);
  // The same with bytes that somebody else keeps, all of them written, with 64 more behind them.
  Allocation& place(device::Address, std::uint64_t size, std::byte* bytes);
  // nullptr when nothing is allocated there. Its bytes are there until they are released.
  Allocation* free(device::Address);
  static void release(Allocation& freed) { freed.bytes.reset(); }
  // All that there is: nobody knows what blocks that were not executed would have written.
  void count_as_written();

  // Whether something was freed there that would be forgotten by allocating so much.
  bool was_freed(device::Address, std::uint64_t size) const;

  // What holds the address, freed or not; nullptr when nothing does.
  Allocation* find(device::Address);
  // Whether it lies behind an allocation that begins below, in the page that this one ends in: a
  // GPU has memory there.
  bool in_padding(device::Address) const;
  // The nearest allocation, for messages; nullptr when there is none.
  const Allocation* nearest(device::Address) const;

  // A kernel has read what no footprint says: a texture, a descriptor, a text that it prints.
  void set_read_unseen(bool is = true) { read_unseen_.store(is, std::memory_order_relaxed); }
  bool is_read_unseen() const { return read_unseen_.load(std::memory_order_relaxed); }

  // Of malloc in kernels: what it holds is found as well.
  DeviceHeap& heap() { return *heap_; }

  // "64 bytes past the end of out (4096 bytes)", "a null pointer", … for an access that is wrong.
  device::Message describe(device::Address) const;

private:
  Allocation& insert(device::Address, std::uint64_t size, std::string name);

  std::vector<std::unique_ptr<Allocation>> allocations_; // sorted by base
  std::unique_ptr<DeviceHeap> heap_;
  std::atomic<bool> read_unseen_{false};
  // Contents of allocations that are new, by address, size, and whether they count as written.
  std::map<std::tuple<device::Address, std::uint64_t, bool>, std::uint64_t> new_contents_;
};

} // namespace course::emulator
