#include "cli/project.hpp"

#include "sandbox/hidden.hpp"
#include "sandbox/rung.hpp"

#include <cstdlib>
#include <unistd.h>

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
  const char* value = std::getenv(name);
  if (!value || !*value) return std::nullopt;
  return fs::path(value);
}

} // namespace

std::optional<fs::path> find_root(const std::optional<fs::path>& given, const fs::path& executable,
                                  const fs::path& working) {
  std::error_code error;
  if (given) return fs::is_directory(*given / "labs", error) ? given : std::nullopt;
  auto root = nearest_with_labs(executable.parent_path());
  return root ? root : nearest_with_labs(working);
}

std::optional<fs::path> find_root(const std::string& given) {
  std::error_code error;
  const auto chosen = given.empty() ? std::nullopt : std::optional(fs::absolute(given, error));
  auto root = find_root(chosen, this_executable(), fs::current_path(error));
  // A build folder outside the course: the course it was configured from.
  if (!root && !chosen) root = find_root(COURSE_SOURCE_DIR, {}, {});
  // Solutions are there, also where it is installed among what every program may read.
  if (root) sandbox::hide({*root});
  return root;
}

fs::path cache_folder() {
  constexpr const char* kName = "shared_memory_course";
  if (const auto chosen = from_environment("COURSE_CACHE")) return *chosen;
  if (const auto xdg = from_environment("XDG_CACHE_HOME"); xdg && xdg->is_absolute())
    return *xdg / kName;
  if (const auto home = from_environment("HOME"); home && home->is_absolute())
    return *home / ".cache" / kName;
  return fs::temp_directory_path() / (std::string(kName) + "_" + std::to_string(getuid()));
}

fs::path skeleton_copies() {
  return this_executable().parent_path().parent_path() / "share" / "course";
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
      return "The grader is not complete: " + file.string() + " is missing. ./course builds it; " +
             "it needs the CUDA Toolkit 13 for that.";
  }
  return "";
}

std::string uncontained() {
  if (sandbox::best_rung() != sandbox::Rung::process) return "";
  return "Nothing on this machine can contain a program that is not trusted: bubblewrap is missing "
         "or refused, and the kernel has no Landlock. Install the package bubblewrap.";
}

} // namespace course::cli
