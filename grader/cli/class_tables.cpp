#include "cli/class_tables.hpp"

#include "classroom/compare_runs.hpp"
#include "classroom/ctest_process.hpp"
#include "classroom/decisions.hpp"
#include "classroom/record.hpp"
#include "classroom/text_encoding.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "cli/skeletons.hpp"
#include "cli/speaking.hpp"
#include "lab/labs.hpp"
#include "language/translate.hpp"
#include "report/text.hpp"
#include "report/words/numbers.hpp"

#include <fmt/format.h>

#include <set>
#include <stdexcept>

namespace course::cli {

namespace fs = std::filesystem;

namespace {

// What a class is compared with beside the course's own.
std::vector<classroom::PublicFile> files_below(const std::vector<fs::path>& folders,
                                               const std::vector<lab::Exercise>& exercises) {
  std::vector<classroom::PublicFile> all;
  for (const auto& folder : folders) {
    auto found = classroom::public_files_below(folder, exercises);
    std::ranges::move(found.files, std::back_inserter(all));
    if (found.unknown > 0)
      fmt::print(stderr, "  {}\n",
                 trn("{} file below {} is of no exercise, and not compared with",
                     "{} files below {} are of no exercise, and not compared with", found.unknown,
                     found.unknown, folder.string()));
  }
  return all;
}

} // namespace

std::variant<classroom::Planned, std::string> make_plan(const classroom::Planning& planning,
                                                        const fs::path& root,
                                                        const classroom::Settings& settings) {
  const Speaking to_the_class(root, settings.language);
  return classroom::make_plan(planning);
}

void grade_skeletons(const classroom::Planning& planning, const classroom::Settings& settings,
                     const fs::path& root) {
  const auto skeletons =
      classroom::skeletons_of_class(planning.results, settings, *planning.exercises);
  if (skeletons.needed.empty()) return;
  classroom::Record record;
  record.id = record.label = record.name = classroom::kSkeletons;
  record.place.path = planning.results / "skeletons" / "labs";
  for (const auto& id : skeletons.needed) record.place.parts.push_back({id + ".cu", id + ".cu"});
  write_skeletons(planning.results / "skeletons", *planning.exercises, root);
  const auto before = classroom::read_record(planning.results, record.id);
  if (!before || before->place != record.place) {
    if (before) record.rows = before->rows;
    classroom::write_record(planning.results, record);
  }
  auto command = planning.command;
  command.push_back(record.id);
  classroom::run_lines(command, [](const std::string&) {});
}

classroom::Published publish_class(const fs::path& results, const fs::path& root,
                                   const classroom::Settings& settings,
                                   const classroom::Plan& plan) {
  const classroom::OldTexts old(settings.encoding);
  const auto place = find_workplace();
  auto decisions = classroom::read_decisions(results);
  if (const auto* what = std::get_if<std::string>(&decisions)) throw std::runtime_error(*what);
  auto others = files_below(plan.alike_to, lab::exercises(root));
  const Speaking to_the_class(root, settings.language);
  classroom::Publishing about;
  about.results = results;
  about.course = results / "skeletons";
  write_skeletons(about.course, lab::exercises(root), root);
  about.exercises = &lab::exercises(root);
  about.settings = settings;
  about.seed = plan.seed;
  about.version = COURSE_VERSION;
  about.on_gpu = plan.device == "gpu";
  about.made_with =
      tr("{}, {}, nvcc {}, grader {}", plan.device == "gpu" ? tr("GPUs") : tr("an emulated H200"),
         sandbox::rung(), place.toolkit ? place.toolkit->version : "-", COURSE_VERSION);
  about.decisions = std::get<std::vector<classroom::Decision>>(std::move(decisions));
  about.public_files = classroom::public_files_of_course(root, *about.exercises);
  std::ranges::move(others, std::back_inserter(about.public_files));
  about.formats = {plan.formats.begin(), plan.formats.end()};
  return classroom::publish_outputs(about);
}

void print_class(const classroom::Published& done, const fs::path& results) {
  const auto open = done.unread + done.not_graded;
  auto text = report::counted(done.students, "{} student", "{} students");
  text += open == 0 ? tr("; all have their grades")
                    : tr("; {} not graded yet", report::thousands(open));
  if (done.refused > 0) text += tr("; {} to look at by hand", report::thousands(done.refused));
  fmt::print("{}\n{}\n{}\n", text, (results / "index.html").string(),
             (results / "grades.csv").string());
}

int print_comparison(const fs::path& before, const fs::path& after) {
  const auto compared = classroom::compare(before, after);
  if (const auto* what = std::get_if<std::string>(&compared))
    return complain("course class", kUsage, *what);
  const auto& changes = std::get<std::vector<classroom::Change>>(compared);
  const auto shown = [](const std::string& text) {
    return text.empty() ? tr("not there") : report::printable(text);
  };
  for (const auto& one : changes)
    fmt::print("{}{}{}: {} -> {}\n", report::printable(one.student),
               one.exercise.empty() ? "" : " ", one.exercise, shown(one.before), shown(one.after));
  fmt::print("{}\n", trn("{} difference", "{} differences", changes.size(), changes.size()));
  return changes.empty() ? kPassed : kFailed;
}

} // namespace course::cli
