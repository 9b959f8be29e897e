#include "classroom/gradebook.hpp"

#include "classroom/hand_made_folder.hpp"

#include <doctest/doctest.h>

namespace course::classroom {
namespace {

using report::State;

const std::vector<std::string> kAsked{"05_transpose/1_tile", "05_transpose/2_pad",
                                      "08_tiled_product/2_ratio"};

struct Book {
  hand_made::Folder folder;
  Settings settings;
  VerdictStore store{folder.path};
  Record record;
  Member member = hand_made::member("anna");
  Book() {
    record.id = record.name = "anna";
    record.read = true;
  }
  void add(const std::string& exercise, const std::string& source) {
    const auto key = verdict_key(exercise, "1", source, {});
    if (source != "lost") store.put(key, hand_made::verdict(exercise, source), source, 1);
    record.rows.push_back(
        {exercise, "mine/x.cu", key, "", true, {}, 1'000'000, "date of the file", "", "1"});
  }
  report::GradedStudent student() const {
    Gradebook book(settings, hand_made::exercises(), kAsked);
    return book.student(member, {{"", record}}, store);
  }
};

} // namespace

TEST_CASE("points are those of the verdicts, and what is missing costs its points") {
  Book book;
  book.add("05_transpose/2_pad", "good");
  const auto student = book.student();
  REQUIRE(student.exercises.size() == 3);
  CHECK(student.exercises[0].state == State::missing);
  CHECK(student.exercises[0].max_points == 15); // time needs a GPU
  CHECK(student.exercises[1].passed());
  CHECK(student.exercises[1].path == "mine/x.cu");
  CHECK(student.score == 10);
  CHECK(student.max_score == 40);
}

TEST_CASE("what the grader owes is neither points nor a loss") {
  Book book;
  book.add("05_transpose/2_pad", "good");
  book.add("08_tiled_product/2_ratio", "lost");
  book.record.rows[1].failed = {"vm GPU 1: fell off the bus"};
  const auto student = book.student();
  CHECK(student.exercises[2].state == State::not_graded);
  CHECK(student.exercises[2].reason.find("fell off the bus") != std::string::npos);
  CHECK(student.max_score == 25);
  Book unread;
  unread.record.read = false;
  CHECK(unread.student().exercises[0].state == State::not_graded);
  CHECK(unread.student().max_score == 0);
}

TEST_CASE("a file at which the grader failed as often as it tries counts, as nothing") {
  Book book;
  book.add("05_transpose/2_pad", "good");
  book.add("08_tiled_product/2_ratio", "lost");
  book.record.rows[1].failed = {"vm: out of memory", "vm: out of memory", "vm: out of memory"};
  const auto student = book.student();
  CHECK(student.exercises[2].state == State::refused);
  CHECK(student.exercises[2].reason.find("until an instructor decides") != std::string::npos);
  CHECK(student.max_score == 40);
}

TEST_CASE("what cannot be told is refused, with the reason") {
  Book book;
  book.record.rows.push_back(
      {"05_transpose/1_tile", "a.cu", "", "two files", false, {}, 0, "", "", ""});
  book.record.problems = {"The zip file cannot be read."};
  const auto student = book.student();
  CHECK(student.exercises[0].state == State::refused);
  CHECK(student.exercises[0].reason == "two files");
  CHECK(student.exercises[1].reason == "The zip file cannot be read.");
}

TEST_CASE("weights and lateness change the score, lab by lab") {
  Book book;
  book.add("05_transpose/2_pad", "good");
  book.add("08_tiled_product/2_ratio", "good");
  book.settings.late = {10, 3, 0};
  book.settings.labs["05_transpose"].due = 1'000'000 - 86'400;
  book.settings.labs["05_transpose"].weight = 2;
  const auto late = book.student();
  CHECK(late.score == doctest::Approx(2 * 0.9 * 10 + 10));
  CHECK(late.max_score == 2 * (10 + 15) + 10);
  CHECK(late.late == "05_transpose 1 day late, 10% off");
  CHECK(late.exercises[1].late == "1 day late, 10% off");
  CHECK(late.exercises[1].clock == "date of the file");
  CHECK(late.exercises[2].late.empty()); // another lab's lateness is not this one's
  CHECK(late.exercises[2].handed_in == "1970-01-12 13:46 UTC");
  REQUIRE(late.labs.size() == 2);
  CHECK(late.labs[0].score == doctest::Approx(18));
  CHECK(late.labs[1].max_score == 10);
}

TEST_CASE("work on one lab does not make another late") {
  Book book;
  book.add("05_transpose/2_pad", "good");
  book.add("08_tiled_product/2_ratio", "good");
  book.record.rows[0].time = 900'000;
  book.settings.late = {10, 0, 0};
  book.settings.labs["05_transpose"].due = 900'000;
  book.settings.labs["08_tiled_product"].due = 2'000'000;
  CHECK(book.student().late.empty());
}

TEST_CASE("the surest clock counts: the instructor's word, a platform's, then the files'") {
  Book book;
  book.add("05_transpose/2_pad", "good");
  book.settings.late = {10, 0, 0};
  book.settings.labs["05_transpose"].due = 500'000;
  book.member.times[""] = {500'000 + 86'400, "Canvas"};
  CHECK(book.student().exercises[1].late == "1 day late, 10% off");
  CHECK(book.student().exercises[1].clock == "Canvas");
  book.member.times["05_transpose"] = {500'000 + 2 * 86'400, "Moodle"};
  CHECK(book.student().exercises[1].late == "2 days late, 20% off");
  StudentSettings anna;
  anna.who = "anna";
  anna.labs["05_transpose"].submitted = 500'000;
  book.settings.students = {anna};
  CHECK(book.student().late.empty());
  CHECK(book.student().exercises[1].clock == "class.toml");
}

TEST_CASE("an extension is for one student, in all labs or in one") {
  Book book;
  book.add("05_transpose/2_pad", "good");
  book.add("08_tiled_product/2_ratio", "good");
  book.settings.late = {10, 0, 0};
  book.settings.labs["05_transpose"].due = book.settings.labs["08_tiled_product"].due =
      1'000'000 - 3 * 86'400;
  CHECK(book.student().score == doctest::Approx(14));
  StudentSettings anna;
  anna.who = "anna";
  anna.all.extra_days = 2;
  book.settings.students = {anna};
  CHECK(book.student().score == doctest::Approx(18));
  anna.labs["05_transpose"].extra_days = 3;
  book.settings.students = {anna};
  CHECK(book.student().score == doctest::Approx(19));
  anna.labs["05_transpose"] = {};
  anna.labs["05_transpose"].due = 1'000'000;
  book.settings.students = {anna};
  CHECK(book.student().score == doctest::Approx(19));
  book.settings.students[0].who = "bert";
  CHECK(book.student().score == doctest::Approx(14));
  CHECK(unknown_student(book.settings, {book.member}).find("students.bert") != std::string::npos);
  book.settings.students[0].who = "anna";
  CHECK(unknown_student(book.settings, {book.member}).empty());
}

TEST_CASE("a name that two have is no extension of either, and an ID is of one") {
  Settings settings;
  StudentSettings anna;
  anna.who = "Anna Smith";
  anna.where = "class.toml:7";
  settings.students = {anna};
  auto one = hand_made::member("s1"), other = hand_made::member("s2");
  one.person.name = other.person.name = "Anna Smith";
  CHECK(unknown_student(settings, {one, other}) ==
        "class.toml:7: students.Anna Smith: it could be s1 or s2: write the ID or the address");
  other.id = "Anna Smith";
  CHECK(unknown_student(settings, {one, other}).empty());
  const auto resolved = with_ids(settings, {one, other}, {one, hand_made::member("student-0002")});
  REQUIRE(resolved.students.size() == 1);
  CHECK(resolved.students[0].who == "student-0002"); // also where the class is anonymous
}

TEST_CASE("a lab can have a policy of its own, and a total that it is scaled to") {
  Book book;
  book.add("05_transpose/2_pad", "good");
  book.add("08_tiled_product/2_ratio", "good");
  book.settings.late = {10, 0, 0};
  book.settings.labs["05_transpose"].due = book.settings.labs["08_tiled_product"].due = 999'999;
  book.settings.labs["05_transpose"].late = LatePolicy{50, 0, 0};
  book.settings.labs["05_transpose"].total = 100;
  const auto student = book.student();
  CHECK(student.labs[0].score == doctest::Approx(100 * 5.0 / 25));
  CHECK(student.labs[0].max_score == doctest::Approx(100));
  CHECK(student.labs[1].score == doctest::Approx(9));
  book.settings.total = 10;
  CHECK(book.student().max_score == 10);
  CHECK(book.student().score == doctest::Approx(10 * 29.0 / 110));
  CHECK(book.student().exercises[1].score == doctest::Approx(10 * 20.0 / 110));
  CHECK(book.student().exercises[1].max_score == doctest::Approx(10 * 40.0 / 110));
}

TEST_CASE("checks can be dropped, or have points of their own") {
  Book book;
  book.add("05_transpose/2_pad", "good");
  book.settings.labs["05_transpose"].exercises["2_pad"].points["output"] = 40;
  CHECK(book.student().exercises[1].points == 40);
  CHECK(book.student().exercises[1].max_points == 40);
  CHECK(book.student().exercises[0].max_points == 15);
  book.settings.drop = {"output"};
  const auto student = book.student();
  CHECK(student.exercises[1].max_points == 0);
  CHECK(student.exercises[0].max_points == 5); // the conflicts of its definition
  CHECK(student.score == 0);
}

TEST_CASE("points can be for what passed only, or for what is above the skeleton") {
  Book book;
  book.add("05_transpose/2_pad", "good");
  book.settings.counts = Counting::passed;
  CHECK(book.student().exercises[1].points == 10);
  const auto with_skeleton = [&](int points) {
    Gradebook gradebook(book.settings, hand_made::exercises(), kAsked);
    report::GradedExercise skeleton;
    skeleton.id = "05_transpose/2_pad";
    skeleton.state = State::graded;
    skeleton.verdict = "failed";
    skeleton.points = points;
    skeleton.max_points = 20;
    gradebook.note_skeleton(skeleton);
    CHECK(gradebook.without_skeleton().size() == 2);
    CHECK(gradebook.nothing_to_earn().size() == (points >= 15 ? 1 : 0));
    return gradebook.student(book.member, {{"", book.record}}, book.store).exercises[1];
  };
  book.settings.counts = Counting::above_skeleton;
  CHECK(with_skeleton(4).points == 6);
  CHECK(with_skeleton(4).max_points == 6);
  CHECK(with_skeleton(20).points == 0);
}

TEST_CASE("a decision counts instead of what was measured, which stays to be seen") {
  Book book;
  book.add("05_transpose/2_pad", "bad");
  book.add("08_tiled_product/2_ratio", "lost");
  book.settings.late = {10, 0, 0};
  book.settings.labs["05_transpose"].due = 0;
  Decision decision;
  decision.exercise = "05_transpose/2_pad";
  decision.points = 8;
  decision.date = "2026-11-22";
  decision.words = "another way";
  auto again = decision, owed = decision, comment = decision, request = decision;
  again.points = 7;
  again.number = 1;
  owed.exercise = "08_tiled_product/2_ratio";
  comment.kind = Decision::Kind::comment;
  request.kind = Decision::Kind::request;
  request.exercise = "05_transpose/1_tile";
  Gradebook gradebook(book.settings, hand_made::exercises(), kAsked);
  const auto student = gradebook.student(book.member, {{"", book.record}}, book.store,
                                         {decision, again, owed, comment, request});
  CHECK(student.exercises[1].points == 7); // lateness does not change what a person decided
  CHECK(student.exercises[1].decided ==
        "7 points instead of 0, decided on 2026-11-22: another way");
  CHECK(student.exercises[1].verdict == "failed");
  CHECK(student.exercises[1].late.empty());
  CHECK(student.exercises[2].points == 8);
  CHECK(student.exercises[2].counts());
  CHECK(student.score == 15);
  CHECK(student.max_score == 40);
  CHECK(student.comments == std::vector<std::string>{"05_transpose/2_pad: another way"});
  REQUIRE(student.notes.size() == 1);
  CHECK(student.notes[0].starts_with("Asks to look again at 05_transpose/1_tile"));
  CHECK(gradebook.possible().max_score == 45);
  CHECK(gradebook.possible().labs.size() == 2);
}

TEST_CASE("who handed in nothing, and what cannot be told whose it is, say so") {
  Book book;
  book.settings.labs["05_transpose"].due = 0;
  Gradebook gradebook(book.settings, hand_made::exercises(), kAsked);
  const auto nothing = gradebook.student(book.member, {}, book.store);
  CHECK(nothing.exercises[0].state == State::missing);
  CHECK(nothing.exercises[0].reason == "Nothing was handed in.");
  CHECK(nothing.late.empty());
  CHECK(nothing.max_score == 45);
  book.member.submissions.clear();
  book.member.problems[""] = "There are two.";
  const auto two = gradebook.student(book.member, {}, book.store);
  CHECK(two.exercises[0].state == State::refused);
  CHECK(two.problems == std::vector<std::string>{"There are two."});
  book.member.problems.clear();
  book.record.blocked = true;
  book.record.problems = {"There are two submissions of this name."};
  book.record.ignored = {"a.cuh is a header"};
  const auto blocked = gradebook.student(book.member, {{"", book.record}}, book.store);
  CHECK(blocked.exercises[2].state == State::refused);
  CHECK(blocked.problems.back() == "Left out: a.cuh is a header.");
}

TEST_CASE("a decided score is a share of what the exercise had then, and never more than all") {
  Book book;
  book.add("05_transpose/2_pad", "good"); // 10 of 10
  Decision decision;
  decision.exercise = "05_transpose/2_pad";
  decision.points = 60;
  decision.date = "2026-11-22T14:03:07Z";
  decision.words = "resubmitted";
  const auto decided = [&](int most) {
    decision.most = most;
    Gradebook gradebook(book.settings, hand_made::exercises(), kAsked);
    return gradebook.student(book.member, {{"", book.record}}, book.store, {decision}).exercises[1];
  };
  CHECK(decided(60).points == 10);
  CHECK(decided(80).points == 7.5);
  CHECK(decided(80).decided ==
        "7.5 points instead of 10, decided on 2026-11-22 as 60 of 80: resubmitted");
  CHECK(decided(70).points == 8.57); // to the hundredth
  CHECK(decided(0).points == 10);    // of an older version, which kept no maximum
  book.settings.labs["05_transpose"].exercises["2_pad"].points = {{"output", 4}};
  CHECK(decided(60).points == 4);
  CHECK(decided(60).max_points == 4);
}

TEST_CASE("free days are taken by the labs that are due first, and what is left over is late") {
  Book book;
  book.add("05_transpose/2_pad", "good");
  book.add("08_tiled_product/2_ratio", "good");
  book.settings.late = {10, 0, 0};
  book.settings.labs["05_transpose"].due = 1'000'000 - 2 * 86'400;
  book.settings.labs["08_tiled_product"].due = 1'000'000 - 3 * 86'400; // before the other
  const auto late = [&](int free_days) {
    book.settings.free_days = free_days;
    return book.student();
  };
  CHECK(late(0).score == doctest::Approx(8 + 7));
  CHECK(late(1).score == doctest::Approx(8 + 8));
  CHECK(late(4).score == doctest::Approx(9 + 10));
  CHECK(late(4).exercises[1].late == "2 days late, 1 of the term's free days taken, 10% off");
  CHECK(late(4).exercises[2].late == "3 days late, 3 of the term's free days taken, 0% off");
  CHECK(late(9).score == doctest::Approx(20));
  book.settings.late.days = 2; // counted after the free ones
  CHECK(late(0).score == doctest::Approx(8));
  CHECK(late(1).score == doctest::Approx(8 + 8));
  Decision decision;
  decision.exercise = "08_tiled_product/2_ratio";
  decision.points = decision.most = 10;
  Gradebook gradebook(book.settings, hand_made::exercises(), kAsked);
  const auto decided = gradebook.student(book.member, {{"", book.record}}, book.store, {decision});
  CHECK(decided.score == doctest::Approx(9 + 10)); // what was decided takes no days
}

} // namespace course::classroom
