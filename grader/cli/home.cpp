// `course` alone: where the student is, and what is next.
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/screen.hpp"
#include "cli/student.hpp"
#include "progress/overview.hpp"

#include <fmt/format.h>

namespace course::cli {

int home() {
  const auto found = find_student();
  if (const auto* what = std::get_if<std::string>(&found)) {
    say_wrong("course", *what);
    return kUsage;
  }
  const auto& student = std::get<Student>(found);
  fmt::print("{}", progress::overview(student.standings, screen(Colour::automatic)));
  return kPassed;
}

} // namespace course::cli
