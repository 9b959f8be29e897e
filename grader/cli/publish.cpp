// `course publish`: the course as students clone it.
#include "classroom/student_copy.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/leaks.hpp"
#include "cli/limits_for_students.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "cli/skeletons.hpp"
#include "lab/by_solution.hpp"
#include "lab/labs.hpp"
#include "language/translate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

namespace course::cli {
namespace {

namespace fs = std::filesystem;

struct PublishOptions {
  std::string out, root;
};

// Exercises whose right answer is asked of the solution, which students do not get, and those whose
// limits were.
void tell_of_solutions(const std::vector<lab::Exercise>& exercises) {
  for (const auto& exercise : exercises) {
    const auto& asked = exercise.cases.front().by_solution;
    if (asked.empty()) continue;
    const auto what = fmt::format("{}", fmt::join(asked, ", "));
    if (lab::is_answered_by_solution(exercise))
      fmt::print("{}\n", tr("{} is graded by its solution ({}), so only you can grade it: with a "
                            "reference students can, too",
                            exercise.id, what));
    else
      fmt::print("{}\n", tr("{}: what its solution costs is written into its data there ({})",
                            exercise.id, what));
  }
}

int publish_course(const PublishOptions& options) {
  const auto root = find_root(options.root);
  if (!root) return complain("course publish", kUsage, no_root());
  const auto& exercises = lab::exercises(*root);
  const ReleasedSkeletons skeletons(exercises, *root);
  if (!skeletons.complaint().empty())
    return complain("course publish", kSetUp, skeletons.complaint());
  const auto limits = limits_for_students(exercises);
  if (const auto* what = std::get_if<std::string>(&limits))
    return complain("course publish", kSetUp, *what);
  const auto leaks = classroom::write_student_copy(
      fs::absolute(options.out), {*root, skeletons.folder(), &exercises, {}, std::get<0>(limits)});
  if (!leaks.empty()) return complain_of_leaks("course publish", leaks, options.out);
  fmt::print("{}\n", tr("{} is for students: {} exercises, no solutions, wrong variants, controls "
                        "or third hints. Make it a repository: git init",
                        options.out, exercises.size()));
  tell_of_solutions(exercises);
  return kPassed;
}

} // namespace

void add_publish(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "publish", "Write the course without its answers, for students");
  const auto options = std::make_shared<PublishOptions>();
  command->footer("Examples:\n"
                  "  course publish --out ../for_students    what students clone\n");
  command->add_option("--out", options->out, "Folder; has to be new or empty")
      ->required()
      ->type_name("FOLDER");
  command
      ->add_option("--root", options->root, "The course's folder, when it is not found by itself")
      ->type_name("FOLDER");
  command->callback([options, &exit_code] {
    try {
      exit_code = publish_course(*options);
    } catch (const fs::filesystem_error& error) {
      exit_code = not_writable("course publish", error);
    }
  });
}

} // namespace course::cli
