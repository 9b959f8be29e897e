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

struct Elsewhere {
  Program program;
  const char* name;
  const char* meaning; // nullptr: not listed
};

// As the commands themselves say; a test compares the help of the programs.
constexpr std::array kCommands{
    Elsewhere{Program::explore, "banks",
              "Count bank conflicts: of the requests in a file, or of one given by --index"},
    Elsewhere{Program::explore, "doctor",
              "Look at this machine: compiler, GPU, counters, sandbox, what is missing"},
    Elsewhere{Program::explore, "run", "Run any CUDA program without a GPU, and count"},
    Elsewhere{Program::explore, "play", nullptr},
    Elsewhere{Program::explore, "trace", "The memory requests of one line, step by step"},
    Elsewhere{Program::explore, "profile", "Source text beside what each line of it cost"},
    Elsewhere{Program::explore, "lsp", "A language server: counts beside the lines of an editor"},
    Elsewhere{Program::explore, "mcp", "Tools for an assistant: run a CUDA program, count, trace"},
    Elsewhere{Program::serve, "serve", "The course in a browser: read, edit, grade"},
    Elsewhere{Program::staff, "class", "Grade a class: a folder of submissions to grades"},
    Elsewhere{Program::staff, "class-one", nullptr},
    Elsewhere{Program::staff, "decide", "Decide what an exercise is worth, and say why"},
    Elsewhere{Program::staff, "forget", "Remove one person from the results of a class"},
    Elsewhere{Program::staff, "autograde", "Grade one submission for Gradescope, Classroom 50, …"},
    Elsewhere{Program::staff, "autograder",
              "Write what Gradescope, PrairieLearn, … needs to grade"},
    Elsewhere{Program::staff, "publish", "Write the course without its answers, for students"},
    Elsewhere{Program::staff, "new", "Write an exercise to begin with, for you to change"},
    Elsewhere{Program::staff, "check",
              "Prove the labs: skeletons fail, solutions pass, wrong variants fail as they say"},
    Elsewhere{Program::staff, "conformance",
              "Compare the emulated device with what was measured on an H200"},
    Elsewhere{Program::staff, "attacks",
              "Try to cheat the grader: every attack is caught, every honest file passes"},
    Elsewhere{Program::staff, "bench",
              "Time the solutions beside cudaMemcpy, cuBLAS and CUB; needs a GPU"},
    Elsewhere{Program::staff, "measure",
              "Measure the tables of book/data/h200 on this machine; needs a GPU"},
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
  for (const auto& [program, name, meaning] : kCommands)
    if (program == of && meaning) add_command(app, name, meaning);
}

std::optional<int> hand_over(char** argv) {
  const std::string name = argv[0] && argv[1] ? argv[1] : "";
  if (describes_all(name)) {
    for (const Program program : {Program::staff, Program::explore})
      if (program > kThisProgram) become(program, argv);
    return std::nullopt;
  }
  const auto found =
      std::ranges::find_if(kCommands, [&](const Elsewhere& one) { return name == one.name; });
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
