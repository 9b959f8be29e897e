#include "system/program.hpp"

#include "system/argument_pointers.hpp"
#include "system/descriptor.hpp"
#include "system/fork.hpp"
#include "system/stream.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace course::system {
namespace {

constexpr std::size_t kMostOutput = 16 << 20;

int above(const Program& program) {
  int last = STDERR_FILENO;
  for (const auto& given : program.descriptors) last = std::max(last, given.number);
  return last + 1;
}

class FileActions {
public:
  explicit FileActions(const Program& program) {
    posix_spawn_file_actions_init(&actions_);
    for (const auto& given : program.descriptors) {
      if (given.ours >= 0)
        posix_spawn_file_actions_adddup2(&actions_, given.ours, given.number);
      else
        posix_spawn_file_actions_addopen(&actions_, given.number, "/dev/null", O_RDWR, 0);
    }
    if (program.apart) posix_spawn_file_actions_addclosefrom_np(&actions_, above(program));
  }
  FileActions(const FileActions&) = delete; // destroyed once
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

private:
  posix_spawn_file_actions_t actions_{};
};

class Attributes {
public:
  explicit Attributes(const Program& program) {
    posix_spawnattr_init(&attributes_);
    int flags = 0;
    sigset_t signals;
    if (program.apart) {
      sigfillset(&signals);
      posix_spawnattr_setsigdefault(&attributes_, &signals);
      flags |= POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF;
    }
    if (program.apart || program.blocked) {
      sigemptyset(&signals);
      posix_spawnattr_setsigmask(&attributes_, program.blocked ? &*program.blocked : &signals);
      flags |= POSIX_SPAWN_SETSIGMASK;
    }
    if (program.own_group) flags |= POSIX_SPAWN_SETPGROUP;
    posix_spawnattr_setflags(&attributes_, static_cast<short>(flags));
  }
  Attributes(const Attributes&) = delete; // destroyed once
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  const posix_spawnattr_t* get() const { return &attributes_; }

private:
  posix_spawnattr_t attributes_{};
};

const char* file_of(const Program& program) {
  return program.file.empty() ? program.words.front().c_str() : program.file.c_str();
}

// Null pointers alone where it has this process's environment.
std::vector<char*> environment_pointers(const Program& program) {
  return program.environment ? argument_pointers(*program.environment)
                             : std::vector<char*>{nullptr};
}

// Between fork and exec: nothing here allocates.
[[noreturn]] void become_started(const Program& program, char* const* words,
                                 char* const* environment) {
  for (const auto& given : program.descriptors) {
    const int from = given.ours >= 0 ? given.ours : open("/dev/null", O_RDWR | O_CLOEXEC);
    const bool same = from == given.number; // dup2 would leave it closed by exec
    if (same ? fcntl(from, F_SETFD, 0) < 0 : dup2(from, given.number) < 0) _exit(127);
  }
  if (program.apart) close_range(static_cast<unsigned>(above(program)), ~0u, 0);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  execvpe(file_of(program), words, environment);
  _exit(127);
}

} // namespace

pid_t start(const Program& program) {
  const auto words = argument_pointers(program.words);
  const auto names = environment_pointers(program);
  const FileActions actions(program);
  const Attributes attributes(program);
  pid_t process = -1;
  errno = posix_spawnp(&process, file_of(program), actions.get(), attributes.get(), words.data(),
                       program.environment ? names.data() : environ);
  return errno == 0 ? process : -1;
}

pid_t start_with_parent(const Program& program, int signal) {
  const auto words = argument_pointers(program.words);
  const auto names = environment_pointers(program);
  const pid_t process = fork_child(signal);
  if (process == 0)
    become_started(program, words.data(), program.environment ? names.data() : environ);
  return process;
}

void become(const std::filesystem::path& program, char** words) {
  execv(program.c_str(), words);
}

std::optional<std::string> output_of(const std::vector<std::string>& words) {
  auto pipe = make_pipe();
  if (!pipe) return std::nullopt;
  const pid_t child =
      start({words,
             {},
             std::nullopt,
             {{STDIN_FILENO}, {STDOUT_FILENO, pipe->write.get()}, {STDERR_FILENO}}});
  if (child < 0) return std::nullopt;
  pipe->write.reset();
  auto text = read_all(pipe->read.get(), kMostOutput);
  if (!text) kill(child, SIGKILL);
  const int status = await(child);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return text;
}

} // namespace course::system
