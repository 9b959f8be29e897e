// `course new`: an exercise to begin with, for its author to change.
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "language/translate.hpp"
#include "system/file.hpp"
#include "system/published_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace course::cli {
namespace {

namespace fs = std::filesystem;

struct NewOptions {
  std::string id, root;
};

bool all_of_name(const std::string& text) {
  return !text.empty() &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == text.npos;
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// "09_mine/1_first"
bool is_id(const std::string& id) {
  const auto slash = id.find('/');
  if (slash == id.npos) return false;
  const auto lab = id.substr(0, slash), step = id.substr(slash + 1);
  return lab.size() > 3 && is_digit(lab[0]) && is_digit(lab[1]) && lab[2] == '_' &&
         all_of_name(lab) && step.size() > 2 && is_digit(step[0]) && step[1] == '_' &&
         all_of_name(step);
}

using Pair = std::pair<fs::path, fs::path>; // a file of the template, and what it becomes

std::vector<Pair> files_of(const std::string& id, const fs::path& root) {
  const fs::path from = fs::path(COURSE_SOURCE_DIR) / "grader/lab/template";
  const auto step = fs::path(id).filename().string();
  const auto wrong = (root / "solutions" / id).parent_path() / "wrong";
  std::vector<Pair> files{{from / "skeleton.cu", root / "labs" / (id + ".cu")},
                          {from / "exercise.toml", root / "labs" / (id + ".toml")},
                          {from / "solution.cu", root / "solutions" / (id + ".cu")}};
  for (const auto& entry : fs::directory_iterator(from)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with("wrong_"))
      files.emplace_back(entry.path(), wrong / (step + name.substr(std::string("wrong").size())));
  }
  std::ranges::sort(files);
  return files;
}

std::string named(std::string text, const std::string& id) {
  constexpr std::string_view kPlace = "@ID@";
  for (auto at = text.find(kPlace); at != text.npos; at = text.find(kPlace, at))
    text.replace(at, kPlace.size(), id);
  return text;
}

int make(const NewOptions& options) {
  if (!is_id(options.id))
    return complain("course new", kUsage,
                    tr("an exercise is called as in 09_mine/1_first: two digits and a name of "
                       "small letters for the lab, one digit and a name for the step"));
  const auto found = options.root.empty() ? find_root(std::string()) : fs::path(options.root);
  if (!found) return complain("course new", kUsage, no_root());
  const auto files = files_of(options.id, *found);
  for (const auto& [from, to] : files)
    if (fs::exists(to))
      return complain("course new", kUsage, tr("{} is there already", to.string()));
  for (const auto& [from, to] : files) {
    fs::create_directories(to.parent_path());
    system::publish(to, named(system::content_of(from).value_or(""), options.id));
    fmt::print("{}\n", to.string());
  }
  const auto where = options.root.empty() ? "" : fmt::format(" --root {}", options.root);
  fmt::print("{}",
             tr("It is whole: it compiles, fails, and can be solved. Make it yours, and prove "
                "it:\n"
                "  ./course check {}{}\n"
                "What may stand in its data: grader/lab/README.md\n",
                options.id, where));
  return kPassed;
}

} // namespace

void add_new(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "new", "Write an exercise to begin with, for you to change");
  const auto options = std::make_shared<NewOptions>();
  command->footer("Examples:\n"
                  "  course new 09_mine/1_first                 in this course\n"
                  "  course new 09_mine/1_first --root ../own   in a course of your own\n"
                  "  course check 09_mine --root ../own         prove it\n"
                  "  course grade 09_mine/1_first --root ../own\n");
  command->add_option("ID", options->id, "Its lab and its step: 09_mine/1_first")->required();
  command->add_option("--root", options->root, "A folder with labs/, or one to make")
      ->type_name("FOLDER");
  command->callback([options, &exit_code] {
    try {
      exit_code = make(*options);
    } catch (const fs::filesystem_error& error) {
      exit_code = not_writable("course new", error);
    }
  });
}

} // namespace course::cli
