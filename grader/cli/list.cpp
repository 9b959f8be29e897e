// `course list`: every exercise, with points.
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/screen.hpp"
#include "cli/student.hpp"
#include "language/translate.hpp"
#include "progress/overview.hpp"

#include <fmt/format.h>

#include <memory>

namespace course::cli {
namespace {

int list(const std::string& lab) {
  const auto found = find_student();
  if (const auto* what = std::get_if<std::string>(&found)) {
    say_wrong("course list", *what);
    return kUsage;
  }
  const auto text =
      progress::list(std::get<Student>(found).standings, lab, screen(Colour::automatic));
  if (text.empty()) {
    fmt::print(stderr, "course list: {}\n",
               tr("no lab begins with \"{}\". ./course shows them all.", report::printable(lab)));
    return kUsage;
  }
  fmt::print("{}", text);
  return kPassed;
}

} // namespace

void add_list(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "list", "Every exercise: solved, begun, not solved yet");
  const auto lab = std::make_shared<std::string>();
  command->footer("Examples:\n"
                  "  course list       all of them\n"
                  "  course list 02    those of lab 02\n");
  command->add_option("LAB", *lab, "A lab, or its number; all by default");
  command->callback([lab, &exit_code] { exit_code = list(*lab); });
}

} // namespace course::cli
