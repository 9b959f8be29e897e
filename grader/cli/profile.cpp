// `course profile`: source text beside what each line cost.
#include "cli/commands.hpp"
#include "cli/executed_again.hpp"
#include "cli/exit_codes.hpp"
#include "cli/screen.hpp"
#include "report/profile/source_view.hpp"

#include <fmt/format.h>

#include <memory>

namespace course::cli {
namespace {

int show(LookedAt& seen) {
  auto job = *seen.look.job;
  job.watch.instructions = true;
  const auto observed = seen.device.execute(job);
  const auto view = report::source_view({seen.file.filename().string(), seen.source, observed.lines,
                                         observed.instructions, observed.launches},
                                        screen(Colour::automatic));
  fmt::print("{}", view);
  return kPassed;
}

} // namespace

void add_profile(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "profile", "Source text beside what each line of it cost");
  const auto options = std::make_shared<LookOptions>();
  command->footer("The exercise is executed on the emulated H200; the counts are of its largest "
                  "execution.\n\nExamples:\n"
                  "  course profile 2_pad               your file\n"
                  "  course profile 2_pad --solution    the course's solution\n");
  command->add_option("EXERCISE", options->exercise, "As for course grade")->required();
  command->add_flag("--solution", options->solution, "The course's solution");
  command->add_option("--file", options->file, "Another file, as that exercise")->type_name("FILE");
  command->add_option("--root", options->root, "The course's folder")->type_name("FOLDER");
  command->callback([options, &exit_code] { exit_code = look_at("profile", *options, show); });
}

} // namespace course::cli
