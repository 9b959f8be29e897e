// The memory checker on pairs.cu: the buggy kernel of each pair is reported, with the kind that
// pairs.csv has, on the lines that its source marks and on no other; its mended twin is not
// reported.
//
// pairs.ptx is what nvcc made of pairs.cu; device/kept_code.py checks that it still does.
#include "device/emulator/findings/pairs_table.hpp"

#include <doctest/doctest.h>

#include <numeric>

namespace course::emulator::findings {
namespace {

std::vector<Pair> pairs_of_this_file() {
  std::vector<Pair> pairs = read_pairs();
  std::erase_if(pairs, [](const Pair& pair) { return pair.subject != "pairs"; });
  REQUIRE(pairs.size() >= 25);
  return pairs;
}

TestRun run_kernel(const Pair& pair, const std::string& kernel) {
  static const std::string ptx = ptx_of("pairs");
  TestRun run(ptx);
  const auto out = run.buffer("out", std::vector<int>(pair.threads), false);
  std::vector<int> numbers(pair.threads);
  std::iota(numbers.begin(), numbers.end(), 1);
  const auto in = run.buffer("in", numbers);
  run.launch(kernel, {pair.blocks}, {pair.threads}, pair.dynamic_shared, out, in).run();
  return run;
}

} // namespace

TEST_CASE("every mistake is reported with its kind, on the lines marked and no other") {
  Marks marks = marks_in("pairs.cu");
  for (const Pair& pair : pairs_of_this_file()) {
    CAPTURE(pair.buggy);
    std::set<std::uint32_t>& mistakes = marks[pair.buggy]["mistake"];
    std::set<std::uint32_t>& others = marks[pair.buggy]["other"];
    const auto marked = [&](std::uint32_t line) {
      return mistakes.count(line) || others.count(line);
    };
    REQUIRE(!mistakes.empty());
    const TestRun run = run_kernel(pair, pair.buggy);
    CAPTURE(run.findings());
    std::set<std::uint32_t> lines, other_lines;
    for (const device::Finding& finding : run.seen.findings) {
      CHECK(device::name(finding.kind) == pair.finding);
      CHECK(finding.file == "pairs.cu");
      CHECK(finding.kernel == pair.buggy);
      CHECK(marked(finding.line));
      if (finding.kind == device::FindingKind::race) CHECK(marked(finding.other_line));
      lines.insert(finding.line);
      other_lines.insert(finding.other_line);
    }
    for (const std::uint32_t line : mistakes) CHECK_MESSAGE(lines.count(line), line);
    for (const std::uint32_t line : others) CHECK_MESSAGE(other_lines.count(line), line);
  }
}

TEST_CASE("no mended twin is reported") {
  for (const Pair& pair : pairs_of_this_file()) {
    CAPTURE(pair.mended);
    const TestRun run = run_kernel(pair, pair.mended);
    CHECK(run.findings() == "");
    CHECK(run.why() == "");
    CHECK(run.seen.status == device::Observation::Status::completed);
  }
}

TEST_CASE("every kernel of pairs.cu is in the table, and every mistake has a mended twin") {
  std::set<std::string> tested;
  for (const Pair& pair : pairs_of_this_file()) {
    tested.insert(pair.buggy);
    tested.insert(pair.mended);
  }
  std::set<std::string> written;
  for (const auto& [kernel, marks] : marks_in("pairs.cu")) {
    written.insert(kernel);
    CAPTURE(kernel);
    CHECK(marks.count("mistake") == !kernel.ends_with("_mended"));
  }
  CHECK(tested == written);
}

TEST_CASE("the book's table of racecheck has every pair about a race, with what we say of it") {
  std::map<std::string, std::vector<std::string>> rows; // by pair
  std::stringstream table(read_file(COURSE_SOURCE_DIR "/book/data/h200/racecheck.csv"));
  for (std::string line; std::getline(table, line);)
    if (!line.starts_with("#") && !line.starts_with("pair,"))
      rows[line.substr(0, line.find(','))] = split(line, ',');
  std::size_t races = 0;
  for (const Pair& pair : read_pairs()) {
    if (pair.finding != "race" && pair.finding != "same value") continue;
    ++races;
    std::string name = pair.buggy;
    if (name.ends_with("_buggy")) name.resize(name.size() - std::strlen("_buggy"));
    CAPTURE(name);
    REQUIRE(rows.count(name));
    const std::vector<std::string>& row = rows.at(name);
    REQUIRE(row.size() == 7);
    CHECK(row[1] == pair.subject);
    CHECK(row[2] == pair.memory);
    CHECK(row[3] == pair.finding);
    CHECK(row[4] == pair.mended_finding);
  }
  CHECK(rows.size() == races);
}

TEST_CASE("a mended kernel with its barrier taken out is reported again") {
  std::string ptx = ptx_of("pairs");
  const std::size_t kernel = ptx.find(".entry missing_barrier_mended");
  const std::size_t barrier = ptx.find("bar.sync", kernel);
  REQUIRE(barrier < ptx.find(".entry ", kernel + 1));
  ptx.replace(barrier, ptx.find(';', barrier) + 1 - barrier, "");
  TestRun run(ptx);
  const auto out = run.buffer("out", std::vector<int>(128), false);
  const auto in = run.buffer("in", std::vector<int>(128, 7));
  run.launch("missing_barrier_mended", {1}, {128}, 0, out, in).run();
  CHECK(run.found(device::FindingKind::race));
}

} // namespace course::emulator::findings
