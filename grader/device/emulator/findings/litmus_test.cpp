// The memory checker on the kernels of litmus/: the mistake of each pair is reported on the lines
// that its source marks and on no other, whatever the order of blocks and the number of cores, and
// its mended twin is not reported. nvcc compiles all kernels at once.
#include "device/emulator/explore/exploration.hpp"
#include "device/emulator/findings/litmus_checks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

namespace course::emulator::findings {
namespace {

// Kernels of which the memory checker does not say yet what pairs.csv has. Whoever mends one takes
// its name off: a name that is here without need fails.
const std::set<std::string> kKnownGaps = {};

// Of blocks and warps: what is found must not hang on it.
constexpr device::Order kOrders[] = {{device::Order::Kind::by_index, 0},
                                     {device::Order::Kind::drawn, 1},
                                     {device::Order::Kind::drawn, 2},
                                     {device::Order::Kind::drawn, 3},
                                     {device::Order::Kind::backwards, 0}};

const std::vector<Pair>& litmus_pairs() {
  static const std::vector<Pair> table = [] {
    std::vector<Pair> pairs = read_pairs();
    std::erase_if(pairs, [](const Pair& pair) { return pair.subject == "pairs"; });
    REQUIRE(pairs.size() >= 70);
    return pairs;
  }();
  return table;
}

// Of all kernels. Those that are explored wait no longer than for a few looks.
const std::string& ptx(bool explored = false) {
  static const std::string text = compiled("all.cu"), hasty = compiled("all.cu", "-DPATIENCE=3");
  return explored ? hasty : text;
}

struct Side { // one twin of a pair
  const Pair& pair;
  std::string kernels, finding;
};

std::vector<Side> sides() {
  std::vector<Side> all;
  std::set<std::string> seen; // a twin of several is run once
  for (const Pair& pair : litmus_pairs()) {
    all.push_back({pair, pair.buggy, pair.finding});
    if (seen.insert(pair.mended).second) all.push_back({pair, pair.mended, pair.mended_finding});
  }
  return all;
}

TestRun run_side(const Side& side, const device::Order& order, unsigned threads,
                 Exploration* exploration = nullptr) {
  const std::vector<std::string> kernels = split(side.kernels, '+');
  TestRun run(only(ptx(exploration != nullptr), kernels));
  constexpr int kWords = 1024; // as litmus/kernel.cuh says
  const auto out = run.buffer("out", std::vector<int>(kWords));
  std::vector<int> numbers(kWords);
  std::iota(numbers.begin(), numbers.end(), 1);
  const auto in = run.buffer("in", numbers);
  for (const std::string& kernel : kernels)
    run.launch(kernel, {side.pair.blocks}, {side.pair.threads}, side.pair.dynamic_shared, out, in);
  run.job.order = order;
  Options options;
  options.threads = threads;
  options.exploration = exploration;
  run.run(options);
  return run;
}

// What is not as pairs.csv and the marks of the source have it; nothing when all is.
std::string differences(const Side& side, const TestRun& run, const Marks& marks) {
  if (run.seen.status != device::Observation::Status::completed)
    return "not completed: " + run.why() + "\n" + run.findings();
  const auto of_kernel = marks.find(side.kernels); // of several launches none is marked
  const auto marked = [&](const std::string& word) {
    if (of_kernel == marks.end() || !of_kernel->second.count(word))
      return std::set<std::uint32_t>{};
    return of_kernel->second.at(word);
  };
  std::set<std::uint32_t> missing = marked(side.finding), allowed = missing;
  allowed.merge(marked("perhaps"));
  std::string wrong;
  for (const device::Finding& finding : run.seen.findings) {
    const std::string kind = device::name(finding.kind);
    const bool beside_race = side.finding == "race" && kind == "same value";
    if (kind != side.finding && !beside_race) wrong += "  a finding of another kind\n";
    if (std::filesystem::path(finding.file).filename() != side.pair.subject + ".cuh")
      wrong += "  it is in " + finding.file + "\n";
    for (const std::uint32_t line : {finding.line, finding.other_line}) {
      if (!allowed.count(line)) wrong += "  line " + std::to_string(line) + " is not marked\n";
      missing.erase(line);
    }
  }
  for (const std::uint32_t line : missing)
    wrong += "  nothing is said of line " + std::to_string(line) + "\n";
  return wrong.empty() ? "" : wrong + run.findings();
}

} // namespace

TEST_CASE("every pair is found as the table has it, but for the known gaps") {
  std::map<std::string, Marks> marks;
  for (const Pair& pair : litmus_pairs())
    if (!marks.count(pair.subject))
      marks[pair.subject] = marks_in("litmus/" + pair.subject + ".cuh");
  std::set<std::string> gaps = kKnownGaps;
  for (const Side& side : sides()) {
    CAPTURE(side.kernels);
    CAPTURE(side.finding);
    std::string wrong;
    for (const device::Order& order : kOrders) {
      const TestRun alone = run_side(side, order, 1), together = run_side(side, order, 7);
      wrong += differences(side, alone, marks.at(side.pair.subject));
      CHECK_MESSAGE(alone.findings() == together.findings(), together.findings());
    }
    if (gaps.erase(side.kernels))
      CHECK_MESSAGE(!wrong.empty(), "no longer a gap: take it off the list");
    else
      CHECK_MESSAGE(wrong.empty(), wrong);
  }
  for (const std::string& kernel : gaps) CHECK_MESSAGE(false, kernel, " is in no pair");
}

// Where a thread whose patience has ended leaves the others to go on without it.
const std::set<std::string> kGivesUp = {"block_to_block"};

// Of those with few threads, whose orders are few.
TEST_CASE("in every order that differs, what is mended is, and what is wrong is found in one") {
  int all = 0;
  for (const Side& side : sides()) {
    if (side.pair.blocks * side.pair.threads > 128 || kGivesUp.contains(side.kernels)) continue;
    CAPTURE(side.kernels);
    Exploration exploration;
    exploration.most_orders = 50;
    exploration.most_steps = 200;
    const TestRun run = run_side(side, {}, 1, &exploration);
    const bool whole = std::ranges::all_of(exploration.launches, &Exploration::Launch::all);
    all += whole && !exploration.launches.empty() ? 1 : 0;
    if (side.finding == "silent")
      CHECK_MESSAGE(run.findings() == "", run.findings());
    else
      CHECK_MESSAGE(run.findings().find(side.finding) != std::string::npos, run.findings());
  }
  CHECK(all >= 20);
}

TEST_CASE("every kernel of litmus/ is in the table, and those with a finding have marked lines") {
  std::map<std::string, std::string> finding_of; // by kernel
  for (const Side& side : sides())
    for (const std::string& kernel : split(side.kernels, '+'))
      finding_of[side.pair.subject + " " + kernel] = side.finding;
  std::set<std::string> subjects;
  for (const Pair& pair : litmus_pairs()) subjects.insert(pair.subject);
  std::set<std::string> written;
  for (const std::string& subject : subjects)
    for (const auto& [kernel, marks] : marks_in("litmus/" + subject + ".cuh")) {
      const std::string place = subject + " " + kernel;
      CAPTURE(place);
      written.insert(place);
      REQUIRE(finding_of.count(place));
      if (finding_of[place] == "silent")
        CHECK(marks.empty());
      else
        CHECK(marks.count(finding_of[place]));
    }
  for (const auto& [place, finding] : finding_of) CHECK_MESSAGE(written.count(place), place);
}

} // namespace course::emulator::findings
