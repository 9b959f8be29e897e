#include "classroom/decisions.hpp"

#include "classroom/hand_made_folder.hpp"

#include <doctest/doctest.h>

namespace course::classroom {
namespace {

std::vector<Decision> decisions(const hand_made::Folder& folder) {
  auto read = read_decisions(folder.path);
  if (const auto* what = std::get_if<std::string>(&read)) FAIL(*what);
  return std::get<std::vector<Decision>>(read);
}

} // namespace

TEST_CASE("decisions are kept with their reason and date, and undone by number") {
  const hand_made::Folder folder;
  CHECK(decisions(folder).empty());
  Decision ten;
  ten.student.id = "s1";
  ten.exercise = "05_transpose/2_pad";
  ten.points = 10;
  ten.most = 15;
  ten.words = "asked for a \"tile\" in another way\nsee mail";
  CHECK(add_decision(folder.path, ten).number == 1);
  CHECK(add_decision(folder.path, ten).number == 2);
  const auto kept = decisions(folder);
  REQUIRE(kept.size() == 2);
  CHECK(kept[0].words == ten.words);
  CHECK(kept[0].date.size() == std::string("2026-11-22T14:03:07Z").size());
  CHECK_FALSE(kept[0].by.empty());
  CHECK(kept[0].most == 15);
  CHECK(undo_decision(folder.path, 2));
  CHECK_FALSE(undo_decision(folder.path, 2));
  CHECK_FALSE(undo_decision(folder.path, 7));
  CHECK(decisions(folder).size() == 1);
  CHECK(add_decision(folder.path, ten).number == 3); // a number is never used twice
}

TEST_CASE("a request is open until a score of the same exercise is decided after it") {
  const hand_made::Folder folder;
  Decision request;
  request.kind = Decision::Kind::request;
  request.student.id = "s1";
  request.exercise = "05_transpose/2_pad";
  add_decision(folder.path, request);
  CHECK(open_requests(decisions(folder)).size() == 1);
  auto score = request;
  score.kind = Decision::Kind::score;
  score.exercise = "05_transpose/1_tile";
  add_decision(folder.path, score);
  CHECK(open_requests(decisions(folder)).size() == 1);
  score.exercise = request.exercise;
  const auto number = add_decision(folder.path, score).number;
  CHECK(open_requests(decisions(folder)).empty());
  undo_decision(folder.path, number);
  CHECK(open_requests(decisions(folder)).size() == 1);
}

TEST_CASE("a request is answered in words as well, about an exercise or about none") {
  const hand_made::Folder folder;
  Decision request;
  request.kind = Decision::Kind::request;
  request.student.id = "s1";
  const auto first = add_decision(folder.path, request).number;
  add_decision(folder.path, request);
  Decision answer;
  answer.kind = Decision::Kind::answer;
  answer.student.id = "s1";
  answer.answers = first;
  answer.words = "the points are right";
  add_decision(folder.path, answer);
  const auto open = open_requests(decisions(folder));
  REQUIRE(open.size() == 1);
  CHECK(open[0].number != first);
  CHECK(decisions(folder).back().answers == first);
}

TEST_CASE("what was decided before there was a roster holds after it came") {
  const hand_made::Folder folder;
  Decision score;
  score.student = whom(hand_made::member("smithanna"));
  score.exercise = "05_transpose/2_pad";
  add_decision(folder.path, score);
  auto anna = hand_made::member("smithanna");
  anna.id = "s1";
  anna.person.name = "Anna Smith";
  const auto kept = decided_in(decisions(folder), {hand_made::member("bert"), anna});
  REQUIRE(kept.all.size() == 1);
  CHECK(kept.all[0].student.id == "s1");
  const auto lost = decided_in(decisions(folder), {hand_made::member("bert")});
  CHECK(lost.all.empty());
  REQUIRE(lost.of_nobody.size() == 1);
  CHECK(lost.of_nobody[0].number == 1);
}

TEST_CASE("a decision about a team's work is for all of its members, a word to one is not") {
  auto anna = hand_made::member("anna"), bert = hand_made::member("bert");
  bert.submissions = anna.submissions;
  const auto clara = hand_made::member("clara");
  Decision score, comment, request;
  score.student = comment.student = request.student = whom(anna);
  score.exercise = request.exercise = "05_transpose/2_pad";
  comment.kind = Decision::Kind::comment;
  request.kind = Decision::Kind::request;
  const auto all = decided_in({score, comment, request}, {anna, bert, clara}).all;
  REQUIRE(all.size() == 4);
  CHECK(all[1].student.id == "bert");
  CHECK(all[1].kind == Decision::Kind::score);
}

TEST_CASE("a damaged line is named, not passed over") {
  const hand_made::Folder folder;
  add_decision(folder.path, {});
  const auto file = folder.path / "decisions.jsonl";
  folder.write("decisions.jsonl", *system::content_of(file) + "{\"number\": 2}\n");
  const auto read = read_decisions(folder.path);
  REQUIRE(std::holds_alternative<std::string>(read));
  CHECK(std::get<std::string>(read).find("decisions.jsonl:2:") != std::string::npos);
}

TEST_CASE("points are a number from 0 on, half ones too, and what is none says so in a sentence") {
  const auto said = [](const char* text) { return points_said(text); };
  CHECK(std::get<double>(said("45.5")) == 45.5);
  CHECK(std::get<double>(said("0")) == 0);
  CHECK(std::get<double>(said("7.126")) == 7.13);
  CHECK(std::get<std::string>(said("-1")) == "-1 is below 0: points are 0 or more");
  for (const char* text : {"", "x", "45,5", "1e3", "nan", "inf", "5 points"})
    CHECK_MESSAGE(std::get<std::string>(said(text)).find("is no number of points") !=
                      std::string::npos,
                  text);
  CHECK(std::get<std::string>(said("20000")).find("more than any") != std::string::npos);
}

TEST_CASE("many are kept in one step, by whom they name, and half points are kept as they are") {
  const hand_made::Folder folder;
  Decision one;
  one.student.id = "s1";
  one.exercise = "05_transpose/2_pad";
  one.points = 45.5;
  one.by = "Rosa";
  auto other = one;
  other.by.clear();
  other.points = 45;
  add_decisions(folder.path, {one, other});
  const auto kept = decisions(folder);
  REQUIRE(kept.size() == 2);
  CHECK(kept[0].points == 45.5);
  CHECK(kept[0].by == "Rosa");
  CHECK(kept[1].number == 2);
  CHECK_FALSE(kept[1].by.empty());
  CHECK(system::content_of(folder.path / "decisions.jsonl")->find("\"points\":45,") !=
        std::string::npos);
  CHECK(undo_decision(folder.path, 1, "Emil"));
  CHECK(system::content_of(folder.path / "decisions.jsonl")->find("\"by\":\"Emil\"") !=
        std::string::npos);
}

TEST_CASE("the file that counts is known by the submission, and the last word holds") {
  Decision one;
  one.kind = Decision::Kind::file;
  one.student.submissions = {"ab12"};
  one.exercise = "05_transpose/2_pad";
  one.words = "2_pad.cu";
  auto later = one, elsewhere = one;
  later.words = "2_pad-1.cu";
  elsewhere.student.submissions = {"cd34"};
  const auto files = files_that_count({one, later, elsewhere}, "ab12");
  REQUIRE(files.size() == 1);
  CHECK(files.at("05_transpose/2_pad") == "2_pad-1.cu");
}

} // namespace course::classroom
