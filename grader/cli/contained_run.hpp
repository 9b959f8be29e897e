// A program that nobody vouches for: compiled in the sandbox, run in it with the emulated device in
// the place of a GPU, and what that came to. What `course mcp` and the playground of `course serve`
// do, each in a process that somebody watches.
#pragma once

#include "cli/banks/default_banks.hpp"
#include "lab/tools.hpp"
#include "report/launches/launches.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace course::emulator {
struct WarpTrace;
}

namespace course::cli {

inline constexpr std::uint64_t kMostMemory = 2ull << 30; // bytes in use, of who executes kernels
// For nvcc, and for what the emulated device does beside launches.
inline constexpr std::chrono::seconds kBeside{150};

// The name of a text that came without one.
inline constexpr const char* kOneSource = "program.cu";

struct ContainedAsk {
  std::filesystem::path folder;              // has the sources, and gets the program
  std::filesystem::path source;              // in it
  std::string text;                          // of the source and what it includes from the folder
  bool specific = false;                     // for sm_90a
  std::vector<std::string> arguments, flags; // of the program; of nvcc
  std::string banks = default_banks();
  bool checks = true;
  std::uint64_t sample = 0;             // blocks of each launch; 0: all
  emulator::WarpTrace* trace = nullptr; // gets what it asks for; nullptr: nobody does
  int seconds = 20;                     // for its run
};

struct ContainedResult {
  report::LaunchReport report;
  std::string out, err; // what it printed, as it came
};
struct NotCompiled {
  std::string words; // nvcc's
};
struct NotStarted {
  std::string why; // part of a sentence
};

std::variant<ContainedResult, NotCompiled, NotStarted> run_contained(const ContainedAsk&,
                                                                     const lab::Workplace&);

// What is told of it names files as their author does: the folder is nobody's business.
std::string without_folder(std::string text, const std::filesystem::path& folder);

} // namespace course::cli
