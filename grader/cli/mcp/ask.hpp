// What a tool is asked for: the arguments of a call, read and held to their bounds.
#pragma once

#include "cli/banks/default_banks.hpp"
#include "cli/banks/one_request.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace course::cli::mcp {

using Json = nlohmann::ordered_json;

// A program to run, for `run` and `trace`: as text, or as a file below the working folder.
struct ProgramAsk {
  std::optional<std::string> source, file;
  std::vector<std::string> arguments, define;
  bool as_written = false, checks = true;
  std::uint64_t sample = 0; // blocks of each launch; 0: all
  std::string banks = default_banks();
  std::string kernel;                // those with this in their names; empty: all
  int seconds = 20;                  // for its run
  std::optional<std::uint32_t> line; // of `trace`
};

struct BadAsk {
  std::string message; // what is wrong, and what to do
};

using Ask = std::variant<ProgramAsk, Question, BadAsk>;

inline constexpr std::size_t kMostSource = 1u << 20; // bytes
inline constexpr int kMostSeconds = 120;

bool is_tool(std::string_view name);
// `tool` has to be one.
Ask ask_of(std::string_view tool, const Json& arguments);

} // namespace course::cli::mcp
