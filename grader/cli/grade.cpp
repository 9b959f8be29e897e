// `course grade`: one or more exercises to verdicts.
#include "cli/among.hpp"
#include "cli/chosen.hpp"
#include "cli/commands.hpp"
#include "cli/elapsed.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "cli/student.hpp"
#include "cli/supervised.hpp"
#include "cli/written_file.hpp"
#include "device/emulator/emulator.hpp"
#include "doctor/examine.hpp"
#include "lab/bounded.hpp"
#include "language/translate.hpp"
#include "report/json.hpp"
#include "report/terminal.hpp"
#include "report/words/ended_words.hpp"
#include "sandbox/rung.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <random>

namespace course::cli {
namespace {

constexpr const char* kGradeExamples = language::marked(R"(Examples:
  course grade                                 the exercise you are at
  course grade 05_transpose/2_pad              your file, labs/05_transpose/2_pad.cu
  course grade 2_pad --solution                the course's own solution
  course grade 2_pad --file ~/mine.cu          another file, as that exercise
  course grade 2_pad --wrong two_words         one of its wrong variants; --print shows it
  course grade 2_pad --seed 1729               the inputs of an earlier run
  course grade 2_pad --json verdict.json       the verdict for programs as well
  course grade --all --solutions               everything that should pass

Points: a check earns its points when it passed and, where it is one of a pair, the other one passed
as well. What this device cannot measure (time without a GPU) costs nothing and earns nothing.
)");

enum class DeviceChoice { automatic, emulated, gpu };

struct GradeOptions {
  std::vector<std::string> exercises;
  bool all = false, solution = false, print = false, no_next = false;
  std::string file, wrong, json, root;
  std::optional<std::uint64_t> seed;
  DeviceChoice device = DeviceChoice::automatic;
  std::optional<sandbox::Rung> sandbox;
  Colour colour = Colour::automatic;
};

// Small enough to be typed again.
std::uint64_t fresh_seed() {
  return std::random_device{}() & 0x7fffffff;
}

void print_summary(const std::vector<judge::Verdict>& verdicts) {
  if (verdicts.size() < 2) return;
  std::size_t width = 0;
  for (const auto& verdict : verdicts) width = std::max(width, verdict.exercise.size());
  fmt::print("\n");
  for (const auto& verdict : verdicts)
    fmt::print("  {:<{}}   {}   {}\n", verdict.exercise, width,
               language::padded(report::ending_word(verdict.ending), 15),
               tr("{:>3} of {} points", verdict.points, verdict.max_points));
}

void write_json(const std::string& target, const std::vector<judge::Verdict>& verdicts) {
  auto json = nlohmann::ordered_json::array();
  for (const auto& verdict : verdicts) json.push_back(report::json(verdict));
  const auto text = report::json_text(verdicts.size() == 1 ? json.front() : json);
  if (target == "-") {
    fmt::print("{}", text);
  } else {
    write_whole(target, text);
  }
}

// Grades in turn, reports each at once, and gives the exit code of the first that did not pass.
int grade_all(const std::vector<Chosen>& chosen, const GradeOptions& options,
              const std::filesystem::path& root) {
  const auto place = find_workplace();
  if (const auto what = missing(place); !what.empty() && place.toolkit)
    return complain("course grade", kSetUp, what);
  // One that executes nothing, for what does not change from file to file. Grading happens in a
  // child, which has to be made before any thread is.
  const auto idle = emulator::make_device({1, true});
  auto tools = lab::make_tools(place, *idle, judge::Means::Note::no_gpu);
  if (options.device == DeviceChoice::emulated) tools.means.note = judge::Means::Note::none;
  if (options.device != DeviceChoice::emulated) {
    auto found = lab::find_gpu();
    if (auto* gpu = std::get_if<lab::GpuTools>(&found)) {
      tools = lab::with_gpu(std::move(tools), std::move(*gpu));
    } else if (const auto& none = std::get<lab::NoGpu>(found);
               options.device == DeviceChoice::gpu) {
      return complain("course grade", kSetUp,
                      tr("{}. --device emulated grades everything but time, and "
                         "course doctor says what is missing",
                         doctor::no_gpu(none.why, none.old)));
    } else if (none.old) {
      tools.means.note = judge::Means::Note::old_gpu;
    }
  }
  const auto terminal = screen(options.colour);
  const auto seed = options.seed ? *options.seed : fresh_seed();
  std::vector<judge::Verdict> verdicts;
  ExitCode code = kPassed;
  for (const auto& one : chosen) {
    const MeantFile meant(one, as_linux_path(options.file), options.solution, root);
    const auto& file = meant.path();
    {
      const auto count =
          chosen.size() == 1 ? std::string() : tr("{} of {}: ", verdicts.size() + 1, chosen.size());
      const lab::Submission submission{file, seed};
      verdicts.push_back(lab::grade_bounded(*one.exercise, submission, tools.means,
                                            [&] {
                                              const Elapsed elapsed(
                                                  count + tr("grading {}", one.exercise->id));
                                              const auto device = emulator::make_device();
                                              auto own = tools;
                                              own.device = device.get();
                                              return lab::grade(*one.exercise, submission, own);
                                            },
                                            {tools.gpu ? lab::kMemoryWithGpu : lab::kMemory}));
    }
    auto& verdict = verdicts.back();
    remember(root, *one.exercise, file, verdict);
    if (code == kPassed) code = exit_code(verdict.ending);
    const bool quiet =
        options.json == "-" || (chosen.size() > 1 && verdict.ending == judge::Ending::passed);
    if (quiet) continue;
    fmt::print("{}{}", verdicts.size() > 1 ? "\n" : "",
               report::terminal(verdict, text_of(file), terminal));
    if (verdict.ending == judge::Ending::passed && !options.no_next)
      fmt::print("{}", next_after(root, *one.exercise, file, terminal));
    std::fflush(stdout);
  }
  if (options.json != "-") print_summary(verdicts);
  if (!options.json.empty()) write_json(options.json, verdicts);
  return code;
}

// What is wrong with the sandbox; empty when nothing is. Limits alone protect nobody's files, so
// they have to be asked for.
std::string choose_sandbox(const std::optional<sandbox::Rung>& wanted) {
  if (wanted && !sandbox::insist_on(*wanted))
    return tr("this machine cannot contain programs by {}", sandbox::name(*wanted));
  const auto what = wanted ? "" : uncontained();
  if (what.empty()) return "";
  return what + " " +
         tr("Or, for a file that you trust with everything that you can read and write, say "
            "--sandbox process.");
}

// The exercises that were named; the one the student is at where none was.
std::vector<std::string> named(const GradeOptions& options, const std::filesystem::path& root) {
  if (!options.exercises.empty()) return options.exercises;
  const auto student = find_student(root.string());
  if (!std::holds_alternative<Student>(student)) return {};
  const auto meant = exercise_of(std::get<Student>(student), "");
  const auto* exercise = std::get_if<const lab::Exercise*>(&meant);
  return exercise ? std::vector{(*exercise)->id} : std::vector<std::string>{};
}

// The exercise whose wrong variant has this path; empty: none.
std::string exercise_of_variant(const std::string& path, const std::filesystem::path& root) {
  if (path.find('/') == path.npos) return "";
  for (const auto& exercise : lab::exercises(root))
    if (lab::wrong_variant(exercise, root, path)) return exercise.id;
  return "";
}

int grade(GradeOptions options) {
  const auto root = find_root(options.root);
  if (!root) return complain("course grade", kUsage, no_root());
  if (const auto id = exercise_of_variant(options.wrong, *root);
      !id.empty() && options.exercises.empty())
    options.exercises = {id};
  auto chosen = options.all ? everything(*root) : choose(*root, named(options, *root));
  if (const auto* what = std::get_if<std::string>(&chosen))
    return complain("course grade", kUsage, *what);
  const auto& list = std::get<std::vector<Chosen>>(chosen);
  if (list.empty())
    return complain(
        "course grade", kUsage,
        "every exercise is solved; which one? course grade 05_transpose/2_pad, or --all");
  if (!options.wrong.empty()) {
    if (list.size() > 1)
      return complain("course grade", kUsage, tr("--wrong goes with one exercise only"));
    const auto variant =
        named_variant(*list.front().exercise, options.wrong, list.front().exercise->answers());
    if (const auto* what = std::get_if<std::string>(&variant))
      return complain("course grade", kUsage, *what);
    const auto& found = std::get<lab::Variant>(variant);
    if (options.print) return fmt::print("{}", *found.text()), kPassed;
    options.file = *root / found.file;
  }
  if (const auto what = choose_sandbox(options.sandbox); !what.empty())
    return complain("course grade", kSetUp, what);
  if (!options.file.empty() && list.size() > 1)
    return complain("course grade", kUsage, tr("--file goes with one exercise only"));
  return supervised([&] {
    try {
      return grade_all(list, options, *root);
    } catch (const std::filesystem::filesystem_error& error) {
      return not_writable("course grade", error);
    }
  });
}

} // namespace

void add_grade(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "grade", "Grade exercises: what is right, what is not, where");
  const auto options = std::make_shared<GradeOptions>();
  command->footer(with_exit_codes(kGradeExamples));
  command->add_option(
      "EXERCISE", options->exercises,
      "05_transpose/2_pad, 2_pad, 5/2, pad, the start of a name, or the path of its .cu file; the "
      "one you are at by default");
  command->add_flag("--all", options->all, "Every exercise of the course");
  command->add_flag("--solution,--solutions", options->solution,
                    "The course's solution instead of your file");
  command->add_flag("--no-next", options->no_next, "Do not say which exercise is next");
  command->add_option("--file", options->file, "Grade this file as the exercise")
      ->type_name("FILE")
      ->excludes("--all")
      ->excludes("--solution");
  auto* wrong = command
                    ->add_option("--wrong", options->wrong,
                                 "The exercise's wrong variant of that name, or of that path")
                    ->type_name("NAME")
                    ->excludes("--all")
                    ->excludes("--solution")
                    ->excludes("--file");
  command->add_flag("--print", options->print, "Print the wrong variant and grade nothing")
      ->needs(wrong);
  command->add_option("--seed", options->seed, "Inputs as with this number; random by default")
      ->type_name("N")
      ->check(whole_number());
  command
      ->add_option("--json", options->json,
                   "Write the verdict here (grader/report/verdict.schema.json); - is standard "
                   "output, and then there is no report")
      ->type_name("FILE");
  command
      ->add_option("--device", options->device,
                   "gpu (memory is still checked by the emulated device), emulated, auto: a GPU "
                   "where there is one")
      ->transform(among<DeviceChoice>({{"auto", DeviceChoice::automatic},
                                       {"emulated", DeviceChoice::emulated},
                                       {"gpu", DeviceChoice::gpu}}))
      ->type_name("DEVICE");
  command->add_option("--sandbox", options->sandbox, "bubblewrap, landlock, process")
      ->transform(among<sandbox::Rung>({{"bubblewrap", sandbox::Rung::bubblewrap},
                                        {"landlock", sandbox::Rung::landlock},
                                        {"process", sandbox::Rung::process}}))
      ->type_name("RUNG");
  command->add_option("--color,--colour", options->colour, "auto, always, never")
      ->transform(among<Colour>(
          {{"auto", Colour::automatic}, {"always", Colour::always}, {"never", Colour::never}}))
      ->type_name("WHEN");
  command
      ->add_option("--root", options->root, "The course's folder, when it is not found by itself")
      ->type_name("FOLDER");
  command->callback([options, &exit_code] { exit_code = grade(*options); });
}

} // namespace course::cli
