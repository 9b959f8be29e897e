#include "classroom/student_copy.hpp"

#include "classroom/winnowing.hpp"
#include "lab/proofs.hpp"
#include "system/published_file.hpp"
#include "system/shell.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;
using Prints = std::vector<std::uint64_t>;

constexpr std::uintmax_t kMostText = 1 << 20; // bytes of a file that is looked at for answers
constexpr double kMuch = 0.6;                 // of a solution
constexpr std::size_t kFewest = 4;            // prints that say anything

// What a project has at its top, where nothing says which files are its own.
bool is_of_a_project(const fs::path& top) {
  static const std::set<std::string> kNames{
      "CMakeLists.txt", "CMakePresets.json", "bench",    "book",   "chapters", "cmake",
      "course",         "editors",           "examples", "grader", "labs",     "po",
      ".clang-format",  ".devcontainer"};
  return kNames.contains(top.string()) || top.extension() == ".md" ||
         top.string().starts_with("LICENSE");
}

// Below the project's folder: what git keeps, else what belongs to a project by its name. So
// nothing that somebody put there is taken along: submissions, results, a roster.
std::vector<fs::path> files_of(const fs::path& project) {
  std::vector<fs::path> files;
  const auto listed = system::run_in_shell("git -C " + system::in_quotes(project.string()) +
                                           " ls-files -z 2>/dev/null");
  std::istringstream names(listed.code == 0 ? listed.text : "");
  for (std::string name; std::getline(names, name, '\0');) files.emplace_back(name);
  if (!files.empty()) return files;
  for (const auto& top : fs::directory_iterator(project)) {
    const auto name = top.path().filename();
    if (!is_of_a_project(name) || top.is_symlink()) continue;
    if (top.is_regular_file()) files.push_back(name);
    if (!top.is_directory()) continue;
    for (const auto& entry : fs::recursive_directory_iterator(top))
      if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(project));
  }
  std::sort(files.begin(), files.end());
  return files;
}

Prints minus(const Prints& one, const Prints& other) {
  Prints rest;
  std::set_difference(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(rest));
  return rest;
}

std::size_t common(const Prints& one, const Prints& other) {
  Prints both;
  std::set_intersection(one.begin(), one.end(), other.begin(), other.end(),
                        std::back_inserter(both));
  return both.size();
}

// What only the solution has, by exercise, of those where it says anything.
std::map<std::string, Prints> answers(const StudentCopy& copy) {
  std::map<std::string, Prints> all;
  for (const auto& exercise : *copy.exercises) {
    const auto solution = system::content_of(copy.project / lab::solution_of(exercise));
    const auto skeleton = system::content_of(copy.skeletons / lab::skeleton_of(exercise));
    if (!solution || !skeleton) continue;
    auto own = minus(fingerprints(*solution).prints, fingerprints(*skeleton).prints);
    if (own.size() >= kFewest) all[exercise.id] = std::move(own);
  }
  return all;
}

void look_for(const std::map<std::string, Prints>& answers, const fs::path& file,
              const std::string& text, std::vector<Leak>& leaks) {
  const auto prints = fingerprints(text).prints;
  for (const auto& [exercise, own] : answers) {
    const double share = static_cast<double>(common(own, prints)) / static_cast<double>(own.size());
    if (share >= kMuch) leaks.push_back({file, exercise, share});
  }
}

// The text of labs/NN_name/K_step.cu is the skeleton's; pages of data lose their third hint.
std::string text_for_students(const StudentCopy& copy, const fs::path& file) {
  const bool lab = *file.begin() == "labs";
  if (lab && file.extension() == ".cu" && fs::exists(copy.skeletons / file))
    return system::content_of(copy.skeletons / file).value_or("");
  auto text = system::content_of(copy.project / file).value_or("");
  if (file.extension() != ".toml") return text;
  const bool translated = *file.begin() == "chapters" && file.parent_path().filename() == "labs";
  if (const auto more = copy.added.find(file); more != copy.added.end()) text += more->second;
  return lab ? without_third_hint(text) : translated ? without_translated_hints(text) : text;
}

// Where a string of TOML that begins at `at` ends; npos where it does not.
std::size_t end_of_text(const std::string& toml, std::size_t at) {
  for (const std::string quotes : {"\"\"\"", "\x27\x27\x27", "\"", "\x27"}) {
    if (toml.compare(at, quotes.size(), quotes) != 0) continue;
    auto end = at + quotes.size();
    while (end < toml.size() && toml.compare(end, quotes.size(), quotes) != 0)
      end += toml[end] == '\\' && quotes[0] == '"' ? 2 : 1;
    return end < toml.size() ? end + quotes.size() : toml.npos;
  }
  return toml.npos;
}

} // namespace

bool is_to_grade(const fs::path& path) {
  static constexpr std::array kRead{"book/data/h200/exercise_times.csv", // what verdicts quote
                                    "book/data/h200/planes.csv"};
  static constexpr std::array kLeftOut{".devcontainer/",
                                       "action",
                                       "bench/",
                                       "book/",
                                       "editors/",
                                       "grader/cli/lsp/neovim/",
                                       "grader/cli/mcp/client/",
                                       "grader/cli/session/",
                                       "grader/classroom/play_kits.py"};
  static const std::set<std::string> kData{".cu", ".csv", ".hex", ".inputs", ".ptx"}; // of tests
  const auto text = path.generic_string();
  if (std::ranges::count(kRead, text) != 0) return true;
  if (text.starts_with("chapters/")) return path.parent_path().filename() == "labs";
  if (text.starts_with("grader/") && kData.contains(path.extension())) return false;
  return !text.ends_with("_fuzz.cpp") &&
         std::none_of(kLeftOut.begin(), kLeftOut.end(),
                      [&](const std::string& one) { return text.starts_with(one); });
}

bool is_for_students(const fs::path& path) {
  static constexpr std::array kLeftOut{"solutions",
                                       "attacks",
                                       "grader/trust/class_attacks.py",
                                       "book/traces/solutions_",
                                       "bench/contest",
                                       "bench/experiments",
                                       "bench/programs.cu",
                                       "grader/cli/lsp/neovim/golden/03_mended.txt",
                                       "grader/device/emulator/conformance",
                                       "grader/device/emulator/data",
                                       "grader/device/emulator/findings/pairs.cu",
                                       "grader/device/gpu/data",
                                       "grader/report/golden",
                                       "grader/runtime/testdata",
                                       "build",
                                       "Testing",
                                       ".git",
                                       ".course",
                                       ".ci",
                                       ".github"};
  const auto text = path.generic_string();
  if (text == "grader/device/emulator/conformance/source_kernels.csv") return true; // numbers
  if (text.ends_with("_test.cpp")) return false; // they know the answers
  return std::none_of(kLeftOut.begin(), kLeftOut.end(), [&](const std::string& one) {
    return text == one || text.starts_with(one.ends_with('_') ? one : one + "/");
  });
}

std::string without_third_hint(const std::string& toml) {
  auto at = toml.find("\nhints = [");
  if (at == toml.npos) return toml;
  at = toml.find('[', at) + 1;
  for (int hint = 1;; ++hint) {
    at = toml.find_first_of("\"\x27]", at);
    if (at == toml.npos || toml[at] == ']') return toml;
    const auto end = end_of_text(toml, at);
    if (end == toml.npos) return toml;
    if (hint == 3) return toml.substr(0, at) + "\"\"" + toml.substr(end);
    at = end;
  }
}

std::string without_translated_hints(std::string toml) {
  static const std::string kKey = "\nhint_3 = ", kAsInEnglish = "\"=\"";
  for (auto at = toml.find(kKey); at != toml.npos; at = toml.find(kKey, at)) {
    at += kKey.size();
    const auto end = end_of_text(toml, at);
    if (end == toml.npos) return toml;
    toml.replace(at, end - at, kAsInEnglish);
  }
  return toml;
}

std::vector<Leak> write_student_copy(const fs::path& folder, const StudentCopy& copy) {
  if (fs::exists(folder) && !fs::is_empty(folder))
    throw fs::filesystem_error("cannot write", folder,
                               std::make_error_code(std::errc::directory_not_empty));
  return add_student_copy(folder, copy);
}

std::vector<Leak> add_student_copy(const fs::path& folder, const StudentCopy& copy) {
  const auto secret = answers(copy);
  std::vector<Leak> leaks;
  for (const auto& file : files_of(copy.project)) {
    const auto from = copy.project / file;
    std::error_code error;
    if (copy.wanted && !copy.wanted(file)) continue;
    if (!is_for_students(file) || !fs::is_regular_file(fs::symlink_status(from, error))) continue;
    if (fs::file_size(from) > kMostText) {
      fs::create_directories((folder / file).parent_path());
      fs::copy_file(from, folder / file);
      continue;
    }
    const auto text = text_for_students(copy, file);
    system::publish(folder / file, text);
    fs::permissions(folder / file, fs::status(from).permissions());
    // labs/ gives away what it means to: a skeleton goes on where the one before it ended.
    if (*file.begin() != "labs") look_for(secret, file, text, leaks);
  }
  return leaks;
}

} // namespace course::classroom
