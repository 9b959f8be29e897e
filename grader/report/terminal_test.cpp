#include "report/terminal.hpp"

#include "report/focus.hpp"
#include "report/hand_made_verdicts.hpp"

#include <doctest/doctest.h>

namespace course::report {
namespace {

const std::string kEvil = "\033]0;title\007\033[2J\r\x9b"
                          "31m\xe2\x80\xae";

// A text without the colours that a report may use itself.
std::string without_colours(std::string text) {
  for (auto at = text.find("\033["); at != text.npos; at = text.find("\033["))
    text.erase(at, text.find('m', at) - at + 1);
  return text;
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("no line is wider than the terminal") {
  for (const auto& staged : hand_made::verdicts()) {
    const auto& verdict = staged.second;
    if (!verdict.compiler.empty()) continue; // nvcc's own words are passed on as they are
    for (int width = 40; width <= 120; width += 8)
      for (const auto& line : lines_of(terminal(verdict, "", {width, false})))
        CHECK_MESSAGE(static_cast<int>(columns(line)) <= width, staged.first << ": " << line);
  }
}

TEST_CASE("one of many on a page says nothing of the GPU that none of them had, nor of the seed") {
  const auto verdict = hand_made::verdicts().at("passed");
  CHECK(says(terminal(verdict, "", {80, false}), "needs a GPU"));
  const auto text = terminal(verdict, "", {80, false, false});
  CHECK_FALSE(says(text, "GPU"));
  CHECK_FALSE(says(text, "time"));
  CHECK_FALSE(says(text, "--seed"));
  CHECK(says(text, "Solved: 60 of 60 points."));
}

TEST_CASE("a solved exercise stays solved, and its report says so") {
  auto verdict = hand_made::verdicts().at("conflicts");
  CHECK(says(terminal(verdict, "", {80, false}), "Not solved yet: 45 of 60 points."));
  verdict.solved_before = {100, 100};
  const auto text = terminal(verdict, "", {80, false});
  CHECK(says(text, "It stays solved: 100 of 100 points; this text has 45."));
  CHECK_FALSE(says(text, "Not solved yet"));
  auto passed = hand_made::verdicts().at("passed");
  passed.solved_before = {100, 100};
  CHECK(says(terminal(passed, "", {80, false}), "Solved: 60 of 60 points"));
  auto not_graded = hand_made::verdicts().at("set_up");
  not_graded.solved_before = {100, 100};
  CHECK(says(terminal(not_graded, "", {80, false}), "Not graded."));
}

TEST_CASE("checks that passed and earn nothing say what they wait for") {
  const Terminal wide{200, false};
  CHECK(says(terminal(hand_made::verdicts().at("edges"), "", wide),
             "Points of memory, coalescing count once output passes."));
  CHECK_FALSE(says(terminal(hand_made::verdicts().at("conflicts"), "", wide), "count once"));
  CHECK_FALSE(says(terminal(hand_made::verdicts().at("passed"), "", wide), "count once"));
  CHECK(says(terminal_body(hand_made::verdicts().at("edges"), "", wide, 1), "count once output"));
}

TEST_CASE("a terminal narrower than 40 columns is treated as 40 wide") {
  const auto verdict = hand_made::verdicts().at("conflicts");
  CHECK(terminal(verdict, "", {1, false}) == terminal(verdict, "", {40, false}));
}

TEST_CASE("without colours there is no escape, with them only colours") {
  for (const auto& [name, verdict] : hand_made::verdicts()) {
    CHECK_FALSE(says(terminal(verdict, "", {80, false}), "\033"));
    CHECK(without_colours(terminal(verdict, "", {80, true})) == terminal(verdict, "", {80, false}));
  }
}

TEST_CASE("a note of the memory checker is shown beside a pass, with its line and thread") {
  auto verdict = hand_made::verdicts().at("passed");
  verdict.findings = {hand_made::finding(device::FindingKind::same_value, 29,
                                         "writes found[0], to which thread (0,0,0) writes the same "
                                         "value, and nothing orders the two",
                                         false)};
  const auto text = terminal(verdict, "", {200, false});
  CHECK(says(text, "Note: on line 29, thread ("));
  CHECK(says(text, "writes found[0], to which thread (0,0,0) writes the same value"));
  CHECK(says(text, "Solved: "));
}

TEST_CASE("why a lesson saves no time stands before what it explains") {
  auto verdict = hand_made::verdicts().at("passed");
  verdict.does_not_pay = "On an H200 this saves no time.";
  const auto text = terminal(verdict, "", {200, false});
  const auto says_why = text.find(verdict.does_not_pay), explains = text.find("Conflicts went");
  CHECK(says_why < explains);
  CHECK(explains != text.npos);
  verdict.does_not_pay.clear();
  CHECK_FALSE(says(terminal(verdict, "", {200, false}), "On an H200"));
}

TEST_CASE("nothing that comes from the student steers the terminal") {
  auto verdict = hand_made::verdicts().at("out_of_bounds");
  verdict.file = verdict.exercise = kEvil;
  verdict.findings[0].message = verdict.findings[0].file = kEvil;
  for (auto& check : verdict.checks) check.place.file = check.shape.label = kEvil;
  verdict.notes = {judge::facts::Ignored{kEvil}};
  verdict.printed = kEvil;
  auto told = hand_made::verdicts().at("did_not_compile");
  told.ended = judge::endings::Unreadable{kEvil, kEvil};
  told.compiler = told.explanation = kEvil;
  std::vector all{verdict, told};
  namespace facts = judge::facts;
  for (const judge::Facts& found : std::initializer_list<judge::Facts>{
           facts::NotMeasured{facts::Missing::kernel_not_executed, kEvil},
           facts::Ended{judge::endings::Unreadable{kEvil, kEvil}}, facts::NothingLaunched{kEvil},
           facts::CallRefused{kEvil, kEvil, kEvil}, facts::Found{verdict.findings[0]},
           facts::Changed{{{}, kEvil, 0}}}) {
    all.push_back(verdict);
    all.back().checks.resize(1);
    all.back().checks[0].status = judge::Status::failed;
    all.back().checks[0].facts = found;
  }
  for (const auto& one : all) {
    for (const unsigned char byte : terminal(one, kEvil, {80, false})) {
      CHECK((byte >= 0x20 || byte == '\n'));
      CHECK((byte < 0x80 || byte > 0x9f));
    }
  }
}

TEST_CASE("a long output of the student's program is cut") {
  auto verdict = hand_made::verdicts().at("crashed");
  verdict.printed.clear();
  for (int i = 0; i < 1000; ++i) verdict.printed += "again\n";
  CHECK(says(terminal(verdict, "", {}), "... and 988 more lines"));
}

TEST_CASE("that a kernel takes far too much is told last") {
  auto verdict = hand_made::verdicts().at("conflicts");
  judge::Check cost;
  cost.name = "kernel";
  cost.status = judge::Status::failed;
  cost.facts = judge::facts::CostsTooMuch{1024};
  cost.measures = {{"instructions", 57'732, 0, 50'080}};
  verdict.checks.insert(verdict.checks.begin(), cost);
  CHECK(says(terminal(verdict, "", {}), "way conflict"));
  CHECK_FALSE(says(terminal(verdict, "", {}), "Its warps take"));
  for (auto& check : verdict.checks)
    if (check.name == "conflicts") check.status = judge::Status::passed;
  CHECK(says(terminal(verdict, "", {}), "Its warps take 57,732 instructions"));
}

TEST_CASE("a check that was not measured says why, and is never called passed") {
  const auto text = terminal(hand_made::verdicts().at("traffic"), "", {});
  CHECK(says(text, "conflicts    not measured: no shared memory is touched"));
  CHECK(says(text, "time         not measured: needs a GPU"));
}

TEST_CASE("a race is told with what the author asks, and beside one of blocks what else is wrong") {
  auto verdict = hand_made::verdicts().at("race");
  const auto shown = [&] { return terminal(verdict, "", {}); };
  for (auto& check : verdict.checks) {
    if (check.name == "output") check.question = "Who adds up the rest?";
    if (check.name == "memory") check.question = "Which threads come to the barrier?";
  }
  CHECK(says(shown(), "Which threads come to the barrier?"));
  CHECK_FALSE(says(shown(), "Who adds up the rest?"));
  for (auto& check : verdict.checks)
    if (auto* found = std::get_if<judge::facts::Found>(&check.facts))
      found->finding.meeting = device::Meeting::between_blocks;
  CHECK(says(shown(), "are wrong as well"));
  CHECK(says(shown(), "Who adds up the rest?"));
  for (auto& check : verdict.checks)
    if (auto* found = std::get_if<judge::facts::Found>(&check.facts))
      found->finding.kind = device::FindingKind::uninitialised;
  CHECK_FALSE(says(shown(), "Which threads come to the barrier?"));
}

TEST_CASE("a line of a header is said to be one, and nothing is asked about its lanes") {
  auto verdict = hand_made::verdicts().at("conflicts");
  CHECK_FALSE(says(terminal(verdict, "", {}), "a header"));
  for (auto& check : verdict.checks)
    if (check.place.line != 0) check.place.file = "scan.cuh";
  for (auto& line : verdict.lines) line.file = "scan.cuh";
  Terminal wide;
  wide.columns = 1000;
  const auto text = terminal(verdict, "", wide);
  CHECK(says(text, "it is in scan.cuh, a header that it includes"));
  CHECK(says(text, "counts as your own"));
  CHECK_FALSE(says(text, "are in bank"));
}

TEST_CASE("a value that belongs to another index is said before the race of blocks it makes") {
  auto verdict = hand_made::verdicts().at("race");
  REQUIRE(verdict.wrong);
  for (auto& check : verdict.checks)
    if (auto* found = std::get_if<judge::facts::Found>(&check.facts))
      found->finding.meeting = device::Meeting::between_blocks;
  REQUIRE(focus_of(verdict)->name == "memory");
  verdict.wrong->comparison.belongs = judge::Element{};
  CHECK(focus_of(verdict)->name == "output");
  for (auto& check : verdict.checks)
    if (auto* found = std::get_if<judge::facts::Found>(&check.facts))
      found->finding.meeting = device::Meeting::in_any_order;
  CHECK(focus_of(verdict)->name == "memory"); // the values may be others by this race
}

TEST_CASE("counts that rest on a guess are said to") {
  auto verdict = hand_made::verdicts().at("conflicts");
  CHECK_FALSE(says(terminal(verdict, "", {}), "may have made other accesses"));
  CHECK_FALSE(says(terminal(verdict, "", {}), "at least"));
  for (auto& line : verdict.lines) line.width_from_sass = name_of(line.kind) != "shared_load_4";
  CHECK(says(terminal(verdict, "", {}), "may have made other accesses of those on line 29"));
  Terminal wide;
  wide.columns = 1000;
  // Not that nothing need be done: it is not solved yet.
  CHECK(says(terminal(verdict, "", wide), "no check fails by that alone.\n"));
  auto open = verdict;
  open.checks.front().facts = judge::facts::NotKnown{judge::facts::Uncertain::accesses};
  CHECK_FALSE(says(terminal(open, "", wide), "no check fails by that alone"));
  CHECK(says(terminal(open, "", wide), "a check is not measured for it"));
  for (auto& line : verdict.lines) line.at_least = true;
  CHECK(says(terminal(verdict, "", {}), "the atomics on lines 22 and 29 try again"));
}

TEST_CASE("a source that is not there is not quoted, and the rest stands") {
  const auto text = terminal(hand_made::verdicts().at("conflicts"), "", {});
  CHECK(says(text, "32-way conflict"));
  CHECK_FALSE(says(text, "29 |"));
}

} // namespace course::report
