// The heap of malloc, free, new and delete in kernels. It lasts as long as the memory does: what
// one launch allocates a later one may use and free.
//
// Each object is an allocation of its own, so that accesses beside it, before it is written and
// after it is freed are found. Where it lies depends on the block that asks and on what the block
// asked for before, not on which blocks run at the same time. No address is used twice. A GPU puts
// objects elsewhere, so that sectors of accesses to them are not known.
#pragma once

#include "device/emulator/decode/windows.hpp"
#include "device/emulator/state/global_memory.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>

namespace course::emulator {

class DeviceHeap {
public:
  static constexpr std::uint64_t kUsualLimit = 8ull
                                               << 20; // cudaLimitMallocHeapSize, of a new context
  void set_limit(std::uint64_t bytes) { limit_ = bytes; }

  // The address; 0 when the heap is full, as on a GPU. Thread-safe, as what follows to `find`.
  device::Address allocate(std::uint64_t block, std::uint64_t size);
  enum class Freed { done, twice, nothing_there };
  Freed free(device::Address);       // of nullptr: done
  Allocation* find(device::Address); // the object that holds it, freed or not; nullptr: none
  const Allocation* nearest(device::Address) const; // that begins at or before it

  // An execution of a launch begins anew: the heap is what it was before the launch, but objects
  // that come again are the same, with what was noted of them.
  void roll_back();
  // The launch, of `blocks` blocks, is over.
  void end_launch(std::uint64_t blocks);
  // Whether an object was refused in this launch: which one may depend on the order of blocks.
  bool was_full() const { return was_full_; }
  bool is_used() const { return !objects_.empty(); }

private:
  static constexpr std::uint64_t kArena = 1ull << 30;     // bytes of addresses, of each block
  static constexpr std::size_t kMostObjects = 1ull << 22; // of a launch: bounds our own memory
  struct Object {
    std::unique_ptr<Allocation> memory;
    bool is_new = false;       // of this launch
    bool freed_before = false; // in an earlier launch
  };

  mutable std::shared_mutex mutex_;
  std::map<device::Address, Object> objects_;
  std::map<device::Address, std::unique_ptr<Allocation>> again_; // of an execution before this one
  std::map<std::uint64_t, std::uint64_t> used_;                  // of each block's arena, bytes
  std::uint64_t first_arena_ = 0, limit_ = kUsualLimit, in_use_ = 0;
  std::size_t new_objects_ = 0;
  bool was_full_ = false;
};

} // namespace course::emulator
