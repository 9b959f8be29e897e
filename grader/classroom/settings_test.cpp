#include "classroom/settings.hpp"

#include "classroom/hand_made_folder.hpp"

#include <doctest/doctest.h>

namespace course::classroom {
namespace {

Settings settings(const std::string& text) {
  auto read = read_settings(text, "class.toml", hand_made::exercises());
  if (const auto* what = std::get_if<std::string>(&read)) FAIL(*what);
  return std::get<Settings>(std::move(read));
}

std::string what_is_wrong(const std::string& text) {
  const auto read = read_settings(text, "class.toml", hand_made::exercises());
  const auto* what = std::get_if<std::string>(&read);
  return what ? *what : "";
}

} // namespace

TEST_CASE("settings are read, and what is left out has its usual value") {
  const auto read = settings(R"toml(
# autumn
course = "CS 420"
seed = 1729
zone = "Europe/Berlin"
tell_seed = true
counts = "passed"
of_two_files = "newest"
drop = ["time"]
total = 100
exercises = ["05_transpose/2_pad"]

[late]
percent_a_day = 12.5
days = 3
grace_minutes = 15
free_days = 5

[labs.05_transpose]
due = 2026-11-20T23:59:00
weight = 2
late = {percent_a_day = 50}
exercises.2_pad = {weight = 0.5, counts = "passed", points = {conflicts = 30}}

[labs.08_tiled_product]
due = 2026-11-20T23:59:00-05:00
total = 20
column = "Lab 8 (101)"

[students."anna@uni.example"]
extra_days = 2
labs.05_transpose = {submitted = 2026-11-20T22:10:00Z}
)toml");
  CHECK(read.course == "CS 420");
  CHECK(read.language.empty());
  CHECK(read.seed == 1729);
  CHECK(read.tell_seed);
  CHECK_FALSE(read.feedback_at_once);
  CHECK(read.counts == Counting::passed);
  CHECK(settings("").counts == Counting::above_skeleton);
  CHECK(read.newest_counts);
  CHECK_FALSE(settings("").newest_counts);
  CHECK(read.free_days == 5);
  CHECK(read.drop == std::set<std::string>{"time"});
  CHECK(read.total == 100);
  CHECK(read.late.percent_a_day == 12.5);
  CHECK(read.late.grace_minutes == 15);
  const auto& transpose = read.labs.at("05_transpose");
  CHECK(transpose.due == time_of("2026-11-20T22:59:00Z"));
  CHECK(transpose.weight == 2);
  CHECK(transpose.late->percent_a_day == 50);
  CHECK(transpose.exercises.at("2_pad").weight == 0.5);
  CHECK(transpose.exercises.at("2_pad").counts == Counting::passed);
  CHECK(transpose.exercises.at("2_pad").points.at("conflicts") == 30);
  CHECK(read.labs.at("08_tiled_product").due == time_of("2026-11-21T04:59:00Z"));
  CHECK(read.labs.at("08_tiled_product").total == 20);
  CHECK(read.labs.at("08_tiled_product").column == "Lab 8 (101)");
  REQUIRE(read.students.size() == 1);
  CHECK(read.students[0].who == "anna@uni.example");
  CHECK(read.students[0].where == "class.toml:30");
  CHECK(read.students[0].all.extra_days == 2);
  CHECK(read.students[0].labs.at("05_transpose").submitted == time_of("2026-11-20T22:10:00Z"));
  CHECK(settings("").labs.empty());
}

TEST_CASE("what is misspelt, twice there or of the wrong kind is an error with its line") {
  struct Wrong {
    const char* text;
    const char* says;
  };
  for (const auto& [text, says] :
       {Wrong{"\nlaps = 1", "class.toml:2: laps: is not known here"},
        {"[labs.05_transpos]\n", "class.toml:1: labs.05_transpos: there is no such lab"},
        {"[labs.05_transpose]\ndeu = 1", "class.toml:2: labs.05_transpose.deu: is not known"},
        {"exercises = [\"05_transpose\"]", "class.toml:1: exercises[0]: there is no exercise"},
        {"[late]\npercent = 10", "class.toml:2: late.percent: is not known"},
        {"\nseed = -1", "class.toml:2: seed: should be a whole number from 0 on"},
        {"seed = 1.5", "class.toml:1: seed: should be a whole number"},
        {"seed = \"x\"", "class.toml:1: seed: should be a whole number"},
        {"[late]\ndays = 1.5", "class.toml:2: late.days: should be a whole number"},
        {"[late]\ndays = -1", "class.toml:2: late.days: should be from 0 to"},
        {"[late]\ngrace_minutes = 0.5", "class.toml:2: late.grace_minutes: should be a whole"},
        {"[late]\npercent_a_day = -3", "class.toml:2: late.percent_a_day: should be a number from"},
        {"[late]\npercent_a_day = nan", "class.toml:2: late.percent_a_day: should be a number"},
        {"[students.rosa]\nextra_days = 1\n[students.rosa]\nextra_days = 2", "class.toml:3: "},
        {"seed = 1\nseed = 2", "class.toml:2: "},
        {"labs = 1", "class.toml:1: labs: should be a table"},
        {"tell_seed = 1", "class.toml:1: tell_seed: should be true or false"},
        {"counts = \"solved\"", "class.toml:1: counts: there is \"points\""},
        {"of_two_files = \"first\"", "class.toml:1: of_two_files: there is \"ask\""},
        {"[labs.05_transpose]\nlate = {free_days = 2}", "free_days: is not known here"},
        {"drop = [\"tiem\"]", "class.toml:1: drop[0]: there is no check 'tiem'"},
        {"total = 0", "class.toml:1: total: should be a number above 0"},
        {"language = \"klingon\"", "class.toml:1: language: this grader speaks en"},
        {"zone = \"Berlin\"", "class.toml:1: zone: this machine knows no such zone"},
        {"[labs.05_transpose]\ntotal = 20\nweight = 2", "class.toml:3: labs.05_transpose.weight: "},
        {"[labs.05_transpose]\nexercises.9_no = {weight = 2}", "there is no exercise"},
        {"[labs.05_transpose]\nexercises.2_pad.points = {tiem = 2}", "there is no check 'tiem'"},
        {"[labs.05_transpose]\ndue = \"tomorrow\"", "class.toml:2: labs.05_transpose.due: should"},
        {"[labs.05_transpose]\ndue = 2026-11-20", "class.toml:2: labs.05_transpose.due: should"},
        {"[labs.05_transpose]\ndue = 2026-11-20T23:59:00", "says no zone"},
        {"[students.anna]\nsubmitted = 12", "class.toml:2: students.anna.submitted: should be"},
        {"[students.anna]\ndue = 2026-11-20T23:59:00Z\nextra_days = 2", "class.toml:3: "},
        {"[students.anna]\nlabs.5 = {extra_days = 2}", "there is no such lab"},
        {"zone = \"Europe/Berlin\"\n[labs.05_transpose]\ndue = 2026-03-29T02:30:00",
         "class.toml:3: labs.05_transpose.due: there is no such time"},
        {"{\"seed\": 1}", "class.toml:1: "}}) {
    INFO(text);
    CHECK_MESSAGE(what_is_wrong(text).find(says) != std::string::npos, what_is_wrong(text));
  }
}

TEST_CASE("what tables alone cannot apply is what submissions are read and graded by") {
  const auto before = settings("seed = 1\ntotal = 100\nzone = \"Europe/Berlin\"");
  CHECK(only_by_grading(before, before).empty());
  CHECK(only_by_grading(before, settings("zone = \"Europe/Berlin\"\n"
                                         "counts = \"passed\"\n[late]\nfree_days = 3"))
            .empty()); // without a seed, the one that was drawn or given goes on
  CHECK(only_by_grading(before, settings("seed = 2\nof_two_files = \"newest\"")) ==
        std::vector<std::string>{"seed", "zone", "of_two_files"});
}

} // namespace course::classroom
