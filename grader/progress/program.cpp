#include "progress/program.hpp"

#include "sandbox/argument_pointers.hpp"
#include "sandbox/descriptor.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

namespace course::progress {
namespace {

constexpr std::size_t kMost = 16 << 20;

} // namespace

std::optional<std::string> output_of(const std::vector<std::string>& arguments) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  const sandbox::Descriptor reading(ends[0]);
  sandbox::Descriptor writing(ends[1]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, writing.get(), STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const auto words = sandbox::argument_pointers(arguments);
  pid_t child = -1;
  const int failed = posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed) return std::nullopt;
  writing.reset();

  std::string text;
  std::array<char, 65536> part{};
  for (;;) {
    const auto size = read(reading.get(), part.data(), part.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    text.append(part.data(), size);
    if (text.size() > kMost) break;
  }
  if (text.size() > kMost) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return text;
}

} // namespace course::progress
