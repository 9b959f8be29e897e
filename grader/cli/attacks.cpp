// `course attacks`: the attack suite, for the grader's authors.
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "lab/endings.hpp"
#include "trust/mutants.hpp"
#include "trust/suite.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace course::cli {
namespace {

struct Options {
  std::vector<std::string> parts;
  std::string root, sandbox, keep;
  unsigned jobs = 2;
  std::uint64_t mutants = 0, seed = 1, from = 0;
};

int complain(ExitCode code, const std::string& what) {
  fmt::print(stderr, "course attacks: {}\n", what);
  return code;
}

trust::Desk desk(const Options& options, const std::filesystem::path& root) {
  std::error_code error;
  return {std::filesystem::read_symlink("/proc/self/exe", error), root, cache_folder(),
          options.sandbox};
}

void print(const trust::Case& one, const trust::Result& result) {
  const bool attack = one.declared.kind == trust::Declaration::Kind::attack;
  const char* word = result.needs_gpu            ? "needs a GPU"
                     : result.complaints.empty() ? (attack ? "caught" : "passed")
                     : attack                    ? "MISSED"
                                                 : "REFUSED";
  fmt::print("  {:<11} {:<44} {:<28} {:5.1f} s\n", word, one.name, result.verdict, result.seconds);
  if (!result.complaints.empty()) {
    fmt::print("              {}\n", one.declared.idea);
    for (const auto& wanted : one.declared.wanted)
      fmt::print("              must: {}\n", trust::text(wanted));
  }
  for (const auto& complaint : result.complaints) fmt::print("              {}\n", complaint);
  std::fflush(stdout);
}

int run_suite(const Options& options, const std::filesystem::path& root) {
  const auto cases = trust::chosen(trust::suite(root), options.parts);
  if (cases.empty()) return complain(kUsage, "there is no attack or control of that name");
  std::size_t caught = 0, attacks = 0, passed = 0, controls = 0, gpu = 0;
  trust::attempt_all(cases, desk(options, root), options.jobs, [&](const trust::Result& result) {
    const auto& one = cases[result.index];
    print(one, result);
    gpu += result.needs_gpu;
    if (result.needs_gpu) return;
    const bool attack = one.declared.kind == trust::Declaration::Kind::attack;
    (attack ? attacks : controls) += 1;
    (attack ? caught : passed) += result.complaints.empty();
  });
  fmt::print("{} of {} attacks caught, {} more need a GPU; {} of {} controls passed\n", caught,
             attacks, gpu, passed, controls);
  return caught == attacks && passed == controls ? kPassed : kFailed;
}

int run_mutants(const Options& options, const std::filesystem::path& root) {
  const trust::Campaign campaign{options.seed, options.from, options.mutants, options.keep};
  const auto tally = trust::run(campaign, desk(options, root), [](const trust::Tally& so_far) {
    if (so_far.mutants % 100 != 0) return;
    fmt::print(stderr, "{} mutants, {} broken promises\n", so_far.mutants, so_far.broken.size());
  });
  fmt::print("{} mutants, seed {}, numbers {} to {}\n", tally.mutants, options.seed, options.from,
             options.from + options.mutants - 1);
  for (const auto& [verdict, count] : tally.verdicts) fmt::print("  {:>7}  {}\n", count, verdict);
  for (const auto& broken : tally.broken)
    fmt::print("  BROKEN  mutant {} of {}: {}\n", broken.number, broken.parent, broken.promise);
  return tally.broken.empty() ? kPassed : kFailed;
}

int attacks(const Options& options) {
  const auto root = find_root(options.root);
  if (!root) return complain(kUsage, "there is no folder labs/ here; say --root FOLDER");
  const auto place = find_workplace();
  if (!place.toolkit) return complain(kSetUp, lab::no_toolkit().headline);
  if (const auto what = missing(place); !what.empty()) return complain(kSetUp, what);
  return options.mutants > 0 ? run_mutants(options, *root) : run_suite(options, *root);
}

} // namespace

void add_attacks(CLI::App& app, int& exit_code) {
  auto* command = app.add_subcommand(
      "attacks", "Try to cheat the grader: every attack is caught, every honest file passes");
  const auto options = std::make_shared<Options>();
  command->footer("Examples:\n"
                  "  course attacks                        all of grader/trust\n"
                  "  course attacks host exit_zero         a folder of them, and one\n"
                  "  course attacks --sandbox landlock     on another rung of the sandbox\n"
                  "  course attacks --mutants 1000         files changed at random\n"
                  "How an attack is written: grader/trust/README.md\n");
  command->add_option("NAME", options->parts, "An attack, a control, or a folder; all by default");
  command->add_option("--jobs", options->jobs, "This many at a time")->type_name("N");
  command->add_option("--sandbox", options->sandbox, "As of `course grade`")->type_name("RUNG");
  command->add_option("--mutants", options->mutants, "Grade this many changed files instead")
      ->type_name("N");
  command->add_option("--seed", options->seed, "Of the changes")->type_name("N");
  command->add_option("--from", options->from, "The number of the first mutant, to go on with")
      ->type_name("N");
  command->add_option("--keep", options->keep, "Keep mutants that broke a promise here")
      ->type_name("FOLDER");
  command
      ->add_option("--root", options->root, "The course's folder, when it is not found by itself")
      ->type_name("FOLDER");
  command->callback([options, &exit_code] { exit_code = attacks(*options); });
}

} // namespace course::cli
