#include "classroom/forget.hpp"

#include "classroom/decisions.hpp"
#include "classroom/events.hpp"
#include "classroom/hand_made_folder.hpp"
#include "classroom/mentions.hpp"
#include "classroom/outputs.hpp"
#include "classroom/plan.hpp"
#include "classroom/verdict_store.hpp"
#include "system/fields.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace course::classroom {
namespace {

const std::string kTwoPeople = "id,name,email,login\n"
                               "s4711,Anna Smith,anna@uni.example,anna\n"
                               "s4712,Bert Klein,bert@uni.example,bert\n";

// Two who handed in, with everything that is kept of them.
struct TwoStudents {
  hand_made::Folder folder;
  Publishing about;
  std::vector<Member> members;

  explicit TwoStudents(bool same_text = false) {
    about.results = folder.path / "results";
    about.course = folder.path;
    about.exercises = &hand_made::exercises();
    folder.write("in/s4711/2_pad.cu", "good, hers");
    folder.write("in/s4712/2_pad.cu", same_text ? "good, hers" : "good, his");
    folder.write("results/people.csv", kTwoPeople);
    folder.write("results/times/all/t.csv", "id,submitted\ns4711,2026-10-16T20:00:00Z\n"
                                            "s4712,2026-10-16T20:00:00Z\n");
    folder.write("results/times/all/c.json",
                 R"([{"user_id": 1, "user": {"login_id": "anna"}}, {"user_id": 2}])");
    folder.write("results/times/all/submission_metadata.yml",
                 "---\nsubmission_1:\n  :submitters:\n  - :name: Anna Smith\n    :sid: s4711\n"
                 "  :created_at: 2026-10-16 20:00:00 Z\nsubmission_2:\n  :submitters:\n"
                 "  - :name: Anna Smith\n    :sid: s4711\n  - :name: Bert Klein\n    :sid: s4712\n"
                 "  :created_at: 2026-10-16 20:00:00 Z\n");
    folder.write("results/class.toml", "total = 10\n[students.s4711]\nextra_days = 2\n"
                                       "labs.05_transpose = {extra_days = 3}\n"
                                       "[students.\"bert@uni.example\"]\nextra_days = 1\n");
    grade();
  }

  void grade() {
    Planning planning;
    planning.results = about.results;
    planning.plan = {{{"", folder.path / "in"}}, 7, "emulated", {}};
    planning.exercises = about.exercises;
    planning.command = {"course"};
    planning.people = std::get<std::vector<Person>>(read_people(kTwoPeople, "people.csv"));
    REQUIRE(std::holds_alternative<Planned>(make_plan(planning)));
    Grading grading;
    grading.results = about.results;
    grading.exercises = about.exercises;
    grading.wanted = [](const std::string&) { return true; };
    grading.grade = [](const lab::Exercise& exercise, const std::filesystem::path& file) {
      return hand_made::verdict(exercise.id, *system::content_of(file));
    };
    for (const auto& id : read_roster(about.results)) grade_submission(id, grading);
    members = read_members(about.results);
    for (const auto& member : members) {
      Decision one;
      one.student = whom(member);
      one.exercise = "05_transpose/2_pad";
      one.points = one.most = 10;
      one.words = "for " + member.id;
      add_decision(about.results, one);
    }
    publish();
  }
  void publish() {
    about.decisions = std::get<std::vector<Decision>>(read_decisions(about.results));
    publish_outputs(about);
  }
  std::string text(const char* name) const {
    return system::content_of(about.results / name).value_or("");
  }
  std::size_t files(const char* kind) const {
    std::size_t count = 0;
    for (const auto& entry : hand_made::fs::recursive_directory_iterator(about.results / kind))
      count += entry.is_regular_file();
    return count;
  }
};

} // namespace

TEST_CASE("who is forgotten is in no file of the results, and who is not is as before") {
  TwoStudents all;
  REQUIRE(all.members.size() == 2);
  const auto words = words_for(all.about.results, all.members[0]);
  for (const char* word : {"s4711", "anna", "anna@uni.example", "Anna Smith"})
    CHECK_MESSAGE(words.contains(word), word);
  const auto before = mentions(all.about.results, words);
  const auto says = [&](const std::string& name) {
    return std::ranges::any_of(before.places,
                               [&](const auto& place) { return place.starts_with(name); });
  };
  for (const char* name :
       {"people.csv", "times/all/t.csv", "times/all/c.json", "times/all/submission_metadata.yml",
        "class.toml", "decisions.jsonl", "events.jsonl", "students.json", "records", "roster.txt",
        "ctest", "grades.csv", "totals.csv", "grades.json", "index.html", "students/s4711"})
    CHECK_MESSAGE(says(name), name);
  const auto his = words_for(all.about.results, all.members[1]);
  const auto of_him = mentions(all.about.results, his).places.size();
  CHECK(all.files("archive") == 2);
  CHECK(all.files("verdicts") == 2);

  forget(all.about.results, all.members, 0);
  all.publish();
  const auto left = mentions(all.about.results, words);
  CHECK(left.searched > 10);
  CHECK(system::joined(left.places, " ") == "");
  CHECK(all.files("archive") == 1);
  CHECK(all.files("verdicts") == 1);
  CHECK(mentions(all.about.results, his).places.size() == of_him);
  CHECK(all.text("class.toml") == "total = 10\n[students.\"bert@uni.example\"]\nextra_days = 1\n");
  CHECK(all.text("totals.csv").find("Bert Klein,10.00") != std::string::npos);
  Decision next;
  next.student = whom(all.members[1]);
  CHECK(add_decision(all.about.results, next).number == 3); // a number is never used twice
}

TEST_CASE("a text that another handed in as well stays, and what a search finds is no guess") {
  TwoStudents all(true);
  forget(all.about.results, all.members, 0);
  all.publish();
  CHECK(all.files("archive") == 1);
  CHECK(all.files("verdicts") == 1);
  CHECK(all.text("grades.csv").find("Bert Klein,05_transpose,05_transpose/2_pad,graded,passed") !=
        std::string::npos);
  const hand_made::Folder folder;
  folder.write("a.txt", "annabel\nx Anna.\n");
  folder.write("b.txt", "问李雷吧\n");
  CHECK(mentions(folder.path, {"李雷"}).places == std::vector<std::string>{"b.txt:1"});
  folder.write("anna/b.txt", "Annas");
  CHECK(mentions(folder.path, {"anna"}).places.size() == 2);
  CHECK(mentions(folder.path, {"anna"}).searched == 3);
}

} // namespace course::classroom
