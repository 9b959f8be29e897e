// `course submit` packs a student's files.
#include "cli/chosen.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/pack.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "cli/skeletons.hpp"
#include "lab/labs.hpp"
#include "lab/proofs.hpp"
#include "language/translate.hpp"
#include "system/published_file.hpp"

#include <fmt/format.h>

#include <memory>

namespace course::cli {
namespace {

namespace fs = std::filesystem;

struct SubmitOptions {
  std::vector<std::string> exercises;
  std::string out = "submission.zip", root;
};

int submit(const SubmitOptions& options) {
  const auto root = find_root(options.root);
  if (!root) return complain("course", kUsage, no_root());
  const auto chosen =
      options.exercises.empty() ? everything(*root) : choose(*root, options.exercises);
  if (const auto* what = std::get_if<std::string>(&chosen))
    return complain("course", kUsage, *what);
  std::vector<std::pair<std::string, std::string>> files;
  std::vector<std::string> untouched;
  for (const auto& one : std::get<std::vector<Chosen>>(chosen)) {
    const auto skeleton = lab::skeleton_of(*one.exercise);
    std::error_code none;
    const auto own = work_folder(*root) / skeleton;
    if (!fs::is_regular_file(own, none)) continue;
    const auto text = system::content_of(own);
    if (!text) continue;
    if (text == released_skeleton(*one.exercise, *root)) {
      untouched.push_back(one.exercise->id);
    } else {
      files.emplace_back(one.exercise->id + ".cu", *text);
    }
  }
  if (files.empty())
    return complain("course", kFailed, tr("nothing to hand in: no file below labs/ has changed"));
  pack(fs::absolute(options.out), files);
  for (const auto& [path, text] : files) fmt::print("  {}\n", path);
  const auto packed =
      trn("{} file in {}", "{} files in {}", files.size(), files.size(), options.out);
  fmt::print("{}\n", untouched.empty()
                         ? packed
                         : tr("{}; {} not begun, and left out", packed, untouched.size()));
  return kPassed;
}

} // namespace

void add_submit(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "submit", "Pack the files that you changed, to hand them in");
  const auto options = std::make_shared<SubmitOptions>();
  command->footer("Examples:\n"
                  "  course submit                       all that changed, to submission.zip\n"
                  "  course submit 2_pad --out anna.zip  one exercise\n");
  command->add_option("EXERCISE", options->exercises, "As for course grade; all by default");
  command->add_option("--out", options->out, "The zip file; submission.zip by default")
      ->type_name("FILE");
  command
      ->add_option("--root", options->root, "The course's folder, when it is not found by itself")
      ->type_name("FOLDER");
  command->callback([options, &exit_code] {
    try {
      exit_code = submit(*options);
    } catch (const fs::filesystem_error& error) {
      exit_code = not_writable("course", error);
    }
  });
}

} // namespace course::cli
