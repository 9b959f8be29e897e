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
#include "system/fork.hpp"
#include "system/program.hpp"

#include <fmt/format.h>

#include <memory>
#include <set>
#include <string>
#include <sys/wait.h>
#include <utility>
#include <vector>

namespace course::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::set<std::string>;

constexpr const char* kForgetExamples = language::marked(R"(Examples:
  course forget s1234                  what the results have of this person: nothing is changed
  course forget s1234 --yes            remove it, make tables and pages again, and search
  course forget s1234 --yes --submissions
                                       with what they handed in, where course class reads it
  course forget s1234 --yes --class ~/cs420
                                       and from the folder that course serve --class serves, while
                                       it does not

Exit code 0: nothing is left. Backups, other copies, and the roster and the settings as you keep them
are yours to mend. INSTRUCTORS.md says what is kept, where, and for how long.
)");

struct ForgetOptions {
  std::string student, results = "results";
  std::string served; // folder of a class that `course serve` serves
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

// What `course serve` keeps is for its own program, which alone reads the ledger.
int forget_in_served(const ForgetOptions& options, const fs::path& root) {
  std::error_code none;
  std::fflush(nullptr); // before what it prints
  std::vector<std::string> words{"course",  "serve",        "--root",   root.string(),
                                 "--class", options.served, "--forget", options.student};
  if (options.yes) words.push_back("--yes");
  const auto program = fs::read_symlink("/proc/self/exe", none).parent_path() / "course";
  const auto ended = system::await(system::start({std::move(words), program.string()}));
  return WIFEXITED(ended) ? WEXITSTATUS(ended) : +kInternal;
}

// Whether the folder is what a served class hands in.
bool is_of_served(const fs::path& submissions) {
  std::error_code none;
  return fs::exists(submissions.parent_path() / "serve" / "ledger.sqlite", none);
}

int forget_in_results(const ForgetOptions& options, const fs::path& root) {
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
  for (const auto& [lab, folder] : plan->submissions) {
    if (!is_of_served(folder) || !options.served.empty()) continue;
    fmt::print("{}\n", tr("{0} is of a class that course serve serves, and has more of them: "
                          "--class {1} takes them out of it, too",
                          folder.string(), folder.parent_path().string()));
    ++left;
    break;
  }
  if (!options.yes) fmt::print("{}\n", tr("nothing was changed: --yes removes it"));
  if (options.yes && !options.submissions && !files.empty())
    fmt::print("{}\n", tr("what was handed in is still there, and the next course class would read "
                          "it again: --submissions removes it, too"));
  if (options.yes && left == 0) fmt::print("{}\n", tr("nothing is left"));
  return left == 0 || !options.yes ? kPassed : kFailed;
}

int forget_one(ForgetOptions options) {
  const auto root = find_root(std::string());
  if (!root) return complain("course forget", kSetUp, no_root());
  std::error_code none;
  if (!options.served.empty()) {
    const int served = forget_in_served(options, *root);
    const bool graded = fs::exists(fs::path(options.results) / "plan.json", none);
    if (served != kPassed || !graded) return served;
  }
  try {
    options.results = fs::canonical(options.results).string();
    return forget_in_results(options, *root);
  } catch (const fs::filesystem_error& error) {
    return not_writable("course forget", error);
  }
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
  command
      ->add_option("--class", options->served,
                   "A folder that course serve --class serves: from there as well, by their ID")
      ->type_name("FOLDER");
  command->add_option("--results", options->results, "What course class wrote; results by default")
      ->type_name("FOLDER");
  command->callback([options, &exit_code] { exit_code = forget_one(*options); });
}

} // namespace course::cli
