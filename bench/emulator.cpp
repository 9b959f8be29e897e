// How fast the emulated device is, on one core and on all: warp-instructions a second, all checks
// on. Each kernel runs long enough to be timed; the best of three runs counts. One core is timed by
// the processor time it gave, so that other work on the machine does not count; all by the clock.
// Beside it, what the checks cost: the time on one core as a multiple of that without them, and
// what they take of memory, as a multiple of what the launch has in buffers.
//
// With a word, the kernels that have it in their names. With a number N, how time and memory grow
// instead: the product of matrices, from 10^5 warp-instructions up to N.
#include "device/emulator/test_run.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
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

template <typename T>
TestRun traffic(const char* kernel, int n, bool clear = false) {
  TestRun run("traffic.ptx");
  const auto out = run.buffer("out", std::vector<T>(static_cast<std::size_t>(n)), clear);
  std::vector<T> numbers(static_cast<std::size_t>(n));
  std::iota(numbers.begin(), numbers.end(), T{1});
  const auto in = run.buffer("in", numbers);
  run.launch(kernel, {static_cast<std::uint32_t>(n / 256)}, {256}, 0, out, in, n);
  return run;
}

TestRun gather(int n) {
  TestRun run("traffic.ptx");
  constexpr std::uint32_t kBlocks = 256;
  const auto out = run.buffer("out", std::vector<int>(kBlocks * 256), false);
  const auto in = run.buffer("in", std::vector<int>(static_cast<std::size_t>(n), 1));
  run.launch("gather", {kBlocks}, {256}, 0, out, in, n);
  return run;
}

TestRun drop() {
  TestRun run("traffic.ptx");
  constexpr std::uint32_t kBlocks = 64;
  constexpr int kWords = 1 << 20;
  const auto out = run.buffer("out", std::vector<int>(kBlocks * 256), false);
  const auto in = run.buffer("in", std::vector<int>(kWords), false);
  run.launch("drop", {kBlocks}, {256}, 0, out, in, kWords, 0);
  return run;
}

TestRun small_launches(int count) {
  TestRun run("traffic.ptx");
  constexpr int kWords = 64;
  const auto out = run.buffer("out", std::vector<int>(kWords), false);
  const auto in = run.buffer("in", std::vector<int>(kWords, 1));
  for (int i = 0; i < count; ++i) run.launch("copy", {1}, {kWords}, 0, out, in, kWords);
  return run;
}

double seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double best_of_three(TestRun& run, unsigned threads, std::uint64_t& instructions,
                     bool checks = true) {
  double best = 1e9;
  const clockid_t clock = threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
  const auto device = course::emulator::make_device({threads, checks});
  for (int i = 0; i < 3; ++i) {
    const double begin = seconds(clock);
    const auto seen = device->execute(run.job);
    best = std::min(best, seconds(clock) - begin);
    if (seen.status != course::device::Observation::Status::completed || !seen.findings.empty())
      std::printf(
          "  unexpected: %s %s\n", course::device::spelled(seen.reason).c_str(),
          seen.findings.empty() ? "" : course::device::spelled(seen.findings[0].message).c_str());
    instructions = 0;
    for (const auto& launch : seen.launches) instructions += launch.instructions;
  }
  return best;
}

// The most memory that a process has when it executes a case once, in MiB.
double peak(const Case& one, bool checks) {
  const pid_t child = fork();
  if (child == 0) {
    TestRun run = one.make();
    course::emulator::make_device({1, checks})->execute(run.job);
    _exit(0);
  }
  rusage used{};
  int status = 0;
  if (child < 0 || wait4(child, &status, 0, &used) != child) return 0;
  return static_cast<double>(used.ru_maxrss) / 1024;
}

double buffers(const TestRun& run) {
  double bytes = 0;
  for (const auto& buffer : run.job.buffers) bytes += static_cast<double>(buffer.bytes.size());
  return bytes / (1 << 20);
}

// One block's work, again and again: the launches of a plan.
void growth(std::uint64_t most) {
  std::printf("%14s %12s %10s %18s\n", "instructions", "seconds", "M/s", "MiB above the start");
  const auto resident = [] {
    long pages = 0, in_memory = 0;
    std::FILE* file = std::fopen("/proc/self/statm", "r");
    if (!file) return 0.0;
    if (std::fscanf(file, "%ld %ld", &pages, &in_memory) != 2) in_memory = 0;
    std::fclose(file);
    return static_cast<double>(in_memory) * 4096 / (1 << 20);
  };
  TestRun run = product(128);
  const auto launch = run.job.plan.steps[0];
  run.job.instruction_budget = 4 * most;
  const auto device = course::emulator::make_device({1, true});
  std::uint64_t each = 0;
  for (const auto& counts : device->execute(run.job).launches) each += counts.instructions;
  const double start = resident();
  for (std::uint64_t wanted = 100'000; wanted <= most; wanted *= 10) {
    run.job.plan.steps.assign(std::max<std::uint64_t>(wanted / each, 1), launch);
    const double begin = seconds(CLOCK_THREAD_CPUTIME_ID);
    const auto seen = device->execute(run.job);
    const double time = seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
    const double done = static_cast<double>(each * seen.launches.size());
    std::printf("%14.0f %12.3f %10.1f %18.1f\n", done, time, done / time / 1e6, resident() - start);
  }
}

} // namespace

int main(int count, char** arguments) {
  const std::string wanted = count > 1 ? arguments[1] : "";
  if (const auto most = std::strtoull(wanted.c_str(), nullptr, 10); most > 0) {
    growth(most);
    return 0;
  }
  std::vector<Case> cases{
      {"transpose, padded tile, 2048^2", [] { return transpose("transpose_tile<1>", 2048); }},
      {"transpose, unpadded tile, 2048^2", [] { return transpose("transpose_tile<0>", 2048); }},
      {"product, 256^3", [] { return product(256); }},
      {"reduction, sequential, 4096 x 256", [] { return reduce("reduce_sequential", 4096); }},
      {"reduction, interleaved, 4096 x 256", [] { return reduce("reduce_interleaved", 4096); }},
      {"reduction, shuffles, 4096 x 256", [] { return reduce("reduce_shuffle", 4096); }},
      {"copy, 2^22", [] { return traffic<int>("copy", 1 << 22); }},
      {"copy of bytes, 2^22", [] { return traffic<unsigned char>("copy_bytes", 1 << 22); }},
      {"stencil, 2^22", [] { return traffic<int>("stencil", 1 << 22, true); }},
      {"atomics in global memory, 2^21", [] { return traffic<int>("atomics", 1 << 21, true); }},
      {"histogram, 2^22", [] { return traffic<int>("histogram", 1 << 22, true); }},
      {"scattered loads of 2^24 words, 2^21", [] { return gather(1 << 24); }},
      {"values that nobody wrote, 2^19", [] { return drop(); }},
      {"launches of two warps, 2^12", [] { return small_launches(1 << 12); }},
  };
  std::printf("%-36s %14s %16s %16s %14s %14s\n", "kernel", "instructions", "M/s on one core",
              "M/s on all", "times the time", "and buffers");
  std::erase_if(cases, [&](const Case& one) { return !std::strstr(one.name, wanted.c_str()); });
  std::vector<double> extra; // while this process is small, as its children begin as large
  extra.reserve(cases.size());
  for (const Case& each : cases) extra.push_back(peak(each, true) - peak(each, false));
  for (const Case& each : cases) {
    TestRun run = each.make();
    std::uint64_t instructions = 0;
    const double unchecked = best_of_three(run, 1, instructions, false);
    const double one = best_of_three(run, 1, instructions);
    const double all = best_of_three(run, 0, instructions);
    std::printf("%-36s %14llu %16.1f %16.1f %14.2f %14.2f\n", each.name,
                static_cast<unsigned long long>(instructions),
                static_cast<double>(instructions) / one / 1e6,
                static_cast<double>(instructions) / all / 1e6, one / unchecked,
                extra[static_cast<std::size_t>(&each - cases.data())] / buffers(run));
  }
}
