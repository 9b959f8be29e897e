// Values that nobody defined: a finding where one decides something, and nothing where it is
// dropped. Kernels of data/undefined.cu, in pairs.
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace course::emulator {
namespace {

TestRun run_of(const std::string& kernel, device::Order order = {}, unsigned threads = 1) {
  TestRun run("undefined.ptx");
  const auto out = run.buffer("out", std::vector<int>(64));
  std::vector<int> numbers(64);
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto in = run.buffer("in", numbers);
  const auto spare = run.buffer("spare", std::vector<int>(64), false);
  run.job.order = order;
  Options options;
  options.threads = threads;
  run.launch(kernel, {1}, {64}, 0, out, in, spare).run(options);
  return run;
}

struct Pair {
  const char* name;
  const char* says; // of the used one: the end of its message, where another line is named
};
constexpr Pair kPairs[] = {{"branch", "undefined_branch"},
                           {"address", "undefined_address"},
                           {"sum", "undefined_stored"},
                           {"copy", "undefined_stored"},
                           {"flags", ""},
                           {"local", ""},
                           {"tree", "undefined_stored"},
                           {"vote", "undefined_branch"},
                           {"call", ""},
                           {"merge", ""},
                           {"global", ""},
                           {"field", "undefined_stored"},
                           {"atomic", ""}};

} // namespace

TEST_CASE("an undefined value is a finding where it decides something") {
  for (const Pair& pair : kPairs) {
    CAPTURE(std::string(pair.name));
    const auto run = run_of(std::string(pair.name) + "_used");
    CAPTURE(run.findings());
    CHECK(run.why() == "");
    CHECK(run.found(device::FindingKind::uninitialised));
    CHECK(run.findings().find(pair.says) != std::string::npos);
  }
}

TEST_CASE("an undefined value that decides nothing is none") {
  for (const Pair& pair : kPairs) {
    CAPTURE(std::string(pair.name));
    const auto run = run_of(std::string(pair.name) + "_dropped");
    CHECK(run.why() == "");
    CHECK(run.findings() == "");
  }
}

TEST_CASE("of all lanes at once the same is said as of each alone") {
  const auto counts = [](const std::string& kernel) {
    const auto run = run_of(kernel);
    CHECK(run.why() == "");
    std::map<int, std::uint64_t> of_line;
    for (const device::Finding& finding : run.seen.findings)
      if (finding.kind == device::FindingKind::uninitialised)
        of_line[static_cast<int>(finding.line)] += finding.count;
    return of_line;
  };
  const auto together = counts("lanes_together"), alone = counts("lanes_alone");
  CHECK(together == alone);
  CHECK(together.size() >= 6); // lines
  const auto is_of_some_lanes = [](const auto& line) { return line.second < 64; };
  CHECK(std::ranges::count_if(together, is_of_some_lanes) >= 4);
}

TEST_CASE("what is read too early is a race, and not undefined") {
  const auto run = run_of("early_used");
  CHECK(run.found(device::FindingKind::race));
  CHECK(!run.found(device::FindingKind::uninitialised));
}

TEST_CASE("undefined values are found in each order, and on any number of cores") {
  for (const Pair& pair : kPairs) {
    CAPTURE(std::string(pair.name));
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const device::Order order{device::Order::Kind::at_liberty, seed};
      const auto used = run_of(std::string(pair.name) + "_used", order);
      CHECK(used.found(device::FindingKind::uninitialised));
      CHECK(run_of(std::string(pair.name) + "_used", order, 7).findings() == used.findings());
      CHECK(run_of(std::string(pair.name) + "_dropped", order).findings() == "");
    }
  }
}

} // namespace course::emulator
