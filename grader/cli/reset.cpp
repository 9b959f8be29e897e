// `course reset`: an exercise as it began. The student's file is kept.
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "cli/student.hpp"
#include "cli/written_file.hpp"
#include "lab/proofs.hpp"
#include "language/translate.hpp"
#include "progress/kept_name.hpp"
#include "progress/skeleton.hpp"
#include "system/file.hpp"

#include <fmt/format.h>

#include <memory>

namespace course::cli {
namespace {

namespace fs = std::filesystem;

int reset(const Student& student, const lab::Exercise& exercise) {
  const auto skeleton = progress::find_skeleton(exercise, student.root, skeleton_copies());
  if (!skeleton)
    return complain("course reset", kSetUp,
                    tr("the file that {} began as is not to be found: git does "
                       "not know it, the build has no copy, and there is no "
                       "solution. Get labs/{}.cu again from where the course "
                       "came from.",
                       exercise.id, exercise.id));
  const auto path = lab::skeleton_of(exercise);
  const auto file = student.work / path;
  std::error_code none;
  const bool exists = fs::exists(file, none);
  if (exists && !fs::is_regular_file(file, none))
    return complain("course reset", kSetUp,
                    tr("{} is not a file, and stays as it is. Move it away first.", path.string()));
  if (exists && system::content_of(file) == skeleton->text) {
    fmt::print("{}\n", tr("{} is as it began; nothing was changed.", path.string()));
    return kPassed;
  }
  fs::path kept;
  if (exists) {
    kept = progress::kept_name(student.work, exercise.id);
    fs::create_directories(kept.parent_path());
    fs::copy_file(file, kept);
  }
  write_whole(file, skeleton->text);
  progress::Event event;
  event.kind = progress::Event::Kind::reset;
  event.exercise = exercise.id;
  remember(student.log, std::move(event));
  fmt::print("{}\n", tr("{} is as it began, from {}.", path.string(), skeleton->source()));
  if (!kept.empty())
    fmt::print("{}\n", tr("Your file is kept: {}", kept.lexically_relative(student.work).string()));
  if (skeleton->from == progress::Skeleton::From::solution)
    fmt::print("{}",
               report::wrapped(tr("What stood between its marks at first is lost; the rest of "
                                  "the file says what is wanted."),
                               screen(Colour::never).columns, 0));
  return kPassed;
}

int reset(const std::string& word) {
  const auto found = find_student();
  if (const auto* what = std::get_if<std::string>(&found))
    return complain("course reset", kUsage, *what);
  const auto& student = std::get<Student>(found);
  const auto exercise = exercise_of(student, word);
  if (const auto* what = std::get_if<std::string>(&exercise))
    return complain("course reset", kUsage, *what);
  try {
    return reset(student, *std::get<const lab::Exercise*>(exercise));
  } catch (const fs::filesystem_error& error) {
    return complain("course reset", kSetUp,
                    tr("{}: {}. Nothing was changed. Is there room, and may you "
                       "write there?",
                       error.path1().string(), error.code().message()));
  }
}

} // namespace

void add_reset(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "reset", "An exercise as it began; your file is kept");
  const auto exercise = std::make_shared<std::string>();
  command->footer("Examples:\n"
                  "  course reset 2_pad    labs/05_transpose/2_pad.cu as it began; yours goes to "
                  ".course/kept\n");
  command->add_option("EXERCISE", *exercise, "As for course grade")->required();
  command->callback([exercise, &exit_code] { exit_code = reset(*exercise); });
}

} // namespace course::cli
