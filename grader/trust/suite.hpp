// The attack suite: files that try to cheat, break or stall the grader, and honest ones that look
// odd.
#pragma once

#include "trust/declaration.hpp"
#include "trust/trial.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace course::trust {

struct Case {
  std::string name; // "attacks/host/exit_zero", "controls/odd/…", "controls/05_transpose/2_pad_…"
  std::filesystem::path file;
  Declaration declared;
};

// All files below attacks/, of which those in attacks/odd are honest and called controls, and the
// honest ways of all exercises, by name.
std::vector<Case> suite(const std::filesystem::path& root);

// Those whose name or folder is among `parts`, or all: "attacks", "host", "attacks/host",
// "exit_zero".
std::vector<Case> chosen(const std::vector<Case>&, const std::vector<std::string>& parts);

struct Result {
  std::size_t index = 0;               // of the case
  bool needs_gpu = false;              // it was handed in without one
  std::vector<std::string> complaints; // empty: caught, or passed where that is due
  std::string verdict;                 // "failed output, memory"
  double seconds = 0;
};

// Hands in one file as it says it has to be. Throws what hand_in throws.
Result attempt(const Case&, std::size_t index, const Desk&);

// All of them, `jobs` at a time, each in processes of its own; results as they come. Call it before
// any thread is started.
void attempt_all(const std::vector<Case>&, const Desk&, unsigned jobs,
                 const std::function<void(const Result&)>& each);

} // namespace course::trust
