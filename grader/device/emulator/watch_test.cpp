// What is kept beside counts: instructions by line, single requests, older devices' wavefronts.
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

namespace course::emulator {
namespace {

constexpr std::uint32_t kReadsColumn = 9; // of data/transpose.cu: out[…] = tile[x][y]

struct Unpadded {
  TestRun run{"transpose.ptx"};
  Unpadded() {
    const auto out = run.buffer("out", std::vector<float>(64 * 64), false);
    const auto in = run.buffer("in", std::vector<float>(64 * 64, 1.0f));
    run.launch("transpose_tile<0>", {2, 2, 1}, {32, 32, 1}, 0, out, in, 64, 64);
  }
  device::LineCounts column_read(const Options& options = {}) {
    run.run(options);
    for (const auto& line : run.seen.lines)
      if (name_of(line.kind) == "shared_load_4") return line;
    return {};
  }
};

} // namespace

TEST_CASE("instructions by line add up to those of the launch, and only when asked for") {
  Unpadded transpose;
  CHECK(transpose.run.run().instructions.empty());
  transpose.run.job.watch.instructions = true;
  const auto& seen = transpose.run.run();
  std::uint64_t sum = 0;
  for (const auto& line : seen.instructions) {
    CHECK(line.kernel == "transpose_tile<0>");
    sum += line.instructions;
  }
  CHECK(seen.instructions.size() > 3);
  CHECK(sum == seen.launches.at(0).instructions);
}

TEST_CASE("the requests of one warp at one line are kept, and nobody else's") {
  Unpadded transpose;
  const auto line = transpose.column_read();
  CHECK(line.line == kReadsColumn);
  auto& watch = transpose.run.job.watch;
  watch.line = line.line;
  watch.file = line.file;
  watch.block = {1, 0, 0};
  watch.warp = 5;
  const auto& seen = transpose.run.run();
  REQUIRE(seen.watched.size() == 2); // the load from the tile, the store to out
  CHECK(seen.watched_in_all == 2);
  const auto& load = seen.watched[0];
  CHECK(name_of(load.kind) == "shared_load_4");
  CHECK(load.kernel == "transpose_tile<0>");
  CHECK(load.request.warp == 5);
  CHECK(load.request.block == device::Dim3{1, 0, 0});
  for (std::uint64_t lane = 0; lane < 32; ++lane)
    CHECK(load.request.offset[lane] == 4 * (lane * 32 + 5));
  CHECK(name_of(seen.watched[1].kind) == "global_store_4");
  watch.file = "other.cu";
  CHECK(transpose.run.run().watched.empty());
}

TEST_CASE("no more requests are kept than asked for, and all are counted") {
  Unpadded transpose;
  const auto line = transpose.column_read();
  auto& watch = transpose.run.job.watch;
  watch.line = line.line;
  watch.file = line.file;
  watch.block = {0, 0, 0};
  watch.most = 1;
  CHECK(transpose.run.run().watched.size() == 1);
  CHECK(transpose.run.run().watched_in_all == 2);
}

TEST_CASE("shared memory can be counted by the rules of older devices") {
  // 128 warps read a column of a tile 32 words wide: all lanes in one bank.
  const auto wavefronts = [](const model::Architecture& banks) {
    Options options;
    options.banks = &banks;
    return Unpadded().column_read(options).wavefronts;
  };
  CHECK(wavefronts(model::default_gpu().architecture) == 128 * 32);
  CHECK(wavefronts(model::k1x) == 128 * 32); // two half-warps of 16
  CHECK(wavefronts(model::k2x) == 128 * 32);
  // Words i and i + 32 come together: half as many.
  CHECK(wavefronts(model::k3x4Byte) == 128 * 16);
}

TEST_CASE("what goes to another block, and by bulk copies, is kept as well") {
  const auto watched = [](const char* kernel, std::uint32_t blocks, const std::string& access) {
    TestRun run("clusters.ptx");
    const auto out = run.buffer("out", std::vector<int>(1024, -1));
    const auto in = run.buffer("in", std::vector<int>(1024, 1));
    run.launch(kernel, {blocks}, {64}, 0, out, in).run();
    for (const auto& line : run.seen.lines) {
      if (name_of(line.kind) != access) continue;
      run.job.watch.line = line.line;
      run.job.watch.file = line.file;
      run.job.watch.block = line.worst.block;
      run.job.watch.warp = line.worst.warp;
    }
    return run.run().watched;
  };
  const auto load = watched("neighbour_mended", 4, "dshared_load_4");
  REQUIRE(!load.empty());
  CHECK(load[0].request.active == 0xffffffff);
  CHECK(load[0].request.offset[1] - load[0].request.offset[0] == 4);
  CHECK((load[0].request.offset[0] >> 24) == 1); // the rank
  const auto copy = watched("sends_bulk", 4, "bulk_dshared_store");
  REQUIRE(copy.size() == 1);
  CHECK(copy[0].bytes == 256);
  const auto sent = watched("sends_async", 4, "dshared_store_async_4");
  CHECK(std::any_of(sent.begin(), sent.end(), [](const auto& one) {
    return one.kind.access == model::RequestKind::dshared_store_async;
  }));
}

} // namespace course::emulator
