// On arranged.cu, whose SASS and PTX lie in sass/data.
#include "device/emulator/decode/arrangement.hpp"

#include "device/code/sass/sample.hpp"
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

namespace course::emulator {
namespace {

const ptx::Module& module() {
  static const ptx::Module parsed = sass::sample_module("arranged");
  return parsed;
}

const ptx::Function& function(const std::string& part_of_name) {
  for (const auto& each : module().functions)
    if (each.name.find(part_of_name) != std::string::npos) return each;
  throw std::runtime_error("no kernel " + part_of_name);
}

Arrangement arranged(const ptx::Function& kernel, sass::Cubin cubin) {
  const sass::Matcher matcher(std::move(cubin));
  return arrangement(kernel, matcher.cubin(), matcher.match(kernel));
}
Arrangement arranged(const std::string& part_of_name) {
  return arranged(function(part_of_name), sass::sample_read("arranged"));
}

// One launch of one block; `in` has 4,096 floats.
struct Ran {
  device::Observation seen;

  device::LineCounts total(const std::string& access) const {
    device::LineCounts sum;
    for (const auto& line : seen.lines) {
      if (name_of(line.kind) != access) continue;
      sum.requests += line.requests;
      sum.wavefronts += line.wavefronts;
      sum.ideal += line.ideal;
      sum.sectors += line.sectors;
    }
    return sum;
  }
};

template <typename... Last>
Ran ran(const std::string& kernel, std::uint32_t threads, bool with_cubin, Last... last) {
  TestRun run(sass::sample_text("arranged.ptx"));
  if (with_cubin) run.job.modules[0].cubin = sass::sample_cubin("arranged");
  std::vector<float> numbers(4096);
  std::iota(numbers.begin(), numbers.end(), 0.0f);
  const auto out = run.buffer("out", numbers);
  const auto in = run.buffer("in", numbers);
  run.launch(kernel, {1, 1, 1}, {threads, 1, 1}, 16384, out, in, last...);
  Ran result{run.run()};
  REQUIRE(result.seen.status == device::Observation::Status::completed);
  REQUIRE(run.findings().empty());
  return result;
}

} // namespace

TEST_CASE("an unrolled loop takes four rounds at a time, then two, then one") {
  const auto loops = arranged("unrolled").loops;
  REQUIRE(loops.size() == 1);
  REQUIRE(loops[0].chunks.size() == 3);
  CHECK(loops[0].chunks[0].rounds == 4);
  CHECK(loops[0].chunks[0].repeats);
  CHECK(loops[0].chunks[1].rounds == 2);
  CHECK_FALSE(loops[0].chunks[1].repeats);
  CHECK(loops[0].chunks[2].rounds == 1);
  for (const auto& use : loops[0].uses) CHECK(use.executed == std::vector<std::uint32_t>{4, 2, 1});
}

TEST_CASE("lanes that leave an unrolled loop in different rounds share no requests at its end") {
  // 28 lanes have 8 elements, of nvcc's rounds 2; 4 have 7, which are 3 in front, and 1 round.
  CHECK(ran("unrolled", 32, true, 252).total("shared_store_4").requests == 3 + 8 + 4);
  CHECK(ran("unrolled", 32, false, 252).total("shared_store_4").requests == 3 + 4 + 4);
}

TEST_CASE("lanes that leave an unrolled loop together are counted as in the PTX") {
  for (const int n : {32, 96, 128, 32 * 4 * 4, 32 * 4 * 5, 32 * 4 * 31}) {
    const auto with = ran("unrolled", 32, true, n), without = ran("unrolled", 32, false, n);
    CAPTURE(n);
    for (const char* access : {"shared_store_4", "global_load_4"}) {
      CHECK(with.total(access).requests == without.total(access).requests);
      CHECK(with.total(access).wavefronts == without.total(access).wavefronts);
      CHECK(with.total(access).sectors == without.total(access).sectors);
    }
  }
}

TEST_CASE("rounds that go together load nothing twice") {
  // 16 rounds of 32 lanes; part[i] of a round is part[i + 128] of the fourth before it.
  CHECK(ran("again", 32, true, 512).total("shared_load_4").requests == 16 + 4);
  CHECK(ran("again", 32, false, 512).total("shared_load_4").requests > 16 + 4);
}

TEST_CASE("a load behind a return is done by those that go on") {
  const auto loads = arranged("sunk").sunk;
  REQUIRE(loads.size() == 1);
  CHECK(loads[0].instruction < loads[0].to);
  const auto with = ran("sunk", 128, true, 64), without = ran("sunk", 128, false, 64);
  CHECK(without.total("shared_load_4").requests - with.total("shared_load_4").requests == 2);
  CHECK(ran("sunk", 128, true, 128).total("shared_load_4").requests ==
        without.total("shared_load_4").requests);
}

TEST_CASE("a load that another one does is not counted in the first round") {
  const auto loops = arranged("peeled").loops;
  const auto merged = std::find_if(loops.begin(), loops.end(),
                                   [](const Unrolled& loop) { return loop.chunks.empty(); });
  REQUIRE(merged != loops.end());
  REQUIRE(merged->uses.size() == 1);
  CHECK(merged->uses[0].merged == 1);
  const auto counted = ran("peeled", 32, true);
  const auto wide = counted.total("shared_load_16"), narrow = counted.total("shared_load_4");
  CHECK(wide.requests + narrow.requests == 127);
}

TEST_CASE("loads that were merged and split again are both counted") {
  const auto loads = ran("split", 32, true).total("shared_load_4");
  CHECK(loads.requests == 3);
  CHECK(loads.wavefronts == 12);
  CHECK(loads.ideal == 3);
}

TEST_CASE("without the kernel's SASS, or with damaged SASS, the PTX's arrangement stands") {
  const ptx::Function& kernel = function("unrolled");
  auto cubin = sass::sample_read("arranged");
  for (auto& each : cubin.kernels) each.blocks.clear();
  CHECK(arranged(kernel, cubin).loops.empty());
  for (auto& each : cubin.kernels) each.name += "_other";
  CHECK(arranged(kernel, cubin).loops.empty());
  CHECK(arrangement(kernel, sass::sample_read("arranged"), {}).loops.empty());

  // Where a chunk is as long as the one before, it is no rest.
  cubin = sass::sample_read("arranged");
  for (auto& each : cubin.kernels)
    for (auto& block : each.blocks) block.successors = {0};
  CHECK(arranged(kernel, cubin).loops.empty());
}

} // namespace course::emulator
