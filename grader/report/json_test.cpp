#include "report/json.hpp"

#include "report/hand_made_verdicts.hpp"
#include "report/schema_checks.hpp"

#include <doctest/doctest.h>

#include <fstream>

namespace course::report {
namespace {

using Json = nlohmann::json;

Json schema() {
  std::ifstream file(COURSE_SOURCE_DIR "/grader/report/verdict.schema.json");
  return Json::parse(file);
}

// As a reader of the file would see it.
Json read_back(const judge::Verdict& verdict) {
  return Json::parse(json_text(json(verdict)));
}

} // namespace

TEST_CASE("every staged verdict fits the schema") { // as report_schema says
  for (const auto& [name, verdict] : hand_made::verdicts())
    hold_to_schema("verdict_" + name, read_back(verdict), schema());
}

TEST_CASE("that an exercise was solved before is a field of its own, where it was") {
  auto verdict = hand_made::verdicts().at("conflicts");
  CHECK_FALSE(read_back(verdict).contains("solved_before"));
  verdict.solved_before = {60, 100};
  const auto json = read_back(verdict);
  CHECK(json["solved_before"] == Json{{"points", 60}, {"max_points", 100}});
  CHECK(json["verdict"] == "failed");
  hold_to_schema("solved_before", json, schema());
}

TEST_CASE("the schema has each kind of finding, in the list's order") {
  Json kinds = Json::array();
  for (const auto& known : device::kKnownFindings) kinds.push_back(known.name);
  CHECK(schema()["properties"]["findings"]["items"]["properties"]["kind"]["enum"] == kinds);
}

TEST_CASE("the schema refuses what is not a verdict") {
  const auto good = read_back(hand_made::verdicts().at("conflicts"));
  int count = 0;
  const auto refused = [&](const Json& bad) {
    hold_to_schema("refused_" + std::to_string(++count), bad, schema(), false);
  };
  const auto with = [&](const std::string& pointer, const Json& value) {
    auto bad = good;
    bad[Json::json_pointer(pointer)] = value;
    return bad;
  };
  refused(with("/verdict", "perhaps"));
  refused(with("/points", -1));
  refused(with("/points", "45"));
  refused(with("/checks/0/status", "skipped"));
  refused(with("/checks/4/measures/0/value", 0.5));
  refused(with("/lines/0/conflicts", nullptr));
  refused(with("/extra", 1));
  auto without = good;
  without.erase("seed");
  refused(without);
}

TEST_CASE("the fields that graders rely on say what the verdict says") {
  const auto value = read_back(hand_made::verdicts().at("conflicts"));
  CHECK(value["exercise"] == "05_transpose/2_pad");
  CHECK(value["verdict"] == "failed");
  CHECK(value["device"] == "emulated H200");
  CHECK(value["seed"] == 1729);
  CHECK(value["points"] == 45);
  CHECK(value["max_points"] == 60);
  bool found = false;
  for (const auto& line : value["lines"]) {
    if (line["access"] != "shared_load_4") continue;
    found = true;
    CHECK(line["line"] == 29);
    CHECK(line["conflicts"] == 31 * line["requests"].get<int>());
    CHECK(line["wavefronts"].get<int>() - line["ideal"].get<int>() == line["conflicts"]);
  }
  CHECK(found);
}

TEST_CASE("time without a GPU is not measured, not possible, and worth nothing") {
  const auto value = read_back(hand_made::verdicts().at("passed"));
  const auto& time = value["checks"].back();
  CHECK(time["name"] == "time");
  CHECK(time["status"] == "not_measured");
  CHECK(time["possible"] == false);
  CHECK(time["max_points"] == 0);
}

TEST_CASE("infinity and NaN are text, and a missing upper limit is null") {
  auto verdict = hand_made::verdicts().at("one_element");
  verdict.wrong->comparison.first->got = std::numeric_limits<float>::infinity();
  verdict.checks[4].measures = {{"shared_loads", 1, 1}};
  const auto value = read_back(verdict);
  CHECK(value["wrong_output"]["first"]["got"] == "inf");
  CHECK(value["checks"][4]["measures"][0]["high"].is_null());
}

TEST_CASE("bytes that are not UTF-8 do not break the file") {
  auto verdict = hand_made::verdicts().at("crashed");
  verdict.printed = std::string("\xff\xfe") + '\0';
  CHECK_NOTHROW(read_back(verdict));
}

TEST_CASE("no string of a verdict can steer the terminal of who prints it") {
  auto verdict = hand_made::verdicts().at("conflicts");
  verdict.printed = "\x1b[2J\x1b]0;passed\a\r\x9b";
  verdict.file = "2_pad\x1b[2J.cu";
  verdict.notes = {judge::facts::Ignored{"a\bcall"}};
  const auto back = read_back(verdict);
  CHECK(back["printed"] == "?[2J?]0;passed???");
  CHECK(back["file"] == "2_pad?[2J.cu");
  CHECK(back["notes"][0] == "host code calls a?call, which does nothing here");
}

} // namespace course::report
