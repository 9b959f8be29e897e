#include "report/junit.hpp"

#include "report/hand_made_students.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace course::report {
namespace {

// What is wrong with the nesting of the tags of a document; empty when each ends as it began.
std::string nesting(const std::string& xml) {
  std::vector<std::string> open;
  for (auto at = xml.find('<'); at != xml.npos; at = xml.find('<', at + 1)) {
    const auto end = xml.find('>', at);
    if (end == xml.npos) return "a tag without end";
    const auto tag = xml.substr(at + 1, end - at - 1);
    if (tag.starts_with("?") || tag.ends_with("/")) continue;
    const auto name = tag.substr(0, tag.find(' '));
    if (!name.starts_with("/")) {
      open.push_back(name);
    } else if (open.empty() || "/" + open.back() != name) {
      return "unexpected <" + name + ">";
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : "open: " + open.back();
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

} // namespace

TEST_CASE("a class's JUnit file nests, whatever a student wrote") {
  const auto xml =
      junit_start() + junit(hand_made::student()) + junit(hand_made::student()) + junit_end();
  CHECK(nesting(xml) == "");
  CHECK(occurrences(xml, "<testsuite ") == 2);
  CHECK(xml.find('\033') == xml.npos);
}

TEST_CASE("each check has its points, and a failed one its reason") {
  const auto xml = junit(hand_made::student());
  CHECK(xml.find("<testcase classname=\"05_transpose/2_pad\" name=\"conflicts\" time=\"0.000\">"
                 "<properties><property name=\"score\" value=\"0\"/><property name=\"max_score\" "
                 "value=\"15\"/></properties><failure type=\"failed\" message=\"") != xml.npos);
  CHECK(xml.find("<failure type=\"failed\" message=\"\"") == xml.npos);
}

TEST_CASE("what was not graded is skipped, what was not handed in is a failure") {
  const auto xml = junit(hand_made::student());
  CHECK(xml.find("classname=\"06_constant_memory/3_read_only\" name=\"handed in\" "
                 "time=\"0.000\"><skipped ") != xml.npos);
  CHECK(xml.find("<failure type=\"missing\" message=\"because") != xml.npos);
  CHECK(xml.find("<failure type=\"refused\" message=\"because") != xml.npos);
}

TEST_CASE("what a file keeps from being measured is a failure, not a test left out") {
  auto student = hand_made::student();
  auto excused = hand_made::graded("passed", "05_transpose/2_pad");
  excused.verdict = "not_measurable";
  excused.headline = "Host code calls cudaMemcpy.";
  student.exercises = {excused};
  const auto text = junit(student);
  CHECK(text.find("failures=\"1\"") != std::string::npos);
  CHECK(text.find("Host code calls cudaMemcpy. It counts as 0 points") != std::string::npos);
}

TEST_CASE("what was decided is a case of its own") {
  auto student = hand_made::student();
  student.exercises.resize(1);
  student.exercises[0].decided = "7 points instead of 0, decided on 2026-11-22: <so>";
  student.exercises[0].points = 7;
  const auto xml = junit(student);
  CHECK(xml.find("name=\"decided\" time=\"0.000\"><properties><property name=\"score\" "
                 "value=\"7\"/>") != xml.npos);
  CHECK(xml.find("decided on 2026-11-22: &lt;so&gt;</system-out>") != xml.npos);
}

TEST_CASE("the suite's counts are those of its cases") {
  const auto xml = junit(hand_made::student());
  const auto number = [&](const std::string& name) {
    return std::stoul(xml.substr(xml.find(name + "=\"") + name.size() + 2));
  };
  CHECK(number("tests") == occurrences(xml, "<testcase "));
  CHECK(number("failures") == occurrences(xml, "<failure "));
  CHECK(number("skipped") == occurrences(xml, "<skipped "));
}

} // namespace course::report
