// Every row was asked of an H200 with CUDA 13.0 (driver 580).
#include "runtime/occupancy_queries.hpp"

#include <doctest/doctest.h>

#include <iterator>

namespace course::runtime {

namespace {

constexpr KernelResources kPlain{10, 0, 49152, -1};
constexpr KernelResources kStatic4{10, 4096, 1000, -1}; // opted in to less than it had
constexpr KernelResources kStatic40{10, 40960, 8192, -1};
constexpr KernelResources kOptedIn{10, 0, 100000, 50}; // opted in, with half of the L1
constexpr KernelResources kManyRegisters{255, 0, 49152, -1};

constexpr std::uint64_t kDynamic[] = {0, 1024, 10000, 32768, 48000, 49152, 50000, 100000, 113664};
struct ActiveRow {
  KernelResources kernel;
  std::uint32_t threads;
  std::uint32_t blocks[std::size(kDynamic)]; // by kDynamic
};
constexpr ActiveRow kActive[] = {
    {kPlain, 1, {32, 32, 20, 6, 4, 4, 0, 0, 0}},
    {kPlain, 32, {32, 32, 20, 6, 4, 4, 0, 0, 0}},
    {kPlain, 33, {32, 32, 20, 6, 4, 4, 0, 0, 0}},
    {kPlain, 64, {32, 32, 20, 6, 4, 4, 0, 0, 0}},
    {kPlain, 96, {21, 21, 20, 6, 4, 4, 0, 0, 0}},
    {kPlain, 128, {16, 16, 16, 6, 4, 4, 0, 0, 0}},
    {kPlain, 192, {10, 10, 10, 6, 4, 4, 0, 0, 0}},
    {kPlain, 256, {8, 8, 8, 6, 4, 4, 0, 0, 0}},
    {kPlain, 384, {5, 5, 5, 5, 4, 4, 0, 0, 0}},
    {kPlain, 512, {4, 4, 4, 4, 4, 4, 0, 0, 0}},
    {kPlain, 1024, {2, 2, 2, 2, 2, 2, 0, 0, 0}},
    {kPlain, 1025, {0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {kStatic4, 32, {32, 32, 15, 6, 0, 0, 0, 0, 0}},
    {kStatic4, 33, {32, 32, 15, 6, 0, 0, 0, 0, 0}},
    {kStatic4, 96, {21, 21, 15, 6, 0, 0, 0, 0, 0}},
    {kStatic4, 128, {16, 16, 15, 6, 0, 0, 0, 0, 0}},
    {kStatic4, 384, {5, 5, 5, 5, 0, 0, 0, 0, 0}},
    {kStatic4, 1024, {2, 2, 2, 2, 0, 0, 0, 0, 0}},
    {kStatic40, 32, {5, 5, 0, 0, 0, 0, 0, 0, 0}},
    {kStatic40, 33, {5, 5, 0, 0, 0, 0, 0, 0, 0}},
    {kStatic40, 96, {5, 5, 0, 0, 0, 0, 0, 0, 0}},
    {kStatic40, 128, {5, 5, 0, 0, 0, 0, 0, 0, 0}},
    {kStatic40, 384, {5, 5, 0, 0, 0, 0, 0, 0, 0}},
    {kStatic40, 1024, {2, 2, 0, 0, 0, 0, 0, 0, 0}},
    {kOptedIn, 32, {32, 32, 12, 4, 2, 2, 2, 1, 0}},
    {kOptedIn, 33, {32, 32, 12, 4, 2, 2, 2, 1, 0}},
    {kOptedIn, 96, {21, 21, 12, 4, 2, 2, 2, 1, 0}},
    {kOptedIn, 128, {16, 16, 12, 4, 2, 2, 2, 1, 0}},
    {kOptedIn, 384, {5, 5, 5, 4, 2, 2, 2, 1, 0}},
    {kOptedIn, 1024, {2, 2, 2, 2, 2, 2, 2, 1, 0}},
    {kManyRegisters, 32, {8, 8, 8, 6, 4, 4, 0, 0, 0}},
    {kManyRegisters, 33, {4, 4, 4, 4, 4, 4, 0, 0, 0}},
    {kManyRegisters, 96, {2, 2, 2, 2, 2, 2, 0, 0, 0}},
    {kManyRegisters, 128, {2, 2, 2, 2, 2, 2, 0, 0, 0}},
    {kManyRegisters, 384, {0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {kManyRegisters, 1024, {0, 0, 0, 0, 0, 0, 0, 0, 0}},
};

constexpr std::uint32_t kBlocks[] = {0, 1, 2, 3, 4, 7, 8, 16, 32, 33};
struct AvailableRow {
  KernelResources kernel;
  std::uint32_t threads;
  std::int64_t bytes[std::size(kBlocks)]; // by kBlocks; -1: cudaErrorInvalidValue
};
constexpr AvailableRow kAvailable[] = {
    {kPlain, 32, {-1, 49152, 49152, 49152, 49152, 33280, 29184, 14592, 7296, -1}},
    {kPlain, 128, {-1, 49152, 49152, 49152, 49152, 33280, 29184, 14592, -1, -1}},
    {kPlain, 256, {-1, 49152, 49152, 49152, 49152, 33280, 29184, -1, -1, -1}},
    {kPlain, 1024, {-1, 49152, 49152, -1, -1, -1, -1, -1, -1, -1}},
    {kPlain, 2048, {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1}},
    {kStatic4, 32, {-1, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, -1}},
    {kStatic4, 128, {-1, 1000, 1000, 1000, 1000, 1000, 1000, 1000, -1, -1}},
    {kStatic4, 256, {-1, 1000, 1000, 1000, 1000, 1000, 1000, -1, -1, -1}},
    {kStatic4, 1024, {-1, 1000, 1000, -1, -1, -1, -1, -1, -1, -1}},
    {kStatic4, 2048, {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1}},
    {kStatic40, 32, {-1, 8192, 8192, 8192, 8192, -1, -1, -1, -1, -1}},
    {kStatic40, 128, {-1, 8192, 8192, 8192, 8192, -1, -1, -1, -1, -1}},
    {kStatic40, 256, {-1, 8192, 8192, 8192, 8192, -1, -1, -1, -1, -1}},
    {kStatic40, 1024, {-1, 8192, 8192, -1, -1, -1, -1, -1, -1, -1}},
    {kStatic40, 2048, {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1}},
    {kOptedIn, 32, {-1, 100000, 67584, 45056, 33792, 19200, 16896, 8448, 4224, -1}},
    {kOptedIn, 128, {-1, 100000, 67584, 45056, 33792, 19200, 16896, 8448, -1, -1}},
    {kOptedIn, 256, {-1, 100000, 67584, 45056, 33792, 19200, 16896, -1, -1, -1}},
    {kOptedIn, 1024, {-1, 100000, 67584, -1, -1, -1, -1, -1, -1, -1}},
    {kOptedIn, 2048, {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1}},
    {kManyRegisters, 32, {-1, 49152, 49152, 49152, 49152, 33280, 29184, -1, -1, -1}},
    {kManyRegisters, 128, {-1, 49152, 49152, -1, -1, -1, -1, -1, -1, -1}},
    {kManyRegisters, 256, {-1, 49152, -1, -1, -1, -1, -1, -1, -1, -1}},
    {kManyRegisters, 1024, {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1}},
    {kManyRegisters, 2048, {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1}},
};

const auto& kSm = model::default_gpu().multiprocessor;

} // namespace

TEST_CASE("active blocks are those that an H200 reports") {
  for (const auto& row : kActive) {
    for (std::size_t i = 0; i < std::size(kDynamic); ++i) {
      CAPTURE(row.kernel.static_shared);
      CAPTURE(row.kernel.registers);
      CAPTURE(row.threads);
      CAPTURE(kDynamic[i]);
      CHECK(active_blocks(kSm, row.kernel, row.threads, kDynamic[i]) == row.blocks[i]);
    }
  }
}

TEST_CASE("available shared memory is that which an H200 reports") {
  for (const auto& row : kAvailable) {
    for (std::size_t i = 0; i < std::size(kBlocks); ++i) {
      CAPTURE(row.kernel.static_shared);
      CAPTURE(row.kernel.registers);
      CAPTURE(row.threads);
      CAPTURE(kBlocks[i]);
      const auto bytes = available_shared(kSm, row.kernel, kBlocks[i], row.threads);
      CHECK((bytes ? static_cast<std::int64_t>(*bytes) : -1) == row.bytes[i]);
    }
  }
}

TEST_CASE("sizes that would overflow do not fit") {
  CHECK(active_blocks(kSm, kStatic4, 32, ~0ull) == 0);
  CHECK(active_blocks(kSm, kStatic4, 32, ~0ull - 4095) == 0);
  CHECK(active_blocks(kSm, kPlain, 4294967295u, 0) == 0);
}

TEST_CASE("a block may have as many threads as it has registers for") {
  CHECK(threads_by_registers(kSm, 255) == 256);
  CHECK(threads_by_registers(kSm, 64) == 1024);
  CHECK(threads_by_registers(kSm, 65) == 896);
  CHECK(threads_by_registers(kSm, 0) == 1024);
}

} // namespace course::runtime
