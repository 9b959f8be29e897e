// How fast the emulated device is, on one core and on all: warp-instructions a second, all checks
// on. Each kernel runs long enough to be timed; the best of three runs counts.
#include "device/emulator/test_run.hpp"

#include <chrono>
#include <cstdio>
#include <functional>
#include <numeric>

namespace {

using course::emulator::TestRun;

struct Case {
  const char* name;
  std::function<TestRun()> make;
};

TestRun transpose(const char* kernel, int side) {
  TestRun run("transpose.ptx");
  std::vector<float> in(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
  std::iota(in.begin(), in.end(), 0.0f);
  const auto out = run.buffer("out", std::vector<float>(in.size()), false);
  const auto from = run.buffer("in", in);
  const auto tiles = static_cast<std::uint32_t>(side / 32);
  run.launch(kernel, {tiles, tiles}, {32, 32}, 0, out, from, side, side);
  return run;
}

TestRun product(int n) {
  TestRun run("product.ptx");
  const std::vector<float> ones(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), 1.0f);
  const auto c = run.buffer("c", ones, false);
  const auto a = run.buffer("a", ones), b = run.buffer("b", ones);
  const auto tiles = static_cast<std::uint32_t>(n / 32);
  run.launch("product", {tiles, tiles}, {32, 32}, 0, c, a, b, n);
  return run;
}

TestRun reduce(const char* kernel, std::uint32_t blocks) {
  TestRun run("reduce.ptx");
  const auto out = run.buffer("out", std::vector<int>(blocks), false);
  const auto in = run.buffer("in", std::vector<int>(blocks * 256, 1));
  run.launch(kernel, {blocks}, {256}, 1024, out, in);
  return run;
}

double best_of_three(TestRun& run, unsigned threads, std::uint64_t& instructions) {
  double best = 1e9;
  const auto device = course::emulator::make_device({threads, true});
  for (int i = 0; i < 3; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const auto seen = device->execute(run.job);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    best = std::min(best, time.count());
    if (seen.status != course::device::Observation::Status::completed || !seen.findings.empty())
      std::printf("  unexpected: %s %s\n", seen.reason.c_str(),
                  seen.findings.empty() ? "" : seen.findings[0].message.c_str());
    instructions = 0;
    for (const auto& launch : seen.launches) instructions += launch.instructions;
  }
  return best;
}

} // namespace

int main() {
  const Case cases[] = {
      {"transpose, padded tile, 2048^2", [] { return transpose("transpose_tile<1>", 2048); }},
      {"transpose, unpadded tile, 2048^2", [] { return transpose("transpose_tile<0>", 2048); }},
      {"product, 256^3", [] { return product(256); }},
      {"reduction, sequential, 4096 x 256", [] { return reduce("reduce_sequential", 4096); }},
      {"reduction, interleaved, 4096 x 256", [] { return reduce("reduce_interleaved", 4096); }},
      {"reduction, shuffles, 4096 x 256", [] { return reduce("reduce_shuffle", 4096); }},
  };
  std::printf("%-36s %14s %16s %16s\n", "kernel", "instructions", "M/s on one core", "M/s on all");
  for (const Case& each : cases) {
    TestRun run = each.make();
    std::uint64_t instructions = 0;
    const double one = best_of_three(run, 1, instructions);
    const double all = best_of_three(run, 0, instructions);
    std::printf("%-36s %14llu %16.1f %16.1f\n", each.name,
                static_cast<unsigned long long>(instructions),
                static_cast<double>(instructions) / one / 1e6,
                static_cast<double>(instructions) / all / 1e6);
  }
}
