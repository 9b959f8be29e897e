// Commands that other programs have (programs.hpp): their names and meanings, and the way there.
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/programs.hpp"
#include "cli/screen.hpp"
#include "language/translate.hpp"
#include "system/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace course::cli {
namespace {

struct Listed {
  Program program;
  std::string_view word;
  const char* meaning; // empty: not listed

  std::string name() const {
    std::string name(word);
    std::ranges::replace(name, '_', '-');
    return name;
  }
};

constexpr std::array kCommands{
#define COURSE_COMMAND(program, word, meaning) Listed{Program::program, #word, meaning},
#include "cli/commands.def"
#undef COURSE_COMMAND
};

const char* file_of(Program program) {
  switch (program) {
  case Program::course:
    return "course";
  case Program::explore:
    return "course-explore";
  case Program::staff:
    return "course-staff";
  case Program::serve:
    return "course-serve";
  }
  return "";
}

// What describes all commands is best told by the program that has most of them.
bool describes_all(std::string_view name) {
  return name == "completion" || name == "man";
}

std::filesystem::path beside_this(const std::string& file) {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / file;
}

std::filesystem::path beside_this(Program program) {
  return beside_this(file_of(program));
}

void become(Program program, char** argv) {
  system::become(beside_this(program), argv);
}

} // namespace

void add_names(CLI::App& app, Program of) {
  for (const auto& one : kCommands)
    if (one.program == of && *one.meaning != 0) add_command(app, one.name(), one.meaning);
}

std::optional<int> hand_over(char** argv) {
  const std::string name = argv[0] && argv[1] ? argv[1] : "";
  if (describes_all(name)) {
    for (const Program program : {Program::staff, Program::explore})
      if (program > kThisProgram) become(program, argv);
    return std::nullopt;
  }
  const auto found =
      std::ranges::find_if(kCommands, [&](const Listed& one) { return name == one.name(); });
  if (found == kCommands.end() || found->program <= kThisProgram) return std::nullopt;
  become(found->program, argv);
  say_wrong(
      "course " + name,
      errno == ENOENT
          ? tr("what it needs is not here. In a clone of the course, ./course {} builds it", name)
          : tr("{} could not be started: {}", beside_this(found->program).string(),
               std::strerror(errno)));
  return kSetUp;
}

void become_own_command(char** argv) {
  const std::string name = argv[0] && argv[1] ? argv[1] : "";
  const bool is_name =
      !name.empty() && name[0] != '-' && std::ranges::all_of(name, [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '-' || c == '_';
      });
  const std::string file = "course-" + name;
  for (const Program program : {Program::explore, Program::staff, Program::serve})
    if (file == file_of(program)) return; // it would come here again
  if (!is_name) return;
  std::string own = beside_this(file).string();
  char* const word = std::exchange(argv[1], own.data());
  system::become(own, argv + 1);
  argv[1] = word;
}

} // namespace course::cli
