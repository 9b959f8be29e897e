// What the grader asks of the keeper, the small program that stands between it and an untrusted one
// (keeper/keeper.cpp). It travels as the keeper's command line, so that it can be read and repeated
// by hand: `course_keeper direct cpu=5 memory=1073741824 … -- /path/program arguments`.
#pragma once

#include "sandbox/process.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace course::sandbox {

// Descriptors that the keeper starts with, beside 0 to 2.
inline constexpr int kChannelDescriptor = 3;
inline constexpr int kControlDescriptor = 4; // a SOCK_SEQPACKET: Reports to the grader

struct Order {
  std::vector<std::string> argv;
  std::vector<std::string> environment; // "NAME=value"
  std::filesystem::path directory;
  bool scratch = false; // the directory is removed afterwards, also when the grader was killed
  std::chrono::seconds cpu{};
  std::uint64_t memory = 0, file_size = 0; // bytes
  std::uint64_t processes = 0;

  // The program's own user and group, when the grader is root; its limit of processes is then its
  // own. Otherwise it runs as the grader's user.
  std::optional<uid_t> user;
  // It runs beside the grader's other processes, as the same user, with no name space of its own:
  // they count against the kernel's limit of processes, and it must not signal them.
  bool shares_user = false;
  // Keeps the right to read files whatever their mode, for files below folders that only root may
  // enter. For landlock, whose rules still hold.
  bool reads_all_modes = false;

  bool landlock = false;
  std::vector<std::filesystem::path> readable, writable; // landlock's rules
  std::vector<std::filesystem::path> system; // folders of the system's programs and libraries
  bool filter = false;  // refuse system calls that a program has no business with
  bool channel = false; // keep descriptor 3
};

std::vector<std::string> to_arguments(const Order&);

// Throws std::invalid_argument for a word that `to_arguments` does not write.
Order from_arguments(const std::vector<std::string>&);

} // namespace course::sandbox
