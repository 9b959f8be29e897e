#include "device/emulator/state/device_heap.hpp"

#include <doctest/doctest.h>

namespace course::emulator {

using Freed = DeviceHeap::Freed;

TEST_CASE("where an object lies depends on its block alone") {
  DeviceHeap one, other;
  const auto first = one.allocate(3, 40), second = one.allocate(3, 8);
  one.allocate(5, 100);
  other.allocate(5, 100);
  CHECK(other.allocate(3, 40) == first);
  CHECK(other.allocate(3, 8) == second);
  CHECK(first % 16 == 0);
  CHECK(second >= first + 40 + 1); // something lies between
}

TEST_CASE("an object is freed once") {
  DeviceHeap heap;
  const auto at = heap.allocate(0, 40);
  CHECK(heap.find(at + 39)->size == 40);
  CHECK(heap.find(at + 40) == nullptr);
  CHECK(heap.free(at + 8) == Freed::nothing_there);
  CHECK(heap.free(at) == Freed::done);
  CHECK(heap.free(at) == Freed::twice);
  CHECK(heap.free(0) == Freed::done);
  CHECK(heap.find(at)->freed);
  heap.end_launch(1);
  CHECK(heap.free(at) == Freed::twice);
  CHECK(heap.allocate(0, 40) != at);
}

TEST_CASE("a heap is full at its limit, and has room again when something is freed") {
  DeviceHeap heap;
  heap.set_limit(100);
  const auto at = heap.allocate(0, 60);
  CHECK(at != 0);
  CHECK_FALSE(heap.was_full());
  CHECK(heap.allocate(0, 41) == 0);
  CHECK(heap.was_full());
  CHECK(heap.free(at) == Freed::done);
  CHECK(heap.allocate(0, 100) != 0);
}

TEST_CASE("a launch that is executed again has the same objects, unwritten") {
  DeviceHeap heap;
  const auto kept = heap.allocate(0, 16);
  heap.end_launch(1);
  const auto at = heap.allocate(0, 24);
  Allocation* memory = heap.find(at);
  memory->bytes.get()[3] = std::byte{7};
  memory->set_written(0, 24);
  CHECK(heap.free(kept) == Freed::done);
  heap.roll_back();
  CHECK(heap.find(at) == nullptr);
  CHECK_FALSE(heap.find(kept)->freed);
  CHECK(heap.allocate(0, 24) == at);
  CHECK(heap.find(at) == memory);
  CHECK_FALSE(memory->is_written(0, 1));
  CHECK(memory->bytes.get()[3] == std::byte{0});
}

} // namespace course::emulator
