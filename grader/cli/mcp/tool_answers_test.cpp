#include "cli/mcp/tool_answers.hpp"

#include "device/model/known_gpus.hpp"

#include <doctest/doctest.h>

namespace course::cli::mcp {
namespace {

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

device::LineCounts column(std::uint32_t line) {
  device::LineCounts row;
  row.kernel = "turn";
  row.file = "/copies/turn.cu";
  row.line = line;
  row.kind = *model::kind_of("shared_load_4");
  row.requests = 2;
  row.wavefronts = 64;
  row.ideal = 2;
  row.worst.active = model::kAllLanes;
  row.worst.width = 4;
  for (unsigned lane = 0; lane < 32; ++lane) row.worst.offset[lane] = lane * 128;
  return row;
}

report::LaunchReport some_report(std::size_t kernels = 1, std::size_t lines = 1) {
  report::LaunchReport report;
  report.banks = &model::default_gpu().architecture;
  report.program = "turn.cu";
  report.device = "emulated H200";
  for (std::size_t k = 0; k < kernels; ++k) {
    device::LaunchSum sum;
    sum.counts.kernel = "turn";
    sum.launches = 1;
    for (std::size_t line = 0; line < lines; ++line)
      sum.lines.push_back(column(static_cast<std::uint32_t>(line + 3)));
    report.launches.push_back(sum);
    report.each_launch.push_back({});
    report.each_launch.back().kind = k;
  }
  return report;
}

} // namespace

TEST_CASE("a run's answer is course run's table and its JSON") {
  const auto answer = run_answer(some_report(), {}, {"hello\n", "\x1b[31mred"});
  CHECK_FALSE(answer.error);
  CHECK(mentions(answer.text, "turn"));
  CHECK(mentions(answer.text, "It printed:\nhello\n"));
  CHECK(answer.structured["report"]["launches"][0]["conflicts"] == 62);
  CHECK(answer.structured["stdout"] == "hello\n");
  CHECK_FALSE(mentions(answer.structured["stderr"].get<std::string>(), "\x1b"));
  CHECK(answer.structured["left_out"].empty());
}

TEST_CASE("an answer is bounded, and says what it leaves out") {
  const auto answer = run_answer(some_report(60, 20), {}, {std::string(100'000, 'x'), ""});
  CHECK(answer.structured["left_out"]["launches"] == 10);
  CHECK(answer.structured["left_out"]["each_launch"] == 10);
  CHECK(answer.structured["left_out"]["lines"] == 50 * 20 - 200);
  CHECK(answer.structured["stdout"].get<std::string>().size() < kMostPrinted + 100);
  CHECK(to_text(answer).size() < 256u << 10);
}

TEST_CASE("an answer is of the kernels that were asked for") {
  auto report = some_report(2);
  report.launches[0].counts.kernel = "other";
  ProgramAsk ask;
  ask.kernel = "turn";
  const auto json = run_answer(report, ask, {}).structured["report"];
  CHECK(json["launches"].size() == 1);
  CHECK(json["each_launch"].size() == 1);
  CHECK(json["each_launch"][0]["launch"] == 0);
}

TEST_CASE("a traced request has its lanes, words and banks") {
  ProgramAsk ask;
  ask.line = 3;
  const auto answer = trace_answer(some_report(), ask, "turn.cu", "");
  REQUIRE_FALSE(answer.error);
  const auto& request = answer.structured["requests"][0];
  CHECK(request["ways"] == 32);
  CHECK(request["conflicts"] == 31);
  CHECK(request["lanes"].size() == 32);
  CHECK(request["lanes"][2] == Json{{"lane", 2}, {"byte", 256}, {"word", 64}, {"bank", 0}});
  CHECK(mentions(answer.text, "32-way"));
}

TEST_CASE("a line without a request is answered with those that have one") {
  ProgramAsk ask;
  ask.line = 9;
  const auto answer = trace_answer(some_report(1, 2), ask, "turn.cu", "");
  CHECK(answer.error);
  CHECK(mentions(answer.text, "at lines 3, 4"));
}

TEST_CASE("an access pattern is answered with what would fix it, or without") {
  Question question;
  question.index = "32*t";
  const auto answer = banks_answer(question);
  CHECK(answer.structured["conflicts"] == 31);
  CHECK(answer.structured["remedies"].size() == 2);
  CHECK(mentions(answer.text, "What would fix it"));
  question.advice = false;
  const auto facts = banks_answer(question);
  CHECK(facts.structured["conflicts"] == 31);
  CHECK(facts.structured["remedies"].empty());
  CHECK_FALSE(mentions(facts.text, "fix"));
  question.index = "t/0";
  CHECK(banks_answer(question).error);
}

TEST_CASE("an answer comes through a pipe as it was, and anything else is a refusal") {
  const auto answer = run_answer(some_report(), {}, {"a", ""});
  const auto again = answer_of(to_text(answer));
  CHECK(again.text == answer.text);
  CHECK(again.structured == answer.structured);
  for (const char* text : {"", "{", "[]", "{\"text\":1,\"structured\":null,\"error\":false}"})
    CHECK(answer_of(text).error);
}

} // namespace course::cli::mcp
