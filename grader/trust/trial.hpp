// One file handed in, and everything that came back: `course grade`, run as anybody would run it.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace course::trust {

// How files are handed in.
struct Desk {
  std::filesystem::path course; // the program
  std::filesystem::path root;   // of the project
  std::filesystem::path cache;  // of compilations
  std::string sandbox;          // a rung; empty: the best there is
  bool gpu = false;             // files that have to be graded on a GPU are, on this machine's
  unsigned patience = 1;        // this many times the seconds that each declares
};

struct Submission {
  std::string exercise;
  std::filesystem::path file;
  std::chrono::seconds patience{30};
  std::uint64_t seed = 1;
  bool gpu = false; // on a GPU
};

struct Trial {
  int exit_code = -1; // -1 when it was ended by `signal`, or by this process for its time
  int signal = 0;
  bool too_late = false; // it had not ended in time, and was ended
  std::string out, err, json;
  std::size_t leftovers = 0;            // processes that outlived it
  std::vector<std::string> left_behind; // in its folder for temporary files
  std::chrono::duration<double> seconds{};
};

// This process has to be a subreaper (see become_subreaper), or leftovers cannot be seen.
// Throws std::system_error and std::filesystem::filesystem_error where nothing can be started.
Trial hand_in(const Desk&, const Submission&);

// Processes whose parents end become this one's children.
void become_subreaper();

} // namespace course::trust
