#include "build/own_program.hpp"

#include "build/nvcc.hpp"
#include "build/specific.hpp"
#include "system/fork.hpp"
#include "system/program.hpp"

#include <algorithm>
#include <cctype>
#include <sys/wait.h>

namespace course::build {
namespace {

constexpr const char* kProgram = "program.out"; // no source's name ends so

// All but the program's name and what is to come last.
std::vector<std::string> program_words(const model::Gpu& gpu, bool specific,
                                       const std::vector<std::string>& more) {
  std::vector<std::string> words{"-gencode", targets_of(gpu, specific)};
  words.insert(words.end(), std::begin(kProgramFlags), std::end(kProgramFlags));
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

} // namespace

std::optional<std::filesystem::path> build_program(const Toolkit& toolkit, const model::Gpu& gpu,
                                                   const std::filesystem::path& source,
                                                   const std::filesystem::path& folder,
                                                   const std::vector<std::string>& more) {
  const auto program = folder / source.stem();
  std::vector<std::string> words{toolkit.nvcc};
  const auto middle = program_words(gpu, needs_specific_with_includes(source), more);
  words.insert(words.end(), middle.begin(), middle.end());
  words.insert(words.end(), {"-o", program, std::filesystem::absolute(source)});
  const pid_t nvcc = system::start({words});
  if (nvcc < 0) return std::nullopt;
  const int status = system::await(nvcc);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return program;
}

std::variant<std::filesystem::path, Rejected>
build_contained_program(const Toolkit& toolkit, const model::Gpu& gpu,
                        const std::filesystem::path& folder, const std::filesystem::path& source,
                        bool specific, const std::vector<std::string>& more) {
  const auto copy = folder / source;
  auto words = program_words(gpu, specific, more);
  words.insert(words.end(), {"-o", kProgram, copy});
  const Seen seen{folder, source.string(), source.string()};
  const Options options;
  const auto outcome = run_nvcc(toolkit, options, words, seen);
  if (auto rejected = rejection(outcome, options.limits, seen)) return std::move(*rejected);
  return folder / kProgram;
}

bool is_plain_word(std::string_view word) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-' || c == '.' || c == '+' || c == '/';
  };
  return !word.empty() && word[0] != '-' && std::ranges::all_of(word, plain);
}

} // namespace course::build
