// `course class-one`: grades one submission of a class. CTest and Slurm call it; people need not.
#include "classroom/decisions.hpp"
#include "classroom/gpus.hpp"
#include "classroom/kept.hpp"
#include "classroom/plan.hpp"
#include "classroom/watched_gpu.hpp"
#include "cli/class_tools.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "cli/speaking.hpp"
#include "cli/supervised.hpp"
#include "lab/labs.hpp"
#include "language/translate.hpp"
#include "system/environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <regex>
#include <sys/prctl.h>
#include <unistd.h>

namespace course::cli {
namespace {

namespace fs = std::filesystem;

struct ClassOneOptions {
  std::string results, id;
};

std::string variable_of(const char* name) {
  return system::environment(name).value_or("");
}

// The cores that a submission may use while others are graded beside it.
unsigned threads() {
  const auto text = variable_of("COURSE_CLASS_THREADS");
  unsigned count = 1;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return std::max(count, 1u);
}

// The GPU that CTest says is this test's, and nothing else is visible from here on; else the first
// that is visible, which others may be about to use as well. Empty in a job of Slurm, which has its
// GPU for itself.
std::string gpu_here() {
  if (const auto gpu = classroom::allocated_gpu(variable_of("CTEST_RESOURCE_GROUP_0_GPUS"))) {
    setenv("CUDA_VISIBLE_DEVICES", gpu->c_str(), 1);
    return *gpu;
  }
  if (!variable_of("SLURM_JOB_ID").empty()) return "";
  const auto visible = variable_of("CUDA_VISIBLE_DEVICES");
  return visible.empty() ? "0" : visible.substr(0, visible.find(','));
}

// COURSE_CLASS_LABS limits what is graded, as CTest's -L limits which tests are run.
std::function<bool(const std::string&)> wanted_labs() {
  const auto pattern = variable_of("COURSE_CLASS_LABS");
  if (pattern.empty()) return [](const std::string&) { return true; };
  return
      [labs = std::regex(pattern)](const std::string& lab) { return std::regex_search(lab, labs); };
}

int grade_one(const ClassOneOptions& options, const fs::path& root) {
  const auto plan = classroom::read_plan(options.results);
  if (!plan)
    return complain("course class-one", kUsage,
                    options.results + " has no plan.json; run course class");
  const auto workplace = find_workplace();
  if (const auto what = missing(workplace); !what.empty())
    return complain("course class-one", kSetUp, what);
  if (const auto what = uncontained(); !what.empty())
    return complain("course class-one", kSetUp, what);
  const bool on_gpu = plan->device == "gpu";
  const auto gpu = on_gpu ? gpu_here() : "";
  const auto here = classroom::place_of(gpu);
  if (const auto why = classroom::sickness(options.results, here); !gpu.empty() && !why.empty())
    return complain("course class-one", kInternal, here + " is sick: " + why);
  const auto kept = classroom::read_given(options.results, {}, lab::exercises(root));
  if (const auto* what = std::get_if<std::string>(&kept))
    return complain("course class-one", kUsage, *what);
  const auto& settings = std::get<classroom::Kept>(kept).settings;
  const Speaking to_the_class(root, settings.language);
  auto grading = class_grading(
      {options.results, root, plan->seed, threads(), on_gpu, here, !gpu.empty()}, workplace);
  grading.zone = settings.zone;
  const auto decisions = classroom::read_decisions(options.results);
  if (const auto* what = std::get_if<std::string>(&decisions))
    return complain("course class-one", kUsage, *what);
  grading.how.chosen = classroom::files_that_count(
      std::get<std::vector<classroom::Decision>>(decisions), options.id);
  grading.how.newest = settings.newest_counts;
  grading.wanted = wanted_labs();
  grading.try_given_up = !variable_of("COURSE_CLASS_AGAIN").empty();
  const auto tally = classroom::grade_submission(options.id, grading);
  const auto record = classroom::read_record(options.results, options.id);
  fmt::print("{}: {} graded, {} known", record ? record->label : options.id, tally.graded,
             tally.known);
  if (tally.failed > 0) fmt::print(", {} to try again elsewhere", tally.failed);
  if (tally.given_up > 0) fmt::print(", {} given up: the grader failed too often", tally.given_up);
  fmt::print("\n");
  return tally.complete() ? kPassed : kInternal;
}

} // namespace

void add_class_one(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "class-one", "Grade one submission of a class");
  command->group(""); // not listed
  const auto options = std::make_shared<ClassOneOptions>();
  command->add_option("--results", options->results, "The folder that course class writes to")
      ->required()
      ->type_name("FOLDER");
  command->add_option("ID", options->id, "A line of its roster.txt")->required();
  command->callback([options, &exit_code] {
    language::speak(""); // what CTest and Slurm keep of it is the same for everybody
    // An orphan would hold its GPU: it ends with the CTest that started it.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    const auto root = find_root(std::string());
    exit_code =
        root ? supervised([&] { return grade_one(*options, *root); })
             : complain("course class-one", kSetUp, "there is no folder labs/ near this program");
  });
}

} // namespace course::cli
