#include "classroom/platform_times.hpp"

#include "classroom/clock.hpp"

#include <doctest/doctest.h>

namespace course::classroom {
namespace {

std::vector<PlatformTime> times(const std::string& text, const std::string& name,
                                const std::string& zone = "") {
  auto read = read_platform_times(text, name, zone);
  if (const auto* what = std::get_if<std::string>(&read)) FAIL(*what);
  return std::get<std::vector<PlatformTime>>(read);
}

std::string wrong(const std::string& text, const std::string& name, const std::string& zone = "") {
  const auto read = read_platform_times(text, name, zone);
  const auto* what = std::get_if<std::string>(&read);
  return what ? *what : "";
}

const std::string kSheet = "Identifier,Full name,Email address,Status,Last modified (submission)\n"
                           "Participant 17,Anna Smith,a@x.example,Submitted,"
                           "\"Wednesday, 10 June 2026, 2:14 PM\"\n"
                           "Participant 18,Bert,b@x.example,Submitted,"
                           "\"Friday, November 20, 2026, 12:05 AM\"\n"
                           "Participant 19,Clara,c@x.example,No submission,-\n";

} // namespace

TEST_CASE("Moodle's times are in the zone of the settings, and an error without one") {
  const auto read = times(kSheet, "worksheet.csv", "Europe/Berlin");
  REQUIRE(read.size() == 2);
  CHECK(read[0].at == time_of("2026-06-10T14:14:00+02:00"));
  CHECK(read[0].who.platform == "17");
  CHECK(read[0].clock == "Moodle");
  CHECK(read[1].at == time_of("2026-11-20T00:05:00+01:00"));
  CHECK(wrong(kSheet, "worksheet.csv").starts_with("worksheet.csv:2: "));
  CHECK(wrong("Email address,Last modified (submission)\na@x,\"Mittwoch, gestern\"\n", "w.csv",
              "Europe/Berlin")
            .starts_with("w.csv:2: "));
}

TEST_CASE("Canvas' times are those of its API") {
  const auto read = times(R"([{"user_id": 12345, "submitted_at": "2026-11-20T22:58:00Z",
                               "user": {"sortable_name": "Smith, Anna", "sis_user_id": null}},
                              {"user_id": 12346, "submitted_at": null}])",
                          "submissions.json");
  REQUIRE(read.size() == 1);
  CHECK(read[0].who.platform == "12345");
  CHECK(read[0].at == time_of("2026-11-20T22:58:00Z"));
  CHECK(read[0].clock == "Canvas");
  CHECK_FALSE(wrong("[1]", "x.json").empty());
  CHECK_FALSE(wrong("{\"errors\": []}", "x.json").empty());
}

TEST_CASE("Gradescope's export says who handed in each folder, together where they are a group") {
  const auto read = times("---\nsubmission_4711:\n  :submitters:\n  - :name: Anna Smith\n"
                          "    :sid: '001'\n    :email: a@x.example\n"
                          "  - :name: 'Bert O:Neill'\n    :sid: s2\n"
                          "  :created_at: 2026-11-20 22:58:00.683414000 Z\n  :score: 1.0\n"
                          "  :results:\n    :tests:\n    - :name: nobody\n"
                          "submission_4712:\n  :submitters:\n  - :name: Clara\n"
                          "  :created_at: 2026-11-20 23:00:00.000000000 +01:00\n",
                          "submission_metadata.yml");
  REQUIRE(read.size() == 3);
  CHECK(read[0].folder == "submission_4711");
  CHECK(read[0].who.id == "001");
  CHECK(read[1].who.name == "Bert O:Neill");
  CHECK(read[1].at == time_of("2026-11-20T22:58:00Z"));
  CHECK(read[2].at == time_of("2026-11-20T22:00:00Z"));
  CHECK(wrong("submission_1:\n  :created_at: never\n", "m.yml").starts_with("m.yml:2: "));
  CHECK_FALSE(wrong("", "m.yml").empty());
}

TEST_CASE("one's own table says its zone in each time") {
  const auto read =
      times("email,submitted\na@x.example,2026-11-20T22:58:00+01:00\nb@x,\n", "t.csv");
  REQUIRE(read.size() == 1);
  CHECK(read[0].clock == "t.csv");
  CHECK(wrong("email,submitted\na@x,yesterday\n", "t.csv").starts_with("t.csv:2: "));
  CHECK(wrong("email,when\na@x,1\n", "t.csv").starts_with("t.csv:1: "));
}

TEST_CASE("times of one's own that say no zone are in that of the settings") {
  const std::string zone = "Europe/Berlin";
  const auto at = [&](const std::string& text) {
    return times("id,submitted\nanna," + text + "\n", "times.csv", zone).at(0).at;
  };
  const auto expected = time_of("2026-10-16T20:00:00+02:00");
  for (const char* text : {"2026-10-16T20:00:00", "2026-10-16 20:00", "2026-10-16 20:00:00",
                           "16.10.2026 20:00", "16.10.2026 20:00:00", "2026-10-16T18:00:00Z"})
    CHECK_MESSAGE(at(text) == expected, text);
  CHECK(wrong("id,submitted\nanna,2026-10-16T20:00:00\n", "times.csv")
            .starts_with("times.csv:2: \"2026-10-16T20:00:00\" says no zone: set zone = "));
  for (const char* text : {"2026-03-29 02:30", "2026-02-31 10:00", "2026-10-16", "20:00",
                           "2026-10-16 20:00 o'clock", "10/16/2026 20:00"})
    CHECK_MESSAGE(wrong("id,submitted\nanna," + std::string(text) + "\n", "times.csv", zone)
                      .starts_with("times.csv:2: \"" + std::string(text) +
                                   "\" cannot be read as a time: write "),
                  text);
}

} // namespace course::classroom
