// The checks of memory that works by itself, on hopper_pairs.cu: each mistake is reported with the
// kind and the facts that hopper_pairs.csv has (which barrier, which phase, who), on the line that
// is marked, whatever block or warp comes first; its mended twin is not.
//
// hopper_pairs.ptx is what nvcc made of hopper_pairs.cu; device/kept_code.py checks that it still
// does.
#include "device/emulator/findings/pairs_table.hpp"
#include "device/model/tensor_map.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

namespace course::emulator::findings {
namespace {

using Order = device::Order::Kind;

struct HopperPair {
  std::string buggy, mended;
  // One of the kinds; all parts of one of the texts, by which block or warp comes first.
  std::vector<std::string> findings, says;
  std::uint32_t blocks = 1, cluster = 1;
};

std::vector<HopperPair> hopper_pairs() {
  std::stringstream lines(read_file(std::string(kFolder) + "hopper_pairs.csv"));
  std::vector<HopperPair> pairs;
  std::string line;
  std::getline(lines, line); // names of the columns
  while (std::getline(lines, line)) {
    const auto cells = split(line, ',');
    REQUIRE_MESSAGE(cells.size() == 6, line);
    pairs.push_back({cells[0], cells[3], split(cells[1], '/'), split(cells[2], '|'),
                     static_cast<std::uint32_t>(std::stoul(cells[4])),
                     static_cast<std::uint32_t>(std::stoul(cells[5]))});
  }
  return pairs;
}

struct alignas(64) MapBytes {
  model::TensorMapBytes bytes;
};

TestRun run_kernel(const HopperPair& pair, const std::string& kernel, Order order,
                   std::uint64_t seed = 0) {
  static const std::string ptx = ptx_of("hopper_pairs");
  TestRun run(ptx);
  run.job.modules[0].source = read_file(std::string(kFolder) + "hopper_pairs.cu");
  std::vector<int> numbers(4096);
  std::iota(numbers.begin(), numbers.end(), 1);
  const auto out = run.buffer("out", std::vector<int>(4096), false);
  const auto in = run.buffer("in", numbers);
  model::TensorMap map;
  map.rank = 2;
  map.address = in;
  map.size = {64, 64};
  map.stride = {4, 256};
  map.box = {32, 8};
  map.swizzle = model::Swizzle::bytes_128;
  run.job.order = {order, seed};
  run.job.instruction_budget = 3'000'000;
  run.launch(kernel, {pair.blocks}, {128}, 0, MapBytes{model::encoded(map)}, out, in);
  if (pair.cluster > 1)
    std::get<device::Launch>(run.job.plan.steps[0]).cluster = {pair.cluster, 1, 1};
  run.run();
  return run;
}

bool says(const std::string& text, const std::string& all) {
  const auto parts = split(all, ';');
  return std::all_of(parts.begin(), parts.end(),
                     [&](const std::string& part) { return text.find(part) != std::string::npos; });
}

} // namespace

TEST_CASE("every mistake is named with its barrier, phase and thread, on its line") {
  Marks marks = marks_in("hopper_pairs.cu");
  for (const HopperPair& pair : hopper_pairs())
    for (const auto order : {Order::by_index, Order::backwards}) {
      CAPTURE(pair.buggy);
      const auto& mistakes = marks[pair.buggy]["mistake"];
      REQUIRE(!mistakes.empty());
      const TestRun run = run_kernel(pair, pair.buggy, order);
      CAPTURE(run.findings());
      CAPTURE(run.why());
      bool told = false;
      for (const device::Finding& finding : run.seen.findings) {
        const std::string kind = device::name(finding.kind);
        CHECK(std::count(pair.findings.begin(), pair.findings.end(), kind) == 1);
        CHECK(mistakes.count(finding.line) == 1);
        CHECK(finding.kernel == pair.buggy);
        for (const std::string& one : pair.says)
          told = told || says(device::spelled(finding.message), one);
      }
      CHECK(told);
    }
}

TEST_CASE("no mended twin is reported, whatever comes first") {
  for (const HopperPair& pair : hopper_pairs())
    for (const auto order : {Order::by_index, Order::backwards}) {
      CAPTURE(pair.mended);
      const TestRun run = run_kernel(pair, pair.mended, order);
      CHECK(run.findings() == "");
      CHECK(run.why() == "");
      CHECK(run.seen.status == device::Observation::Status::completed);
    }
}

TEST_CASE("what a block sends to another is watched in every drawn order") {
  constexpr std::uint64_t kOrders = 12;
  for (const HopperPair& pair : hopper_pairs()) {
    if (!pair.buggy.starts_with("sent_") && !pair.buggy.starts_with("sender_")) continue;
    for (std::uint64_t seed = 0; seed < kOrders; ++seed) {
      CAPTURE(pair.buggy);
      CAPTURE(seed);
      const TestRun wrong = run_kernel(pair, pair.buggy, Order::at_liberty, seed);
      CHECK(wrong.findings().find(pair.says[0].substr(0, pair.says[0].find('('))) !=
            std::string::npos);
      CHECK(run_kernel(pair, pair.mended, Order::at_liberty, seed).findings() == "");
    }
  }
}

TEST_CASE("there are more than thirty pairs, and every kernel is in one") {
  std::set<std::string> tested, written;
  for (const HopperPair& pair : hopper_pairs()) {
    tested.insert(pair.buggy);
    tested.insert(pair.mended);
  }
  CHECK(tested.size() >= 2 * 30);
  for (const auto& each : marks_in("hopper_pairs.cu")) {
    const auto& [kernel, marks] = each;
    written.insert(kernel);
    CAPTURE(each.first);
    CHECK(marks.count("mistake") == !kernel.ends_with("_mended"));
  }
  CHECK(tested == written);
}

} // namespace course::emulator::findings
