// The memory checker on products.cu: each mistake is found with its kind, on the line that is
// marked; what is honest is silent and right, whatever runs first.
//
// products.ptx is what nvcc made of products.cu; device/kept_code.py checks that it still does.
#include "device/emulator/findings/pairs_table.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>

namespace course::emulator::findings {
namespace {

using Order = device::Order::Kind;

constexpr int kSize = 64;

struct Mistake {
  const char* kernel;
  const char* finding;
  const char* says; // part of what is said
};
constexpr Mistake kMistakes[] = {
    {"no_proxy_fence_buggy", "proxy", "product_misses_store("},
    {"no_barrier_buggy", "race", "no_barrier()"},
    {"no_fence_buggy", "wgmma", "register_accessed"},
    {"no_wait_buggy", "wgmma", "reads_result_early("},
    {"no_commit_buggy", "wgmma", "reads_result_early("},
    {"row_crossed_buggy", "wgmma", "descriptor_splits_rows(A, 112, 128, 128B)"},
    {"past_the_end_buggy", "out of bounds", "descriptor_leads_out(B, "},
    {"undivided_buggy", "out of bounds", "descriptor_undivided(B, "},
    {"three_warps_buggy", "wgmma", "product_never_starts"},
    {"other_descriptors_buggy", "wgmma", "other_descriptors("},
    {"in_turn_buggy", "wgmma", "reads_result_early("},
    {"again_before_wait_buggy", "race", "product_may_read("},
    {"ring_of_one_buggy", "race", "the_wgmma"},
    {"own_rows_buggy", "race", "no_barrier()"},
    {"registers_buggy", "wgmma", "writes_operand_early("},
    {"ring_buggy", "race", "the_wgmma"},
};

bool is_ring(const std::string& kernel) {
  return kernel.starts_with("ring");
}

float bf16(int value) {
  return static_cast<float>(value);
}
std::uint16_t bits_of(int value) {
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(bf16(value)) >> 16);
}
int a_at(int row, int k) {
  return (row * 3 + k * 5) % 7 - 3;
}
int b_at(int column, int k) {
  return (column * 2 + k * 11) % 5 - 2;
}

// Both tiles as a swizzle of 128 bytes has them.
std::vector<std::uint16_t> tiles() {
  std::vector<std::uint16_t> made(2 * kSize * kSize + 1024);
  for (int line = 0; line < kSize; ++line)
    for (int k = 0; k < kSize; ++k) {
      const int byte = line * 128 + ((k * 2) ^ (line % 8 * 16));
      made[static_cast<std::size_t>(byte / 2)] = bits_of(a_at(line, k));
      made[static_cast<std::size_t>(kSize * kSize + byte / 2)] = bits_of(b_at(line, k));
    }
  return made;
}

TestRun run_kernel(const std::string& kernel, Order order, int rounds = 7) {
  static const std::string ptx = ptx_of("products");
  TestRun run(ptx);
  const auto out = run.buffer("out", std::vector<float>(32 * 128));
  const auto in = run.buffer("in", tiles());
  run.job.order.kind = order;
  run.job.instruction_budget = 10'000'000;
  const bool ring = is_ring(kernel);
  run.launch(kernel, {1}, {ring ? 160u : 128u}, ring ? 3 * 2 * 8192 : 0, out, in, rounds).run();
  return run;
}

int wrong_in(const TestRun& run, int rounds) {
  const auto out = run.result<float>(0);
  int wrong = 0;
  for (int thread = 0; thread < 128; ++thread)
    for (int n = 0; n < 32; ++n) {
      const int row = thread / 32 * 16 + thread % 32 / 4 + n / 2 % 2 * 8;
      const int column = n / 4 * 8 + thread % 4 * 2 + n % 2;
      int sum = 0;
      for (int k = 0; k < kSize; ++k) sum += a_at(row, k) * b_at(column, k);
      wrong += out[static_cast<std::size_t>(n * 128 + thread)] != static_cast<float>(sum * rounds);
    }
  return wrong;
}

} // namespace

TEST_CASE("honest products are silent, whatever runs first") {
  std::size_t count = 0;
  for (const auto& [kernel, marks] : marks_in("products.cu")) {
    if (!kernel.ends_with("_mended")) continue;
    ++count;
    for (const auto order : {Order::by_index, Order::backwards}) {
      CAPTURE(kernel);
      const TestRun run = run_kernel(kernel, order);
      CHECK(run.findings() == "");
      CHECK(run.why() == "");
    }
  }
  CHECK(count == 9);
}

TEST_CASE("their results are those of plain C++") {
  for (const auto order : {Order::by_index, Order::backwards}) {
    CHECK(wrong_in(run_kernel("once_mended", order), 1) == 0);
    CHECK(wrong_in(run_kernel("fence_behind_the_barrier_mended", order), 1) == 0);
    for (const char* kernel : {"again_mended", "own_rows_mended", "ring_mended",
                               "ring_one_at_a_time_mended", "ring_of_one_mended"}) {
      CAPTURE(kernel);
      CHECK(wrong_in(run_kernel(kernel, order), 7) == 0);
    }
  }
}

TEST_CASE("every mistake is found with its kind, on its line, whatever runs first") {
  Marks marks = marks_in("products.cu");
  for (const Mistake& mistake : kMistakes) {
    for (const auto order : {Order::by_index, Order::backwards}) {
      CAPTURE(mistake.kernel);
      const TestRun run = run_kernel(mistake.kernel, order);
      CAPTURE(run.findings());
      CHECK(run.findings().find(mistake.says) != std::string::npos);
      std::set<std::uint32_t> lines;
      for (const device::Finding& finding : run.seen.findings) {
        CHECK(device::name(finding.kind) == std::string(mistake.finding));
        lines.insert(finding.line);
      }
      for (const std::uint32_t line : marks[mistake.kernel]["mistake"])
        CHECK_MESSAGE(lines.count(line), line);
    }
  }
}

TEST_CASE("every kernel of products.cu is run") {
  for (const auto& [kernel, marks] : marks_in("products.cu")) {
    if (kernel.ends_with("_mended")) continue;
    CAPTURE(kernel);
    CHECK(std::any_of(std::begin(kMistakes), std::end(kMistakes),
                      [&](const Mistake& one) { return one.kernel == kernel; }));
  }
}

} // namespace course::emulator::findings
