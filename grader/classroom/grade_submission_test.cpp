#include "classroom/grade_submission.hpp"

#include "classroom/hand_made_folder.hpp"
#include "classroom/plan.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <stdexcept>

namespace course::classroom {
namespace {

// A class of one, with a grader that counts its calls in a file, since it runs in a child.
struct Class {
  hand_made::Folder folder;
  Grading grading;
  Class() {
    grading.results = folder.path / "results";
    grading.exercises = &hand_made::exercises();
    grading.circumstances.grader = "1";
    grading.wanted = [](const std::string&) { return true; };
    grading.place = "here";
    grading.limit = std::chrono::seconds{5};
    grading.grade = [this](const lab::Exercise& exercise, const std::filesystem::path& file) {
      const auto source = *system::content_of(file);
      system::publish(folder.path / "calls",
                      system::content_of(folder.path / "calls").value_or("") + "x");
      if (source == "crash") std::raise(SIGSEGV);
      if (source == "throw") throw std::runtime_error("the GPU has fallen off the bus");
      auto verdict = hand_made::verdict(exercise.id, source);
      if (source == "set up") verdict.ending = judge::Ending::set_up;
      return verdict;
    };
  }
  void hand_in(const std::string& file, const std::string& text) const {
    folder.write("submissions/anna/" + file, text);
  }
  Tally grade() const {
    Planning planning;
    planning.results = grading.results;
    planning.plan = {{{"", folder.path / "submissions"}}, 1, "emulated", {}};
    planning.exercises = &hand_made::exercises();
    planning.command = {"course", "class-one"};
    make_plan(planning);
    return grade_submission(read_roster(grading.results).front(), grading);
  }
  std::size_t calls() const {
    return system::content_of(folder.path / "calls").value_or("").size();
  }
  Record record() const {
    return *read_record(grading.results, read_roster(grading.results).front());
  }
};

} // namespace

TEST_CASE("each exercise is graded once, and again only when something changed") {
  Class one;
  one.hand_in("05_transpose/2_pad.cu", "good");
  one.hand_in("08_tiled_product/2_ratio.cu", "bad");
  CHECK(one.grade().graded == 2);
  CHECK(one.calls() == 2);
  const auto again = one.grade();
  CHECK(again.graded == 0);
  CHECK(again.known == 2);
  CHECK(again.complete());
  CHECK(one.calls() == 2);
  one.hand_in("05_transpose/2_pad.cu", "good, better");
  CHECK(one.grade().graded == 1);
  one.grading.circumstances.grader = "2";
  CHECK(one.grade().graded == 2);
  CHECK(one.calls() == 5);
}

TEST_CASE("an exercise whose data changed is graded again, and no other is") {
  Class one;
  auto exercises = hand_made::exercises();
  exercises[1].files = {one.folder.write("2_pad.toml", "points = 10")};
  one.grading.exercises = &exercises;
  one.hand_in("05_transpose/2_pad.cu", "good");
  one.hand_in("08_tiled_product/2_ratio.cu", "good");
  CHECK(one.grade().graded == 2);
  CHECK(one.grade().known == 2);
  one.folder.write("2_pad.toml", "points = 20");
  const auto again = one.grade();
  CHECK(again.graded == 1);
  CHECK(again.known == 1);
  CHECK(one.calls() == 3);
}

TEST_CASE("a text that another student handed in is known") {
  Class one;
  one.hand_in("05_transpose/2_pad.cu", "good");
  one.grade();
  one.folder.write("submissions/bert/05_transpose/2_pad.cu", "good");
  one.grade();
  const auto bert = grade_submission(read_roster(one.grading.results).at(1), one.grading);
  CHECK(bert.known == 1);
  CHECK(one.calls() == 1);
}

TEST_CASE("a grader that crashes, fails or finds no GPU costs no grade, and is tried three times") {
  for (const char* text : {"crash", "throw", "set up"}) {
    INFO(text);
    Class one;
    one.hand_in("05_transpose/2_pad.cu", text);
    one.hand_in("08_tiled_product/2_ratio.cu", "good");
    auto tally = one.grade();
    CHECK(tally.failed == 1);
    CHECK(tally.graded == 1); // the other one
    CHECK_FALSE(tally.complete());
    one.grade();
    one.grade();
    CHECK(one.calls() == 4);
    tally = one.grade();
    CHECK(tally.given_up == 1);
    CHECK_FALSE(tally.complete());
    CHECK(one.calls() == 4);
    CHECK(one.record().rows[0].failed.size() == kMostAttempts);
    CHECK(one.record().rows[0].failed[0].starts_with("here: "));
    one.grading.try_given_up = true;
    CHECK(one.grade().failed == 1);
    CHECK(one.record().rows[0].failed.size() == 1);
  }
}

TEST_CASE("another file has attempts of its own") {
  Class one;
  one.hand_in("05_transpose/2_pad.cu", "throw");
  one.grade();
  one.hand_in("05_transpose/2_pad.cu", "good");
  CHECK(one.grade().complete());
  CHECK(one.record().rows[0].failed.empty());
}

TEST_CASE("labs that are not asked for keep what they have") {
  Class one;
  one.hand_in("05_transpose/2_pad.cu", "good");
  one.hand_in("08_tiled_product/2_ratio.cu", "good");
  one.grading.wanted = [](const std::string& lab) { return lab == "05_transpose"; };
  CHECK(one.grade().graded == 1);
  CHECK(one.record().rows.size() == 2);
  one.grading.wanted = [](const std::string& lab) { return lab == "08_tiled_product"; };
  const auto tally = one.grade();
  CHECK(tally.graded == 1);
  CHECK(tally.known == 1);
}

TEST_CASE("what cannot be graded is a row with a reason, and complete") {
  Class one;
  one.hand_in("a/2_pad.cu", "one");
  one.hand_in("b/2_pad.cu", "two");
  CHECK(one.grade().complete());
  CHECK(one.calls() == 0);
  CHECK_FALSE(one.record().rows.at(0).refused.empty());
}

TEST_CASE("each grading is a line of events, once") {
  Class one;
  one.hand_in("05_transpose/2_pad.cu", "good");
  one.grade();
  one.grade();
  const auto lines = system::content_of(one.grading.results / "events.jsonl").value_or("");
  CHECK(std::count(lines.begin(), lines.end(), '\n') == 1);
  CHECK(lines.find("\"verdict\":\"passed\"") != lines.npos);
}

TEST_CASE("a student who is not in the plan is an error") {
  Class one;
  one.hand_in("05_transpose/2_pad.cu", "good");
  one.grade();
  CHECK_THROWS_AS(grade_submission("nobody", one.grading), std::runtime_error);
}

} // namespace course::classroom
