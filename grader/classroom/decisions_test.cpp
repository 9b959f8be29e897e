#include "classroom/decisions.hpp"

#include "classroom/staged_folder.hpp"

#include <doctest/doctest.h>

namespace course::classroom {
namespace {

std::vector<Decision> decisions(const staged::Folder& folder) {
  auto read = read_decisions(folder.path);
  if (const auto* what = std::get_if<std::string>(&read)) FAIL(*what);
  return std::get<std::vector<Decision>>(read);
}

} // namespace

TEST_CASE("decisions are kept with their reason and date, and undone by number") {
  const staged::Folder folder;
  CHECK(decisions(folder).empty());
  Decision ten;
  ten.student = "s1";
  ten.exercise = "05_transpose/2_pad";
  ten.points = 10;
  ten.words = "asked for a \"tile\" in another way\nsee mail";
  CHECK(add_decision(folder.path, ten).number == 1);
  CHECK(add_decision(folder.path, ten).number == 2);
  const auto kept = decisions(folder);
  REQUIRE(kept.size() == 2);
  CHECK(kept[0].words == ten.words);
  CHECK(kept[0].date.size() == 10);
  CHECK(undo_decision(folder.path, 2));
  CHECK_FALSE(undo_decision(folder.path, 2));
  CHECK_FALSE(undo_decision(folder.path, 7));
  CHECK(decisions(folder).size() == 1);
  CHECK(add_decision(folder.path, ten).number == 3); // a number is never used twice
}

TEST_CASE("a request is open until a score of the same exercise is decided after it") {
  const staged::Folder folder;
  Decision request;
  request.kind = Decision::Kind::request;
  request.student = "s1";
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

TEST_CASE("a damaged line is named, not passed over") {
  const staged::Folder folder;
  add_decision(folder.path, {});
  const auto file = folder.path / "decisions.jsonl";
  folder.write("decisions.jsonl", *system::content_of(file) + "{\"number\": 2}\n");
  const auto read = read_decisions(folder.path);
  REQUIRE(std::holds_alternative<std::string>(read));
  CHECK(std::get<std::string>(read).find("decisions.jsonl:2:") != std::string::npos);
}

} // namespace course::classroom
