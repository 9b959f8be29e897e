#include "classroom/settings.hpp"

#include <doctest/doctest.h>

namespace course::classroom {
namespace {

const std::vector<std::string> kKnown{"05_transpose/1_tile", "05_transpose/2_pad"};

std::string wrong(const std::string& text) {
  const auto read = read_settings(text, kKnown);
  const auto* what = std::get_if<std::string>(&read);
  return what ? *what : "";
}

} // namespace

TEST_CASE("settings are read, with comments, and what is left out has its usual value") {
  const auto read = read_settings(R"({
    // autumn
    "course": "CS 420", "seed": 1729, "release": true,
    "late": { "percent_a_day": 10, "days": 3, "grace_minutes": 15 },
    "labs": { "05_transpose": { "due": "2026-11-20T23:59:00+01:00", "weight": 2 } },
    "exercises": [ "05_transpose/2_pad" ],
    "submitted": { "anna": "2026-11-20T22:10:00Z" } })",
                                  kKnown);
  REQUIRE(std::holds_alternative<Settings>(read));
  const auto& settings = std::get<Settings>(read);
  CHECK(settings.course == "CS 420");
  CHECK(settings.seed == 1729);
  CHECK(settings.release);
  CHECK(settings.labs.at("05_transpose").weight == 2);
  CHECK(settings.labs.at("05_transpose").due == time_of("2026-11-20T22:59:00Z"));
  CHECK(settings.submitted.at("anna") == time_of("2026-11-20T22:10:00Z"));
  CHECK(std::get<Settings>(read_settings("{}", kKnown)).labs.empty());
}

TEST_CASE("a misspelt word is an error that names it") {
  CHECK(wrong("{\"laps\": {}}").find("\"laps\"") != std::string::npos);
  CHECK(wrong("{\"labs\": {\"05_transpos\": {}}}").find("05_transpos") != std::string::npos);
  CHECK(wrong("{\"labs\": {\"05_transpose\": {\"deu\": 1}}}").find("\"deu\"") != std::string::npos);
  CHECK(wrong("{\"exercises\": [\"05_transpose\"]}").find("05_transpose") != std::string::npos);
  CHECK(wrong("{\"late\": {\"percent\": 10}}").find("\"percent\"") != std::string::npos);
}

TEST_CASE("values of the wrong kind are errors") {
  for (const char* text :
       {"", "[]", "{", "{\"seed\": \"x\"}", "{\"labs\": []}", "{\"release\": 1}",
        "{\"labs\": {\"05_transpose\": {\"due\": \"tomorrow\"}}}", "{\"exercises\": \"all\"}",
        "{\"late\": {\"days\": -1}}", "{\"submitted\": {\"anna\": 12}}", "{\"course\": 1}"}) {
    INFO(text);
    CHECK_FALSE(wrong(text).empty());
  }
}

TEST_CASE("a time has to have its zone, and to exist") {
  CHECK(time_of("1970-01-01T00:00:00Z") == 0);
  CHECK(time_of("1970-01-01T01:00:00+01:00") == 0);
  CHECK(time_of("1969-12-31T19:00:00-05:00") == 0);
  CHECK(time_of("1970-01-01T00:00:01.365935Z") == 1);
  CHECK_FALSE(time_of("1970-01-01T00:00:01.365935"));
  for (const char* text :
       {"2026-11-20", "2026-11-20T10:00:00", "2026-02-31T10:00:00Z", "2026-11-20T25:00:00Z",
        "2026-11-20T10:00:00+1", "x", "2026-11-20T10:00:00Zzz", "2026-11-20T10:00:00+01:99"}) {
    INFO(text);
    CHECK_FALSE(time_of(text));
  }
}

TEST_CASE("each day begun costs its part, after the grace and until the last day") {
  const LatePolicy policy{10, 3, 15};
  constexpr std::int64_t kDue = 1'000'000, kDay = 86'400;
  CHECK(lateness(policy, kDue, kDue).keeps == 1);
  CHECK(lateness(policy, kDue, kDue + 15 * 60).keeps == 1);
  CHECK(lateness(policy, kDue, kDue + 15 * 60 + 1).keeps == doctest::Approx(0.9));
  CHECK(lateness(policy, kDue, kDue + kDay).days == 1);
  CHECK(lateness(policy, kDue, kDue + kDay + 1).keeps == doctest::Approx(0.8));
  CHECK(lateness(policy, kDue, kDue + 3 * kDay).keeps == doctest::Approx(0.7));
  CHECK(lateness(policy, kDue, kDue + 3 * kDay + 1).keeps == 0);
  CHECK(lateness(policy, std::nullopt, kDue + 9 * kDay).keeps == 1);
  CHECK(lateness({200, 0, 0}, kDue, kDue + 1).keeps == 0);
}

} // namespace course::classroom
