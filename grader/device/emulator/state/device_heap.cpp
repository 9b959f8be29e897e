#include "device/emulator/state/device_heap.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace course::emulator {
namespace {

constexpr std::uint64_t kAligned = 16;

std::unique_ptr<Allocation> make_object(device::Address base, std::uint64_t size) {
  auto made = std::make_unique<Allocation>();
  constexpr std::uint64_t kSlack = 64; // as GlobalMemory has
  made->base = base;
  made->size = size;
  made->bytes.reset(static_cast<std::byte*>(std::calloc(size + kSlack, 1)));
  made->footprint.reset(
      static_cast<FootprintPage**>(std::calloc(size / kPageBytes + 2, sizeof(FootprintPage*))));
  if (!made->bytes || !made->footprint) throw std::bad_alloc();
  made->written = std::make_unique<std::uint64_t[]>(size / 64 + 1);
  return made;
}

} // namespace

device::Address DeviceHeap::allocate(std::uint64_t block, std::uint64_t size) {
  const std::lock_guard lock(mutex_);
  size = std::max<std::uint64_t>(size, 1);
  std::uint64_t& used = used_[block];
  if (size > limit_ || in_use_ > limit_ - size || size > kArena - kAligned - used ||
      new_objects_ >= kMostObjects) {
    was_full_ = true;
    return 0;
  }
  const device::Address at = kHeap + (first_arena_ + block) * kArena + used;
  used += (size + kAligned - 1) / kAligned * kAligned + kAligned; // what lies between is nobody's
  std::unique_ptr<Allocation> memory;
  if (const auto known = again_.find(at); known != again_.end() && known->second->size == size) {
    memory = std::move(known->second);
    again_.erase(known);
    memory->freed = false;
    std::memset(memory->bytes.get(), 0, size);
    std::fill_n(memory->written.get(), size / 64 + 1, 0);
  } else {
    memory = make_object(at, size);
  }
  in_use_ += size;
  ++new_objects_;
  objects_[at] = {std::move(memory), true, false};
  return at;
}

DeviceHeap::Freed DeviceHeap::free(device::Address address) {
  if (address == 0) return Freed::done;
  const std::lock_guard lock(mutex_);
  const auto found = objects_.find(address);
  if (found == objects_.end()) return Freed::nothing_there;
  Allocation& memory = *found->second.memory;
  if (memory.freed) return Freed::twice;
  memory.freed = true; // its bytes stay to the end of the launch: somebody may be at them
  in_use_ -= memory.size;
  return Freed::done;
}

Allocation* DeviceHeap::find(device::Address at) {
  const std::shared_lock lock(mutex_);
  const auto after = objects_.upper_bound(at);
  if (after == objects_.begin()) return nullptr;
  Allocation& memory = *std::prev(after)->second.memory;
  return at - memory.base < memory.size ? &memory : nullptr;
}

const Allocation* DeviceHeap::nearest(device::Address at) const {
  const std::shared_lock lock(mutex_);
  const auto after = objects_.upper_bound(at);
  return after == objects_.begin() ? nullptr : std::prev(after)->second.memory.get();
}

void DeviceHeap::roll_back() {
  for (auto object = objects_.begin(); object != objects_.end();) {
    Allocation& memory = *object->second.memory;
    if (object->second.is_new) {
      if (!memory.freed) in_use_ -= memory.size;
      again_[object->first] = std::move(object->second.memory);
      object = objects_.erase(object);
      continue;
    }
    if (memory.freed && !object->second.freed_before) {
      memory.freed = false;
      in_use_ += memory.size;
    }
    ++object;
  }
  used_.clear();
  new_objects_ = 0;
  was_full_ = false;
}

void DeviceHeap::end_launch(std::uint64_t blocks) {
  again_.clear();
  was_full_ = false;
  if (objects_.empty()) return;
  for (auto& [address, object] : objects_) {
    object.is_new = false;
    if (!object.memory->freed || object.freed_before) continue;
    object.freed_before = true;
    object.memory->bytes.reset();
    object.memory->written.reset();
    object.memory->footprint.reset();
  }
  if (new_objects_) first_arena_ += blocks;
  used_.clear();
  new_objects_ = 0;
}

} // namespace course::emulator
