#include "cli/mcp/ask.hpp"

#include <doctest/doctest.h>

namespace course::cli::mcp {
namespace {

ProgramAsk program(const char* tool, const Json& arguments) {
  const auto ask = ask_of(tool, arguments);
  const auto* bad = std::get_if<BadAsk>(&ask);
  REQUIRE_MESSAGE(!bad, bad->message);
  return std::get<ProgramAsk>(ask);
}

std::string fault(const char* tool, const Json& arguments) {
  const auto ask = ask_of(tool, arguments);
  const auto* bad = std::get_if<BadAsk>(&ask);
  REQUIRE(bad);
  return bad->message;
}

bool is_about(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

} // namespace

TEST_CASE("a program is asked for by its text or its file, with what it is to be given") {
  const auto ask = program("run", {{"source", "int main() {}"},
                                   {"arguments", {"1", "--two"}},
                                   {"define", {"N=32", "FAST"}},
                                   {"seconds", 5},
                                   {"sample", 64},
                                   {"checks", false},
                                   {"as_written", true},
                                   {"banks", "2.x"}});
  CHECK(*ask.source == "int main() {}");
  CHECK(ask.arguments.size() == 2);
  CHECK(ask.define.back() == "FAST");
  CHECK(ask.seconds == 5);
  CHECK(ask.sample == 64);
  CHECK_FALSE(ask.checks);
  CHECK(ask.as_written);
  CHECK(ask.banks == "2.x");
  CHECK(*program("trace", {{"file", "a.cu"}, {"line", 3}}).line == 3);
  CHECK(program("run", {{"file", "a.cu"}, {"seconds", 5.0}}).seconds == 5);
}

TEST_CASE("what is wrong with an argument is said, and so is one that there is not") {
  CHECK(is_about(fault("run", Json::object()), "one of them alone"));
  CHECK(is_about(fault("run", {{"source", ""}, {"file", "a.cu"}}), "one of them alone"));
  CHECK(is_about(fault("run", {{"source", 1}}), "has to be a string"));
  CHECK(is_about(fault("run", {{"file", "a.cu"}, {"seconds", 0}}), "from 1 to 120"));
  CHECK(is_about(fault("run", {{"file", "a.cu"}, {"seconds", 1.5}}), "whole number"));
  CHECK(is_about(fault("run", {{"file", "a.cu"}, {"sample", -1}}), "whole number"));
  CHECK(is_about(fault("run", {{"file", "a.cu"}, {"sample", 1e300}}), "whole number"));
  CHECK(is_about(fault("run", {{"file", "a.cu"}, {"checks", "no"}}), "true or false"));
  CHECK(is_about(fault("run", {{"file", "a.cu"}, {"banks", "abacus"}}), "there are"));
  CHECK(is_about(fault("run", {{"file", "a.cu"}, {"solution", true}}), "no argument solution"));
  CHECK(is_about(fault("trace", {{"file", "a.cu"}}), "line has to be there"));
  CHECK(is_about(fault("run", Json::array()), "an object"));
  CHECK(is_about(fault("run", {{"source", std::string(kMostSource + 1, ' ')}}), "bytes"));
  CHECK(is_about(fault("run", {{"file", std::string("a\0b.cu", 6)}}), "null byte"));
}

TEST_CASE("macros have no words for a shell") {
  for (const char* macro : {"A=$(id)", "A=`id`", "A=1;id", "A= 1", "-DA", "", "1A", "A-B=1"})
    CHECK(is_about(fault("run", {{"file", "a.cu"}, {"define", {macro}}}), "define has"));
  for (const char* macro : {"A", "_a1=", "A=1.5e-3", "A=-1", "A=float"})
    CHECK(program("run", {{"file", "a.cu"}, {"define", {macro}}}).define.size() == 1);
}

TEST_CASE("an access is asked for by the index of its lanes") {
  const auto ask = ask_of("banks", {{"index", "32*t"}, {"width", 8}, {"mask", 0xffff}});
  const auto question = std::get<Question>(ask);
  CHECK(question.index == "32*t");
  CHECK(question.width == 8);
  CHECK(question.active == 0xffff);
  CHECK(is_about(fault("banks", Json::object()), "index has to be there"));
  CHECK(is_about(fault("banks", {{"index", "t"}, {"width", 3}}), "1, 2, 4, 8 or 16"));
}

} // namespace course::cli::mcp
