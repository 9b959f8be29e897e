// `course completion`: what makes a shell complete the course's commands and exercises; and
// `course man`, its manual page. Both are made of the command line as it is.
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/outline.hpp"
#include "cli/project.hpp"
#include "lab/labs.hpp"

#include <fmt/format.h>

#include <memory>

namespace course::cli {
namespace {

std::vector<std::string> exercise_ids() {
  std::vector<std::string> ids;
  const auto root = find_root(std::string());
  if (!root) return ids; // the commands alone, then
  for (const auto& exercise : lab::exercises(*root)) ids.push_back(exercise.id);
  return ids;
}

} // namespace

void add_completion(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "completion", "What makes your shell complete this command");
  const auto shell = std::make_shared<std::string>();
  command->footer("Examples:\n"
                  "  source <(course completion bash)    for this session\n"
                  "  course completion bash >> ~/.bash_completion\n"
                  "  course completion zsh > ~/.zfunc/_course\n");
  command->add_option("SHELL", *shell, "bash or zsh")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh"}).description(""));
  command->callback([&app, shell, &exit_code] {
    fmt::print("{}", *shell == "bash" ? bash_completion(app, exercise_ids())
                                      : zsh_completion(app, exercise_ids()));
    exit_code = kPassed;
  });
}

void add_man(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "man", "All of this help as a manual page");
  command->footer("Examples:\n"
                  "  course man | man -l -      to read it\n"
                  "  course man > course.1      to keep it\n");
  command->callback([&app, &exit_code] {
    fmt::print("{}", manual_page(app, app.version()));
    exit_code = kPassed;
  });
}

} // namespace course::cli
