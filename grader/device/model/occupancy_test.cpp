#include "device/model/occupancy.hpp"

#include <doctest/doctest.h>

namespace course::model {
namespace {

// Blocks, warps and limit as NVIDIA's cuda_occupancy.h (CUDA 13.0) has them for a compute
// capability 9.0 device with an H200's attributes. The two were compared over 3.9 million kernels
// (threads 1-1056, registers 0-255, shared memory 0-236,000 bytes); these rows are from there.
struct Row {
  BlockNeeds needs;
  int blocks, warps;
  OccupancyLimit limit;
};
constexpr Row kRows[] = {
    {{256, 32, 0}, 8, 64, OccupancyLimit::threads},
    {{1024, 32, 4224}, 2, 64, OccupancyLimit::threads},
    {{64, 16, 0}, 32, 64, OccupancyLimit::threads},
    {{1, 1, 0}, 32, 32, OccupancyLimit::blocks},
    {{256, 128, 0}, 2, 16, OccupancyLimit::registers},
    {{128, 40, 16384}, 12, 48, OccupancyLimit::registers},
    {{96, 37, 1000}, 16, 48, OccupancyLimit::registers},
    {{1024, 64, 0}, 1, 32, OccupancyLimit::registers},
    {{32, 255, 0}, 8, 8, OccupancyLimit::registers},
    {{1024, 65, 0}, 0, 0, OccupancyLimit::nothing_fits},
    {{992, 66, 0}, 0, 0, OccupancyLimit::nothing_fits},
    {{256, 32, 49152}, 4, 32, OccupancyLimit::shared_memory},
    {{256, 32, 232448}, 1, 8, OccupancyLimit::shared_memory},
    {{256, 32, 232449}, 0, 0, OccupancyLimit::nothing_fits},
};

Occupancy fits(const BlockNeeds& needs) {
  return occupancy(needs, default_gpu().multiprocessor);
}

} // namespace

TEST_CASE("blocks on an SM are those of NVIDIA's calculator") {
  for (const Row& row : kRows) {
    const Occupancy got = fits(row.needs);
    INFO(row.needs.threads, " threads, ", row.needs.registers_a_thread, " registers, ",
         row.needs.shared_bytes, " bytes");
    CHECK(got.blocks == row.blocks);
    CHECK(got.warps == row.warps);
    CHECK(static_cast<int>(got.limit) == static_cast<int>(row.limit));
  }
}

TEST_CASE("the fraction is of the 64 warps that an SM holds") {
  CHECK(fits({256, 32, 0}).fraction == 1.0);
  CHECK(fits({256, 32, 49152}).fraction == 0.5);
  CHECK(fits({96, 37, 1000}).fraction == 0.75);
}

TEST_CASE("a block takes shared memory in steps of 128 bytes, and a kilobyte on top") {
  CHECK(fits({32, 16, 6272}).blocks == 32); // 233,472 / (6,272 + 1,024) = 32
  CHECK(fits({32, 16, 6273}).blocks == 31);
  CHECK(fits({32, 16, 6273}).limit == OccupancyLimit::shared_memory);
}

TEST_CASE("a block that cannot be launched does not fit") {
  CHECK(fits({0, 32, 0}).blocks == 0);
  CHECK(fits({-1, 32, 0}).blocks == 0);
  CHECK(fits({1025, 32, 0}).blocks == 0);
  CHECK(fits({std::int64_t{1} << 62, 32, 0}).blocks == 0);
  CHECK(fits({32, 256, 0}).blocks == 0);
  CHECK(fits({32, 1 << 30, 0}).blocks == 0);
  CHECK(fits({32, 32, ~std::uint64_t{0}}).blocks == 0);
}

} // namespace course::model
