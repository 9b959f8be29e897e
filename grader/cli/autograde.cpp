// `course autograde`: one submission, for the autograders of other services.
#include "classroom/gradescope_metadata.hpp"
#include "classroom/single.hpp"
#include "cli/class_tools.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "cli/speaking.hpp"
#include "cli/supervised.hpp"
#include "lab/labs.hpp"
#include "language/translate.hpp"
#include "report/format.hpp"
#include "report/json.hpp"
#include "report/markup.hpp"
#include "system/cores.hpp"
#include "system/environment.hpp"
#include "system/published_file.hpp"
#include "system/temporary_folder.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>

namespace course::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAutogradeExamples = language::marked(R"(Examples:
  course autograde /autograder/submission --gradescope /autograder/results/results.json
  course autograde . --classroom50 result.json        in the runner of Classroom 50
  course autograde /grade/student --prairielearn /grade/results/results.json
  course autograde 2_pad.cu --autolab                 the last two lines of its output
  course autograde . --vpl                            in a jail of Moodle's VPL

The exit code is 0 when everything could be graded, whatever the grade.
)");

struct AutogradeOptions {
  std::string submission, settings, metadata;
  std::map<std::string, std::string> files; // by format
  std::map<std::string, bool> printed;
};

std::string environment(const char* name) {
  return system::environment(name).value_or("");
}

// By the formats' options: the results in the files that were asked for.
void publish_all(const AutogradeOptions& options, const report::GradedStudent& student,
                 const report::Circumstances& about) {
  for (const auto& format : report::formats())
    if (const auto file = options.files.find(format.name);
        file != options.files.end() && !file->second.empty())
      system::publish(fs::absolute(file->second), format.text(student, about));
}

// Whether any service reads the output.
bool print_all(const AutogradeOptions& options, const report::GradedStudent& student,
               const report::Circumstances& about) {
  bool any = false;
  for (const auto& format : report::formats()) {
    const auto asked = options.printed.find(format.name);
    if (asked == options.printed.end() || !asked->second) continue;
    fmt::print("{}", format.text(student, about));
    any = true;
  }
  return any;
}

// A service that finds no result file takes it for a fault of the student's: there is one from the
// start.
report::GradedStudent unfinished() {
  report::GradedStudent student;
  student.id = student.name = "submission";
  student.problems = {
      tr("The autograder did not come to its end. It is not your fault: tell your instructor.")};
  return student;
}

void print(const report::GradedStudent& student) {
  for (const auto& problem : student.problems) fmt::print("{}\n", report::without_colour(problem));
  for (const auto& exercise : student.exercises) {
    const auto report = report::without_colour(exercise.wide);
    fmt::print("{}\n",
               report.empty() ? tr("{}: {}", exercise.id, report::reason(exercise)) : report);
  }
}

int autograde(const AutogradeOptions& options, const fs::path& root) {
  classroom::Member member;
  member.id = member.person.name = "submission";
  auto settings = read_class_settings(root, options.settings);
  if (const auto* what = std::get_if<std::string>(&settings))
    return complain("course autograde", kUsage, *what);
  auto& decided = std::get<classroom::Settings>(settings);
  if (!options.metadata.empty())
    classroom::apply_gradescope(system::content_of(options.metadata).value_or(""),
                                lab::exercises(root), member, decided);
  const Speaking to_the_class(root, decided.language);
  const report::Circumstances about{decided.feedback_at_once, COURSE_VERSION, environment};
  publish_all(options, unfinished(), about);
  if (std::error_code error; !fs::exists(options.submission, error))
    return complain("course autograde", kUsage, "there is no folder or file " + options.submission);
  const auto workplace = find_workplace();
  if (const auto what = missing(workplace); !what.empty())
    return complain("course autograde", kSetUp, what);
  // Its own: what somebody else left under a known name would be taken for verdicts.
  const system::TemporaryFolder work("autograde");
  auto grading = class_grading({work.path(), root, decided.seed.value_or(fresh_class_seed()),
                                system::cores(), false, "here", false},
                               workplace);
  grading.zone = decided.zone;
  const auto student =
      classroom::grade_single(fs::absolute(options.submission), member, decided, grading);
  publish_all(options, student, about);
  if (!print_all(options, student, about)) print(student);
  bool all = true;
  for (const auto& exercise : student.exercises)
    all = all && exercise.state != report::State::not_graded;
  return all ? kPassed : kInternal;
}

} // namespace

void add_autograde(CLI::App& app, int& exit_code) {
  auto* command =
      add_command(app, "autograde", "Grade one submission for Gradescope, Classroom 50, …");
  const auto options = std::make_shared<AutogradeOptions>();
  command->footer(kAutogradeExamples);
  command->add_option("SUBMISSION", options->submission, "A folder, an archive or a .cu file")
      ->required();
  command->add_option("--settings", options->settings, "As for course class: class.toml")
      ->type_name("FILE");
  command
      ->add_option("--metadata", options->metadata,
                   "Gradescope's submission_metadata.json: when it was handed in, and was due")
      ->type_name("FILE");
  for (const auto& format : report::formats()) {
    const auto option = std::string("--") + format.name;
    if (format.is_printed)
      command->add_flag(option, options->printed[format.name], format.meaning);
    else
      command->add_option(option, options->files[format.name], format.meaning)->type_name("FILE");
  }
  command->callback([options, &exit_code] {
    language::speak(""); // whatever the service's machine speaks
    const auto root = find_root(std::string());
    exit_code =
        root ? supervised([&] { return autograde(*options, *root); })
             : complain("course autograde", kSetUp, "there is no folder labs/ near this program");
  });
}

} // namespace course::cli
