#include "classroom/items.hpp"

#include "classroom/hand_made_folder.hpp"

#include <doctest/doctest.h>

namespace course::classroom {
namespace {

const std::string kWrongVariant = "int f(int a, int b) { int c = a * b; while (c > 7) { c -= a; } "
                                  "if (c == b) { c += 2; } return c ? a : b; }\n";

} // namespace

TEST_CASE("a correlation is between -1 and 1, and none where there is nothing to tell") {
  CHECK(*correlation({{0, 0}, {1, 1}, {0, 0}, {1, 1}, {1, 1}}) == doctest::Approx(1));
  CHECK(*correlation({{0, 1}, {1, 0}, {0, 1}, {1, 0}, {1, 0}}) == doctest::Approx(-1));
  CHECK_FALSE(correlation({{1, 0}, {1, 1}, {1, 0}, {1, 1}, {1, 1}})); // all have it
  CHECK_FALSE(correlation({{0, 0}, {1, 1}}));                         // too few
}

TEST_CASE("what most failures have in common is the line that checks name, and a wrong variant") {
  const hand_made::Folder folder;
  Publishing about;
  about.results = folder.path;
  about.course = folder.path;
  about.exercises = &hand_made::exercises();
  const std::string id = "05_transpose/2_pad";
  about.public_files = {{id, "the course's solution", "int g;\n"},
                        {id, "wrong/2_pad_x.cu", kWrongVariant}};
  // Three attempts of anna's, of which the third passed and one was graded twice.
  std::string events;
  for (const char* one : {"a failed", "a failed", "b failed", "c passed", "d failed"})
    events += R"({"student":"anna","exercise":")" + id + R"(","digest":")" + std::string(one, 1) +
              R"(","verdict":")" + std::string(one + 2) + "\"}\n";
  folder.write("events.jsonl", events);
  const VerdictStore store(folder.path);
  Items items(about);
  const auto add = [&](const std::string& who, const std::string& text, const char* verdict,
                       std::uint32_t line, double other) {
    Record record;
    record.id = record.label = who;
    Row row;
    row.exercise = id;
    row.key = verdict_key(id, "1", text, {});
    row.digest = who;
    record.rows = {row};
    store.put(row.key, hand_made::verdict(id, text), text, 1);
    folder.write("archive/" + id + "/" + who + ".cu", text);
    report::GradedStudent student;
    student.exercises.resize(2);
    auto& one = student.exercises[0];
    one.id = id;
    one.state = report::State::graded;
    one.verdict = verdict;
    one.max_score = 10;
    one.score = std::string(verdict) == "passed" ? 10 : 0;
    one.checks.resize(1);
    one.checks[0].status = line > 0 ? judge::Status::failed : judge::Status::passed;
    one.checks[0].line = line;
    student.exercises[1].id = "05_transpose/1_tile";
    student.exercises[1].max_score = 10;
    student.exercises[1].score = other;
    items.add(student, {{"", record}}, store);
  };
  add("anna", "good", "passed", 0, 10);
  add("bert", "  x = t[i]; // mine\n", "failed", 1, 2);
  add("cleo", "\nx = t[i];\n", "failed", 2, 3);
  add("dora", kWrongVariant, "failed", 1, 1);
  add("emil", kWrongVariant + "// mine\n", "failed", 0, 9);
  const auto all = items.statistics();
  REQUIRE(all.size() == 2);
  const auto& pad = all[1];
  CHECK(pad.exercise == id);
  CHECK(pad.solved == 1);
  CHECK(pad.attempts == 3);
  CHECK(pad.failed == 4);
  CHECK(pad.line == "x = t[i];");
  CHECK(pad.at_line == 2);
  CHECK(pad.variant == "wrong/2_pad_x.cu");
  CHECK(pad.like_variant == 2);
  CHECK(*pad.discrimination > 0.5);
}

} // namespace course::classroom
