// What only a GPU can prove: that plans run at their addresses, faults are told apart, counts are
// right by line, and times are honest. Without a GPU every case says that it was skipped. One file,
// although long: all cases launch the kernels of data/checks.cu through the same few lines.
#include "device/gpu/compiled_checks.hpp"
#include "device/gpu/gpu.hpp"
#include "device/gpu/typed_bytes.hpp"
#include "device/gpu/variation.hpp"
#include "device/spelled.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace course::gpu {
namespace {

using device::FindingKind;
using device::Observation;

constexpr device::Address kOut = 0x10'0000'0000, kIn = 0x10'1000'0000;

Options options() {
  Options result;
  result.worker = COURSE_BINARY_DIR "/bin/course_gpu_worker";
  if (const char* other = std::getenv("COURSE_GPU_WORKER")) result.worker = other;
  return result;
}

device::Device* gpu() {
  static const auto made = make_device(options());
  if (const auto* why = std::get_if<std::string>(&made)) {
    MESSAGE("skipped: no GPU: " << *why);
    return nullptr;
  }
  return std::get<std::unique_ptr<device::Device>>(made).get();
}

device::Module checks(bool with_cubin = true) {
  auto module = compiled_checks();
  if (!with_cubin) module.cubin.clear();
  return module;
}

template <class... T>
device::Bytes arguments(const T&... values) {
  device::Bytes bytes;
  const auto put = [&](const auto& value) {
    bytes.resize((bytes.size() + sizeof value - 1) / sizeof value * sizeof value);
    bytes.resize(bytes.size() + sizeof value);
    std::memcpy(bytes.data() + bytes.size() - sizeof value, &value, sizeof value);
  };
  (put(values), ...);
  return bytes;
}

std::vector<int> counting(int count) {
  std::vector<int> values(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) values[static_cast<std::size_t>(i)] = i;
  return values;
}

device::Job job(const char* kernel, device::Dim3 grid, device::Dim3 block, device::Bytes args,
                const std::vector<int>& in, std::size_t out_bytes, bool with_cubin = true) {
  device::Job result;
  result.modules.push_back(checks(with_cubin));
  result.buffers.push_back({"out", kOut, device::Bytes(out_bytes, std::byte{0xff}), false});
  result.buffers.push_back({"in", kIn, bytes_of(in), true});
  device::Launch launch;
  launch.kernel = kernel;
  launch.grid = grid;
  launch.block = block;
  launch.arguments = std::move(args);
  result.plan.steps.push_back(launch);
  return result;
}

device::Job transpose(const char* kernel, int n, bool with_cubin = true) {
  const auto blocks = static_cast<std::uint32_t>(n / 32);
  return job(kernel, {blocks, blocks, 1}, {32, 32, 1}, arguments(kOut, kIn, n), counting(n * n),
             static_cast<std::size_t>(n) * n * 4, with_cubin);
}

const device::LineCounts* find(const Observation& observation, std::uint32_t line,
                               const std::string& access) {
  for (const auto& counts : observation.lines) {
    if (counts.line == line && name_of(counts.kind) == access) return &counts;
  }
  return nullptr;
}

void print_table(const char* title, const Observation& observation) {
  std::printf("\n%s  (%s)\n%-20s %4s  %-26s %10s %10s %10s %10s\n", title,
              observation.counted_by.c_str(), "kernel", "line", "access", "requests", "wavefronts",
              "ideal", "sectors");
  for (const auto& counts : observation.lines)
    std::printf("%-20s %4u  %-26s %10llu %10llu %10llu %10llu\n", counts.kernel.c_str(),
                counts.line, name_of(counts.kind).c_str(),
                static_cast<unsigned long long>(counts.requests),
                static_cast<unsigned long long>(counts.wavefronts),
                static_cast<unsigned long long>(counts.ideal),
                static_cast<unsigned long long>(counts.sectors));
}

void check_line(const Observation& observation, std::uint32_t line, const std::string& access,
                std::uint64_t wavefronts, std::uint64_t ideal, std::uint64_t sectors) {
  CAPTURE(line);
  CAPTURE(access);
  const auto* counts = find(observation, line, access);
  REQUIRE(counts);
  CHECK(counts->wavefronts == wavefronts);
  CHECK(counts->ideal == ideal);
  CHECK(counts->sectors == sectors);
  CHECK(counts->file.ends_with("checks.cu"));
}

bool transposed(const device::Bytes& out, int n) {
  const auto values = values_of<int>(out);
  for (int row = 0; row < n; ++row) {
    for (int column = 0; column < n; ++column) {
      if (values[static_cast<std::size_t>(row * n + column)] != column * n + row) return false;
    }
  }
  return true;
}

} // namespace

#define NEED_GPU                                                                                   \
  if (!gpu()) return

TEST_CASE("the status names the GPU, and a built-in kernel is counted right") {
  NEED_GPU;
  const GpuStatus found = status(options());
  CHECK(found.usable);
  CHECK(found.counters == "");
  std::printf("%s, compute capability %d.%d, CUDA %s, %.1f GiB, L2 %.0f MiB, CUPTI %s\n",
              found.gpu.c_str(), found.major, found.minor, found.driver.c_str(),
              static_cast<double>(found.memory) / (1 << 30),
              static_cast<double>(found.l2) / (1 << 20), found.cupti.c_str());
  std::printf("SM clock %u of %u MHz, %u other processes, throttled by %zu reasons\n",
              found.conditions.sm_clock, found.conditions.highest_sm_clock,
              found.conditions.other_processes, found.conditions.throttled.size());
  CHECK(found.conditions.unavailable == "");
}

TEST_CASE("an unpadded tile has 31 conflicts a load, a padded one none") {
  NEED_GPU;
  const auto unpadded = gpu()->execute(transpose("transpose_unpadded", 256));
  REQUIRE_MESSAGE(unpadded.status == Observation::Status::completed,
                  device::spelled(unpadded.reason));
  print_table("transpose, 256 x 256", unpadded);
  CHECK(transposed(unpadded.buffers[0], 256));
  check_line(unpadded, 18, "shared_store_4", 2048, 2048, 0);
  check_line(unpadded, 18, "global_load_4", 0, 0, 8192);
  check_line(unpadded, 21, "shared_load_4", 65536, 2048, 0);
  check_line(unpadded, 21, "global_store_4", 0, 0, 8192);
  CHECK(unpadded.counted_by == "CUPTI SASS metrics");
  CHECK(unpadded.launches[0].shared_bytes == 4096);
  CHECK(unpadded.launches[0].barriers == 2048);

  const auto padded = gpu()->execute(transpose("transpose_padded", 256));
  REQUIRE(padded.status == Observation::Status::completed);
  print_table("the same, padded", padded);
  CHECK(transposed(padded.buffers[0], 256));
  check_line(padded, 27, "shared_store_4", 2048, 2048, 0);
  check_line(padded, 30, "shared_load_4", 2048, 2048, 0);
}

TEST_CASE("PTX alone, compiled by the driver, gives the same counts") {
  NEED_GPU;
  const auto observation = gpu()->execute(transpose("transpose_unpadded", 64, false));
  REQUIRE_MESSAGE(observation.status == Observation::Status::completed,
                  device::spelled(observation.reason));
  CHECK(transposed(observation.buffers[0], 64));
  check_line(observation, 18, "shared_store_4", 128, 128, 0);
  check_line(observation, 21, "shared_load_4", 4096, 128, 0);
}

TEST_CASE("a reduction has no conflicts, and its requests are an upper bound") {
  NEED_GPU;
  const auto observation = gpu()->execute(
      job("sum_blocks", {4, 1, 1}, {256, 1, 1}, arguments(kOut, kIn), counting(1024), 16));
  REQUIRE_MESSAGE(observation.status == Observation::Status::completed,
                  device::spelled(observation.reason));
  print_table("reduction, 4 blocks of 256", observation);
  CHECK(values_of<int>(observation.buffers[0]) == std::vector<int>{32640, 98176, 163712, 229248});
  check_line(observation, 35, "shared_store_4", 32, 32, 0);
  for (const auto& counts : observation.lines) CHECK(counts.conflicts() == 0);
}

TEST_CASE("atomics that meet in one bank queue, and are seen on their line") {
  NEED_GPU;
  std::vector<int> in(512);
  for (std::size_t i = 0; i < 256; ++i) {
    in[i] = static_cast<int>(i % 8);
    in[256 + i] = static_cast<int>(i);
  }
  auto with_zeroes =
      job("histogram", {1, 1, 1}, {256, 1, 1}, arguments(kOut, kIn), in, 32 * sizeof(int));
  with_zeroes.buffers[0].bytes.assign(128, std::byte{});
  const auto observation = gpu()->execute(with_zeroes);
  REQUIRE_MESSAGE(observation.status == Observation::Status::completed,
                  device::spelled(observation.reason));
  print_table("histogram of 8 values", observation);
  const auto out = values_of<int>(observation.buffers[0]);
  CHECK(out[0] == 3968);
  CHECK(out[7] == 4192);
  CHECK(out[8] == 0);
  // Four lanes of each warp add to the same word: four passes, eight warps.
  check_line(observation, 48, "shared_atomic_4", 32, 8, 0);
  check_line(observation, 50, "global_atomic", 0, 0, 4);
}

TEST_CASE("where instructions cannot be counted, the range profiler gives totals") {
  NEED_GPU;
  Options totals = options();
  totals.totals_only = true;
  auto made = make_device(totals);
  REQUIRE(std::holds_alternative<std::unique_ptr<device::Device>>(made));
  const auto observation = std::get<std::unique_ptr<device::Device>>(made)->execute(
      transpose("transpose_unpadded", 256));
  REQUIRE_MESSAGE(observation.status == Observation::Status::completed,
                  device::spelled(observation.reason));
  print_table("totals of the transpose", observation);
  CHECK(observation.counted_by == "CUPTI range profiler, totals of each launch");
  const auto* shared = find(observation, 0, "shared");
  REQUIRE(shared);
  CHECK(shared->wavefronts >= 67584);
  CHECK(shared->wavefronts < 2 * 67584);
}

TEST_CASE("symbols, allocations, copies, fills and large dynamic shared memory are replayed") {
  NEED_GPU;
  auto plan = job("scale", {1, 1, 1}, {32, 1, 1}, {}, counting(32), 128);
  const device::Address extra = 0x10'2000'0000, second = 0x10'3000'0000;
  auto launch = std::get<device::Launch>(plan.plan.steps[0]);
  launch.arguments = arguments(extra, second);
  launch.dynamic_shared = 100 * 1024;
  const int factor = 3;
  device::Bytes factor_bytes(sizeof factor);
  std::memcpy(factor_bytes.data(), &factor, sizeof factor);
  plan.plan.steps = {device::Allocate{extra, 128},
                     device::Allocate{second, 128},
                     device::Upload{second, bytes_of(counting(32))},
                     device::Fill{kOut, std::byte{0}, 128},
                     device::SymbolUpload{0, "factor", 0, factor_bytes},
                     launch,
                     device::Copy{kOut, extra, 64},
                     device::Free{extra},
                     device::Free{second}};
  const auto observation = gpu()->execute(plan);
  CHECK(observation.reason == "");
  REQUIRE_MESSAGE(observation.status == Observation::Status::completed,
                  device::spelled(observation.reason));
  const auto out = values_of<int>(observation.buffers[0]);
  CHECK(out[15] == 45);
  CHECK(out[16] == 0);
  CHECK(observation.findings.empty());
  CHECK(observation.launches[0].shared_bytes == 100 * 1024);
}

TEST_CASE("each execution starts from a fresh state") {
  NEED_GPU;
  const auto visits = job("count_visits", {1, 1, 1}, {1, 1, 1}, arguments(kOut), {0}, 4);
  for (int i = 0; i < 2; ++i) {
    const auto observation = gpu()->execute(visits);
    REQUIRE(observation.buffers.size() == 2);
    CHECK(values_of<int>(observation.buffers[0]) == std::vector<int>{1});
  }
}

TEST_CASE("each launch of a plan is counted, and their lines are added up") {
  NEED_GPU;
  auto plan = transpose("transpose_unpadded", 64);
  for (int i = 0; i < 4; ++i) plan.plan.steps.push_back(plan.plan.steps[0]);
  const auto before = std::chrono::steady_clock::now();
  const auto observation = gpu()->execute(plan);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
  std::printf("\nfive launches counted in %.2f s\n", took.count());
  REQUIRE(observation.launches.size() == 5);
  check_line(observation, 21, "shared_load_4", 5 * 4096, 5 * 128, 0);
  for (const auto& launch : observation.launches) CHECK(launch.barriers == 128);
}

TEST_CASE("what a kernel did wrong is told apart") {
  NEED_GPU;
  const auto outcome = [](const char* kernel, device::Bytes args, std::uint32_t threads = 1) {
    return gpu()->execute(job(kernel, {1, 1, 1}, {threads, 1, 1}, std::move(args), {0}, 1024));
  };
  const auto kind_of = [](const Observation& observation) {
    REQUIRE(observation.findings.size() == 1);
    std::printf("  %s\n", device::spelled(observation.findings[0].message).c_str());
    return observation.findings[0].kind;
  };
  using namespace std::literals;
  const auto far = outcome("write_at", arguments(kOut, 1ll << 24));
  CHECK(far.status == Observation::Status::failed);
  CHECK(kind_of(far) == FindingKind::out_of_bounds);
  const auto near = outcome("write_at", arguments(kOut, 256ll));
  CHECK(near.status == Observation::Status::completed);
  CHECK(kind_of(near) == FindingKind::out_of_bounds);
  const auto misaligned = outcome("write_misaligned", arguments(kOut), 1);
  CHECK(kind_of(misaligned) == FindingKind::misaligned);
  CHECK(kind_of(outcome("fail_assert", arguments(kIn))) == FindingKind::trap);
  CHECK(kind_of(outcome("trap_if", arguments(kIn))) == FindingKind::trap);
  const auto missing = outcome("no_such_kernel", {});
  CHECK(missing.status == Observation::Status::failed);
  CHECK(device::spelled(missing.reason).find("no_such_kernel") != std::string::npos);
  const auto wide = outcome("write_at", arguments(kOut, 0ll), 2048);
  CHECK(wide.status == Observation::Status::failed);
  std::printf("  %s\n  %s\n", device::spelled(missing.reason).c_str(),
              device::spelled(wide.reason).c_str());
}

TEST_CASE("a kernel without end is stopped, and the next one runs") {
  NEED_GPU;
  Options hasty = options();
  hasty.limit = std::chrono::seconds(3);
  hasty.count = false;
  auto made = make_device(hasty);
  REQUIRE(std::holds_alternative<std::unique_ptr<device::Device>>(made));
  auto& device = *std::get<std::unique_ptr<device::Device>>(made);
  const auto endless =
      device.execute(job("never_ends", {1, 1, 1}, {32, 1, 1}, arguments(kIn), {0}, 4));
  CHECK(endless.status == Observation::Status::failed);
  REQUIRE(endless.findings.size() == 1);
  CHECK(endless.findings[0].kind == FindingKind::budget);
  std::printf("  %s\n", device::spelled(endless.findings[0].message).c_str());
  const auto next = device.execute(transpose("transpose_padded", 64));
  CHECK(next.status == Observation::Status::completed);
}

TEST_CASE("what kernels print is kept") {
  NEED_GPU;
  const auto observation =
      gpu()->execute(job("speak", {1, 1, 1}, {1, 1, 1}, arguments(kIn), {42}, 4));
  CHECK(observation.printed == "the first is 42\n");
}

TEST_CASE("a padded transpose is faster than an unpadded one, and itself is as fast as itself") {
  NEED_GPU;
  const int n = 4096;
  TimingOptions timing;
  timing.bytes_read = timing.bytes_written = static_cast<std::uint64_t>(n) * n * 4;
  const auto slow = transpose("transpose_unpadded", n), fast = transpose("transpose_padded", n);
  timing.seed = 99;
  const auto in = counting(n * n);
  const auto report = [](const char* title, const TimedPair& pair, double wall) {
    REQUIRE(pair.times.error == "");
    REQUIRE(pair.times.ratio);
    const auto& ratio = *pair.times.ratio;
    std::printf("\n%s: %.2f us against %.2f us, ratio %.4f in [%.4f, %.4f] from %zu pairs, in "
                "%.2f s\n  copy %.3f TB/s, floor %.2f us, SM clock %u to %u MHz%s%s\n",
                title, pair.times.student_median * 1e6, pair.times.peer_median * 1e6, ratio.ratio,
                ratio.low, ratio.high, ratio.pairs, wall, pair.bytes_per_second * 1e-12,
                pair.floor * 1e6, pair.before.sm_clock, pair.after.sm_clock,
                pair.times.suspicion.empty() ? "" : ", suspicious: ", pair.times.suspicion.c_str());
    for (const auto& reason : pair.after.throttled)
      std::printf("  throttled: %s\n", reason.c_str());
  };
  const auto work = [&](const device::Job& one, const device::Job& two) {
    TimedWork made;
    made.student = one;
    made.peer = two;
    const auto& buffers = one.buffers;
    made.buffers = {{{buffers[0].address, buffers[0].bytes.size()}, false, buffers[0].bytes},
                    {{buffers[1].address, buffers[1].bytes.size()}, true, bytes_of(in)}};
    made.output = {0, false, 0, 0};
    return made;
  };
  const auto timed = [&](const device::Job& one, const device::Job& two, const char* title) {
    const auto before = std::chrono::steady_clock::now();
    auto pair = time_pair(work(one, two), timing, options());
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - before;
    report(title, pair, wall.count());
    return pair;
  };
  const auto unequal = timed(slow, fast, "unpadded against padded, 4096 x 4096");
  CHECK(unequal.times.ratio->low > 1.5);
  CHECK(unequal.times.suspicion == "");
  CHECK_FALSE(unequal.below_floor);
  CHECK_FALSE(unequal.times.different);
  REQUIRE(unequal.times.checked);
  const auto checked = values_of<int>(*unequal.times.checked);
  const auto before = varied(in, 1, seed_of_buffer(timing.seed, 1));
  CHECK(before != in);
  for (const int at : {1, 4095, 4096, 5'000'000}) CHECK(checked[at] == before[at % n * n + at / n]);

  const auto equal = timed(fast, fast, "padded against itself");
  CHECK(equal.times.ratio->low < 1.01);
  CHECK(equal.times.ratio->high > 0.99);

  auto against_a_copy = work(fast, fast);
  const auto& buffers = fast.buffers;
  against_a_copy.peer_is_right = false;
  against_a_copy.solution = fast;
  against_a_copy.peer = {};
  against_a_copy.peer.plan.steps = {
      device::Copy{buffers[0].address, buffers[1].address, buffers[1].bytes.size()}};
  const auto copied = time_pair(against_a_copy, timing, options());
  report("padded against a copy", copied, 0);
  CHECK_FALSE(copied.times.different);
}

TEST_CASE("a run that is wrong now and then is found, whichever it is") {
  NEED_GPU;
  TimingOptions timing;
  timing.seed = 3;
  const int n = 1024;
  const auto right = transpose("transpose_padded", n);
  TimedWork work;
  work.peer = right;
  work.buffers = {
      {{right.buffers[0].address, right.buffers[0].bytes.size()}, false, right.buffers[0].bytes},
      {{right.buffers[1].address, right.buffers[1].bytes.size()}, true, bytes_of(counting(n * n))}};
  work.output = {0, false, 0, 0};
  work.student = transpose("transpose_sometimes", n);
  const auto timed = time_pair(work, timing, options());
  CHECK(timed.times.error == "");
  REQUIRE(timed.times.different);
  CHECK(timed.times.different->elements > 0);
  std::printf("\nfound wrong in pair %zu\n", timed.times.student.size());
}

} // namespace course::gpu
