// `course conformance`: what an H200 counted against what the emulated device counts.
#include "conformance/hopper.hpp"
#include "conformance/known.hpp"
#include "conformance/measure.hpp"
#include "conformance/patterns.hpp"

#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "cli/supervised.hpp"
#include "device/emulator/emulator.hpp"
#include "doctor/examine.hpp"
#include "lab/labs.hpp"
#include "language/columns.hpp"
#include "language/translate.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>

namespace course::cli {
namespace {

using conformance::Outcome;

constexpr const char* kFolder = "book/data/h200";
constexpr const char* kExercises = "exercises.csv";
constexpr const char* kKnown = "exercises_unequal.csv";

struct ConformanceOptions {
  std::string root, only, table;
  bool measure = false, patterns = true, quick = false;
};

std::variant<conformance::Table, std::string> table_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) return tr("{} cannot be read", file.string());
  auto table = conformance::read_table(stream);
  if (auto* why = std::get_if<std::string>(&table)) return file.string() + ", " + *why;
  return table;
}

// ---- measure

int measure(const std::filesystem::path& root, const std::string& only, lab::Tools tools) {
  auto found = lab::find_gpu();
  if (auto* why = std::get_if<lab::NoGpu>(&found))
    return complain("course conformance", kSetUp, doctor::no_gpu(why->why, why->old));
  const auto status = gpu::status();
  tools = lab::with_gpu(std::move(tools), std::move(std::get<lab::GpuTools>(found)));
  fmt::print("# device: {}, compute capability {}.{}; CUDA {} by the driver, nvcc {}\n", status.gpu,
             status.major, status.minor, status.driver, tools.means.toolkit);
  fmt::print("# date: {:%Y-%m-%d}; grader {}\n", fmt::gmtime(std::time(nullptr)),
             tools.means.grader);
  fmt::print("# command: course conformance --measure; inputs random, seed 1; counts of {}\n",
             gpu::kCountedByInstruction);
  fmt::print("{}\n", conformance::kColumns);
  auto subjects = conformance::subjects(lab::exercises(root), root);
  std::erase_if(subjects, [&](const conformance::Subject& subject) {
    return subject.file.string().find(only) == std::string::npos;
  });
  for (const auto& one : conformance::measure(subjects, tools)) {
    fmt::print("{}", conformance::rows_of(one.subject, one.digest, one.counted));
    if (!one.counted.failure.empty())
      fmt::print(stderr, "{}\n",
                 tr("{}, {}: not counted: {}", one.subject.file.string(),
                    one.subject.shape->shape.label, one.counted.failure));
  }
  return kPassed;
}

// ---- compare

std::string unequal() {
  return language::padded(tr("UNEQUAL"), 8);
}

// Exercises in the table's order, each with its files and lines.
struct Tally {
  std::size_t runs = 0, lines = 0, unequal = 0, known = 0, changed = 0, uncounted = 0;
};

bool compare_exercises(const std::filesystem::path& root, const conformance::Table& table,
                       const std::vector<conformance::Known>& known, const lab::Tools& tools,
                       const ConformanceOptions& options) {
  auto measured = conformance::measured_in(table);
  if (const auto* why = std::get_if<std::string>(&measured)) {
    complain("course conformance", kSetUp, *why);
    return false;
  }
  auto& runs = std::get<std::vector<conformance::Measured>>(measured);
  std::erase_if(runs, [&](const conformance::Measured& one) {
    return one.file.find(options.only) == std::string::npos;
  });
  if (options.quick) { // a file's largest shape comes last
    std::vector<conformance::Measured> last;
    for (auto& one : runs) {
      if (!last.empty() && last.back().file == one.file) last.pop_back();
      last.push_back(std::move(one));
    }
    runs = std::move(last);
  }
  for (const auto& remark : table.remarks) fmt::print("  {}\n", remark);
  std::map<std::string, Tally> by_lab;
  std::vector<std::string> sentences;
  const auto note = [&](const Outcome& outcome) {
    const auto& one = outcome.measured;
    auto& tally = by_lab[std::filesystem::path(one.file).parent_path().string()];
    ++tally.runs;
    tally.lines += one.counted.lines.size();
    const auto compared = conformance::compared(outcome, known);
    tally.unequal += !compared.faults.empty();
    tally.known += compared.as_known;
    tally.changed +=
        outcome.kind == Outcome::Kind::changed || outcome.kind == Outcome::Kind::missing;
    tally.uncounted += !one.counted.failure.empty() || outcome.kind == Outcome::Kind::outside;
    for (const auto& fault : compared.faults)
      sentences.push_back(fmt::format("{} {}, {}: {}", unequal(), one.file, one.shape, fault));
    if (compared.as_known)
      for (const auto& difference : outcome.differences)
        sentences.push_back(fmt::format("{} {}, {}: {}", language::padded(tr("known"), 8), one.file,
                                        one.shape, difference));
  };
  conformance::compare(runs, conformance::subjects(lab::exercises(root), root), tools, note);
  fmt::print("\n  {} {} {} {} {} {} {}\n", language::padded(tr("folder"), 36),
             language::right(tr("runs"), 6), language::right(tr("lines"), 7),
             language::right(tr("unequal"), 8), language::right(tr("known"), 8),
             language::right(tr("changed"), 8), language::right(tr("no count"), 8));
  Tally all;
  for (const auto& [folder, tally] : by_lab) {
    fmt::print("  {:<36} {:>6} {:>7} {:>8} {:>8} {:>8} {:>8}\n", folder, tally.runs, tally.lines,
               tally.unequal, tally.known, tally.changed, tally.uncounted);
    all.runs += tally.runs;
    all.unequal += tally.unequal;
    all.known += tally.known;
    all.changed += tally.changed;
  }
  for (const auto& sentence : sentences) fmt::print("  {}\n", sentence);
  auto summary = tr("{} of {} runs are equal to what was measured",
                    all.runs - all.unequal - all.known - all.changed, all.runs);
  if (all.known > 0)
    summary += tr("; {} are not, as {} says, and why", all.known,
                  (std::filesystem::path(kFolder) / kKnown).string());
  if (all.changed > 0)
    summary += tr("; {} files were changed since, and are not compared", all.changed);
  fmt::print("  {}\n", summary);
  return all.unequal == 0 && all.runs > all.changed;
}

bool compare_patterns(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().filename().string().starts_with("patterns_")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  fmt::print("\n  {} {} {} {} {}\n", language::padded(tr("access patterns"), 36),
             language::right(tr("patterns"), 8), language::right(tr("equal"), 8),
             language::right(tr("unequal"), 8), language::right(tr("no rule"), 8));
  bool all_equal = true;
  std::vector<std::string> sentences;
  for (const auto& file : files) {
    const auto table = table_of(file);
    if (const auto* why = std::get_if<std::string>(&table))
      return complain("course conformance", kSetUp, *why), false;
    const auto scores = conformance::score_patterns(std::get<conformance::Table>(table));
    if (const auto* why = std::get_if<std::string>(&scores))
      return complain("course conformance", kSetUp, file.string() + ", " + *why), false;
    std::size_t patterns = 0, equal = 0, without = 0;
    for (const auto& score : std::get<std::vector<conformance::PatternScore>>(scores)) {
      patterns += score.patterns;
      equal += score.equal;
      without += score.without_rule;
      if (!score.first_unequal.empty())
        sentences.push_back(tr("{}, {} of {} {}: {}", file.filename().string(),
                               score.patterns - score.equal - score.without_rule, score.patterns,
                               score.access, score.first_unequal));
    }
    const auto unequal = patterns - equal - without;
    fmt::print("  {:<36} {:>8} {:>8} {:>8} {:>8}\n", file.filename().string(), patterns, equal,
               unequal, without);
    all_equal = all_equal && unequal == 0;
  }
  for (const auto& sentence : sentences) fmt::print("  {} {}\n", unequal(), sentence);
  return all_equal;
}

// A kernel for each row of the tables of memory that works by itself, executed here.
bool compare_hopper(const std::filesystem::path& root, device::Device& device) {
  fmt::print("\n  {} {} {} {}\n", language::padded(tr("a kernel for each row of"), 36),
             language::right(tr("kernels"), 8), language::right(tr("equal"), 8),
             language::right(tr("unequal"), 8));
  bool all_equal = true;
  std::vector<std::string> sentences;
  for (const auto which : conformance::kHopperTables) {
    const auto file = root / conformance::file_of(which);
    const auto table = table_of(file);
    if (const auto* why = std::get_if<std::string>(&table))
      return complain("course conformance", kSetUp, *why), false;
    const auto kernels = conformance::hopper_kernels(which, std::get<conformance::Table>(table));
    if (const auto* why = std::get_if<std::string>(&kernels))
      return complain("course conformance", kSetUp, file.string() + ", " + *why), false;
    const auto execute = [&](const device::Job& job) { return device.execute(job); };
    const auto outcomes = conformance::hopper_outcomes(
        std::get<std::vector<conformance::HopperKernel>>(kernels), execute, 1);
    std::size_t equal = 0;
    for (const auto& outcome : outcomes) {
      equal += outcome.equal();
      if (!outcome.equal())
        sentences.push_back(fmt::format("{}: {}", outcome.name, outcome.difference()));
    }
    fmt::print("  {:<36} {:>8} {:>8} {:>8}\n", file.filename().string(), outcomes.size(), equal,
               outcomes.size() - equal);
    all_equal = all_equal && equal == outcomes.size();
  }
  for (const auto& sentence : sentences) fmt::print("  {} {}\n", unequal(), sentence);
  return all_equal;
}

int conform(const ConformanceOptions& options) {
  const auto root = find_root(options.root);
  if (!root) return complain("course conformance", kUsage, no_root());
  const auto place = find_workplace();
  if (!place.toolkit)
    return complain("course conformance", kSetUp,
                    tr("there is no nvcc; course doctor says what to do"));
  if (const auto what = missing(place); !what.empty())
    return complain("course conformance", kSetUp, what);
  return supervised([&] {
    const auto device = emulator::make_device();
    auto tools = lab::make_tools(place, *device);
    if (options.measure) return measure(*root, options.only, std::move(tools));
    const auto table = table_of(options.table.empty() ? *root / kFolder / kExercises
                                                      : std::filesystem::path(options.table));
    if (const auto* why = std::get_if<std::string>(&table))
      return complain("course conformance", kSetUp,
                      tr("{}; course conformance --measure writes one on a GPU", *why));
    const auto list = table_of(*root / kFolder / kKnown);
    if (const auto* why = std::get_if<std::string>(&list))
      return complain("course conformance", kSetUp, *why);
    const auto known = conformance::known_in(std::get<conformance::Table>(list));
    if (const auto* why = std::get_if<std::string>(&known))
      return complain("course conformance", kSetUp, std::string(kKnown) + ", " + *why);
    const bool exercises =
        compare_exercises(*root, std::get<conformance::Table>(table),
                          std::get<std::vector<conformance::Known>>(known), tools, options);
    const bool patterns = !options.patterns || compare_patterns(*root / kFolder);
    const bool hopper = !options.patterns || compare_hopper(*root, *device);
    return static_cast<int>(exercises && patterns && hopper ? kPassed : kFailed);
  });
}

} // namespace

void add_conformance(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "conformance",
                              "Compare the emulated device with what was measured on an H200");
  const auto options = std::make_shared<ConformanceOptions>();
  command->footer("Examples:\n"
                  "  course conformance                            the committed measurements\n"
                  "  course conformance --measure > exercises.csv  new ones, on this GPU\n"
                  "Exit code 1: a number is not equal.\n");
  command->add_flag("--measure", options->measure,
                    "Count every file on this machine's GPU, and print the table");
  command->add_flag("--quick", options->quick, "One shape of each file instead of two");
  command->add_option("--table", options->table, "Another table than the committed one")
      ->type_name("FILE");
  command->add_option("--only", options->only, "Only files whose name has this in it")
      ->type_name("TEXT");
  command->add_flag("!--no-patterns", options->patterns,
                    "Leave the access patterns and the kernels for each row out");
  command
      ->add_option("--root", options->root, "The course's folder, when it is not found by itself")
      ->type_name("FOLDER");
  command->callback([options, &exit_code] { exit_code = conform(*options); });
}

} // namespace course::cli
