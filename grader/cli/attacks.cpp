// `course attacks`: the attack suite, for the grader's authors.
#include "cli/among.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "cli/written_file.hpp"
#include "doctor/examine.hpp"
#include "lab/tools.hpp"
#include "language/columns.hpp"
#include "language/translate.hpp"
#include "sandbox/rung.hpp"
#include "system/cores.hpp"
#include "trust/mutants.hpp"
#include "trust/suite.hpp"
#include "trust/ways_table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <memory>

namespace course::cli {
namespace {

struct AttacksOptions {
  std::vector<std::string> parts;
  std::string root, sandbox, keep, json, ways;
  bool gpu = false;
  unsigned jobs = std::min(2u, system::cores()), patience = 1;
  std::uint64_t mutants = 0, seed = 1, from = 0, minutes = 0;
};

trust::Desk desk(const AttacksOptions& options, const std::filesystem::path& root) {
  std::error_code error;
  return {std::filesystem::read_symlink("/proc/self/exe", error),
          root,
          cache_folder(),
          options.sandbox,
          options.gpu,
          options.patience};
}

bool is_attack(const trust::Case& one) {
  return one.declared.kind == trust::Declaration::Kind::attack;
}

const char* word_for(const trust::Case& one, const trust::Result& result) {
  using language::marked;
  if (result.needs_gpu && result.complaints.empty()) return marked("needs a GPU");
  if (result.complaints.empty()) return is_attack(one) ? marked("caught") : marked("passed");
  return is_attack(one) ? marked("MISSED") : marked("REFUSED");
}

void print(const trust::Case& one, const trust::Result& result) {
  const auto word = language::translated(word_for(one, result));
  fmt::print("  {} {:<44} {:<28} {:5.1f} s\n", language::padded(word, 11), one.name, result.verdict,
             result.seconds);
  if (!result.complaints.empty()) {
    fmt::print("              {}\n", one.declared.idea);
    if (result.needs_gpu)
      fmt::print("              {}\n", tr("must: passed, on the emulated device"));
    for (const auto& wanted : one.declared.wanted)
      if (!result.needs_gpu) fmt::print("              {}\n", tr("must: {}", trust::text(wanted)));
  }
  for (const auto& complaint : result.complaints) fmt::print("              {}\n", complaint);
  std::fflush(stdout);
}

struct Count {
  std::size_t right = 0, all = 0;
};

struct Table {
  Count attacks, controls;
  std::size_t need_gpu = 0, broken = 0; // broken: of those that need a GPU
  std::vector<nlohmann::ordered_json> rows;

  void add(const trust::Case& one, const trust::Result& result) {
    rows.push_back({{"name", one.name},
                    {"result", word_for(one, result)},
                    {"verdict", result.verdict},
                    {"seconds", result.seconds},
                    {"complaints", result.complaints}});
    need_gpu += result.needs_gpu;
    broken += result.needs_gpu && !result.complaints.empty();
    if (result.needs_gpu) return;
    auto& count = is_attack(one) ? attacks : controls;
    ++count.all;
    count.right += result.complaints.empty();
  }
  bool clean() const {
    return attacks.right == attacks.all && controls.right == controls.all && broken == 0;
  }
};

// Sorted by name, where they came as they were ready.
void write_json(const std::string& file, const AttacksOptions& options, Table table) {
  std::ranges::sort(table.rows, {}, [](const auto& row) -> std::string { return row.at("name"); });
  const nlohmann::ordered_json json = {
      {"device", options.gpu ? "gpu" : "emulated"},
      {"sandbox", options.sandbox.empty() ? sandbox::rung() : options.sandbox},
      {"attacks", {{"caught", table.attacks.right}, {"of", table.attacks.all}}},
      {"controls", {{"passed", table.controls.right}, {"of", table.controls.all}}},
      {"need_gpu", table.need_gpu},
      {"rows", table.rows}};
  write_whole(file, json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

// On a GPU, only what has something to do there.
std::vector<trust::Case> wanted_cases(const AttacksOptions& options,
                                      const std::filesystem::path& root) {
  auto cases = trust::chosen(trust::suite(root), options.parts);
  if (options.gpu)
    std::erase_if(cases, [](const trust::Case& one) {
      return one.declared.device == trust::Declaration::Device::emulated;
    });
  return cases;
}

int run_suite(const AttacksOptions& options, const std::filesystem::path& root) {
  const auto cases = wanted_cases(options, root);
  if (cases.empty())
    return complain("course attacks", kUsage, tr("there is no attack or control of that name"));
  // Times that are taken side by side are nobody's.
  const unsigned jobs = options.gpu ? 1 : options.jobs;
  Table table;
  std::vector<trust::Result> results;
  trust::attempt_all(cases, desk(options, root), jobs, [&](const trust::Result& result) {
    print(cases[result.index], result);
    table.add(cases[result.index], result);
    results.push_back(result);
  });
  fmt::print("{}\n", tr("{} of {} attacks caught, {} more need a GPU; {} of {} controls passed",
                        table.attacks.right, table.attacks.all, table.need_gpu,
                        table.controls.right, table.controls.all));
  const bool clean = table.clean();
  if (!options.json.empty()) write_json(options.json, options, std::move(table));
  std::ranges::sort(results, {}, &trust::Result::index);
  if (!options.ways.empty()) write_whole(options.ways, trust::table_of_ways(cases, results));
  return clean ? kPassed : kFailed;
}

// As it is, but for bytes that steer a terminal or are no text: \x1b.
std::string printable(const std::string& source) {
  std::string text;
  for (const char c : source) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = c == '\n' || c == '\t' || (byte >= 0x20 && byte < 0x7f);
    text += plain ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return text;
}

// A line of JSON for each mutant, in the file; those that broke a promise whole, here and in
// `keep`.
class MutantLog {
public:
  explicit MutantLog(const AttacksOptions& options) : options_(options) {
    if (!options.json.empty()) file_.open(options.json, std::ios::trunc);
  }
  void add(const trust::Graded& graded) {
    const nlohmann::ordered_json line = {{"mutant", graded.number},
                                         {"of", graded.parent},
                                         {"verdict", graded.verdict},
                                         {"seconds", graded.seconds},
                                         {"broken", graded.broken}};
    file_ << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
    if (!graded.broken.empty()) add_broken(graded);
    if (++count_ % 100 != 0) return;
    file_.flush();
    fmt::print(stderr, "{}\n", tr("{} mutants", count_));
  }

private:
  void add_broken(const trust::Graded& graded) {
    for (const auto& promise : graded.broken)
      fmt::print("  {}\n",
                 tr("BROKEN  mutant {} of {}: {}", graded.number, graded.parent, promise));
    fmt::print("----\n{}\n----\n", printable(graded.source));
    std::fflush(stdout);
    if (options_.keep.empty()) return;
    std::filesystem::create_directories(options_.keep);
    const auto name = fmt::format("{}_{}.cu", options_.seed, graded.number);
    std::ofstream(std::filesystem::path(options_.keep) / name, std::ios::binary) << graded.source;
  }
  const AttacksOptions& options_;
  std::ofstream file_;
  std::uint64_t count_ = 0;
};

int run_mutants(const AttacksOptions& options, const std::filesystem::path& root) {
  trust::Campaign campaign{options.seed, options.from, options.mutants, {options.jobs, true, {}}};
  if (options.minutes > 0)
    campaign.crew.until =
        std::chrono::steady_clock::now() + std::chrono::seconds(60 * options.minutes);
  MutantLog log(options);
  const auto tally = trust::run(campaign, desk(options, root),
                                [&](const trust::Graded& graded) { log.add(graded); });
  if (tally.next == options.from)
    return complain("course attacks", kFailed, tr("no mutant was graded"));
  fmt::print("{}\n", tr("{} mutants, seed {}, numbers {} to {}, sandbox {}", tally.mutants,
                        options.seed, options.from, tally.next - 1,
                        options.sandbox.empty() ? sandbox::rung() : options.sandbox));
  for (const auto& [verdict, count] : tally.verdicts)
    fmt::print("  {:>7}  {:<16} {:5.1f} %\n", count, verdict,
               100.0 * static_cast<double>(count) / static_cast<double>(tally.mutants));
  const auto each = tally.seconds / static_cast<double>(tally.mutants);
  fmt::print("  {}\n", tr("{:.2f} s each, the longest {:.1f} s; {} broke a promise", each,
                          tally.longest, tally.broken));
  // One whose worker died has no verdict.
  const auto lost = tally.next - options.from - tally.mutants;
  if (lost > 0) fmt::print("  {}\n", tr("LOST  {} mutants, whose workers died", lost));
  return tally.broken == 0 && lost == 0 ? kPassed : kFailed;
}

int attacks(const AttacksOptions& options) {
  const auto root = find_root(options.root);
  if (!root) return complain("course attacks", kUsage, no_root());
  const auto place = find_workplace();
  if (const auto what = missing_toolkit(place); !what.empty())
    return complain("course attacks", kSetUp, what);
  if (const auto what = missing(place); !what.empty())
    return complain("course attacks", kSetUp, what);
  if (const auto what = options.sandbox.empty() ? uncontained() : ""; !what.empty())
    return complain("course attacks", kSetUp,
                    tr("{} --sandbox process tries what needs no sandbox.", what));
  if (options.gpu) {
    const auto found = lab::find_gpu();
    if (const auto* why = std::get_if<lab::NoGpu>(&found))
      return complain("course attacks", kSetUp, doctor::no_gpu(why->why, why->old));
  }
  return options.mutants > 0 ? run_mutants(options, *root) : run_suite(options, *root);
}

} // namespace

void add_attacks(CLI::App& app, int& exit_code) {
  auto* command = add_command(
      app, "attacks", "Try to cheat the grader: every attack is caught, every honest file passes");
  const auto options = std::make_shared<AttacksOptions>();
  command->footer("Examples:\n"
                  "  course attacks                        all attacks and honest ways\n"
                  "  course attacks host exit_zero         a folder of them, and one\n"
                  "  course attacks --sandbox landlock     on another rung of the sandbox\n"
                  "  course attacks --gpu --json gpu.json  what is done on a GPU only\n"
                  "  course attacks controls --ways w.md   all honest ways, and a table of them\n"
                  "  course attacks --mutants 1000         files changed at random\n"
                  "How an attack is written: grader/trust/README.md\n");
  command->add_option("NAME", options->parts, "An attack, a control, or a folder; all by default");
  command->add_option("--jobs", options->jobs, "This many at a time")->type_name("N");
  command
      ->add_option("--patience", options->patience,
                   "Wait N times as long as each may take, on a slow or busy machine")
      ->type_name("N")
      ->check(CLI::Range(1, 100));
  command->add_option("--sandbox", options->sandbox, "As of `course grade`")->type_name("RUNG");
  command->add_flag("--gpu", options->gpu,
                    "Those that need a GPU, and the controls that must pass there, on this one's");
  command
      ->add_option("--json", options->json,
                   "Write the table here, too; of mutants, a line for each")
      ->type_name("FILE");
  command
      ->add_option("--ways", options->ways,
                   "Write the exercises and their honest ways, each with whether it passes, here")
      ->type_name("FILE");
  command->add_option("--mutants", options->mutants, "Grade this many changed files instead")
      ->type_name("N");
  command->add_option("--seed", options->seed, "Of the changes")
      ->type_name("N")
      ->check(whole_number());
  command->add_option("--from", options->from, "The number of the first mutant, to go on with")
      ->type_name("N");
  command
      ->add_option("--minutes", options->minutes,
                   "Begin no mutant after these; says with which to go on")
      ->type_name("N");
  command->add_option("--keep", options->keep, "Keep mutants that broke a promise here")
      ->type_name("FOLDER");
  command
      ->add_option("--root", options->root, "The course's folder, when it is not found by itself")
      ->type_name("FOLDER");
  command->callback([options, &exit_code] { exit_code = attacks(*options); });
}

} // namespace course::cli
