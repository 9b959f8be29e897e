// `course class`: a folder of submissions to grades and feedback.
#include "build/published_file.hpp"
#include "classroom/ctest_process.hpp"
#include "classroom/file_lock.hpp"
#include "classroom/gpus.hpp"
#include "classroom/outputs.hpp"
#include "classroom/plan.hpp"
#include "classroom/progress.hpp"
#include "classroom/slurm.hpp"
#include "classroom/watched_gpu.hpp"
#include "cli/class_tools.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "judge/numbers.hpp"
#include "lab/endings.hpp"
#include "lab/labs.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>
#include <unistd.h>

namespace course::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kRetries = 2; // of what the grader failed at

constexpr const char* kClassExamples = R"(Examples:
  course class handed_in --out results              a folder or zip file a student
  course class handed_in --out results -j 8 -L 05   lab 05 only, eight at a time
  course class handed_in --out results -R '^anna$'  one student
  course class handed_in --out results --rerun-failed
                                                    what the grader failed at, once more

A run that was stopped goes on where it was: call it again. A submission that did not change is not
graded again. RESULTS/index.html is the class, RESULTS/grades.csv the table; INSTRUCTORS.md has the
rest. RESULTS/ctest is a folder for CTest: ctest --test-dir RESULTS/ctest takes all of its options.
A test passes there when the submission could be graded, whatever its grade.
)";

struct ClassOptions {
  std::string submissions, out, labs, students, settings, root;
  bool rerun_failed = false, tables_only = false, plan_only = false, on_gpus = false;
  bool slurm = false;
  std::size_t pack = 50;
  std::vector<std::string> slurm_options, gpus;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::string> formats;
};

// class.json as given, or the one that is in the results already.
std::variant<classroom::Settings, std::string> settings_of(const ClassOptions& options) {
  const auto kept = fs::path(options.out) / "class.json";
  const bool use_kept = options.settings.empty() && fs::exists(kept);
  return read_class_settings(options.root, use_kept ? kept.string() : options.settings);
}

std::uint64_t seed_of(const classroom::Settings& settings, const fs::path& results) {
  if (settings.seed) return *settings.seed;
  if (const auto before = classroom::read_plan(results)) return before->seed;
  return fresh_class_seed();
}

// ---- CTest

std::vector<std::string> ctest(const ClassOptions& options, const fs::path& tree,
                               bool failed_only) {
  std::vector<std::string> command{"ctest", "--test-dir", tree.string(), "-j",
                                   std::to_string(options.jobs)};
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) command.insert(command.end(), {name, value});
  };
  add("-L", options.labs);
  add("-R", options.students);
  if (options.on_gpus) add("--resource-spec-file", (tree / "gpus.json").string());
  if (failed_only) command.emplace_back("--rerun-failed");
  return command;
}

// The line that says how far it is: over itself on a terminal, now and then in a log.
class Screen {
public:
  void show(const classroom::Finished& finished, const char* of = "") {
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - start_;
    const auto line = progress_.line(finished, since.count());
    const double pause = terminal_ ? 0.1 : 10;
    if (since.count() - shown_ < pause && finished.done < finished.total) return;
    shown_ = since.count();
    fmt::print(stderr, "{}  {}{}{}", terminal_ ? "\r\033[K" : "", of, line, terminal_ ? "" : "\n");
    std::fflush(stderr);
  }
  void end() const {
    if (terminal_ && shown_ >= 0) fmt::print(stderr, "\n");
  }

private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  classroom::Progress progress_;
  double shown_ = -1;
  bool terminal_ = isatty(STDERR_FILENO) != 0;
};

// CTest's exit code; 0: everything has a verdict or a reason.
int run_ctest(const ClassOptions& options, const fs::path& tree, bool failed_only) {
  Screen screen;
  const int code =
      classroom::run_lines(ctest(options, tree, failed_only), [&](const std::string& line) {
        if (const auto finished = classroom::finished_test(line)) screen.show(*finished);
      });
  screen.end();
  return code;
}

// Tells CTest of the GPUs that are well. False when there were some, and none is left.
bool offer_gpus(const ClassOptions& options, const std::vector<std::string>& gpus) {
  std::vector<std::string> well;
  for (const auto& gpu : gpus) {
    const auto why = classroom::sickness(options.out, classroom::place_of(gpu));
    if (why.empty()) well.push_back(gpu);
    if (!why.empty()) fmt::print(stderr, "  GPU {} is left out: {}\n", gpu, why);
  }
  build::publish(fs::path(options.out) / "ctest" / "gpus.json",
                 classroom::resource_specification(well));
  return gpus.empty() || !well.empty();
}

// What failed is tried again: on another GPU where there are more, and later in any case.
int grade_class(const ClassOptions& options, const fs::path& tree,
                const std::vector<std::string>& gpus) {
  classroom::forget_sickness(options.out);
  offer_gpus(options, gpus);
  int code = run_ctest(options, tree, options.rerun_failed);
  for (int i = 0; i < kRetries && code == 8 && !classroom::was_stopped(); ++i) {
    fmt::print(stderr, "  some could not be graded; trying those again\n");
    if (!offer_gpus(options, gpus)) break;
    code = run_ctest(options, tree, true);
  }
  return code;
}

// ---- Slurm

// 0 when the job came to its end; kSetUp when there is none.
int grade_by_slurm(const ClassOptions& options, const classroom::Planning& planning,
                   std::size_t submissions) {
  classroom::SlurmJob job;
  job.results = planning.results;
  job.command = planning.command;
  job.submissions = submissions;
  job.pack = options.pack;
  job.cpus = options.jobs;
  job.on_gpus = options.on_gpus;
  job.options = options.slurm_options;
  Screen screen;
  std::string wrong;
  const auto each = [&](std::size_t done) { screen.show({done, job.tasks(), true}, "tasks: "); };
  const bool submitted = classroom::run_slurm(job, each, wrong);
  screen.end();
  return submitted ? kPassed : complain("course class", kSetUp, wrong);
}

// ---- the whole

lab::Workplace workplace() {
  static const auto place = find_workplace();
  return place;
}

std::vector<std::string> gpus_here(const ClassOptions& options) {
  if (!options.gpus.empty()) return options.gpus;
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return classroom::find_gpus("/proc",
                              visible ? std::optional<std::string>(visible) : std::nullopt);
}

classroom::Published publish(const ClassOptions& options, const classroom::Settings& settings,
                             std::uint64_t seed) {
  const auto place = workplace();
  classroom::Publishing about;
  about.results = options.out;
  about.course = skeleton_copies();
  about.exercises = &lab::exercises(options.root);
  about.settings = settings;
  about.seed = seed;
  about.version = COURSE_VERSION;
  about.made_with =
      fmt::format("{}, {}, nvcc {}, grader {}", options.on_gpus ? "GPUs" : "an emulated H200",
                  sandbox::rung(), place.toolkit ? place.toolkit->version : "-", COURSE_VERSION);
  about.formats = {options.formats.begin(), options.formats.end()};
  return classroom::publish_outputs(about);
}

void print_summary(const classroom::Published& done, const fs::path& results) {
  fmt::print("{} {}; ", judge::thousands(done.students),
             done.students == 1 ? "submission" : "submissions");
  const auto open = done.unread + done.not_graded;
  if (open == 0) {
    fmt::print("all have their grades");
  } else {
    fmt::print("{} not graded yet", judge::thousands(open));
  }
  if (done.refused > 0) fmt::print("; {} to look at by hand", judge::thousands(done.refused));
  fmt::print("\n{}\n{}\n", (results / "index.html").string(), (results / "grades.csv").string());
}

// What would keep the grader from its work on this machine; empty when nothing does.
std::string obstacle(const ClassOptions& options) {
  const auto place = workplace();
  if (!place.toolkit) return lab::no_toolkit().headline;
  if (const auto what = missing(place); !what.empty()) return what;
  if (const auto what = uncontained(); !what.empty()) return what;
  if (options.on_gpus && !options.slurm && gpus_here(options).empty())
    return "there is no GPU here; without --gpu, everything but time is graded. Where there is one "
           "all the same, as in WSL2, say which: --gpus 0";
  return "";
}

classroom::Planning planning_of(const ClassOptions& options, const classroom::Settings& settings) {
  classroom::Planning planning;
  planning.results = options.out;
  planning.plan = {fs::canonical(options.submissions), options.settings,
                   seed_of(settings, options.out), options.on_gpus ? "gpu" : "emulated"};
  planning.exercises = &lab::exercises(options.root);
  planning.command = {fs::read_symlink("/proc/self/exe").string(), "class-one", "--results",
                      options.out};
  if (options.on_gpus && !options.slurm) planning.gpus = gpus_here(options);
  return planning;
}

// 0: everything has a verdict or a reason.
int grade(const ClassOptions& options, const classroom::Planning& planning,
          std::size_t submissions) {
  if (options.tables_only) return kPassed;
  if (!options.labs.empty()) setenv("COURSE_CLASS_LABS", options.labs.c_str(), 1);
  if (options.rerun_failed) setenv("COURSE_CLASS_AGAIN", "1", 1);
  auto at_work = options.jobs;
  if (!planning.gpus.empty())
    at_work = std::min<std::size_t>(at_work, planning.gpus.size() * classroom::kSlots);
  const auto threads = std::max(1u, std::thread::hardware_concurrency() / at_work);
  setenv("COURSE_CLASS_THREADS", std::to_string(threads).c_str(), 1);
  if (options.slurm) return grade_by_slurm(options, planning, submissions);
  const int code = grade_class(options, fs::path(options.out) / "ctest", planning.gpus);
  if (code == 127)
    return complain("course class", kSetUp,
                    "ctest is not installed; it is part of the package cmake");
  return code == 0 ? kPassed : kInternal;
}

int grade_and_publish(ClassOptions& options) {
  std::error_code error;
  if (!fs::is_directory(options.submissions, error))
    return complain("course class", kUsage,
                    options.submissions + " is no folder. It has to hold a folder or a zip "
                                          "file for each student");
  fs::create_directories(options.out);
  options.out = fs::canonical(options.out).string();
  const classroom::FileLock lock(fs::path(options.out) / "lock",
                                 classroom::FileLock::Busy::give_up);
  if (!lock.held())
    return complain("course class", kUsage, "another course class is at work on " + options.out);
  const auto read = settings_of(options);
  if (const auto* what = std::get_if<std::string>(&read))
    return complain("course class", kUsage, *what);
  const auto& settings = std::get<classroom::Settings>(read);
  if (const auto what = obstacle(options); !what.empty())
    return complain("course class", kSetUp, what);
  const auto planning = planning_of(options, settings);
  const auto count = classroom::make_plan(planning);
  if (count == 0) return complain("course class", kUsage, options.submissions + " is empty");
  if (options.plan_only) return kPassed;

  int code = grade(options, planning, count);
  if (code == kSetUp) return code;
  auto done = publish(options, settings, planning.plan.seed);
  // CTest said what failed, and it was tried again; tasks of Slurm say nothing.
  const auto lost = [&] {
    return options.slurm && options.labs.empty() && done.unread + done.not_graded > 0;
  };
  for (int i = 0; i < kRetries && lost() && !classroom::was_stopped(); ++i) {
    fmt::print(stderr, "  tasks were lost; submitting the job again for what they left\n");
    code = grade(options, planning, count);
    done = publish(options, settings, planning.plan.seed);
  }
  print_summary(done, options.out);
  if (classroom::was_stopped()) {
    fmt::print(stderr, "course class: stopped; the same command goes on from here\n");
    return kInterrupted;
  }
  return lost() ? kInternal : code;
}

} // namespace

void add_class(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "class", "Grade a class: a folder of submissions to grades");
  const auto options = std::make_shared<ClassOptions>();
  command->footer(std::string(kClassExamples) + "\n" + kExitCodes);
  command->add_option("SUBMISSIONS", options->submissions, "Folder with a folder or .zip a student")
      ->required();
  command->add_option("--out", options->out, "Folder for all results; made when missing")
      ->required()
      ->type_name("RESULTS");
  command
      ->add_option("-j,--jobs", options->jobs, "Submissions at the same time; all cores by default")
      ->check(CLI::Range(1, 1024))
      ->type_name("N");
  command->add_option("-L,--lab", options->labs, "Grade labs whose name matches only")
      ->type_name("REGEX");
  auto* students =
      command
          ->add_option("-R,--student", options->students, "Grade students whose name matches only")
          ->type_name("REGEX");
  command->add_flag("--rerun-failed", options->rerun_failed,
                    "Try those again that the grader failed at, as if for the first time");
  command
      ->add_option("--settings", options->settings,
                   "Deadlines, weights, seed: class.json; RESULTS/class.json by default")
      ->type_name("FILE");
  command
      ->add_option("--also", options->formats,
                   "Results of each student for other services as well: gradescope, prairielearn, "
                   "autolab, sarif, github")
      ->delimiter(',')
      ->check(CLI::IsMember(classroom::kFormats))
      ->type_name("LIST");
  command->add_flag("--tables", options->tables_only, "Only make tables and pages again");
  command->add_flag("--plan", options->plan_only, "Only write RESULTS/ctest, for ctest --test-dir");
  auto* slurm = command->add_flag("--slurm", options->slurm,
                                  "Grade on a Slurm cluster that sees both folders: an array job");
  slurm->excludes(students);
  command->add_option("--pack", options->pack, "Submissions a task of the job")
      ->check(CLI::Range(1, 1000))
      ->type_name("N")
      ->needs(slurm);
  command->add_option("--sbatch", options->slurm_options, "An option for sbatch, --partition=… say")
      ->type_name("OPTION")
      ->needs(slurm);
  command->add_flag("--gpu", options->on_gpus,
                    "Measure time as well: one submission at a time on each GPU");
  command->add_option("--gpus", options->gpus, "The same, on these GPUs only: 0,1,2,3")
      ->delimiter(',')
      ->check(CLI::NonNegativeNumber)
      ->excludes(slurm)
      ->each([options](const std::string&) { options->on_gpus = true; })
      ->type_name("LIST");
  command->callback([options, &exit_code] {
    const auto root = find_root(std::string());
    if (!root) {
      exit_code = complain("course class", kSetUp, no_root());
      return;
    }
    options->root = root->string();
    try {
      exit_code = grade_and_publish(*options);
    } catch (const fs::filesystem_error& error) {
      exit_code = not_writable("course class", error);
    }
  });
}

} // namespace course::cli
