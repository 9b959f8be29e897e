#include "classroom/whom.hpp"

#include "classroom/hand_made_folder.hpp"

#include <doctest/doctest.h>

namespace course::classroom {
namespace {

Member member(const std::string& id, const std::string& name, const std::string& submission) {
  Member one;
  one.id = id;
  one.person.name = name;
  if (!submission.empty()) one.submissions[""] = submission;
  return one;
}

} // namespace

TEST_CASE("who was known by a folder is found again under the id of a roster") {
  const auto before = whom(member("smithanna", "smithanna", "smithanna"));
  std::vector<Member> now{member("s1", "Bert Jones", ""), member("s2", "Anna Smith", "smithanna")};
  CHECK(who_is(before, now) == 1);
  now[1].submissions.clear();
  CHECK_FALSE(who_is(before, now));
}

TEST_CASE("an address finds somebody, and so does a name that only one has") {
  auto anna = member("s2", "Anna Smith", "");
  anna.person.email = "anna@uni.example";
  const auto before = whom(anna);
  std::vector<Member> now{member("x", "anna smith", ""), member("y", "A. Smith", "")};
  CHECK(who_is(before, now) == 0);
  now[1].person.email = "Anna@Uni.example";
  CHECK(who_is(before, now) == 1);
  now[1].person.email.clear();
  now[1].person.name = "Anna Smith";
  CHECK_FALSE(who_is(before, now)); // it could be either
}

TEST_CASE("an id that somebody else has by now is not theirs who had it") {
  auto had = member("4711", "Clara", "");
  had.person.email = "clara@uni.example";
  const auto before = whom(had);
  had.id = "s1";
  auto other = member("4711", "Dora", "");
  other.person.email = "dora@uni.example";
  CHECK(who_is(before, {other, had}) == 1);
  CHECK_FALSE(who_is(before, {other}));
}

TEST_CASE("what an older version called somebody is theirs, and of two names neither's") {
  auto anna = member("Anna_Schmidt-905ef638d55f3a05", "Anna Schmidt", "r1");
  auto other = member("Anna_Schmidt-905ef638-1234567812345678", "Anna_Schmidt-905ef638", "r2");
  anna.called = other.called = {"Anna_Schmidt-905ef638"};
  Whom before{"Anna_Schmidt-905ef638", "", "Anna Schmidt", {"Anna_Schmidt-905ef638"}};
  CHECK(who_is(before, {other, anna}) == 1);
  CHECK_FALSE(who_is(before, {other}));
  auto bert = member("s3", "Bert Jones", "r3");
  bert.called = {"bert"};
  CHECK(who_is({"bert", "", "bert", {}}, {anna, bert, other}) == 1);
}

TEST_CASE("it comes back from JSON, and an older line has no more than an id") {
  const auto before = whom(member("s2", "Anna Smith", "smithanna"));
  const auto read = whom_of(to_json(before));
  CHECK(read.id == "s2");
  CHECK(read.name == "Anna Smith");
  CHECK(read.submissions == std::set<std::string>{"smithanna"});
  CHECK(whom_of({{"student", "s3"}}).id == "s3");
  CHECK_THROWS_AS(whom_of({{"name", "x"}}), nlohmann::json::exception);
}

} // namespace course::classroom
