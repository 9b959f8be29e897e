// `course autograder` writes what a grading service needs.
#include "classroom/kit.hpp"
#include "cli/chosen.hpp"
#include "cli/class_tools.hpp"
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
#include "system/published_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <tuple>

namespace course::cli {
namespace {

namespace fs = std::filesystem;

struct KitOptions {
  std::string service;
  std::vector<std::string> exercises;
  std::string out, root, settings;
};

// The course, or, where it is of somebody's own and has labs alone, the one that this program is
// of;
// "" where a package installed it without its sources.
fs::path with_kits(const fs::path& course) {
  if (!classroom::services(course).empty()) return course;
  const fs::path own = COURSE_SOURCE_DIR;
  return classroom::services(own).empty() ? fs::path() : own;
}

// What is wrong with the class's settings; "" when nothing is.
std::string read_settings(const fs::path& root, const KitOptions& options, classroom::Kit& kit) {
  const auto& [file, named] = std::tie(options.settings, options.exercises);
  if (file.empty()) return {};
  auto said = read_class_settings(root, file);
  if (const auto* what = std::get_if<std::string>(&said)) return *what;
  kit.settings = {system::content_of(file).value_or(""),
                  std::get<classroom::Settings>(std::move(said))};
  if (!named.empty() && !kit.settings->said.exercises.empty())
    return tr("{} says which exercises are asked for: name them there or here, not in both", file);
  return {};
}

// What is named, or what the class's settings ask for.
std::vector<std::string> asked_for(const KitOptions& options, const classroom::Kit& kit) {
  if (!options.exercises.empty() || !kit.settings) return options.exercises;
  return kit.settings->said.exercises;
}

int write_kit(const KitOptions& options) {
  const auto root = find_root(options.root);
  if (!root) return complain("course autograder", kUsage, no_root());
  const auto grader = with_kits(*root);
  if (grader.empty())
    return complain("course autograder", kUsage,
                    tr("a kit packs the grader with the labs, and its sources are not there: call "
                       "the ./course of a clone"));
  const auto services = classroom::services(grader);
  if (!std::ranges::count(services, options.service))
    return complain("course autograder", kUsage,
                    tr("there is no kit for {}; there is one for {}", options.service,
                       fmt::format("{}", fmt::join(services, ", "))));
  classroom::Kit kit;
  kit.service = options.service;
  const ReleasedSkeletons skeletons(lab::exercises(*root), *root);
  if (!skeletons.complaint().empty())
    return complain("course autograder", kSetUp, skeletons.complaint());
  kit.grader = grader;
  auto limits = limits_for_students(lab::exercises(*root));
  if (const auto* what = std::get_if<std::string>(&limits))
    return complain("course autograder", kSetUp, *what);
  kit.course = {*root, skeletons.folder(), &lab::exercises(*root), {}, std::get<0>(limits)};
  kit.seed = fresh_class_seed();
  if (const auto what = read_settings(*root, options, kit); !what.empty())
    return complain("course autograder", kUsage, what);
  const auto asked = asked_for(options, kit);
  kit.whatever = asked.empty();
  const auto chosen = kit.whatever ? everything(*root) : choose(*root, asked);
  if (const auto* what = std::get_if<std::string>(&chosen))
    return complain("course autograder", kUsage, *what);
  for (const auto& one : std::get<std::vector<Chosen>>(chosen))
    if (!kit.whatever && lab::is_answered_by_solution(*one.exercise))
      return complain("course autograder", kUsage,
                      tr("{} is graded by its solution, which a kit does not have: give it a "
                         "reference",
                         one.exercise->id));
  for (const auto& one : std::get<std::vector<Chosen>>(chosen))
    kit.exercises.push_back({one.exercise->id, lab::points_without_gpu(*one.exercise)});
  const auto leaks = classroom::write_kit(fs::absolute(options.out), kit);
  if (!leaks.empty()) return complain_of_leaks("course autograder", leaks, options.out);
  fmt::print("{}\n", tr("{}: README.md there says what to do with it, and where class.toml is, "
                        "which has what counts, and the seed",
                        options.out));
  return kPassed;
}

} // namespace

void add_autograder(CLI::App& app, int& exit_code) {
  auto* command =
      add_command(app, "autograder", "Write what Gradescope, PrairieLearn, … needs to grade");
  const auto options = std::make_shared<KitOptions>();
  command->footer("Examples:\n"
                  "  course autograder gradescope --out kit 05_transpose/1_tile 2_pad\n"
                  "  course autograder classroom50 --out kit 2_pad\n");
  command
      ->add_option("SERVICE", options->service,
                   "gradescope, classroom50, prairielearn, autolab, moodle_vpl, submitty")
      ->required();
  command->add_option("EXERCISE", options->exercises,
                      "What is asked for; by default whatever is handed in");
  command->add_option("--out", options->out, "Folder; has to be new or empty")
      ->required()
      ->type_name("FOLDER");
  command
      ->add_option("--settings", options->settings,
                   "The class's class.toml: its seed, deadlines, weights and exercises")
      ->type_name("FILE");
  command
      ->add_option("--root", options->root, "The course's folder, when it is not found by itself")
      ->type_name("FOLDER");
  command->callback([options, &exit_code] {
    try {
      exit_code = write_kit(*options);
    } catch (const fs::filesystem_error& error) {
      exit_code = not_writable("course", error);
    }
  });
}

} // namespace course::cli
