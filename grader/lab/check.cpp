#include "lab/check.hpp"

#include "lab/drawn.hpp"
#include "lab/inputs.hpp"
#include "lab/marks.hpp"
#include "system/file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace course::lab {
namespace {

using std::filesystem::path;

std::string text_of(const path& file) {
  return system::content_of(file).value_or("");
}

std::string joined(const std::vector<std::string>& parts, const char* by) {
  std::string text;
  for (const auto& part : parts) text += (text.empty() ? "" : by) + part;
  return text;
}

std::vector<std::string> failed(const judge::Verdict& verdict) {
  std::vector<std::string> names;
  for (const auto& check : verdict.checks) {
    if (check.status == judge::Status::failed) names.push_back(check.name);
  }
  return names;
}

Proof form_of(const Exercise& exercise, const path& root, const path& file,
              std::size_t most_lines) {
  const auto wrong =
      form(text_of(root / file), fmt::format("// {}: {}", exercise.id, exercise.title), most_lines);
  return {file.string(), "well formed", wrong.empty() ? "well formed" : joined(wrong, "; "),
          wrong.empty()};
}

// The .cu files of a folder, from the project's root.
std::vector<path> kernels_in(const path& folder, const path& root) {
  std::vector<path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(root / folder, error))
    if (entry.path().extension() == ".cu") files.push_back(folder / entry.path().filename());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<path> variants_of(const Exercise& exercise, const char* kind, const path& root) {
  auto files = kernels_in(path("solutions") / exercise.lab() / kind, root);
  std::erase_if(files, [&](const path& file) {
    return !file.filename().string().starts_with(exercise.name() + "_");
  });
  return files;
}

Proof pair_of(const Exercise& exercise, const path& root) {
  const auto wrong =
      differences(text_of(root / skeleton_of(exercise)), text_of(root / solution_of(exercise)));
  return {solution_of(exercise).string(), "is the skeleton but for the work",
          wrong.empty() ? "is the skeleton but for the work" : joined(wrong, "; "), wrong.empty()};
}

} // namespace

path skeleton_of(const Exercise& exercise) {
  return path("labs") / (exercise.id + ".cu");
}
path solution_of(const Exercise& exercise) {
  return path("solutions") / (exercise.id + ".cu");
}

std::vector<path> wrong_variants_of(const Exercise& exercise, const path& root) {
  return variants_of(exercise, "wrong", root);
}
std::vector<path> honest_ways_of(const Exercise& exercise, const path& root) {
  return variants_of(exercise, "honest", root);
}

std::vector<Proof> strays(const std::vector<Exercise>& exercises, const std::string& lab,
                          const path& root) {
  const auto is_of = [&](const std::string& stem, const char* behind_name) {
    return std::any_of(exercises.begin(), exercises.end(), [&](const Exercise& one) {
      return one.lab() == lab &&
             (*behind_name ? stem.starts_with(one.name() + behind_name) : stem == one.name());
    });
  };
  struct Place {
    path folder;
    const char *behind_name, *expected;
  };
  const path solutions = path("solutions") / lab;
  const Place places[] = {
      {path("labs") / lab, "", "has its data beside it, a .toml"},
      {solutions, "", "is the solution of an exercise"},
      {solutions / "wrong", "_", "begins with an exercise's name: 2_pad_x.cu"},
      {solutions / "honest", "_", "begins with an exercise's name: 2_pad_x.cu"}};
  std::vector<Proof> found;
  for (const auto& place : places)
    for (const auto& file : kernels_in(place.folder, root))
      if (!is_of(file.stem().string(), place.behind_name))
        found.push_back({file.string(), place.expected, "of no exercise", false});
  return found;
}

std::string outcome(const judge::Verdict& verdict) {
  if (verdict.ending == judge::Ending::passed) return "passes";
  const auto names = failed(verdict);
  if (!names.empty()) return "fails " + joined(names, ", ");
  return judge::name(verdict.ending);
}

// Numbers that are below their limit by less than a tenth of themselves: another good kernel might
// not be. One that meets its limit exactly is the best there is, and some limits are the task's
// own.
std::string close_to_limits(const judge::Verdict& verdict, const std::vector<std::string>& given) {
  std::vector<std::string> close;
  for (const auto& check : verdict.checks) {
    for (const auto& one : check.measures) {
      if (one.high == judge::Measure::kNoLimit || one.value >= one.high) continue;
      if (std::find(given.begin(), given.end(), one.what) != given.end()) continue;
      if (10 * (one.high - one.value) + 9 < one.value) // room is counted in whole numbers, too
        close.push_back(fmt::format("{} {} of {}", one.what, one.value, one.high));
    }
  }
  return joined(close, ", ");
}

// Whether the limits on what a kernel may take at all are of the right size, by the solution: far
// enough for any honest kernel, and near enough to be one.
std::string strange_cost(const judge::Verdict& verdict) {
  constexpr std::uint64_t kLeast = 4, kMost = 50; // times the solution's
  const auto* kernel = judge::find(verdict.checks, "kernel");
  std::vector<std::string> strange;
  for (const auto& one : kernel->measures)
    if (one.value > 0 && (one.high < kLeast * one.value || one.high > kMost * one.value))
      strange.push_back(fmt::format("{} {} of {}", one.what, one.value, one.high));
  return joined(strange, ", ");
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
  std::vector<std::string> found;
  std::uint64_t shapes = 0;
  for (std::uint64_t i = 0; i < seeds; ++i) {
    const auto drawn = of_seed(exercise, seed + i);
    const Submission solution{root / solution_of(exercise), seed + i};
    auto verdict = grade(drawn, solution, tools);
    // A drawn shape may leave a check nothing to look at; among the others it does not.
    if (outcome(verdict) != "passes" && !judge::first_failed(verdict.checks))
      verdict = grade(exercise, solution, tools);
    shapes += drawn.cases.size();
    const auto* failed = judge::first_failed(verdict.checks);
    const auto close = close_to_limits(verdict, exercise.given);
    if (outcome(verdict) != "passes")
      found.push_back(outcome(verdict) + " in " + (failed ? failed->shape : "?"));
    else if (!close.empty())
      found.push_back(close + " in " + drawn.cases[0].shape);
  }
  const auto expected = fmt::format("passes {} shapes of {} seeds, with room", shapes, seeds);
  const auto text = found.empty() ? expected : joined(found, ", ");
  each({solution_of(exercise).string(), expected, text, found.empty()});
  return found.empty();
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

  const auto skeleton = grade(exercise, {root / skeleton_of(exercise), seed}, tools);
  const auto first = failed(skeleton);
  note({skeleton_of(exercise).string(), "fails " + exercise.skeleton_fails + " first",
        outcome(skeleton), !first.empty() && first.front() == exercise.skeleton_fails, true});

  const auto file = solution_of(exercise).string();
  const auto solution = grade(exercise, {root / file, seed}, tools);
  note({file, "passes", outcome(solution), outcome(solution) == "passes", true});
  const auto close = close_to_limits(solution, exercise.given);
  note({file, "leaves a tenth of room under each limit", close.empty() ? "does" : close,
        close.empty()});
  const auto strange = strange_cost(solution);
  note({file, "takes a fiftieth to a quarter of what a kernel may",
        strange.empty() ? "does" : strange, strange.empty()});
  return note.holds();
}

bool check_wrong(const Exercise& exercise, const path& root, std::uint64_t seed, const Tools& tools,
                 const std::function<void(const Proof&)>& each, std::size_t least) {
  Proving note(each);
  const auto variants = wrong_variants_of(exercise, root);
  if (variants.size() < least)
    note({"solutions/" + exercise.lab() + "/wrong/" + exercise.name() + "_*.cu",
          fmt::format("at least {} wrong variants", least), fmt::format("{}", variants.size()),
          false});
  for (const auto& variant : variants) {
    const auto confessed = confession(text_of(root / variant));
    const auto expected = "fails " + joined(confessed.checks, ", ");
    const auto found = outcome(grade(exercise, {root / variant, seed}, tools));
    note({variant.string(), confessed.checks.empty() ? "names what it fails" : expected, found,
          !confessed.checks.empty() && found == expected, true});
  }
  return note.holds();
}

bool check_honest(const Exercise& exercise, const path& root, std::uint64_t seed,
                  const Tools& tools, const std::function<void(const Proof&)>& each) {
  constexpr std::string_view kWay = "// honest: ";
  Proving note(each);
  for (const auto& way : honest_ways_of(exercise, root)) {
    if (!text_of(root / way).starts_with(kWay)) {
      note({way.string(), "says its way: // honest: …", "another first line", false});
      continue;
    }
    const auto found = outcome(grade(exercise, {root / way, seed}, tools));
    note({way.string(), "passes", found, found == "passes", true});
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
