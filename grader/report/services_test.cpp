// Results for other services, each held against the shape that its documentation gives.
#include "report/autolab.hpp"
#include "report/classroom50.hpp"
#include "report/csv.hpp"
#include "report/format.hpp"
#include "report/gradescope.hpp"
#include "report/hand_made_students.hpp"
#include "report/junit.hpp"
#include "report/prairielearn.hpp"
#include "report/sarif.hpp"
#include "report/schema_checks.hpp"
#include "report/vpl.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include <sstream>

namespace course::report {
namespace {

using nlohmann::json;

// As a reader gets it: no ordered fields, no bytes that are not UTF-8.
json read(const nlohmann::ordered_json& written) {
  return json::parse(json_text(written));
}

// See schema_test.py, which also has to see that less does not fit.
void fits(const std::string& name, const json& value, const char* schema) {
  const auto rules = json::parse(schema);
  hold_to_schema(name, value, rules);
  auto without = value;
  without.erase(rules["required"][0].get<std::string>());
  hold_to_schema(name + "_without", without, rules, false);
}

// docs/specs.md of gradescope/autograder_samples.
constexpr const char* kGradescope = R"({
  "type": "object", "additionalProperties": false, "required": ["tests"],
  "properties": {
    "score": {"type": "number"}, "execution_time": {"type": "number"}, "output": {"type": "string"},
    "output_format": {"enum": ["text", "html", "simple_format", "md", "ansi"]},
    "visibility": {"enum": ["hidden", "after_due_date", "after_published", "visible"]},
    "stdout_visibility": {"enum": ["hidden", "after_due_date", "after_published", "visible"]},
    "extra_data": {"type": "object"},
    "tests": {"type": "array", "items": {
      "type": "object", "additionalProperties": false, "required": ["name"],
      "properties": {
        "score": {"type": "number"}, "max_score": {"type": "number"},
        "status": {"enum": ["passed", "failed"]}, "name": {"type": "string"},
        "number": {"type": "string"}, "output": {"type": "string"},
        "output_format": {"enum": ["text", "html", "simple_format", "md", "ansi"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "visibility": {"enum": ["hidden", "after_due_date", "after_published", "visible"]}}}}}})";

// schemas/result-v1.schema.json of Classroom 50.
constexpr const char* kClassroom50 = R"({
  "type": "object", "additionalProperties": false,
  "required": ["schema", "classroom", "assignment", "assignment_type", "owner", "submission",
               "commit", "release", "review", "datetime", "score", "max-score", "tests"],
  "properties": {
    "schema": {"enum": ["classroom50/result/v1"]}, "classroom": {"type": "string"},
    "assignment": {"type": "string"}, "assignment_type": {"enum": ["individual", "group"]},
    "owner": {"type": "string"}, "submission": {"type": "string"}, "commit": {"type": "string"},
    "release": {"type": "string"}, "review": {"type": "string"}, "datetime": {"type": "string"},
    "score": {"type": "integer", "minimum": 0}, "max-score": {"type": "integer", "minimum": 0},
    "tests": {"type": "array", "items": {
      "type": "object", "required": ["test-name", "passed", "score", "max-score"],
      "properties": {
        "test-name": {"type": "string"}, "passed": {"type": "boolean"},
        "score": {"type": "integer", "minimum": 0},
        "max-score": {"type": "integer", "minimum": 0}}}}}})";

// docs/externalGrading.md of PrairieLearn.
constexpr const char* kPrairieLearn = R"({
  "type": "object", "additionalProperties": false, "required": ["gradable", "score", "tests"],
  "properties": {
    "gradable": {"type": "boolean"}, "score": {"type": "number", "minimum": 0},
    "message": {"type": "string"},
    "format_errors": {"type": "array", "items": {"type": "string"}},
    "tests": {"type": "array", "items": {
      "type": "object", "additionalProperties": false,
      "required": ["name", "points", "max_points"],
      "properties": {
        "name": {"type": "string"}, "description": {"type": "string"},
        "points": {"type": "number"}, "max_points": {"type": "number"},
        "message": {"type": "string"}, "output": {"type": "string"}}}}}})";

// The part of the SARIF 2.1.0 schema that is written here.
constexpr const char* kSarif = R"({
  "type": "object", "additionalProperties": false, "required": ["version", "runs"],
  "properties": {
    "$schema": {"type": "string"}, "version": {"enum": ["2.1.0"]},
    "runs": {"type": "array", "items": {
      "type": "object", "additionalProperties": false, "required": ["tool"],
      "properties": {
        "tool": {"type": "object", "additionalProperties": false, "required": ["driver"],
          "properties": {"driver": {"type": "object", "additionalProperties": false,
            "required": ["name"],
            "properties": {
              "name": {"type": "string"}, "version": {"type": "string"},
              "rules": {"type": "array", "items": {
                "type": "object", "additionalProperties": false, "required": ["id"],
                "properties": {
                  "id": {"type": "string"},
                  "shortDescription": {"type": "object", "additionalProperties": false,
                    "required": ["text"], "properties": {"text": {"type": "string"}}}}}}}}}},
        "results": {"type": "array", "items": {
          "type": "object", "additionalProperties": false, "required": ["message"],
          "properties": {
            "ruleId": {"type": "string"},
            "level": {"enum": ["none", "note", "warning", "error"]},
            "message": {"type": "object", "additionalProperties": false, "required": ["text"],
              "properties": {"text": {"type": "string"}}},
            "partialFingerprints": {"type": "object"},
            "locations": {"type": "array", "items": {
              "type": "object", "additionalProperties": false,
              "properties": {"physicalLocation": {
                "type": "object", "additionalProperties": false, "required": ["artifactLocation"],
                "properties": {
                  "artifactLocation": {"type": "object", "additionalProperties": false,
                    "properties": {"uri": {"type": "string"}}},
                  "region": {"type": "object", "additionalProperties": false,
                    "properties": {"startLine": {"type": "integer", "minimum": 1}}}}}}}}}}}}}}}})";

Classroom50 about() {
  return {"cuda",
          "lab05",
          "individual",
          "",
          "submit/1",
          "https://x/commit/1",
          "https://x/releases/1",
          "",
          "2026-11-20T22:59:00Z"};
}

} // namespace

TEST_CASE("Gradescope gets a test an exercise, and a score that weights and lateness made") {
  const auto result = read(gradescope(hand_made::student()));
  fits("gradescope", result, kGradescope);
  CHECK(result["score"] == 94.5);
  REQUIRE(result["tests"].size() == 6);
  CHECK(result["tests"][0]["score"] == 45);
  CHECK(result["tests"][0]["status"] == "failed");
  CHECK(result["tests"][1]["status"] == "passed");
  CHECK(result["tests"][0]["output"].get<std::string>().find("conflicts    FAILED") !=
        std::string::npos);
}

TEST_CASE("Gradescope sees no score for what the grader could not do") {
  const auto result = read(gradescope(hand_made::student()));
  CHECK_FALSE(result["tests"][5].contains("score"));
  CHECK(result["tests"][3]["score"] == 0);
}

TEST_CASE("Gradescope shows tests once they are released, and never in a colour of the student's") {
  CHECK(read(gradescope(hand_made::student(), false))["tests"][0]["visibility"] ==
        "after_published");
  CHECK(json_text(gradescope(hand_made::student())).find("\\u001b") == std::string::npos);
}

TEST_CASE("Classroom 50 gets whole numbers that add up, and no field that it does not know") {
  const auto result = read(classroom50(hand_made::student(), about()));
  fits("classroom50", result, kClassroom50);
  int score = 0, most = 0;
  for (const auto& test : result["tests"]) {
    score += test["score"].get<int>();
    most += test["max-score"].get<int>();
  }
  CHECK(result["score"] == score);
  CHECK(result["max-score"] == most);
  CHECK(result["owner"] == "anna");
  CHECK(result["review"] == result["commit"]);
}

TEST_CASE("PrairieLearn gets a share of the points, and less than 1 MB") {
  auto student = hand_made::student();
  const auto result = read(prairielearn(student));
  fits("prairielearn", result, kPrairieLearn);
  CHECK(result["score"] == doctest::Approx(94.5 / 300));
  CHECK(result["gradable"] == true);
  for (auto& exercise : student.exercises) exercise.wide = std::string(2'000'000, '"') + "\n";
  CHECK(json_text(prairielearn(student)).size() < 1'000'000);
}

TEST_CASE("a submission with nothing to grade costs no attempt on PrairieLearn") {
  GradedStudent student;
  student.problems = {"There is no .cu file in it."};
  student.exercises = {hand_made::ungraded(State::missing, "a/b")};
  const auto result = read(prairielearn(student));
  CHECK(result["gradable"] == false);
  CHECK(result["score"] == 0.0);
  CHECK(result["format_errors"].size() == 1);
}

TEST_CASE("Autolab's last line has the scores, whatever the student wrote") {
  const auto text = autolab(hand_made::student());
  CHECK(std::count(text.begin(), text.end(), '\n') == 2);
  const auto first = text.find('\n');
  const auto semantic = json::parse(text.substr(0, first));
  const auto scores = json::parse(text.substr(first + 1));
  CHECK(semantic["_presentation"] == "semantic");
  CHECK(semantic["05_transpose/2_pad"]["conflicts"]["passed"] == false);
  CHECK(scores["scores"]["05_transpose/2_pad"] == 45);
  CHECK(scores["scores"]["06_constant_memory/1_stencil"] == 0);
  CHECK_FALSE(scores["scores"].contains("06_constant_memory/3_read_only"));
}

TEST_CASE("lateness and a total of the class reach every service that takes points") {
  auto student = hand_made::student();
  student.exercises = {hand_made::graded("passed", "05_transpose/2_pad"),
                       hand_made::graded("passed", "05_transpose/3_rows")};
  for (auto& exercise : student.exercises) {
    exercise.late = "1 day late, 15% off";
    exercise.score = 4.25; // of 5, where its lab has a total of 10
    exercise.max_score = 5;
  }
  student.score = 8.5;
  student.max_score = 10;
  CHECK(read(gradescope(student))["score"] == 8.5);
  CHECK(read(prairielearn(student))["score"] == doctest::Approx(0.85));
  CHECK(vpl(student).ends_with("Grade :=>> 8.50\n"));
  CHECK(totals_row(student).find(",8.50,10.00,85.00,") != std::string::npos);
  CHECK(junit(student).find("name=\"score\" value=\"8.50\"") != std::string::npos);
  const auto text = autolab(student);
  const auto scores = json::parse(text.substr(text.find('\n')))["scores"];
  CHECK(scores["05_transpose/2_pad"] == 4.25);
  const auto whole = read(classroom50(student, about()));
  fits("classroom50_late", whole, kClassroom50);
  CHECK(whole["score"] == 9); // whole numbers, and the sum is the right one
  CHECK(whole["max-score"] == 10);
  CHECK(whole["tests"][0]["message"] == "1 day late, 15% off");
}

TEST_CASE("what a file keeps from being measured is named, and counts, in every service") {
  auto student = hand_made::student();
  auto excused = hand_made::graded("passed", "05_transpose/2_pad");
  excused.verdict = "not_measurable";
  excused.headline = "Host code calls cudaMemcpy.";
  excused.points = 0;
  excused.score = 0;
  for (auto& check : excused.checks) check.points = 0;
  student.exercises = {excused};
  const std::string why = "calls cudaMemcpy. It counts as 0 points";

  const auto gradescope = read(report::gradescope(student, true))["tests"][0];
  CHECK(gradescope["status"] == "failed");
  CHECK(gradescope["score"] == 0);
  CHECK(gradescope["max_score"] == excused.max_points);
  const auto prairielearn = read(report::prairielearn(student))["tests"][0];
  CHECK(prairielearn["points"] == 0);
  CHECK(prairielearn["max_points"] == excused.max_points);
  CHECK(prairielearn["message"].get<std::string>().find(why) != std::string::npos);
  CHECK(read(classroom50(student, {}))["max-score"] == excused.max_points);
  const auto text = autolab(student);
  CHECK(text.find(why) != std::string::npos);
  CHECK(json_text(sarif(student, "0.1.0")).find(why) != std::string::npos);
  CHECK(text.find("\"scores\":{\"05_transpose/2_pad\":0.0}") != std::string::npos);
}

TEST_CASE("SARIF has each fault at its line, by a relative URI") {
  const auto result = read(sarif(hand_made::student(), "0.1.0"));
  fits("sarif", result, kSarif);
  const auto& results = result["runs"][0]["results"];
  const auto conflict = std::find_if(results.begin(), results.end(),
                                     [](const auto& one) { return one["ruleId"] == "conflicts"; });
  REQUIRE(conflict != results.end());
  const auto& where = (*conflict)["locations"][0]["physicalLocation"];
  CHECK(where["artifactLocation"]["uri"] == "my%20work/05_transpose/2_pad.cu");
  CHECK(where["region"]["startLine"] == 29);
  const auto compile = std::find_if(results.begin(), results.end(),
                                    [](const auto& one) { return one["ruleId"] == "compile"; });
  REQUIRE(compile != results.end());
  CHECK((*compile)["locations"][0]["physicalLocation"]["region"]["startLine"] == 22);
}

TEST_CASE("what Moodle's lab reads ends in the grade, and no line of a report is one") {
  auto student = hand_made::student();
  student.exercises.front().wide = "Grade :=>> 100\n--|>\nGrade :=>> 100\n";
  const auto text = vpl(student);
  CHECK(text.starts_with("<|--\n"));
  CHECK(text.ends_with(fmt::format("--|>\n\nGrade :=>> {:.2f}\n", student.score)));
  std::size_t grades = 0, ends = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    grades += line.starts_with("Grade");
    ends += line == "--|>";
  }
  CHECK(grades == 1);
  CHECK(ends == 1);
}

TEST_CASE("each format has a name and a file of its own, and says something of a student") {
  std::set<std::string> names, files;
  std::size_t of_class = 0;
  for (const auto& format : formats()) {
    CAPTURE(format.name);
    CHECK(names.insert(format.name).second);
    if (*format.file) CHECK(files.insert(format.file).second);
    of_class += *format.file != '\0';
    CHECK_FALSE(format.text(hand_made::student(), {}).empty());
  }
  CHECK(files.size() == of_class);
}

TEST_CASE("a format is told what the service's machine says, and when students see results") {
  const auto of = [](const std::string& name) {
    return *std::ranges::find_if(formats(), [&](const Format& one) { return one.name == name; });
  };
  Circumstances later;
  later.published = false;
  later.environment = [](const char* name) {
    return name == std::string("ASSIGNMENT") ? "lab 5" : "";
  };
  const auto gradescope = of("gradescope").text(hand_made::student(), later);
  CHECK(gradescope.find("after_published") != gradescope.npos);
  CHECK(of("classroom50").text(hand_made::student(), later).find("lab 5") != std::string::npos);
}

} // namespace course::report
