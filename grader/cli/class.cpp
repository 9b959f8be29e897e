// `course class`: a folder of submissions to grades and feedback. In one file: its options, and
// what they do in their order.
#include "classroom/ctest_process.hpp"
#include "classroom/gpus.hpp"
#include "classroom/gradebook.hpp"
#include "classroom/kept.hpp"
#include "classroom/outputs.hpp"
#include "classroom/plan.hpp"
#include "classroom/slurm.hpp"
#include "classroom/watched_gpu.hpp"
#include "cli/class_folders.hpp"
#include "cli/class_progress.hpp"
#include "cli/class_tables.hpp"
#include "cli/class_tools.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "lab/labs.hpp"
#include "language/translate.hpp"
#include "report/text.hpp"
#include "report/words/numbers.hpp"
#include "system/cores.hpp"
#include "system/environment.hpp"
#include "system/fields.hpp"
#include "system/file_lock.hpp"
#include "system/published_file.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <set>

namespace course::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kRetries = 2; // of what the grader failed at

constexpr const char* kClassExamples = language::marked(R"(Examples:
  course class handed_in --out results              a folder or an archive a student
  course class handed_in --out results -j 8 -L 05   lab 05 only, eight at a time
  course class handed_in --out results -R '^anna$'  one student
  course class 05=week_5 06=week_6 --out results    a download for each lab; kept, so that next
                                                    week 07=week_7 is enough
  course class handed_in --out results --rerun-failed
                                                    what the grader failed at, once more
  course class handed_in --out results --settings class.toml --roster roster.csv
                                                    kept in the results: give them once
  course class --tables --out results               tables and pages only, of what is graded

A run that was stopped goes on where it was: call it again. A submission that did not change is not
graded again. RESULTS/index.html is the class, RESULTS/grades.csv the table; INSTRUCTORS.md has the
rest. RESULTS/ctest is a folder for CTest: ctest --test-dir RESULTS/ctest takes all of its options.
A test passes there when the submission could be graded, whatever its grade.
)");

struct ClassOptions {
  std::vector<std::string> submissions; // "FOLDER" or "05=FOLDER"
  std::string out, labs, students, root, compare;
  classroom::Given given;
  bool rerun_failed = false, tables_only = false, plan_only = false, on_gpus = false, slurm = false;
  std::size_t pack = 50;
  std::vector<std::string> slurm_options, gpus, formats, alike_to;
  unsigned jobs = system::cores();
};

std::set<std::string> formats_or_none() {
  auto all = classroom::formats_of_class();
  all.insert("none");
  return all;
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

// CTest's exit code; 0: everything has a verdict or a reason.
int run_ctest(const ClassOptions& options, const fs::path& tree, bool failed_only) {
  ClassProgress screen;
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
    if (!why.empty()) fmt::print(stderr, "  {}\n", tr("GPU {} is left out: {}", gpu, why));
  }
  system::publish(fs::path(options.out) / "ctest" / "gpus.json",
                  classroom::resource_specification(well));
  return gpus.empty() || !well.empty();
}

// Whether CTest knows of anything that failed: asked to run that again, it would run everything.
bool something_failed(const fs::path& tree) {
  const auto log = system::content_of(tree / "Testing" / "Temporary" / "LastTestsFailed.log");
  return log && !log->empty();
}

// What failed is tried again: on another GPU where there are more, and later in any case.
int grade_class(const ClassOptions& options, const fs::path& tree,
                const std::vector<std::string>& gpus) {
  classroom::forget_sickness(options.out);
  offer_gpus(options, gpus);
  if (options.rerun_failed && !something_failed(tree)) {
    fmt::print(stderr, "  {}\n", tr("nothing failed: there is nothing to grade again"));
    return 0;
  }
  int code = run_ctest(options, tree, options.rerun_failed);
  for (int i = 0; i < kRetries && code == 8 && !classroom::was_stopped(); ++i) {
    fmt::print(stderr, "  {}\n", tr("some could not be graded; trying those again"));
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
  ClassProgress screen;
  std::string wrong;
  const auto tasks = tr("tasks: ");
  const auto each = [&](std::size_t done) { screen.show({done, job.tasks(), true}, tasks); };
  const bool submitted = classroom::run_slurm(job, each, wrong);
  screen.end();
  return submitted ? kPassed : complain("course class", kSetUp, wrong);
}

lab::Workplace workplace() {
  static const auto place = find_workplace();
  return place;
}

std::vector<std::string> gpus_here(const ClassOptions& options) {
  if (!options.gpus.empty()) return options.gpus;
  return classroom::find_gpus("/proc", system::environment("CUDA_VISIBLE_DEVICES"));
}

// What would keep the grader from its work on this machine; empty when nothing does.
std::string obstacle(const ClassOptions& options) {
  const auto place = workplace();
  if (const auto what = missing_toolkit(place); !what.empty()) return what;
  if (const auto what = missing(place); !what.empty()) return what;
  if (const auto what = uncontained(); !what.empty()) return what;
  if (options.on_gpus && !options.slurm && gpus_here(options).empty())
    return tr("there is no GPU here; without --gpu, everything but time is graded. Where there is "
              "one all the same, as in WSL2, say which: --gpus 0");
  return "";
}

// What the last command on these results was about, and what this one says anew.
classroom::Plan plan_of(const ClassOptions& options, const classroom::Settings& settings) {
  auto plan = classroom::read_plan(options.out).value_or(classroom::Plan{});
  const auto given = folders_given(options.submissions, lab::exercises(options.root));
  change_folders(plan.submissions, std::get<Folders>(given)); // grade_and_publish() looked at it
  plan.seed = seed_of(settings, options.out);
  if (!options.tables_only || plan.device.empty())
    plan.device = options.on_gpus ? "gpu" : "emulated";
  if (!options.formats.empty()) plan.formats = options.formats;
  std::erase(plan.formats, "none");
  if (!options.alike_to.empty()) plan.alike_to.clear();
  for (const auto& folder : options.alike_to)
    if (folder != "none") plan.alike_to.push_back(fs::canonical(folder));
  return plan;
}

classroom::Planning planning_of(const ClassOptions& options, const classroom::Kept& kept) {
  classroom::Planning planning;
  planning.results = options.out;
  planning.plan = plan_of(options, kept.settings);
  planning.people = kept.people;
  planning.encoding = kept.settings.encoding;
  planning.times = kept.times;
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
  const auto threads = std::max<std::size_t>(1, system::cores() / at_work);
  setenv("COURSE_CLASS_THREADS", std::to_string(threads).c_str(), 1);
  if (options.slurm) return grade_by_slurm(options, planning, submissions);
  const int code = grade_class(options, fs::path(options.out) / "ctest", planning.gpus);
  if (code == 127)
    return complain("course class", kSetUp,
                    tr("ctest is not installed; it is part of the package cmake"));
  return code == 0 ? kPassed : kInternal;
}

// The number of submissions; a sentence when the class cannot be planned.
std::variant<std::size_t, std::string> plan_class(const ClassOptions& options,
                                                  const classroom::Planning& planning,
                                                  const classroom::Settings& settings) {
  const auto& folders = planning.plan.submissions;
  const auto wrong = not_there(folders);
  if (!wrong.empty() && !options.tables_only) return wrong;
  std::size_t count = classroom::read_roster(options.out).size();
  if (wrong.empty()) {
    const auto planned = make_plan(planning, options.root, settings);
    if (const auto* what = std::get_if<std::string>(&planned)) return *what;
    count = std::get<classroom::Planned>(planned).submissions;
    for (const auto& name : std::get<classroom::Planned>(planned).passed_over)
      fmt::print(stderr, "  {}\n", tr("passed over, as nobody's: {}", report::printable(name)));
  }
  if (count == 0)
    return tr("{} is empty", folders.empty() ? options.out : folders.begin()->second.string());
  if (auto what = classroom::unknown_student(settings, classroom::read_members(options.out));
      !what.empty())
    return what;
  return count;
}

bool skeletons_open(const ClassOptions& options, const classroom::Settings& settings) {
  return !classroom::skeletons_of_class(options.out, settings, lab::exercises(options.root))
              .open.empty();
}

std::string command_that_grades(const ClassOptions& options) {
  auto command = "course class --out " + options.out;
  if (!options.given.settings.empty()) command += " --settings " + options.given.settings;
  return command;
}

// Why tables alone cannot have what the settings given now say; empty when they can.
std::string half_applied(const ClassOptions& options, const classroom::Settings& settings) {
  if (!options.tables_only || options.given.settings.empty()) return "";
  if (classroom::read_roster(options.out).empty()) return ""; // nothing was graded yet
  const auto before = classroom::read_given(options.out, {}, lab::exercises(options.root));
  const auto* kept = std::get_if<classroom::Kept>(&before);
  if (!kept) return "";
  const auto names = classroom::only_by_grading(kept->settings, settings);
  if (names.empty()) return "";
  return tr("tables alone cannot apply the settings: {} is in what was read and graded. Run {}",
            system::joined(names, tr(", ")), command_that_grades(options));
}

int grade_and_publish(ClassOptions& options) {
  if (!options.compare.empty()) return print_comparison(options.compare, options.out);
  fs::create_directories(options.out);
  options.out = fs::canonical(options.out).string();
  const system::FileLock lock(fs::path(options.out) / "lock", system::FileLock::Busy::give_up);
  if (!lock.held())
    return complain("course class", kUsage,
                    tr("another course class is at work on {}", options.out));
  const auto read = classroom::read_given(options.out, options.given, lab::exercises(options.root));
  if (const auto* what = std::get_if<std::string>(&read))
    return complain("course class", kUsage, *what);
  const auto& kept = std::get<classroom::Kept>(read);
  const auto folders = folders_given(options.submissions, lab::exercises(options.root));
  if (const auto* what = std::get_if<std::string>(&folders))
    return complain("course class", kUsage, *what);
  if (const auto what = options.tables_only ? "" : obstacle(options); !what.empty())
    return complain("course class", kSetUp, what);
  if (const auto what = half_applied(options, kept.settings); !what.empty())
    return complain("course class", kUsage, what);
  const auto planning = planning_of(options, kept);
  const auto planned = plan_class(options, planning, kept.settings);
  if (const auto* what = std::get_if<std::string>(&planned))
    return complain("course class", kUsage, *what);
  const bool open_skeletons = options.tables_only && skeletons_open(options, kept.settings);
  if (const auto what = open_skeletons ? obstacle(options) : ""; !what.empty())
    return complain("course class", kSetUp,
                    tr("what counts is what is above the skeletons, which were not graded yet, and "
                       "this machine cannot: {}. On one that can, {} makes the tables, too",
                       what, command_that_grades(options)));
  classroom::keep_given(options.out, options.given, lab::exercises(options.root));
  const auto count = std::get<std::size_t>(planned);
  if (options.plan_only) return kPassed;

  int code = grade(options, planning, count);
  if (code == kSetUp) return code;
  if ((!options.tables_only || open_skeletons) && !classroom::was_stopped())
    grade_skeletons(planning, kept.settings, options.root);
  auto done = publish_class(options.out, options.root, kept.settings, planning.plan);
  // CTest said what failed, and it was tried again; tasks of Slurm say nothing.
  const auto lost = [&] {
    return options.slurm && options.labs.empty() && done.unread + done.not_graded > 0;
  };
  for (int i = 0; i < kRetries && lost() && !classroom::was_stopped(); ++i) {
    fmt::print(stderr, "  {}\n",
               tr("tasks were lost; submitting the job again for what they left"));
    code = grade(options, planning, count);
    done = publish_class(options.out, options.root, kept.settings, planning.plan);
  }
  print_class(done, options.out);
  if (classroom::was_stopped()) {
    say_wrong("course class", tr("stopped; the same command goes on from here"));
    return kInterrupted;
  }
  return lost() ? kInternal : code;
}

using Options = std::shared_ptr<ClassOptions>;

void add_folders(CLI::App* command, const Options& options) {
  command
      ->add_option("SUBMISSIONS", options->submissions,
                   "Folder with a folder or an archive a student, or a platform's download; "
                   "05=FOLDER is for one lab, and leaves those of the others; those of the "
                   "last run by default")
      ->type_name("[LAB=]FOLDER");
  command->add_option("--out", options->out, "Folder for all results; made when missing")
      ->required()
      ->type_name("RESULTS");
}

void add_what_is_given(CLI::App* command, const Options& options) {
  command
      ->add_option("--settings", options->given.settings,
                   "Deadlines, weights, seed: class.toml; kept in RESULTS until another is given")
      ->type_name("FILE");
  command
      ->add_option("--roster", options->given.people,
                   "Who is in the class: a CSV, as Canvas or Moodle exports it; kept as well")
      ->type_name("FILE");
  command
      ->add_option(
          "--times", options->given.times,
          "When they handed in: Moodle's worksheet, Canvas' JSON, submission_metadata.yml, "
          "or a CSV; for one lab: 05_transpose=FILE; kept as well")
      ->type_name("[LAB=]FILE");
}

void add_what_is_made(CLI::App* command, const Options& options) {
  command
      ->add_option("--also", options->formats,
                   "Results of each student for other services as well; none; as before by default")
      ->delimiter(',')
      ->check(CLI::IsMember(formats_or_none()))
      ->type_name("LIST");
  command
      ->add_option("--compare", options->compare,
                   "Grade nothing: what differs from these results to those of --out")
      ->type_name("RESULTS");
  command
      ->add_option("--alike-to", options->alike_to,
                   "Compare with the files below this folder as well, last year's results/archive "
                   "say; none; as before by default")
      ->type_name("FOLDER");
  command->add_flag("--tables", options->tables_only, "Only make tables and pages again");
  command->add_flag("--plan", options->plan_only, "Only write RESULTS/ctest, for ctest --test-dir");
}

// Whose submissions are graded, in the order of CTest's own options.
CLI::Option* add_choice(CLI::App* command, const Options& options) {
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
  return students;
}

// Where they are graded. A job's tasks have no names of students to choose from.
void add_machines(CLI::App* command, const Options& options, CLI::Option* students) {
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
}

} // namespace

void add_class(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "class", "Grade a class: a folder of submissions to grades");
  const auto options = std::make_shared<ClassOptions>();
  command->footer(with_exit_codes(kClassExamples));
  add_folders(command, options);
  auto* students = add_choice(command, options);
  add_what_is_given(command, options);
  add_what_is_made(command, options);
  add_machines(command, options, students);
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
