// Verdicts staged for tests: each what a student may see, made by the judge from staged counts.
#pragma once

#include "device/message_id.hpp"
#include "judge/correctness.hpp"
#include "judge/counts.hpp"
#include "judge/hand_made.hpp"
#include "judge/limits.hpp"
#include "judge/one_number.hpp"
#include "judge/verdict.hpp"

#include <bit>
#include <csignal>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace course::report::hand_made {

using judge::Ending;
using judge::Execution;
using judge::Status;
using judge::hand_made::global;
using judge::hand_made::shared;
using judge::hand_made::transpose;
using Executions = std::vector<Execution>;

inline judge::Verdict blank(Ending ending) {
  judge::Verdict verdict;
  verdict.exercise = "05_transpose/2_pad";
  verdict.file = "2_pad.cu";
  verdict.ending = ending;
  verdict.seed = 1729;
  verdict.shapes = 4;
  verdict.seeds = 3;
  verdict.means = {"emulated H200", judge::Means::Note::no_gpu, "13.0.88", "bubblewrap", "0.1.0"};
  return verdict;
}

inline judge::Check step(const std::string& name, Status status) {
  judge::Check check;
  check.name = name;
  check.status = status;
  return check;
}

inline judge::Check worth(judge::Check check, int points, const std::string& pair) {
  check.max_points = points;
  check.pair = pair;
  return check;
}

inline judge::Verdict judged(const Executions& all) {
  auto verdict = blank(Ending::failed);
  verdict.checks = {
      step("compile", Status::passed),
      step("host", Status::passed),
      step("launch", Status::passed),
      judge::check_kernel(all),
      worth(judge::check_output(all), 20, ""),
      worth(judge::check_memory(all), 5, "output"),
      worth(judge::check_coalescing(all), 10, "output"),
      worth(judge::check_traffic(all), 10, ""),
      worth(judge::check_conflicts(all), 15, "traffic"),
      worth(judge::impossible("time", judge::facts::Missing::needs_gpu), 40, "output")};
  verdict.lines = judge::lines(all);
  for (const auto& execution : all) {
    verdict.launches = execution.observed.launches;
    if (verdict.findings.empty()) verdict.findings = execution.observed.findings;
    if (!execution.output.passed() && !verdict.wrong)
      verdict.wrong = judge::WrongOutput{"out", execution.shape, execution.seed, execution.output};
  }
  judge::settle(verdict);
  return verdict;
}

// The output of a shape, compared as it would be; `spoil` changes what was right.
inline Execution with_output(Execution execution, std::uint64_t rows, std::uint64_t cols,
                             const std::function<void(std::vector<float>&)>& spoil) {
  std::vector<float> input(rows * cols), expected(rows * cols);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = 0.5f + static_cast<float>(i);
  for (std::size_t i = 0; i < input.size(); ++i) expected[i % cols * rows + i / cols] = input[i];
  auto got = expected;
  spoil(got);
  execution.output = judge::compare(got, expected, {cols, rows}, {}, input);
  return execution;
}

inline device::Finding finding(device::FindingKind kind, std::uint32_t line,
                               device::Message message, bool fatal) {
  auto found = judge::hand_made::finding(kind, line, fatal);
  found.message = std::move(message);
  found.block = {1, 0, 0};
  found.thread = {0, 31, 0};
  return found;
}

inline judge::Verdict told(judge::EndedBy how) {
  auto verdict = blank(judge::ending_of(how));
  verdict.ended = std::move(how);
  return verdict;
}

// All of them, by the name of their golden file.
inline std::map<std::string, judge::Verdict> verdicts() {
  using device::FindingKind;
  using device::Message;
  using Says = device::MessageId;
  std::map<std::string, judge::Verdict> all;
  const auto poison = std::bit_cast<float>(judge::kPoison);

  const Executions conflicting{transpose(32, 32, 32), transpose(256, 128, 32)};
  all["conflicts"] = judged(conflicting);

  auto two_way = transpose(256, 128, 2);
  auto& sample = two_way.observed.lines[2].worst;
  for (unsigned lane = 0; lane < 32; ++lane) sample.offset[lane] = lane * 4 * 34;
  all["conflicts_2_way"] = judged({two_way});

  // Of the limit of one kind of requests: the shape that fails, and the worst of several ways.
  auto few = transpose(32, 32), mixed = transpose(256, 128, 8);
  auto& row = mixed.observed.lines[2];
  row.ways[2] = 768, row.ways[8] = 256;
  row.wavefronts = 768 * 2 + 256 * 8;
  row.worst.block = {3, 1, 0}, row.worst.warp = 5;
  all["conflicts_of_several_ways"] = judged({few, mixed});
  judge::Number loads;
  loads.measure = [](const judge::Execution& one) {
    return judge::Measure{"load_conflicts", judge::count(one.observed).conflicts, 0, 0};
  };
  loads.unit = judge::facts::Unit::conflicts;
  loads.weight = [](const device::LineCounts& line) { return line.conflicts(); };
  all["load_conflicts"] = all["conflicts_of_several_ways"];
  for (auto& check : all["load_conflicts"].checks)
    if (check.name == "conflicts")
      check = worth(judge::check_number("load_conflicts", Executions{few, mixed}, loads), 15, "");
  judge::settle(all["load_conflicts"]);

  auto on_stores = transpose(256, 128);
  on_stores.observed.lines[1] = shared(22, "shared_store_4", 1024, 32);
  all["conflicts_on_stores"] = judged({on_stores});

  all["passed"] = judged({transpose(32, 32), transpose(256, 128)});
  all["passed"].explanation =
      "Conflicts went from 31 per request to 0, for one unused word per row. The column read now "
      "walks through all 32 banks, since 33 mod 32 is 1.";
  all["passed"].mentioned = {judge::check_conflicts(conflicting)};

  auto stores = transpose(64, 96);
  stores.observed.lines[3] = global(29, "global_store_4", 192, 32);
  all["coalescing"] = judged({stores});

  auto unused = transpose(64, 96);
  std::erase_if(unused.observed.lines,
                [](const auto& line) { return line.kind.is_on(model::Memory::shared); });
  all["traffic"] = judged({unused});

  all["unwritten"] = judged({with_output(
      transpose(64, 96), 64, 96, [&](auto& got) { std::fill(got.begin(), got.end(), poison); })});
  all["one_element"] =
      judged({with_output(transpose(64, 96), 64, 96, [](auto& got) { got[70] = got[7]; })});
  all["not_turned"] = judged({with_output(transpose(64, 96), 64, 96, [](auto& got) {
    for (std::size_t i = 0; i < got.size(); ++i) got[i] = 0.5f + static_cast<float>(i);
  })});
  all["edges"] = judged({with_output(transpose(67, 129), 67, 129, [&](auto& got) {
    for (std::size_t i = 0; i < got.size(); ++i)
      if (i / 67 >= 128 || i % 67 >= 64) got[i] = poison;
  })});

  auto racing = with_output(transpose(64, 96), 64, 96, [](auto& got) { got[70] = 0; });
  racing.observed.findings = {finding(
      FindingKind::race, 29,
      Message(Says::meets, Message(Says::reads, Message(Says::element, "tile[31][0]", 3968)),
              Message(Says::wrote, Message(Says::thread, device::Dim3{0, 31, 0})),
              Message(Says::no_barrier)),
      false)};
  racing.observed.findings[0].other_line = 22;
  racing.observed.findings[0].count = 1024;
  all["race"] = judged({racing});

  all["out_of_bounds"] = judged({judge::hand_made::ended(
      transpose(64, 96),
      finding(FindingKind::out_of_bounds, 29,
              Message(Says::access_is, device::LaneAccess{device::LaneAccess::Does::store, 4},
                      Message(Says::past_end, device::Count{4},
                              Message(Says::sized, "out", device::Count{24'576}))),
              true))});
  all["endless_kernel"] = judged({judge::hand_made::ended(
      transpose(64, 96), finding(FindingKind::budget, 22,
                                 Message(Says::still_running, device::Count{2'307'200}), true))});
  all["endless_kernel"].ending = Ending::timed_out;

  all["launch"] = blank(Ending::failed);
  auto launch = step("launch", Status::failed);
  launch.shape = judge::matrix(32, 32);
  launch.facts = judge::facts::CallRefused{
      "cudaLaunchKernel", "cudaErrorInvalidValue",
      Message(Says::threads_beyond_device, device::Count{2048}, device::Count{1024})};
  all["launch"].checks = {step("compile", Status::passed), step("host", Status::passed), launch,
                          step("kernel", Status::not_measured),
                          worth(step("output", Status::not_measured), 60, "")};
  judge::settle(all["launch"]);

  all["did_not_compile"] =
      told(judge::endings::Rejected{judge::endings::Rejected::Why::diagnostics, "2_pad.cu"});
  all["did_not_compile"].compiler =
      "2_pad.cu(22): error: identifier \"tiel\" is undefined\n"
      "    tiel[threadIdx.y][threadIdx.x] = in[in_row * cols + in_col];\n"
      "    ^\n\n1 error detected in the compilation of \"2_pad.cu\".\n";
  all["did_not_compile"].max_points = 60;

  all["crashed"] = told(judge::endings::Crashed{{"transpose", judge::matrix(32, 32)}, SIGFPE, ""});
  all["crashed"].printed = "about to divide\n\033[31mred\033[0m\r\n";
  all["crashed"].max_points = 60;

  all["illegal_instruction"] =
      told(judge::endings::Crashed{{"transpose", judge::matrix(32, 32)}, SIGILL, ""});
  all["aborted"] = told(judge::endings::Crashed{
      {"transpose", judge::matrix(32, 32)}, SIGABRT, "threw `std::runtime_error`: no such size"});
  all["not_executable"] = told(judge::endings::NotExecutable{Message(
      Says::of_kernel, Message(Says::cannot_execute_at, "tex.cube.v4.f32.f32", "2_pad.cu", 29),
      Message("texture and surface references are not available; objects are"))});
  all["unreadable"] = told(judge::endings::Unreadable{"2_pad.cu", "it is not a file"});

  all["set_up"] = told(judge::endings::NoToolkit{});
  return all;
}

} // namespace course::report::hand_made
