// `course forget`: one person out of the results of a class, and the proof of it.
#include "classroom/forget.hpp"
#include "classroom/kept.hpp"
#include "classroom/mentions.hpp"
#include "classroom/plan.hpp"
#include "cli/class_members.hpp"
#include "cli/class_tables.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "lab/labs.hpp"
#include "language/translate.hpp"
#include "report/text.hpp"
#include "system/fields.hpp"
#include "system/file_lock.hpp"

#include <fmt/format.h>

#include <memory>
#include <set>
#include <string>

namespace course::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::set<std::string>;

constexpr const char* kForgetExamples = language::marked(R"(Examples:
  course forget s1234                  what the results have of this person: nothing is changed
  course forget s1234 --yes            remove it, make tables and pages again, and search
  course forget s1234 --yes --submissions
                                       with what they handed in, where course class reads it

Exit code 0: nothing is left. Backups, other copies, and the roster and the settings as you keep them
are yours to mend. INSTRUCTORS.md says what is kept, where, and for how long.
)");

struct ForgetOptions {
  std::string student, results = "results";
  bool yes = false, submissions = false;
};

int not_forgotten(const std::string& what) {
  return complain("course forget", kUsage, what);
}

// Prints where something is said; the number of places.
std::size_t print_mentions(const fs::path& folder, const Words& words) {
  const auto found = classroom::mentions(folder, words);
  for (const auto& place : found.places)
    fmt::print("  {}\n", report::printable((folder / place).string()));
  fmt::print("{}\n", tr("{}: {} files searched; places: {}", folder.string(), found.searched,
                        found.places.size()));
  return found.places.size();
}

int forget_one(const ForgetOptions& options, const fs::path& root) {
  const fs::path results = options.results;
  const system::FileLock lock(results / "lock", system::FileLock::Busy::give_up);
  if (!lock.held())
    return not_forgotten(tr("another course class is at work on {}", options.results));
  const auto plan = classroom::read_plan(results);
  if (!plan)
    return not_forgotten(tr("{} has no plan.json: run course class first", options.results));
  const auto given = classroom::read_given(results, {}, lab::exercises(root));
  if (const auto* what = std::get_if<std::string>(&given)) return not_forgotten(*what);
  const auto of = class_members(results, std::get<classroom::Kept>(given).settings, plan->seed);
  std::string problem;
  const auto who = member_named(of, options.student, problem);
  if (problem.empty() && classroom::those_meant(of.members, options.student).size() > 1)
    problem = tr("{} could be several: name one by an ID or an address", options.student);
  if (!problem.empty()) return not_forgotten(problem);
  const auto& member = of.members[*who];
  auto words = classroom::words_for(results, member);
  words.insert(of.shown[*who].id); // the number on pages that are anonymous
  fmt::print("{}\n", tr("searched for: {}",
                        report::printable(system::joined({words.begin(), words.end()}, ", "))));
  const auto files = classroom::handed_in_files(results, member);
  if (options.yes) {
    classroom::forget(results, of.members, *who);
    if (options.submissions)
      for (const auto& file : files) fs::remove_all(file);
    const auto now = classroom::read_given(results, {}, lab::exercises(root));
    if (const auto* what = std::get_if<std::string>(&now)) return not_forgotten(*what);
    publish_class(results, root, std::get<classroom::Kept>(now).settings, *plan);
  }
  auto left = print_mentions(results, words);
  for (const auto& [lab, folder] : plan->submissions) left += print_mentions(folder, words);
  if (!options.yes) fmt::print("{}\n", tr("nothing was changed: --yes removes it"));
  if (options.yes && !options.submissions && !files.empty())
    fmt::print("{}\n", tr("what was handed in is still there, and the next course class would read "
                          "it again: --submissions removes it, too"));
  if (options.yes && left == 0) fmt::print("{}\n", tr("nothing is left"));
  return left == 0 || !options.yes ? kPassed : kFailed;
}

} // namespace

void add_forget(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "forget", "Remove one person from the results of a class");
  const auto options = std::make_shared<ForgetOptions>();
  command->footer(kForgetExamples);
  command->add_option("STUDENT", options->student, "An ID, a login, an address or a name")
      ->required();
  command->add_flag("--yes", options->yes, "Do it; else what there is is named, and stays");
  command->add_flag("--submissions", options->submissions,
                    "What was handed in as well, in the folders that course class reads");
  on_results(*command, options->results, exit_code,
             [options](const fs::path& root) { return forget_one(*options, root); });
}

} // namespace course::cli
