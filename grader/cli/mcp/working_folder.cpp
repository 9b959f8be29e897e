#include "cli/mcp/working_folder.hpp"

#include "build/own_program.hpp"
#include "build/specific.hpp"
#include "cli/mcp/ask.hpp"
#include "system/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <set>

namespace course::cli::mcp {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 64, kMostBytes = 4u << 20; // of a program together

bool is_below(const fs::path& path, const fs::path& folder) {
  return path != folder && std::ranges::mismatch(folder, path).in1 == folder.end();
}

// A folder with labs/ that are exercises: a copy of this course, or somebody's own.
bool is_course(const fs::path& folder) {
  std::error_code none;
  const auto labs = folder / "labs";
  if (!fs::is_directory(labs, none)) return false;
  if (fs::is_directory(folder / "solutions", none)) return true;
  for (const auto& lab : fs::directory_iterator(labs, none)) {
    if (!lab.is_directory(none)) continue;
    for (const auto& file : fs::directory_iterator(lab.path(), none))
      if (file.path().extension() == ".toml") return true;
  }
  return false;
}

// What a course has beside its labs: solutions, wrong variants, attacks and controls, tests, pages,
// and what was built of them.
constexpr std::array kOfCourse{"attacks", "bench",    "book",   "build", "chapters", "cmake",
                               "editors", "examples", "grader", "po",    "solutions"};

// Whether a path of a course is its answers' or its own. Of labs/ the sources are what a student
// writes, and the pages beside them have hints.
bool is_of_course(const fs::path& inside) {
  const auto first = *inside.begin();
  if (first == "labs") {
    const auto extension = inside.extension();
    return extension != ".cu" && extension != ".cuh" && extension != ".h" && extension != ".hpp";
  }
  return std::ranges::find(kOfCourse, first) != kOfCourse.end();
}

bool is_hidden(const fs::path& inside) {
  return std::ranges::any_of(inside, [](const fs::path& name) {
    return name.string().starts_with('.') && name != "." && name != "..";
  });
}

} // namespace

WorkingFolder::WorkingFolder(const fs::path& folder, const std::vector<fs::path>& kept)
    : folder_(fs::canonical(folder)) {
  for (const auto& path : kept) {
    std::error_code missing;
    const auto real = fs::canonical(path, missing);
    if (!missing) kept_.push_back(real);
  }
}

// `file`: without "." and "..", below the working folder or not.
std::string WorkingFolder::why_not(const fs::path& file) const {
  if (!is_below(file, folder_)) return "is outside of the working folder";
  const auto inside = file.lexically_relative(folder_);
  if (is_hidden(inside)) return "is in a hidden folder, or hidden itself";
  if (!build::is_plain_word(inside.string()))
    return "has characters in its name that nvcc's shell would heed; letters, digits and _ . + - / "
           "it leaves alone";
  std::error_code missing;
  const auto real = fs::canonical(file, missing);
  if (missing) return "is not there";
  if (real != file) return "is a symbolic link, or below one";
  if (!fs::is_regular_file(real, missing)) return "is no file";
  for (const auto& kept : kept_)
    if (is_below(real, kept)) return "is where the grader keeps what it compiled";
  for (auto above = real.parent_path();; above = above.parent_path()) {
    if (is_course(above) && is_of_course(real.lexically_relative(above)))
      return "is part of the course and no source of its labs, so that nothing of it is shown here";
    if (above == above.parent_path()) return "";
  }
}

std::variant<WorkingFolder::Gathered, WorkingFolder::Refused>
WorkingFolder::gather(const std::string& file, const fs::path& copies) const {
  const auto asked = (folder_ / file).lexically_normal();
  const auto refused = [&](const std::string& why) {
    return Refused{
        fmt::format("file {} {}. Name a .cu file below {}, or give the program's text as "
                    "source",
                    file, why, folder_.string())};
  };
  if (asked.extension() != ".cu") return refused("is no CUDA source, whose name ends in .cu");
  if (const auto why = why_not(asked); !why.empty()) return refused(why);

  Gathered gathered;
  gathered.source = asked.lexically_relative(folder_);
  std::deque<fs::path> waiting{asked};
  std::set<fs::path> seen{asked};
  std::size_t bytes = 0;
  while (!waiting.empty()) {
    const auto path = waiting.front();
    waiting.pop_front();
    auto read = system::read_file(path, kMostSource);
    const auto inside = path.lexically_relative(folder_);
    if (const auto* fault = std::get_if<system::Unreadable>(&read)) {
      if (path == asked) return refused("cannot be read: " + fault->text);
      gathered.left_out.push_back(inside.string() + " cannot be read: " + fault->text);
      continue;
    }
    const auto& text = std::get<std::string>(read);
    bytes += text.size();
    if (bytes > kMostBytes || seen.size() > kMostFiles)
      return refused(fmt::format("and what it includes are more than {} files or {} MiB",
                                 kMostFiles, kMostBytes >> 20));
    const auto copy = copies / inside;
    fs::create_directories(copy.parent_path());
    system::write_file(copy, text);
    if (path == asked) gathered.text = text;
    gathered.specific = gathered.specific || build::needs_specific(text);
    for (const auto& name : build::quoted_includes(text)) {
      const auto included = (path.parent_path() / name).lexically_normal();
      if (!seen.insert(included).second) continue;
      std::error_code none;
      if (!is_below(included, folder_))
        gathered.left_out.push_back(name + " is outside of the working folder");
      else if (fs::exists(fs::symlink_status(included, none))) {
        if (const auto why = why_not(included); why.empty())
          waiting.push_back(included);
        else
          gathered.left_out.push_back(name + " " + why);
      }
    }
  }
  return gathered;
}

} // namespace course::cli::mcp
