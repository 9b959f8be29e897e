#include "build/own_program.hpp"

#include "build/specific.hpp"
#include "system/fork.hpp"
#include "system/program.hpp"

#include <sys/wait.h>

namespace course::build {

std::optional<std::filesystem::path> build_program(const Toolkit& toolkit,
                                                   const std::filesystem::path& source,
                                                   const std::filesystem::path& folder,
                                                   const std::vector<std::string>& more) {
  const auto program = folder / source.stem();
  std::vector<std::string> words{toolkit.nvcc};
  words.insert(words.end(),
               {"-gencode", targets_of(model::kH200, needs_specific_with_includes(source))});
  words.insert(words.end(), std::begin(kProgramFlags), std::end(kProgramFlags));
  words.insert(words.end(), more.begin(), more.end());
  words.insert(words.end(), {"-o", program, std::filesystem::absolute(source)});
  const pid_t nvcc = system::start({words});
  if (nvcc < 0) return std::nullopt;
  const int status = system::await(nvcc);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return program;
}

} // namespace course::build
