#include "progress/chart.hpp"
#include "progress/hints.hpp"
#include "progress/overview.hpp"
#include "progress/standing.hpp"

#include "lab/labs.hpp"

#include <doctest/doctest.h>

namespace course::progress {
namespace {

std::vector<lab::Exercise> exercises() {
  std::vector<lab::Exercise> all(3);
  all[0].id = "01_one/1_first";
  all[1].id = "01_one/2_second";
  all[2].id = "02_two/1_third";
  for (auto& exercise : all) {
    exercise.title = "a title";
    exercise.checks = {{"output", 60, "", "", {}}, {"time", 40, "", "", {}}};
    exercise.hints = {"look", "look there", "do this"};
  }
  return all;
}

Event run(const std::string& exercise, judge::Ending ending, int points, const std::string& time) {
  Event event;
  event.time = time;
  event.kind = Event::Kind::run;
  event.exercise = exercise;
  event.run.ending = ending;
  event.run.points = points;
  event.run.max_points = 60;
  return event;
}

Event hint_at(const std::string& exercise, unsigned number, const std::string& time) {
  Event event;
  event.time = time;
  event.kind = Event::Kind::hint;
  event.exercise = exercise;
  event.hint = number;
  return event;
}

using judge::Ending;

std::size_t widest(const std::string& text) {
  std::size_t most = 0;
  for (const auto& line : report::lines_of(text)) most = std::max(most, report::columns(line));
  return most;
}

} // namespace

TEST_CASE("a later grading is told that an earlier one passed, and what the best of them earned") {
  const auto all = exercises();
  const auto first = run("01_one/1_first", Ending::failed, 20, "2026-01-01T00:00:00Z");
  CHECK_FALSE(solved_before({}, all[0]));
  CHECK_FALSE(solved_before({first}, all[0]));
  const auto second = run("01_one/1_first", Ending::passed, 60, "2026-01-02T00:00:00Z");
  const auto third = run("01_one/1_first", Ending::failed, 20, "2026-01-03T00:00:00Z");
  const auto before = solved_before({first, second, third}, all[0]);
  REQUIRE(before);
  CHECK(before->points == 60);
  CHECK(before->max_points == 60);
  CHECK_FALSE(solved_before({first, second, third}, all[1]));
}

TEST_CASE("without events nothing is solved, and the first exercise is next") {
  const auto all = exercises();
  const auto now = standings(all, {});
  REQUIRE(now.size() == 3);
  CHECK_FALSE(now[0].solved);
  CHECK(now[0].max_points == 60); // without a GPU
  REQUIRE(current(now));
  CHECK(current(now)->exercise == &all[0]);
}

TEST_CASE("the best run counts, and a solved exercise stays solved") {
  const auto all = exercises();
  const auto now = standings(all, {run(all[0].id, Ending::failed, 20, "1"),
                                   run(all[0].id, Ending::passed, 60, "2"),
                                   run(all[0].id, Ending::failed, 40, "3"),
                                   run("09_gone/1_gone", Ending::passed, 60, "4")});
  CHECK(now[0].solved);
  CHECK(now[0].points == 60);
  CHECK(now[0].runs == 3);
  CHECK(now[1].runs == 0);
}

TEST_CASE(
    "a student is at what was touched last, and goes on to what is not solved, round the end") {
  const auto all = exercises();
  const auto at_last = standings(all, {run(all[2].id, Ending::failed, 10, "5")});
  CHECK(current(at_last)->exercise == &all[2]);
  const auto hinted =
      standings(all, {run(all[2].id, Ending::failed, 10, "5"), hint_at(all[1].id, 1, "6")});
  CHECK(current(hinted)->exercise == &all[1]);
  const auto solved_last = standings(all, {run(all[2].id, Ending::passed, 60, "5")});
  CHECK(current(solved_last)->exercise == &all[0]);
  CHECK(after(solved_last, all[0].id)->exercise == &all[1]);
  CHECK(after(solved_last, all[1].id)->exercise == &all[0]);
}

TEST_CASE(
    "what was edited and never graded is where a student is, unless something is graded last") {
  const auto all = exercises();
  const auto edited = [&](std::vector<Event> events) {
    auto now = standings(all, events);
    now[1].edited = true;
    return now;
  };
  const auto fresh = edited({});
  CHECK(current(fresh)->exercise == &all[1]);
  const auto text = overview(fresh, {200, false});
  CHECK(text.find("You are at: " + all[1].id) != std::string::npos);
  CHECK(text.find("changed labs/" + all[1].id + ".cu and not graded it yet: ./course grade " +
                  all[1].id) != std::string::npos);
  CHECK(list(fresh, "", {200, false}).find("(changed, not graded) ") != std::string::npos);
  CHECK(overview(standings(all, {}), {200, false}).find("not graded it yet") == std::string::npos);
  CHECK(current(edited({run(all[2].id, Ending::failed, 10, "5")}))->exercise == &all[2]);
  CHECK(current(edited({run(all[2].id, Ending::passed, 60, "5")}))->exercise == &all[1]);
  const auto graded = edited({run(all[1].id, Ending::failed, 10, "5")});
  CHECK(overview(graded, {200, false}).find("not graded it yet") == std::string::npos);
  CHECK(list(graded, "", {200, false}).find("not graded)") == std::string::npos);
}

TEST_CASE("when all is solved, nothing is next") {
  const auto all = exercises();
  std::vector<Event> events;
  events.reserve(all.size());
  for (const auto& exercise : all) events.push_back(run(exercise.id, Ending::passed, 60, "1"));
  const auto now = standings(all, events);
  CHECK(current(now) == nullptr);
  CHECK(after(now, all[0].id) == nullptr);
  CHECK(overview(now, {}).find("Every exercise is solved") != std::string::npos);
}

TEST_CASE("the last run of an exercise is the one to explain") {
  const std::vector<Event> events{run("a/b", Ending::failed, 1, "1"),
                                  run("a/c", Ending::failed, 2, "2"),
                                  run("a/b", Ending::passed, 3, "3")};
  REQUIRE(last_run(events, "a/b"));
  CHECK(last_run(events, "a/b")->run.points == 3);
  CHECK(last_run(events, "a/d") == nullptr);
}

TEST_CASE("each hint is given once before one is repeated") {
  const auto all = exercises();
  CHECK(next_hint(standings(all, {}), all[0]) == 1);
  CHECK(next_hint(standings(all, {hint_at(all[0].id, 1, "1")}), all[0]) == 2);
  CHECK(next_hint(standings(all, {hint_at(all[0].id, 3, "1")}), all[0]) == 3);
  CHECK(hint(all[0], 1, "", {}).find("One nudge more") != std::string::npos);
  CHECK(hint(all[0], 3, "", {}).find("One nudge more") == std::string::npos);
  CHECK(hint(all[0], 2, "", {}).find("look there") != std::string::npos);
  auto published = all[0];
  published.hints.pop_back();
  CHECK(next_hint(standings(all, {hint_at(all[0].id, 2, "1")}), published) == 2);
  const auto last = hint(published, 2, "", {});
  CHECK(last.find("hint 2 of 2") != std::string::npos);
  CHECK(last.find("ask your instructor") != std::string::npos);
}

TEST_CASE("the whole course fits a screen of 80 by 24, with a line left for the prompt") {
  const auto text = overview(standings(lab::exercises(COURSE_SOURCE_DIR), {}), {});
  CHECK(report::lines_of(text).size() <= 23);
  CHECK(widest(text) <= 80);
  CHECK(text.find("not solved yet") != std::string::npos);
  CHECK(text.find("rror") == std::string::npos);
}

TEST_CASE("nothing is wider than the terminal") {
  const auto& all = lab::exercises(COURSE_SOURCE_DIR);
  std::vector<Event> events;
  for (int i = 0; i < 30; ++i) {
    auto event = run(all[0].id, Ending::did_not_compile, 0, "2026-01-01T00:00:00Z");
    event.run.shared_requests = event.run.global_requests = 3;
    event.run.wavefronts = 100'000 * static_cast<unsigned>(i);
    event.run.sectors = 7;
    event.run.time_permille = 12'345;
    events.push_back(event);
  }
  const auto now = standings(all, events);
  for (const int columns : {40, 45, 60, 64, 80, 100}) {
    CAPTURE(columns);
    const auto most = static_cast<std::size_t>(columns);
    CHECK(widest(overview(now, {columns, false})) <= most);
    CHECK(widest(list(now, "", {columns, false})) <= most);
    CHECK(widest(chart(events, all[0].id, {columns, false})) <= most);
    for (const auto& exercise : all) CHECK(widest(hint(exercise, 3, "", {columns, false})) <= most);
  }
}

TEST_CASE("a chart shows the last runs, with bars as long as their numbers are large") {
  std::vector<Event> events;
  for (unsigned i = 1; i <= 4; ++i) {
    auto event = run("a/b", i == 4 ? Ending::passed : Ending::failed, 10, "2026-01-01T00:00:00Z");
    event.run.shared_requests = event.run.ideal = 10;
    event.run.wavefronts = 10 + 310 / i * (i < 4);
    events.push_back(event);
  }
  const auto text = chart(events, "a/b", {}, 3);
  CHECK(text.find("The last 3 of 4 runs.") != std::string::npos);
  CHECK(text.find(" 31 ") == std::string::npos); // the first run
  CHECK(text.find("15.5 ################") != std::string::npos);
  CHECK(text.find("10.3 ###########\n") != std::string::npos);
  CHECK(text.find("solved              0\n") != std::string::npos);
  CHECK(text.find("sectors") == std::string::npos); // never measured
}

TEST_CASE("hints that are read after an exercise is solved are not held against it") {
  const auto all = exercises();
  const auto now =
      standings(all, {hint_at("01_one/1_first", 1, "2026-01-01T00:00:01Z"),
                      run("01_one/1_first", Ending::passed, 60, "2026-01-01T00:00:02Z"),
                      hint_at("01_one/1_first", 2, "2026-01-01T00:00:03Z")});
  CHECK(now[0].hints == 1);
  CHECK(now[0].hints_read == 2);
  CHECK(next_hint(now, all[0]) == 3);
}

} // namespace course::progress
