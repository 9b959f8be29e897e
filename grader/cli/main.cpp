// `course`: the command line of the course.
#include "cli/banks/banks.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cstdio>
#include <exception>

int main(int argc, char** argv) {
  using namespace course::cli;
  int exit_code = kPassed;
  CLI::App app{"A course on CUDA shared memory, and its grader."};
  app.name("course");
  app.set_version_flag("--version", COURSE_VERSION);
  app.require_subcommand(1);
  app.footer(std::string("Begin with:\n"
                         "  course grade 05_transpose/2_pad    grade your file\n"
                         "  course hint 2_pad                  a nudge\n"
                         "  course grade --help                more about a command\n\n") +
             kExitCodes);
  add_grade(app, exit_code);
  add_hint(app, exit_code);
  add_banks(app, exit_code);
  add_check(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kPassed : kUsage;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "course: %s\n", error.what());
    return kInternal;
  }
  return exit_code;
}
