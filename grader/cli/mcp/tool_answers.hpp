// What a tool answers: words for whoever reads along, and the same facts as JSON, both bounded.
#pragma once

#include "cli/mcp/ask.hpp"
#include "report/launches/launches.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace course::cli::mcp {

struct Answer {
  std::string text;
  Json structured = nullptr; // null where there is nothing to say but the text
  bool error = false;
};

// Why a tool could not do what it was asked for, and what to do.
Answer refusal(const std::string& what);

// What a program printed, as it came.
struct Printed {
  std::string out, err;
};
Answer run_answer(const report::LaunchReport&, const ProgramAsk&, const Printed&);

// The request that cost most of each kernel and kind of access at the line that was asked for.
// `source`: the text of the file that has it.
Answer trace_answer(const report::LaunchReport&, const ProgramAsk&, const std::string& file,
                    std::string_view source);

Answer banks_answer(const Question&);

// Between the process that works and the one that answers.
std::string to_text(const Answer&);
Answer answer_of(std::string_view);

// The most that is told: what is beyond is counted, as `left_out`.
inline constexpr std::size_t kMostLaunches = 50, kMostEach = 50, kMostLines = 200,
                             kMostFindings = 50, kMostPrinted = 8u << 10, kMostText = 24u << 10;

} // namespace course::cli::mcp
