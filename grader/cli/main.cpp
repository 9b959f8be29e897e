// The command line of the course: `course` and the programs behind it (programs.hpp).
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/near_option.hpp"
#include "cli/programs.hpp"
#include "cli/screen.hpp"
#include "cli/spoken.hpp"
#include "lab/exercise_file.hpp"
#include "language/translate.hpp"
#include "report/text.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cstdio>
#include <exception>
#include <string>

namespace {

using course::language::marked;

constexpr const char* kBegin =
    marked("Begin with:\n"
           "  course                             where you are, and what is next\n"
           "  course grade 05_transpose/2_pad    grade your file\n"
           "  course hint 2_pad                  a nudge\n"
           "  course grade --help                more about a command\n");

// What to say of a first word that is no command; empty when it is one, or an option.
std::string no_command(const CLI::App& app, const std::string& word) {
  if (word.empty() || word[0] == '-') return "";
  std::string all;
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->check_name(word)) return "";
    if (!command->get_group().empty()) all += (all.empty() ? "" : ", ") + command->get_name();
  }
  return course::tr("there is no command {}. There are {}; course --help says what they do",
                    course::report::printable(word), all);
}

std::string no_option(const course::cli::UnknownOption& slip) {
  const auto typed = course::report::printable(slip.typed);
  return slip.near.empty()
             ? course::tr("there is no option {}; {} --help has them", typed, slip.command)
             : course::tr("there is no option {}; the nearest is {}", typed, slip.near);
}

} // namespace

CLI::App* course::cli::add_command(CLI::App& app, const std::string& name,
                                   const std::string& meaning) {
  return app.add_subcommand(name, meaning);
}

int main(int argc, char** argv) {
  using namespace course::cli;
  if (const auto what = choose_language(argc, argv); !what.empty()) {
    say_wrong("course", what);
    return kUsage;
  }
  if (const auto done = hand_over(argv)) return *done;
  int exit_code = kPassed;
  CLI::App app{marked("A course on CUDA shared memory, and its grader.")};
  app.name("course");
  app.set_version_flag("--version", COURSE_VERSION);
  app.require_subcommand(0, 1);
  app.add_option("--lang", "The language to speak: en, zh; also of LANGUAGE and LANG")
      ->type_name("LANGUAGE"); // taken out before: choose_language
  app.footer(with_exit_codes(kBegin));
  add_commands<Program::course>(app, exit_code);
  add_exploring(app, exit_code);
  add_serving(app, exit_code);
  add_staff(app, exit_code);
  translate_help(app);
  if (const auto what = no_command(app, argc > 1 ? argv[1] : ""); !what.empty()) {
    become_own_command(argv);
    say_wrong("course", what);
    return kUsage;
  }
  // Before the parser, which may take it for another word and complain of that.
  if (const auto slip = unknown_option(app, argc, argv); !slip.typed.empty()) {
    say_wrong(slip.command, no_option(slip));
    return kUsage;
  }
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) exit_code = home();
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kPassed : kUsage;
  } catch (const course::lab::CourseError& error) {
    say_wrong("course", error.what());
    return kSetUp;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "course: %s\n", error.what());
    return kInternal;
  }
  return exit_code;
}
