#include "build/program.hpp"

#include <cerrno>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace course::build {

std::optional<std::filesystem::path> build_program(const Toolkit& toolkit,
                                                   const std::filesystem::path& source,
                                                   const std::filesystem::path& folder,
                                                   const std::vector<std::string>& more) {
  const auto program = folder / source.stem();
  std::vector<std::string> words{toolkit.nvcc};
  words.insert(words.end(), std::begin(kProgramFlags), std::end(kProgramFlags));
  words.insert(words.end(), more.begin(), more.end());
  words.insert(words.end(), {"-o", program, std::filesystem::absolute(source)});
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  pid_t nvcc = -1;
  if (posix_spawn(&nvcc, argv[0], nullptr, nullptr, argv.data(), environ) != 0) return std::nullopt;
  int status = 0;
  while (waitpid(nvcc, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return program;
}

} // namespace course::build
