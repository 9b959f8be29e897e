#include "classroom/gradebook.hpp"

#include "classroom/staged_folder.hpp"

#include <doctest/doctest.h>

namespace course::classroom {
namespace {

using report::State;

const std::vector<std::string> kAsked{"05_transpose/1_tile", "05_transpose/2_pad",
                                      "08_tiled_product/2_ratio"};

struct Book {
  staged::Folder folder;
  Settings settings;
  VerdictStore store{folder.path};
  Record record;
  Book() {
    record.id = record.name = "anna";
    record.read = true;
    record.newest = 1'000'000;
  }
  void add(const std::string& exercise, const std::string& source) {
    const auto key = verdict_key(exercise, source, {});
    if (source != "lost") store.put(key, staged::verdict(exercise, source), source, 1);
    record.rows.push_back({exercise, "mine/x.cu", key, "", true, {}});
  }
  report::GradedStudent student() const {
    Gradebook book(settings, staged::exercises(), kAsked);
    return book.student(record, store);
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
  book.record.rows.push_back({"05_transpose/1_tile", "a.cu", "", "two files", false, {}});
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
  book.settings.labs["05_transpose"] = {1'000'000 - 86'400, 2};
  const auto late = book.student();
  CHECK(late.score == doctest::Approx(2 * 0.9 * 10 + 10));
  CHECK(late.max_score == 2 * (10 + 15) + 10);
  CHECK(late.late == "05_transpose 1 day late, 10% off");
  book.settings.submitted["anna"] = 1'000'000 - 86'400;
  CHECK(book.student().late.empty());
  CHECK(book.student().score == 30);
}

} // namespace course::classroom
