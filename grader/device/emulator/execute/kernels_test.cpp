// Whole kernels against plain C++: results and counts.
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <random>

namespace course::emulator {
namespace {

using device::Dim3;
using device::Observation;

std::vector<float> random_floats(std::size_t count, std::mt19937& random) {
  std::uniform_real_distribution<float> number(-100, 100);
  std::vector<float> values(count);
  for (float& value : values) value = number(random);
  return values;
}
std::vector<int> random_ints(std::size_t count, int low, int high, std::mt19937& random) {
  std::uniform_int_distribution<int> number(low, high);
  std::vector<int> values(count);
  for (int& value : values) value = number(random);
  return values;
}

std::vector<float> transposed(const std::vector<float>& in, int rows, int cols) {
  std::vector<float> out(in.size());
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) out[c * rows + r] = in[r * cols + c];
  return out;
}

struct Transposed {
  TestRun run{"transpose.ptx"};
  std::vector<float> in;
  Transposed(const char* kernel, int rows, int cols, Dim3 grid, Dim3 block, unsigned seed,
             unsigned threads = 0) {
    std::mt19937 random(seed);
    in = random_floats(static_cast<std::size_t>(rows * cols), random);
    const auto out = run.buffer("out", std::vector<float>(in.size(), NAN), false);
    const auto from = run.buffer("in", in);
    run.launch(kernel, grid, block, 0, out, from, rows, cols).run({threads, true});
  }
};

} // namespace

TEST_CASE("a column of an unpadded tile is read with 31 conflicts a request") {
  Transposed t("transpose_tile<0>", 64, 96, {3, 2}, {32, 32}, 1);
  REQUIRE(t.run.seen.status == Observation::Status::completed);
  CHECK(t.run.findings() == "");
  CHECK(t.run.result<float>(0) == transposed(t.in, 64, 96));
  const auto loads = t.run.counts("shared_load_4"), stores = t.run.counts("shared_store_4");
  CHECK(loads.requests == 6 * 32);
  CHECK(loads.conflicts() == 6 * 32 * 31);
  CHECK(stores.requests == 6 * 32);
  CHECK(stores.conflicts() == 0);
  CHECK(t.run.counts("global_load_4").sectors == 6 * 32 * 4);
  CHECK(t.run.counts("global_store_4").sectors == 6 * 32 * 4);
}

TEST_CASE("a padded tile has no conflict") {
  Transposed t("transpose_tile<1>", 64, 96, {3, 2}, {32, 32}, 2);
  CHECK(t.run.findings() == "");
  CHECK(t.run.result<float>(0) == transposed(t.in, 64, 96));
  CHECK(t.run.counts("shared_load_4").conflicts() == 0);
  CHECK(t.run.counts("shared_load_4").wavefronts == 6 * 32);
}

TEST_CASE("counts say where, and keep the worst request") {
  Transposed t("transpose_tile<0>", 32, 32, {1, 1}, {32, 32}, 3);
  for (const device::LineCounts& line : t.run.seen.lines) {
    CHECK(line.kernel == "transpose_tile<0>");
    CHECK(line.file == "transpose.cu");
    if (name_of(line.kind) != "shared_load_4") continue;
    CHECK(line.line == 9);
    CHECK(line.ways[32] == 32);
    CHECK_FALSE(line.width_from_sass);
    CHECK(line.worst.active == 0xffffffff);
    CHECK(line.worst.width == 4);
    CHECK(line.worst.warp == 0);
    for (std::uint64_t lane = 0; lane < 32; ++lane) CHECK(line.worst.offset[lane] == lane * 128);
  }
  REQUIRE(t.run.seen.launches.size() == 1);
  CHECK(t.run.seen.launches[0].shared_bytes == 4096);
  CHECK(t.run.seen.launches[0].barriers == 32);
}

TEST_CASE("a naive transpose stores to 32 sectors a request") {
  Transposed t("transpose_naive", 64, 64, {2, 8}, {32, 8}, 4);
  CHECK(t.run.result<float>(0) == transposed(t.in, 64, 64));
  CHECK(t.run.counts("global_store_4").sectors == 32 * t.run.counts("global_store_4").requests);
}

TEST_CASE("transposes of random shapes are those of a plain loop") {
  std::mt19937 random(5);
  for (int i = 0; i < 25; ++i) {
    const int rows = static_cast<int>(random() % 150 + 1),
              cols = static_cast<int>(random() % 150 + 1);
    const std::uint32_t height = 1u << random() % 6;
    CAPTURE(rows);
    CAPTURE(cols);
    CAPTURE(height);
    const Dim3 grid{static_cast<std::uint32_t>(cols + 31) / 32,
                    static_cast<std::uint32_t>(rows + 31) / 32};
    Transposed t("transpose_any_shape", rows, cols, grid, {32, height}, random());
    CHECK(t.run.findings() == "");
    CHECK(t.run.result<float>(0) == transposed(t.in, rows, cols));
    CHECK(t.run.counts("shared_load_4").conflicts() == 0);
  }
}

TEST_CASE("counts, findings and results do not depend on the number of workers") {
  Transposed one("transpose_tile<0>", 128, 128, {4, 4}, {32, 32}, 6, 1);
  Transposed many("transpose_tile<0>", 128, 128, {4, 4}, {32, 32}, 6, 7);
  CHECK(one.run.result<float>(0) == many.run.result<float>(0));
  REQUIRE(one.run.seen.lines.size() == many.run.seen.lines.size());
  for (std::size_t i = 0; i < one.run.seen.lines.size(); ++i) {
    const auto &a = one.run.seen.lines[i], &b = many.run.seen.lines[i];
    CHECK(a.requests == b.requests);
    CHECK(a.wavefronts == b.wavefronts);
    CHECK(a.sectors == b.sectors);
    CHECK(a.ways == b.ways);
    CHECK(a.worst.block == b.worst.block);
    CHECK(a.worst.warp == b.worst.warp);
    CHECK(a.worst.offset == b.worst.offset);
  }
}

TEST_CASE("a tiled product is that of a plain loop") {
  constexpr int n = 64;
  std::mt19937 random(7);
  const auto a = random_floats(n * n, random), b = random_floats(n * n, random);
  TestRun run("product.ptx");
  const auto c_at = run.buffer("c", std::vector<float>(n * n), false);
  const auto a_at = run.buffer("a", a), b_at = run.buffer("b", b);
  run.launch("product", {2, 2}, {32, 32}, 0, c_at, a_at, b_at, n).run();
  CHECK(run.findings() == "");
  std::vector<float> expected(n * n);
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum = std::fma(a[r * n + k], b[k * n + c], sum);
      expected[r * n + c] = sum;
    }
  CHECK(run.result<float>(0) == expected);
  CHECK(run.counts("shared_load_4").requests == 4 * 2 * 32 * 64);
  CHECK(run.counts("shared_load_4").conflicts() == 0);
}

TEST_CASE("reductions add up, and their conflicts grow as the stride does") {
  std::mt19937 random(8);
  const auto in = random_ints(8 * 256, -1000, 1000, random);
  for (const std::string kernel :
       {"reduce_sequential", "reduce_interleaved", "reduce_shuffle", "reduce_atomic"}) {
    CAPTURE(kernel);
    TestRun run("reduce.ptx");
    const bool one_result = kernel == "reduce_atomic";
    const auto out = run.buffer("out", std::vector<int>(8), one_result);
    const auto from = run.buffer("in", in);
    run.launch(kernel, {8}, {256}, 1024, out, from).run();
    CHECK(run.findings() == "");
    const auto sums = run.result<int>(0);
    if (one_result) {
      CHECK(sums[0] == std::accumulate(in.begin(), in.end(), 0));
    } else {
      for (std::size_t block = 0; block < 8; ++block)
        CHECK(sums[block] == std::accumulate(in.begin() + static_cast<long>(block * 256),
                                             in.begin() + static_cast<long>(block * 256 + 256), 0));
    }
    const auto conflicts =
        run.counts("shared_load_4").conflicts() + run.counts("shared_store_4").conflicts();
    if (kernel == "reduce_interleaved")
      CHECK(conflicts > 0);
    else
      CHECK(conflicts == 0);
    CHECK(run.seen.launches[0].shuffles == (kernel == "reduce_shuffle" ? 8u * (8 * 5 + 5) : 0));
  }
}

TEST_CASE("a divergent loop executes each lane as often as it asks for") {
  std::mt19937 random(9);
  const auto in = random_ints(256, 1, 500, random);
  TestRun run("divergence.ptx");
  const auto out = run.buffer("steps", std::vector<int>(256), false);
  const auto from = run.buffer("in", in);
  run.launch("collatz", {2}, {128}, 0, out, from).run();
  CHECK(run.findings() == "");
  std::vector<int> expected;
  for (int n : in) {
    int count = 0;
    for (; n != 1; ++count) n = n % 2 ? 3 * n + 1 : n / 2;
    expected.push_back(count);
  }
  CHECK(run.result<int>(0) == expected);
  CHECK(run.seen.launches[0].divergent_branches > 0);
  // All lanes have met again before the one store.
  CHECK(run.counts("global_store_4").requests == 8);
}

TEST_CASE("break, continue, early return and switch take each lane its own way") {
  std::mt19937 random(10);
  const auto in = random_ints(200, 0, 60, random);
  TestRun run("divergence.ptx");
  const auto out = run.buffer("out", std::vector<int>(200, -1));
  const auto from = run.buffer("in", in);
  run.launch("nested", {2}, {128}, 0, out, from, 190).run();
  CHECK(run.findings() == "");
  const auto result = run.result<int>(0);
  for (std::size_t i = 0; i < 200; ++i) {
    int sum = 0;
    for (int k = 0; k < 20; ++k) {
      if (in[i] % 3 == k % 3) continue;
      if (sum > in[i]) break;
      for (int j = 0; j < in[i] % 5; ++j) {
        if (j == k) break;
        switch ((j + in[i]) % 6) {
        case 0:
          sum += 1;
          break;
        case 1:
          sum += k;
          break;
        case 2:
          sum ^= j;
          break;
        case 3:
          sum -= 2;
          break;
        default:
          sum += 7;
        }
      }
    }
    CHECK(result[i] == (i < 190 ? sum : -1));
  }
}

TEST_CASE("lanes part at a branch and meet behind it") {
  std::vector<int> in(32);
  for (int lane = 0; lane < 32; ++lane) in[lane] = lane % 7;
  TestRun run("divergence.ptx");
  const auto out = run.buffer("out", std::vector<unsigned>(64), false);
  const auto from = run.buffer("in", in);
  run.launch("meets_again", {1}, {32}, 0, out, from).run();
  unsigned above = 0;
  for (int lane = 0; lane < 32; ++lane) above |= in[lane] > 3 ? 1u << lane : 0;
  const auto result = run.result<unsigned>(0);
  for (int lane = 0; lane < 32; ++lane) {
    CHECK(result[lane] == above); // what the others see is the complement of their own mask
    CHECK(result[32 + lane] == 0xffffffff);
  }
}

TEST_CASE("functions call themselves and are called through pointers") {
  std::vector<int> in(32);
  for (int lane = 0; lane < 32; ++lane) in[lane] = lane % 9;
  TestRun run("divergence.ptx");
  const auto out = run.buffer("out", std::vector<int>(32), false);
  const auto again = run.buffer("again", std::vector<int>(32), false);
  const auto from = run.buffer("in", in);
  run.launch("recursion", {1}, {32}, 0, out, from);
  run.launch("through_pointers", {1}, {32}, 0, again, from).run();
  CHECK(run.why() == "");
  CHECK(run.findings() == "");
  const int fibonacci[] = {0, 1, 1, 2, 3, 5, 8, 13, 21};
  for (int lane = 0; lane < 32; ++lane) {
    CHECK(run.result<int>(0)[lane] == fibonacci[in[lane]]);
    CHECK(run.result<int>(1)[lane] == (in[lane] % 2 ? 2 * in[lane] : in[lane] * in[lane]));
  }
}

TEST_CASE("recursion without end fills the stack and is reported") {
  TestRun run("divergence.ptx");
  const auto out = run.buffer("out", std::vector<int>(32), false);
  run.launch("endless_recursion", {1}, {32}, 0, out).run();
  CHECK(run.seen.status == Observation::Status::failed);
  CHECK(run.why().find("stack_is_full(") != std::string::npos);
}

TEST_CASE("lanes of a warp that spin on a lock all get it") {
  for (const std::string kernel : {"spin_lock", "spin_lock_loop"}) {
    CAPTURE(kernel);
    TestRun run("divergence.ptx");
    const auto counter = run.buffer("counter", std::vector<int>(1));
    const auto lock = run.buffer("lock", std::vector<int>(1));
    run.launch(kernel, {3}, {96}, 0, counter, lock).run();
    CHECK(run.why() == "");
    CHECK(run.result<int>(0)[0] == 3 * 96);
  }
}

TEST_CASE("a kernel without end uses up its budget, and its line is named") {
  TestRun run("divergence.ptx");
  const auto out = run.buffer("out", std::vector<int>(1));
  run.job.instruction_budget = 1'000'000;
  run.launch("endless", {4}, {64}, 0, out).run();
  CHECK(run.seen.status == Observation::Status::failed);
  REQUIRE(run.found(device::FindingKind::budget));
  const device::Finding& finding = run.seen.findings.back();
  CHECK(finding.fatal);
  CHECK(finding.file == "divergence.cu");
  CHECK(finding.line >= 95);
  CHECK(finding.line <= 98);
}

} // namespace course::emulator
