// Programs of the system, such as git and nvcc. What is not trusted goes through sandbox/.
#pragma once

#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace course::system {

// A descriptor that a program has as `number`.
struct Given {
  int number = 0;
  int ours = -1; // -1: /dev/null, to read and to write
};

struct Program {
  std::vector<std::string> words; // the first: a path, or a name that PATH has
  std::string file = {};          // what is executed, where it is not the first word
  std::optional<std::vector<std::string>> environment = {}; // "NAME=value"; none: this process's
  std::vector<Given> descriptors = {}; // besides those of this process that are not closed by exec
  bool own_group = false;              // so that all of it can be ended
  // A session of its own, signals as they come by default, and of this process's descriptors none
  // above those given.
  bool apart = false;
  std::optional<sigset_t> blocked =
      {}; // signals; none: those of this thread, or none where it is apart
};

// The process, or -1 with errno.
pid_t start(const Program&);

// The same for a program that is sent `signal` when the thread that started it ends. Without a core
// file; it ends with 127 where it could not be started. `own_group` and `blocked` are not for it.
pid_t start_with_parent(const Program&, int signal);

// This process goes on as that program. Returns only where it could not be executed.
void become(const std::filesystem::path& program, char** words);

// Standard output of a program that reads nothing and whose messages go nowhere. Nothing when it
// could not be started, failed, or printed more than 16 MB.
std::optional<std::string> output_of(const std::vector<std::string>& words);

} // namespace course::system
