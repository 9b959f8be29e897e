#include "lab/proofs.hpp"

#include "lab/drawn.hpp"
#include "lab/inputs.hpp"
#include "system/file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace course::lab {
namespace {

using std::filesystem::path;

std::string text_of(const path& file) {
  return system::content_of(file).value_or("");
}

Proof form_of(const Exercise& exercise, const path& root, const path& file,
              std::size_t most_lines) {
  auto wrong =
      form(text_of(root / file), fmt::format("// {}: {}", exercise.id, exercise.title), most_lines);
  const bool holds = wrong.empty();
  return {file.string(), Proof::WellFormed{std::move(wrong)}, holds};
}

// The files of a folder that end so, from the project's root.
std::vector<path> files_in(const path& folder, const path& root, const char* ending = ".cu") {
  std::vector<path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(root / folder, error))
    if (entry.path().extension() == ending) files.push_back(folder / entry.path().filename());
  std::sort(files.begin(), files.end());
  return files;
}

Proof pair_of(const Exercise& exercise, const path& root) {
  auto wrong =
      differences(text_of(root / skeleton_of(exercise)), text_of(root / solution_of(exercise)));
  const bool holds = wrong.empty();
  return {solution_of(exercise).string(), Proof::OnlyWorkDiffers{std::move(wrong)}, holds};
}

} // namespace

path skeleton_of(const Exercise& exercise) {
  return path("labs") / (exercise.id + ".cu");
}
path solution_of(const Exercise& exercise) {
  return path("solutions") / (exercise.id + ".cu");
}

std::vector<path> honest_ways_of(const Exercise& exercise, const path& root) {
  auto files = files_in(path("solutions") / exercise.lab() / "honest", root);
  std::erase_if(files, [&](const path& file) {
    return !file.filename().string().starts_with(exercise.name() + "_");
  });
  return files;
}

std::vector<Proof> strays(const std::vector<Exercise>& exercises, const std::string& lab,
                          const path& root) {
  const auto is_of = [&](const std::string& stem, const char* behind_name) {
    return std::any_of(exercises.begin(), exercises.end(), [&](const Exercise& one) {
      return one.lab() == lab &&
             (*behind_name ? stem.starts_with(one.name() + behind_name) : stem == one.name());
    });
  };
  using As = Proof::Belongs::As;
  struct Place {
    path folder;
    const char* behind_name;
    As as;
  };
  const path solutions = path("solutions") / lab;
  const Place places[] = {{path("labs") / lab, "", As::skeleton},
                          {solutions, "", As::solution},
                          {solutions / "wrong", "_", As::variant},
                          {solutions / "honest", "_", As::variant}};
  std::vector<Proof> found;
  for (const auto& place : places)
    for (const auto& file : files_in(place.folder, root))
      if (!is_of(file.stem().string(), place.behind_name))
        found.push_back({file.string(), Proof::Belongs{place.as}});
  for (const auto& file : files_in(solutions / "wrong", root, ".diff"))
    if (!is_of(file.stem().string(), ""))
      found.push_back({file.string(), Proof::Belongs{As::edits}});
  for (const auto& file : files_in(path("labs") / lab, root, ".cpp"))
    if (std::ranges::none_of(exercises, [&](const Exercise& one) {
          return one.lab() == lab && one.reference_file.filename() == file.filename();
        }))
      found.push_back({file.string(), Proof::Belongs{As::reference}});
  return found;
}

Outcome outcome_of(const judge::Verdict& verdict) {
  Outcome outcome{verdict.ending, {}};
  for (const auto& check : verdict.checks)
    if (check.status == judge::Status::failed) outcome.failed.push_back(check.name);
  return outcome;
}

// Numbers that are below their limit by less than a tenth of themselves: another good kernel might
// not be. One that meets its limit exactly is the best there is, and some limits are the task's
// own.
std::vector<Near> close_to_limits(const judge::Verdict& verdict,
                                  const std::vector<std::string>& given) {
  std::vector<Near> close;
  for (const auto& check : verdict.checks) {
    for (const auto& one : check.measures) {
      if (one.high == judge::Measure::kNoLimit || one.value >= one.high) continue;
      if (std::find(given.begin(), given.end(), one.what) != given.end()) continue;
      if (10 * (one.high - one.value) + 9 < one.value) // room is counted in whole numbers, too
        close.push_back({one.what, one.value, one.high});
    }
  }
  return close;
}

// Whether the limits on what a kernel may take at all are of the right size, by the solution: far
// enough for any honest kernel, and near enough to be one.
std::vector<Near> strange_cost(const judge::Verdict& verdict) {
  constexpr std::uint64_t kLeast = 4, kMost = 50; // times the solution's
  const auto* kernel = judge::find(verdict.checks, judge::CheckKind::kernel);
  std::vector<Near> strange;
  for (const auto& one : kernel->measures)
    if (one.value > 0 && (one.high < kLeast * one.value || one.high > kMost * one.value))
      strange.push_back({one.what, one.value, one.high});
  return strange;
}

// The exercise with no other shapes than those that this seed draws.
Exercise of_seed(Exercise exercise, std::uint64_t seed) {
  auto cases = cases_of(exercise, seed);
  cases.erase(cases.begin(), cases.begin() + static_cast<std::ptrdiff_t>(exercise.cases.size()));
  exercise.cases = std::move(cases);
  exercise.drawn = nullptr;
  return exercise;
}

bool check_seeds(const Exercise& exercise, const path& root, std::uint64_t seed,
                 std::uint64_t seeds, const Tools& tools,
                 const std::function<void(const Proof&)>& each) {
  if (!exercise.drawn) return true;
  Proof::PassesSeeds claim{0, seeds, {}};
  for (std::uint64_t i = 0; i < seeds; ++i) {
    const auto drawn = of_seed(exercise, seed + i);
    const Submission solution{root / solution_of(exercise), seed + i};
    auto verdict = grade(drawn, solution, tools);
    // A drawn shape may leave a check nothing to look at; among the others it does not.
    if (verdict.ending != judge::Ending::passed && !judge::first_failed(verdict.checks))
      verdict = grade(exercise, solution, tools);
    claim.shapes += drawn.cases.size();
    const auto* failed = judge::first_failed(verdict.checks);
    const auto found = outcome_of(verdict);
    auto close = close_to_limits(verdict, exercise.given);
    if (!found.passes())
      claim.broken.push_back({found, {}, failed ? failed->shape : "?"});
    else if (!close.empty())
      claim.broken.push_back({found, std::move(close), drawn.cases[0].shape});
  }
  const bool holds = claim.broken.empty();
  each({solution_of(exercise).string(), std::move(claim), holds});
  return holds;
}

namespace {

// Hands proofs on, and knows whether all held.
class Proving {
public:
  explicit Proving(const std::function<void(const Proof&)>& each) : each_(each) {}
  void operator()(const Proof& proof) {
    holds_ = holds_ && proof.holds;
    each_(proof);
  }
  bool holds() const { return holds_; }

private:
  const std::function<void(const Proof&)>& each_;
  bool holds_ = true;
};

} // namespace

bool check_pair(const Exercise& exercise, const path& root, std::uint64_t seed, const Tools& tools,
                const std::function<void(const Proof&)>& each) {
  Proving note(each);
  note(form_of(exercise, root, skeleton_of(exercise), exercise.skeleton_lines));
  note(form_of(exercise, root, solution_of(exercise), exercise.solution_lines));
  note(pair_of(exercise, root));

  const auto skeleton = outcome_of(grade(exercise, {root / skeleton_of(exercise), seed}, tools));
  const auto& first = exercise.skeleton_fails;
  note({skeleton_of(exercise).string(), Proof::FailsFirst{first, skeleton},
        !skeleton.failed.empty() && skeleton.failed.front() == first, true});

  const auto file = solution_of(exercise).string();
  const auto solution = grade(exercise, {root / file, seed}, tools);
  const auto found = outcome_of(solution);
  note({file, Proof::Passes{found}, found.passes(), true});
  const auto close = close_to_limits(solution, exercise.given);
  note({file, Proof::LeavesRoom{close}, close.empty()});
  const auto strange = strange_cost(solution);
  note({file, Proof::RightCost{strange}, strange.empty()});
  const auto found_to_pay = pays(timed_files(root, exercise.id, *tools.emulated));
  if (exercise.time && found_to_pay) {
    const bool says = !exercise.time->does_not_pay.empty();
    note({file, Proof::PaysOrSays{*found_to_pay, says}, found_to_pay->holds() != says});
  }
  return note.holds();
}

bool check_wrong(const Exercise& exercise, const path& root, std::uint64_t seed, const Tools& tools,
                 const std::function<void(const Proof&)>& each, std::size_t least) {
  Proving note(each);
  const auto variants = wrong_variants_of(exercise, root);
  if (variants.size() < least)
    note({edits_of(exercise).string(), Proof::EnoughWrong{least, variants.size()}});
  for (const auto& variant : variants) {
    if (const auto* fault = variant.fault()) {
      note({variant.file.string(), Proof::Applies{edits_of(exercise).filename(), *fault}});
      continue;
    }
    const VariantFile file(variant);
    const auto confessed = confession(*variant.text());
    const auto found = outcome_of(grade(exercise, {file.path(), seed}, tools));
    const bool holds = !confessed.checks.empty() && found.fails(confessed.checks);
    note({variant.file.string(), Proof::Fails{confessed.checks, found}, holds, true});
  }
  return note.holds();
}

bool check_honest(const Exercise& exercise, const path& root, std::uint64_t seed,
                  const Tools& tools, const std::function<void(const Proof&)>& each) {
  constexpr std::string_view kWay = "// honest: ";
  Proving note(each);
  for (const auto& way : honest_ways_of(exercise, root)) {
    if (!text_of(root / way).starts_with(kWay)) {
      note({way.string(), Proof::SaysItsWay{}});
      continue;
    }
    const auto found = outcome_of(grade(exercise, {root / way, seed}, tools));
    note({way.string(), Proof::Passes{found}, found.passes(), true});
  }
  return note.holds();
}

bool check(const Exercise& exercise, const path& root, std::uint64_t seed, const Tools& tools,
           const std::function<void(const Proof&)>& each, std::size_t least_wrong) {
  const bool pair = check_pair(exercise, root, seed, tools, each);
  const bool wrong = check_wrong(exercise, root, seed, tools, each, least_wrong);
  return check_honest(exercise, root, seed, tools, each) && wrong && pair;
}

} // namespace course::lab
