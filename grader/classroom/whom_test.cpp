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
