#include "cli/project.hpp"

#include "cli/screen.hpp"
#include "lab/exercise_file.hpp"
#include "lab/labs.hpp"
#include "language/translate.hpp"
#include "report/words/ended_words.hpp"
#include "sandbox/bubblewrap.hpp"
#include "sandbox/hidden.hpp"
#include "sandbox/rung.hpp"
#include "system/environment.hpp"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>
#include <utility>

namespace course::cli {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> nearest_with_labs(fs::path folder) {
  std::error_code error;
  for (;; folder = folder.parent_path()) {
    if (fs::is_directory(folder / "labs", error)) return folder;
    if (folder == folder.parent_path()) return std::nullopt;
  }
}

fs::path this_executable() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

std::optional<fs::path> from_environment(const char* name) {
  const auto value = system::environment(name);
  if (!value || value->empty()) return std::nullopt;
  return fs::path(*value);
}

// What the build has copied, and a package installed, for the programs alone: labs/ as it began,
// and, in a package, solutions/.
fs::path kept_beside_programs() {
  return this_executable().parent_path().parent_path() / "share" / "course";
}

// Where a package has put the course, to be copied: PREFIX/share/shared-memory-course, for
// PREFIX/lib/shared-memory-course/bin/course.
std::optional<fs::path> installed_course() {
  const auto home = this_executable().parent_path().parent_path();
  const auto course = home.parent_path().parent_path() / "share" / home.filename();
  std::error_code error;
  if (!fs::is_directory(course / "labs", error)) return std::nullopt;
  return course;
}

// A copy of the labs is worked in as its own course only where it is asked for.
void say_if_passed_over(const fs::path& root) {
  static bool said = false;
  std::error_code error;
  const auto here = passed_over(root, fs::current_path(error));
  if (!here || std::exchange(said, true)) return;
  say_wrong("course", tr("the labs are those of {}; for those of {}, set COURSE_ROOT={}",
                         root.string(), here->string(), here->string()));
}

// Whether files can be kept there: the user of a container may have no home.
bool can_be_ours(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  return !error && access(folder.c_str(), W_OK) == 0;
}

} // namespace

std::optional<fs::path> find_root(const std::optional<fs::path>& given, const fs::path& executable,
                                  const fs::path& working) {
  std::error_code error;
  if (given) return fs::is_directory(*given / "labs", error) ? given : std::nullopt;
  auto root = nearest_with_labs(executable.parent_path());
  return root ? root : nearest_with_labs(working);
}

std::optional<fs::path> passed_over(const fs::path& root, const fs::path& working) {
  std::error_code error;
  const auto here = nearest_with_labs(working);
  if (!here || fs::equivalent(*here, root, error)) return std::nullopt;
  for (const auto& lab : fs::directory_iterator(root / "labs", error))
    if (lab.is_directory(error) && fs::is_directory(*here / "labs" / lab.path().filename(), error))
      return here;
  return std::nullopt;
}

std::optional<fs::path> find_root(const std::string& given) {
  std::error_code error;
  auto chosen = from_environment("COURSE_ROOT");
  if (!given.empty()) chosen = fs::absolute(given, error);
  auto root = find_root(chosen, this_executable(), fs::current_path(error));
  if (root && !chosen && !from_environment("COURSE_WORK")) say_if_passed_over(*root);
  // A build folder outside the course: the course it was configured from.
  if (!root && !chosen && !installed_course()) root = find_root(COURSE_SOURCE_DIR, {}, {});
  if (const auto installed = installed_course())
    lab::solve_copies(*installed, kept_beside_programs());
  // Solutions are there, also where it is installed among what every program may read.
  if (root) hide_courses(root);
  return root;
}

fs::path work_folder(const fs::path& root) {
  return from_environment("COURSE_WORK").value_or(root);
}

void hide_courses(const std::optional<fs::path>& root) {
  std::vector<fs::path> hidden;
  if (root) hidden.push_back(*root);
  const auto home = this_executable().parent_path().parent_path();
  const auto share = home.parent_path().parent_path() / "share";
  for (const auto& folder : {share / home.filename(), share / "doc" / home.filename(),
                             kept_beside_programs() / "solutions"})
    hidden.push_back(folder); // those that are not there are left out
  sandbox::hide(hidden);
}

std::string no_root() {
  if (const auto installed = installed_course())
    return tr("there is no folder labs/ here, above, or beside this program. A copy of the labs is "
              "yours to work in:\n  cp -r {} ~/course && cd ~/course",
              installed->string());
  return tr(
      "there is no folder labs/ here, above, or beside this program. Say where the course is: "
      "--root FOLDER");
}

fs::path cache_folder() {
  constexpr const char* kName = "shared_memory_course";
  if (const auto chosen = from_environment("COURSE_CACHE")) return *chosen;
  if (const auto xdg = from_environment("XDG_CACHE_HOME"); xdg && xdg->is_absolute())
    return *xdg / kName;
  if (const auto home = from_environment("HOME"); home && home->is_absolute())
    if (const auto folder = *home / ".cache" / kName; can_be_ours(folder)) return folder;
  return fs::temp_directory_path() / (std::string(kName) + "_" + std::to_string(getuid()));
}

fs::path skeleton_copies() {
  return kept_beside_programs();
}

bool has_solutions(const fs::path& root) {
  std::error_code none;
  return std::ranges::any_of(lab::exercises(root), [&](const lab::Exercise& exercise) {
    return fs::exists(exercise.solution, none);
  });
}

lab::Workplace find_workplace() {
  const auto bin = this_executable().parent_path();
  lab::Workplace place;
  place.toolkit = build::find_toolkit();
  place.host.runner = bin / "course_host";
  place.host.runtime = bin.parent_path() / "lib" / "course";
  place.cache = cache_folder();
  return place;
}

std::string missing(const lab::Workplace& place) {
  std::error_code error;
  for (const auto& file : {place.host.runner, place.host.runtime / "libcudart.so.13"}) {
    if (!fs::exists(file, error))
      return tr("The grader is not complete: {} is missing. ./course builds it; it needs the CUDA "
                "Toolkit 13 for that.",
                file.string());
  }
  return "";
}

std::string missing_toolkit(const lab::Workplace& place) {
  return place.toolkit ? "" : report::ended_words(judge::endings::NoToolkit{}).headline;
}

std::string to_contain() {
  if (sandbox::best_rung() != sandbox::Rung::process) return "";
  if (sandbox::bubblewrap_program().empty()) return tr("install the package bubblewrap");
  return tr("bubblewrap is installed, and refused: allow name spaces of users, and in a container "
            "a /proc/sys that can be written");
}

std::string uncontained() {
  const auto what = to_contain();
  if (what.empty()) return "";
  return tr("Nothing on this machine can contain a program that is not trusted, and the kernel has "
            "no Landlock: {}.",
            what);
}

} // namespace course::cli
