#include "lab/occupancy_checks.hpp"

#include "report/words/check_words.hpp"

#include <doctest/doctest.h>

namespace course::lab {
namespace {

const auto& kGpu = model::default_gpu();

device::LaunchCounts launch(std::uint32_t threads, std::uint64_t shared_bytes,
                            std::uint32_t registers = 32) {
  device::LaunchCounts counts;
  counts.block = {threads, 1, 1};
  counts.shared_bytes = shared_bytes;
  counts.registers = registers;
  return counts;
}

judge::Execution executed(const std::vector<device::LaunchCounts>& launches,
                          std::uint64_t elements = 1000) {
  judge::Execution execution;
  execution.bounds.elements = elements;
  execution.observed.launches = launches;
  return execution;
}

judge::Check blocks(const judge::Execution& execution) {
  const std::vector<judge::Execution> executions{execution};
  return check_blocks_per_sm(kGpu, executions, 8);
}

judge::Check warps(const judge::Execution& execution) {
  const std::vector<judge::Execution> executions{execution};
  return check_warps_per_sm(kGpu, executions, 64);
}

} // namespace

TEST_CASE("eight blocks of 256 threads with 24 KiB fit and fill an SM") {
  const auto execution = executed({launch(256, 24'576)});
  CHECK(blocks(execution).status == judge::Status::passed);
  CHECK(report::words(blocks(execution)).observed() == "8 blocks");
  CHECK(warps(execution).status == judge::Status::passed);
}

TEST_CASE("the message names what limits the blocks") {
  CHECK(report::words(blocks(executed({launch(1024, 45'056)}))).message ==
        "an SM has room for 2,048 threads, and a block has 1,024");
  CHECK(report::words(blocks(executed({launch(256, 36'864)}))).message ==
        "an SM has 233,472 bytes of shared memory, and a block takes 36,864 and 1,024 for the "
        "system");
  CHECK(report::words(blocks(executed({launch(256, 0, 64)}))).message ==
        "an SM has 65,536 registers, and a block of 256 threads takes 64 for each");
  CHECK(report::words(blocks(executed({launch(2048, 0)}))).message == "not even one block fits");
}

TEST_CASE("blocks may fit and leave warps free") {
  const auto execution = executed({launch(128, 24'576)});
  CHECK(blocks(execution).status == judge::Status::passed);
  CHECK(warps(execution).status == judge::Status::failed);
  CHECK(report::words(warps(execution)).observed() == "36 warps");
}

TEST_CASE("of several launches the one that fits least counts") {
  CHECK(blocks(executed({launch(256, 0), launch(1024, 0)})).status == judge::Status::failed);
}

TEST_CASE("where host code was told of less shared memory, fewer fit") {
  auto execution = executed({launch(256, 28'160)});
  CHECK(blocks(execution).status == judge::Status::passed);
  CHECK(blocks(execution).shape.empty());
  execution.shape = "1,000 elements, 164 KiB";
  execution.shared_kib = 164;
  const auto check = blocks(execution);
  CHECK(check.status == judge::Status::failed);
  CHECK(report::words(check).observed() == "5 blocks");
  CHECK(report::words(check).message ==
        "an SM has 167,936 bytes of shared memory, and a block takes 28,160 and 1,024 for the "
        "system");
  CHECK(check.shape == execution.shape);
}

TEST_CASE("no launch is no pass, but where there was nothing to do") {
  CHECK(blocks(executed({})).status == judge::Status::failed);
  CHECK(blocks(executed({}, 0)).status == judge::Status::passed);
}

} // namespace course::lab
