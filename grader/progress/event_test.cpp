#include "progress/event.hpp"

#include "judge/time.hpp"
#include "language/translate.hpp"

#include <doctest/doctest.h>

namespace course::progress {
namespace {

judge::Verdict verdict() {
  judge::Verdict verdict;
  verdict.exercise = "05_transpose/2_pad";
  verdict.ending = judge::Ending::failed;
  verdict.points = 40;
  verdict.max_points = 60;
  verdict.seed = 7;
  judge::Check conflicts;
  conflicts.name = "conflicts";
  conflicts.status = judge::Status::failed;
  conflicts.measures = {{"conflicts", 310, 0, 0}};
  conflicts.facts = judge::facts::Conflicts{20, 10, 320, 10, {29}};
  conflicts.max_points = 15;
  judge::Check compile;
  compile.name = "compile";
  compile.status = judge::Status::passed;
  verdict.checks = {compile, conflicts};
  device::LineCounts load, store, input;
  load.kind = model::kind_of("shared_load_4").value();
  load.requests = 10;
  load.wavefronts = 320;
  load.ideal = 10;
  store.kind = model::kind_of("shared_store_4").value();
  store.requests = store.wavefronts = store.ideal = 10;
  input.kind = model::kind_of("global_load_4").value();
  input.requests = 10;
  input.sectors = 40;
  verdict.lines = {load, store, input};
  return verdict;
}

} // namespace

TEST_CASE("a run keeps what a verdict counted, and the checks that earn points or failed") {
  const auto run = run_of(verdict());
  CHECK(run.shared_requests == 20);
  CHECK(run.conflicts() == 310);
  CHECK(run.shown_conflicts().conflicts == 310); // as the check says: 31 per request
  CHECK(run.shown_conflicts().requests == 10);
  CHECK(run.global_requests == 10);
  CHECK(run.sectors == 40);
  CHECK_FALSE(run.time_permille);
  REQUIRE(run.scores.size() == 1);
  CHECK(run.scores[0].check == "conflicts");
}

TEST_CASE("what a check that passed waits for is kept") {
  auto waiting = verdict();
  judge::Check memory;
  memory.name = "memory";
  memory.status = judge::Status::passed;
  memory.max_points = 5;
  memory.pair = "conflicts";
  waiting.checks.push_back(memory);
  Event event;
  event.kind = Event::Kind::run;
  event.time = "2026-11-21T07:05:13Z";
  event.run = run_of(waiting);
  const auto again = event_of(line_of(event));
  REQUIRE(again);
  REQUIRE(again->run.scores.size() == 2);
  CHECK(again->run.scores[0].awaited.empty());
  CHECK(again->run.scores[1].awaited == "conflicts");
}

TEST_CASE("what was graded in another language is said in it again, and in English to others") {
  Event event;
  event.kind = Event::Kind::run;
  event.time = "2026-11-21T07:05:13Z";
  REQUIRE(language::speak("zh_CN"));
  event.run = run_of(verdict());
  const auto line = line_of(event);
  const auto again = event_of(line);
  language::speak("");
  const auto in_english = event_of(line);
  REQUIRE(again);
  REQUIRE(in_english);
  CHECK(in_english->run.scores.at(0).observed == run_of(verdict()).scores.at(0).observed);
  CHECK(again->run.scores.at(0).observed != in_english->run.scores.at(0).observed);
  CHECK(again->run.scores.at(0).observed == event.run.said->scores.at(0)[0]);
  CHECK(line.find("conflicts") != line.npos);
  event.run = run_of(verdict());
  CHECK_FALSE(event.run.said);
}

TEST_CASE("where no check is about conflicts, a run has those of the lines with any") {
  auto counted = verdict();
  counted.checks.clear();
  CHECK(run_of(counted).shown_conflicts().conflicts == 310);
  CHECK(run_of(counted).shown_conflicts().requests == 10);
  counted.lines.erase(counted.lines.begin());
  CHECK(run_of(counted).shown_conflicts().conflicts == 0);
  CHECK(run_of(counted).shown_conflicts().requests == 10);
}

TEST_CASE("a run keeps how its time compares with the solution's") {
  auto timed = verdict();
  judge::Timing timing;
  timing.limit = 1.15;
  timing.seconds = 1.08;
  timing.ratio = timing.low = timing.high = 1.08;
  timed.checks.push_back(judge::check_time(timing));
  CHECK(run_of(timed).time_permille == 1080);
}

TEST_CASE("an event comes back from its line as it was") {
  Event event;
  event.time = now();
  event.kind = Event::Kind::run;
  event.exercise = "05_transpose/2_pad";
  event.run = run_of(verdict());
  event.run.time_permille = 1080;
  event.run.headline = "It \"crashed\",\nso.";
  const auto line = line_of(event);
  CHECK(line.find('\n') == line.size() - 1);
  const auto back = event_of(line);
  REQUIRE(back);
  CHECK(back->time == event.time);
  CHECK(back->kind == event.kind);
  CHECK(back->exercise == event.exercise);
  CHECK(back->run.ending == event.run.ending);
  CHECK(back->run.points == 40);
  CHECK(back->run.max_points == 60);
  CHECK(back->run.seed == 7);
  CHECK(back->run.headline == event.run.headline);
  CHECK(back->run.conflicts() == 310);
  CHECK(back->run.time_permille == 1080);
  REQUIRE(back->run.scores.size() == 1);
  CHECK(back->run.scores[0].status == judge::Status::failed);
  CHECK(back->run.scores[0].observed == "31 per request, on line 29");
  CHECK(back->run.scores[0].limit == "0");
}

TEST_CASE("bytes of a student that are no UTF-8 do not spoil a line") {
  Event event;
  event.time = now();
  event.kind = Event::Kind::run;
  event.exercise = "a/b";
  event.run.headline = "\xff\xfe";
  CHECK(event_of(line_of(event)));
}

TEST_CASE("an ideal beyond the wavefronts, which no run has, makes no conflicts below zero") {
  Event event;
  event.time = now();
  event.kind = Event::Kind::run;
  event.exercise = "a/b";
  event.run.ideal = 5;
  const auto back = event_of(line_of(event));
  REQUIRE(back);
  CHECK(back->run.conflicts() == 0);
}

TEST_CASE("a line is no event without a time and an exercise, or with words that mean nothing") {
  CHECK_FALSE(event_of(""));
  CHECK_FALSE(event_of("{"));
  CHECK_FALSE(event_of("[1]"));
  CHECK_FALSE(event_of(R"({"event":"hint","exercise":"a/b","number":1})"));
  CHECK_FALSE(
      event_of(R"({"event":"hint","time":"2026-01-01 00:00:00","exercise":"a","number":1})"));
  CHECK_FALSE(event_of(R"({"event":"hint","time":"2026-01-01T00:00:00Z","number":1})"));
  CHECK_FALSE(event_of(R"({"event":"hint","time":"2026-01-01T00:00:00Z","exercise":"a"})"));
  auto event = Event{};
  event.time = now();
  event.kind = Event::Kind::run;
  event.exercise = "a/b";
  auto line = line_of(event);
  CHECK(event_of(line));
  const std::string word = "passed";
  line.replace(line.find(word), word.size(), "fine");
  CHECK_FALSE(event_of(line));
}

} // namespace course::progress
