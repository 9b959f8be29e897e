// `course check`: the course's own proof, for its authors.
#include "cli/among.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "cli/supervised.hpp"
#include "device/emulator/emulator.hpp"
#include "lab/labs.hpp"
#include "lab/proofs.hpp"
#include "language/columns.hpp"
#include "language/translate.hpp"
#include "report/proof_words.hpp"

#include <fmt/format.h>

#include <memory>
#include <set>

namespace course::cli {
namespace {

namespace fs = std::filesystem;

struct CheckOptions {
  std::vector<std::string> parts;
  std::string root;
  std::uint64_t seed = 1; // fixed: a proof that holds today holds tomorrow
  std::uint64_t seeds = 0;
  bool pairs = false, wrong = false;
};

// The command that says why a file was not graded as expected.
std::string asking_why(const lab::Proof& proof, const std::string& id, const CheckOptions& options,
                       const std::filesystem::path& root) {
  const fs::path file = proof.file;
  const bool wrong = file.parent_path().filename() == "wrong";
  return fmt::format("./course grade {}{} {}", id,
                     options.root.empty() ? "" : " --root " + options.root,
                     wrong                  ? "--wrong " + file.stem().string()
                     : options.root.empty() ? "--file " + (root / file).string()
                                            : "--file " + (options.root / file).string());
}

void print(const lab::Proof& proof) {
  if (proof.holds) {
    fmt::print("  {} {:<52} {}\n", language::padded(tr("ok"), 7), proof.file,
               report::expected_words(proof));
  } else {
    fmt::print(
        "  {} {:<52} {}\n", language::padded(tr("BROKEN"), 7), proof.file,
        tr("expected: {}; found: {}", report::expected_words(proof), report::found_words(proof)));
  }
  std::fflush(stdout);
}

bool wanted(const lab::Exercise& exercise, const std::vector<std::string>& parts) {
  if (parts.empty()) return true;
  for (const auto& part : parts) {
    if (part == exercise.lab() || part == exercise.id || part == exercise.name()) return true;
  }
  return false;
}

int check(const CheckOptions& options, const std::filesystem::path& root) {
  const auto place = find_workplace();
  if (const auto what = missing_toolkit(place); !what.empty())
    return complain("course check", kSetUp, what);
  if (const auto what = missing(place); !what.empty())
    return complain("course check", kSetUp, what);
  const auto device = emulator::make_device();
  const auto tools = lab::make_tools(place, *device);
  std::size_t exercises = 0, proofs = 0, broken = 0;
  std::set<std::string> labs;
  for (const auto& exercise : lab::exercises(root)) {
    if (!wanted(exercise, options.parts)) continue;
    ++exercises;
    labs.insert(exercise.lab());
    fmt::print("{}\n", exercise.id);
    const auto note = [&](const lab::Proof& proof) {
      ++proofs;
      broken += !proof.holds;
      print(proof);
      if (!proof.holds && proof.graded)
        fmt::print("          {}\n", tr("why: {}", asking_why(proof, exercise.id, options, root)));
    };
    if (options.seeds > 0)
      lab::check_seeds(exercise, root, options.seed, options.seeds, tools, note);
    if (options.pairs) lab::check_pair(exercise, root, options.seed, tools, note);
    if (options.wrong) lab::check_wrong(exercise, root, options.seed, tools, note);
    if (options.seeds == 0 && !options.pairs && !options.wrong)
      lab::check(exercise, root, options.seed, tools, note);
  }
  for (const auto& lab : labs)
    for (const auto& stray : lab::strays(lab::exercises(root), lab, root)) {
      ++proofs;
      ++broken;
      print(stray);
    }
  if (exercises == 0)
    return complain("course check", kUsage, tr("there is no lab or exercise of that name"));
  fmt::print("{}\n",
             tr("{} of {} proofs hold for {} exercises", proofs - broken, proofs, exercises));
  return broken == 0 ? kPassed : kFailed;
}

} // namespace

void add_check(CLI::App& app, int& exit_code) {
  auto* command = add_command(
      app, "check",
      "Prove the labs: skeletons fail, solutions pass, wrong variants fail as they say");
  const auto options = std::make_shared<CheckOptions>();
  command->footer(
      "Examples:\n"
      "  course check                  every exercise\n"
      "  course check 05_transpose     one lab\n"
      "  course check --pairs          skeletons and solutions alone; --wrong: the rest\n"
      "  course check --seeds 50       solutions, with the shapes of 50 more seeds\n"
      "What is proved: labs/README.md\n");
  command->add_option("PART", options->parts, "A lab or an exercise; all by default");
  command->add_flag("--pairs", options->pairs, "Skeletons and solutions only");
  command->add_flag("--wrong", options->wrong, "Wrong variants only");
  command->add_option("--seed", options->seed, "Inputs as with this number")
      ->type_name("N")
      ->check(whole_number());
  command->add_option("--seeds", options->seeds, "Solutions only, with the shapes of N more seeds")
      ->type_name("N")
      ->check(whole_number());
  command
      ->add_option("--root", options->root, "The course's folder, when it is not found by itself")
      ->type_name("FOLDER");
  command->callback([options, &exit_code] {
    const auto root = find_root(options->root);
    exit_code = root ? supervised([&] { return check(*options, *root); })
                     : complain("course check", kUsage, no_root());
  });
}

} // namespace course::cli
