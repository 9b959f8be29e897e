#include "progress/skeleton.hpp"

#include "lab/marks.hpp"
#include "lab/proofs.hpp"
#include "language/translate.hpp"
#include "report/text.hpp"
#include "system/file.hpp"
#include "system/program.hpp"

#include <algorithm>
#include <vector>

namespace course::progress {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostVersions = 200; // of one file that are looked at

std::optional<std::string> in_history(const fs::path& root, const std::string& path,
                                      const std::optional<std::string>& solution) {
  const std::vector<std::string> git{"git", "-C", root.string()};
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), git.begin(), git.end());
    return system::output_of(arguments);
  };
  const auto log = run({"log", "--reverse", "--format=%H", "--", path});
  if (!log) return std::nullopt;
  auto commits = report::lines_of(*log);
  commits.resize(std::min(commits.size(), kMostVersions));
  for (const auto& commit : commits) {
    auto text = run({"show", commit + ":./" + path});
    if (text && is_skeleton(*text, solution)) return text;
  }
  return std::nullopt;
}

} // namespace

std::string Skeleton::source() const {
  switch (from) {
  case From::history:
    return tr("git's history");
  case From::copy:
    return tr("the copy that the build made");
  case From::solution:
    return tr("the solution, with its marked regions emptied");
  }
  return "";
}

bool is_skeleton(std::string_view text, const std::optional<std::string>& solution) {
  if (solution) return lab::differences(text, *solution).empty();
  const auto marked = lab::cut(text);
  return marked.complaints.empty() && !marked.work.empty() &&
         std::ranges::all_of(
             marked.work, [](const std::string& work) { return work.find("TODO") != work.npos; });
}

bool is_edited(std::string_view text, std::string_view as_it_began) {
  return lab::cut(text).work != lab::cut(as_it_began).work;
}

std::optional<std::string> emptied(std::string_view solution) {
  const auto marked = lab::cut(solution);
  if (!marked.complaints.empty() || marked.work.empty()) return std::nullopt;
  // Text before a region ends in the region's opening mark, and its indent is the region's.
  std::string text = marked.kept[0];
  for (std::size_t i = 0; i < marked.work.size(); ++i) {
    const auto line = text.rfind('\n', text.size() - 2) + 1;
    const auto indent = text.substr(line, text.find("//", line) - line);
    text += indent + "// TODO: your code.\n" + marked.kept[i + 1];
  }
  return text;
}

std::optional<Skeleton> find_skeleton(const lab::Exercise& exercise, const fs::path& root,
                                      const fs::path& copies) {
  using From = Skeleton::From;
  const auto path = lab::skeleton_of(exercise);
  const auto solution = system::content_of(exercise.solution);
  if (auto text = in_history(root, path.string(), solution))
    return Skeleton{std::move(*text), From::history};
  if (auto text = system::content_of(copies / path); text && is_skeleton(*text, solution))
    return Skeleton{std::move(*text), From::copy};
  if (!solution) return std::nullopt;
  auto text = emptied(*solution);
  if (!text) return std::nullopt;
  return Skeleton{std::move(*text), From::solution};
}

} // namespace course::progress
