// The commands about progress from end to end: the program itself, in a course of its own.
#include "cli/exit_codes.hpp"
#include "language/columns.hpp"
#include "progress/event.hpp"
#include "system/shell.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <unistd.h>

namespace course::cli {
namespace {

namespace fs = std::filesystem;
using system::Ran; // text: standard output and standard error

// Progress of its own; the labs and solutions of the course.
struct Student {
  fs::path path = fs::temp_directory_path() / ("student_commands_" + std::to_string(getpid()));
  Student() { fs::create_directory(path); }
  ~Student() { fs::remove_all(path); }

  fs::path state() const { return path / "progress.jsonl"; }
  Ran run(const std::string& program) const {
    return system::run_in_shell("cd '" + path.string() + "' && export COURSE_STATE='" +
                                state().string() + "' && " + program + " 2>&1");
  }
  Ran course(const std::string& arguments) const {
    return run("'" COURSE_BINARY_DIR "/bin/course' " + arguments);
  }
  void graded(const std::string& exercise, judge::Ending ending) const {
    progress::Event event;
    event.time = progress::now();
    event.kind = progress::Event::Kind::run;
    event.exercise = exercise;
    event.run.ending = ending;
    event.run.max_points = 60;
    event.run.points = ending == judge::Ending::passed ? 60 : 40;
    event.run.scores = {{"conflicts", judge::Status::failed, "31 per request", "0"}};
    std::ofstream(state(), std::ios::app) << progress::line_of(event);
  }
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::set<std::string> subcommands(const Student& student) {
  std::istringstream help(student.course("--help").text);
  std::set<std::string> names;
  bool inside = false;
  for (std::string line; std::getline(help, line);) {
    if (line.starts_with("Subcommands:")) {
      inside = true;
    } else if (inside && line.starts_with("  ") && line[2] != ' ') {
      names.insert(line.substr(2, line.find(' ', 2) - 2));
    } else if (inside && line.empty()) {
      break;
    }
  }
  return names;
}

} // namespace

TEST_CASE("the course alone shows where one is, and remembers it") {
  const Student student;
  const auto first = student.course("");
  CHECK(first.code == kPassed);
  CHECK(contains(first.text, "Next: 01_banks/1_predict"));
  student.graded("05_transpose/2_pad", judge::Ending::failed);
  CHECK(contains(student.course("").text, "You are at: 05_transpose/2_pad"));
  CHECK(contains(student.course("next").text, "./course watch 05_transpose/2_pad"));
  student.graded("05_transpose/2_pad", judge::Ending::passed);
  CHECK(contains(student.course("").text, "Next: 05_transpose/3_rows"));
  CHECK(contains(student.course("list 05").text, "* 05_transpose/2_pad"));
  CHECK_FALSE(contains(student.course("list 05").text, "04_reduction"));
  CHECK(student.course("list 99").code == kUsage);
}

TEST_CASE("explain speaks of what was graded last, also when that is solved") {
  const Student student;
  student.graded("05_transpose/2_pad", judge::Ending::passed);
  CHECK(contains(student.course("explain").text, "05_transpose/2_pad, as graded last"));
  CHECK(contains(student.course("explain 3_rows").text, "was not graded yet"));
}

TEST_CASE("hints come one by one, for the exercise one is at, and are counted") {
  const Student student;
  student.graded("05_transpose/2_pad", judge::Ending::failed);
  CHECK(contains(student.course("hint").text, "05_transpose/2_pad, hint 1 of 3"));
  CHECK(contains(student.course("hint 2_pad").text, "hint 2 of 3"));
  CHECK(contains(student.course("hint").text, "hint 3 of 3"));
  const auto again = student.course("hint");
  CHECK(contains(again.text, "hint 3 of 3"));
  CHECK_FALSE(contains(again.text, "One nudge more"));
  CHECK(contains(student.course("hint 2_pad 1").text, "hint 1 of 3"));
  CHECK(contains(student.course("history 2_pad").text, "1 run, 3 hints"));
}

TEST_CASE("hints that were read of a solved exercise are not counted as help") {
  const Student student;
  student.graded("05_transpose/2_pad", judge::Ending::passed);
  CHECK(contains(student.course("history 2_pad").text, "1 run, 0 hints\n"));
  student.course("hint 2_pad");
  CHECK(contains(student.course("history 2_pad").text, "1 run, 0 hints before it was solved\n"));
}

TEST_CASE("a mistyped option is named, with the nearest that its command has") {
  const Student student;
  const auto grade = student.course("grade --al");
  CHECK(grade.code == kUsage);
  CHECK(contains(grade.text, "course grade: there is no option --al; the nearest is --all"));
  const auto banks = student.course("banks --index '33*t' --acces store");
  CHECK(banks.code == kUsage);
  CHECK(contains(banks.text, "there is no option --acces; the nearest is --access"));
  CHECK(contains(student.course("run --limt 3 ./program").text, "the nearest is --limit"));
  CHECK(contains(student.course("list --bananas").text, "course list --help has them"));
}

TEST_CASE("the name of a lab asks for one of its exercises") {
  const Student student;
  const auto text = student.course("grade 01_banks").text;
  CHECK(contains(text, "Say one of its exercises"));
  CHECK(contains(text, "\n  01_banks/1_predict\n"));
}

TEST_CASE("an exercise that was not graded has nothing to explain, and is told how to be") {
  const Student student;
  CHECK(contains(student.course("explain 2_pad").text, "./course grade 05_transpose/2_pad"));
  CHECK(contains(student.course("history 2_pad").text, "./course grade 05_transpose/2_pad"));
  student.graded("05_transpose/2_pad", judge::Ending::failed);
  CHECK(contains(student.course("explain 2_pad").text, "conflicts, not yet: 31 per request"));
}

TEST_CASE("the solution is compared only once it is not needed any more") {
  const Student student;
  const auto early = student.course("diff 2_pad --solution");
  CHECK(early.code == kFailed);
  CHECK(contains(early.text, "not solved yet"));
  CHECK_FALSE(contains(early.text, "tile[kTile][kTile + 1]"));
  CHECK_FALSE(contains(student.course("diff 2_pad").text, "--solution"));
  student.graded("05_transpose/2_pad", judge::Ending::failed); // a grading alone is not enough
  CHECK(student.course("diff 2_pad --solution").code == kFailed);
  CHECK_FALSE(contains(student.course("diff 2_pad").text, "--solution"));
  student.graded("05_transpose/2_pad", judge::Ending::passed);
  CHECK(contains(student.course("diff 2_pad").text, "./course diff 05_transpose/2_pad --solution"));
  CHECK(student.course("diff 2_pad --solution").code == kPassed);
  // Of that exercise alone.
  CHECK(student.course("diff 05_transpose/1_tile --solution").code == kFailed);
}

TEST_CASE("a damaged log is said once, kept, and goes on") {
  const Student student;
  student.graded("05_transpose/2_pad", judge::Ending::passed);
  std::ofstream(student.state(), std::ios::app) << "\xff\xfe{ no line of ours\n";
  const auto ran = student.course("");
  CHECK(ran.code == kPassed);
  CHECK(contains(ran.text, "damaged"));
  CHECK(contains(ran.text, "1 of"));
  CHECK(fs::exists(student.state().string() + ".damaged-1"));
  CHECK_FALSE(contains(student.course("").text, "damaged"));
}

TEST_CASE("watch is for a terminal, and says so where there is none") {
  const Student student;
  const auto ran = student.course("watch 2_pad </dev/null");
  CHECK(ran.code == kUsage);
  CHECK(contains(ran.text, "./course grade 05_transpose/2_pad"));
}

TEST_CASE("the manual has every subcommand and how each is called") {
  const Student student;
  const auto page = student.course("man").text;
  const auto names = subcommands(student);
  CHECK(names.size() > 10);
  for (const auto& name : names) CHECK_MESSAGE(contains(page, ".SS course " + name), name);
  CHECK(contains(page, "\\-\\-seed"));
}

TEST_CASE("the manual has no mistake of roff" * doctest::test_suite("needs groff")) {
  const Student student;
  const auto page = student.course("man").text;
  std::ofstream(student.path / "course.1") << page;
  if (student.run("command -v groff >/dev/null").code != 0) {
    MESSAGE("skipped: groff is not installed");
    return;
  }
  const auto read = student.run("groff -man -Tutf8 -ww -z course.1");
  CHECK(read.code == 0);
  CHECK(read.text == "");
}

TEST_CASE("each subcommand's help has an example") {
  const Student student;
  for (const auto& name : subcommands(student)) {
    CAPTURE(name);
    const auto help = student.course(name + " --help");
    CHECK(help.code == kPassed);
    CHECK(contains(help.text, "  course " + name));
  }
}

TEST_CASE("all programs name the same commands, in the same words") {
  const Student student;
  const auto of_a_student = student.course("--help");
  const auto of_the_staff = student.run("'" COURSE_BINARY_DIR "/bin/course-staff' --help");
  CHECK(of_a_student.code == kPassed);
  CHECK(contains(of_a_student.text, "  conformance "));
  CHECK(of_a_student.text == of_the_staff.text);
  CHECK(of_a_student.text == student.run("'" COURSE_BINARY_DIR "/bin/course-explore' --help").text);
}

// A folder with a student's program alone.
std::string lone_course(const Student& student) {
  fs::create_directory(student.path / "bin");
  fs::copy_file(COURSE_BINARY_DIR "/bin/course", student.path / "bin/course");
  return "'" + (student.path / "bin/course").string() + "' ";
}

TEST_CASE("where a program is not built, its commands say what builds it") {
  const Student student;
  const auto lone = lone_course(student);
  const auto ran = student.run(lone + "class x --out y");
  CHECK(ran.code == kSetUp);
  CHECK(contains(ran.text, "./course class builds it"));
  CHECK(student.run(lone + "completion bash").code == kPassed);
}

// The commands for which the front door builds a program, by the list that it reads; without those
// that nobody types.
std::set<std::string> at_the_door(const std::string& program) {
  std::ifstream file(COURSE_SOURCE_DIR "/grader/cli/commands.def");
  const auto start = "COURSE_COMMAND(" + program + ", ";
  std::set<std::string> commands;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(start) && !contains(line, ", \"\")"))
      commands.insert(line.substr(start.size(), line.find(',', start.size()) - start.size()));
  return commands;
}

TEST_CASE("the front door builds each program for its commands, and for no others") {
  const Student student;
  const auto lone = lone_course(student);
  const auto missing = [&] {
    std::set<std::string> commands;
    for (const auto& name : subcommands(student))
      if (student.run(lone + name + " --help").code == kSetUp) commands.insert(name);
    return commands;
  };
  const auto staff = at_the_door("staff"), explore = at_the_door("explore"),
             serve = at_the_door("serve");
  CHECK(staff.size() > 5);
  CHECK(explore.size() > 3);
  CHECK(serve == std::set<std::string>{"serve"});
  auto others = staff;
  others.insert(serve.begin(), serve.end());
  auto all = others;
  all.insert(explore.begin(), explore.end());
  CHECK(missing() == all);
  fs::copy_file(COURSE_BINARY_DIR "/bin/course-explore", student.path / "bin/course-explore");
  CHECK(missing() == others);
}

TEST_CASE("before anything is built, the front door says what there is") {
  const Student student;
  fs::create_directories(student.path / "fresh" / "grader");
  for (const char* file : {"course", "CMakeLists.txt"})
    fs::copy_file(fs::path(COURSE_SOURCE_DIR) / file, student.path / "fresh" / file);
  fs::create_directory_symlink(COURSE_SOURCE_DIR "/grader/cli",
                               student.path / "fresh" / "grader" / "cli");
  const auto said = student.run("sh '" + (student.path / "fresh/course").string() + "' --help");
  CHECK(said.code == kPassed);
  std::set<std::string> listed;
  std::istringstream lines(said.text.substr(said.text.find("Commands;")));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("  ")) listed.insert(line.substr(2, line.find(' ', 2) - 2));
  const auto names = subcommands(student);
  CHECK(listed == std::set<std::string>(names.begin(), names.end()));
}

TEST_CASE("it speaks the language that --lang or the environment asks for") {
  const Student student;
  const std::string program = "'" COURSE_BINARY_DIR "/bin/course' ";
  const auto in = [&](const std::string& environment, const std::string& arguments) {
    return student.run("env -u COURSE_LANG -u LANGUAGE -u LC_ALL -u LC_MESSAGES -u LANG " +
                       environment + " " + program + arguments);
  };
  CHECK(contains(in("LANG=zh_CN.UTF-8", "list").text, "尚未解出"));
  CHECK(contains(in("LANG=en_US.UTF-8 LANGUAGE=zh:en", "list").text, "尚未解出"));
  CHECK(contains(in("LC_ALL=C LANGUAGE=zh LANG=zh_CN.UTF-8", "list").text, "not solved yet"));
  CHECK(contains(in("LANG=de_DE.UTF-8", "list").text, "not solved yet"));
  CHECK(contains(in("", "--lang zh list").text, "尚未解出"));
  CHECK(contains(in("LC_ALL=C", "list --lang=zh-CN").text, "尚未解出"));
  CHECK(contains(in("LANG=zh_CN.UTF-8", "--lang en list").text, "not solved yet"));
  const auto wrong = in("", "--lang xx list");
  CHECK(wrong.code == kUsage);
  CHECK(contains(wrong.text, "there is no language xx"));
  CHECK(contains(wrong.text, "en, zh_CN"));
}

TEST_CASE("exercises say in the reader's language what their translators say") {
  const Student student;
  CHECK(contains(student.course("--lang zh hint 2_pad").text, "存储体"));
  CHECK(contains(student.course("--lang en hint 2_pad").text, "bank"));
  CHECK(contains(student.course("--lang zh list 09").text, "直方图"));
}

TEST_CASE("help is Chinese in Chinese, in each of the programs, and so is what was misunderstood") {
  const Student student;
  const auto help = student.course("--lang zh --help").text;
  CHECK(contains(help, "用法：course"));
  CHECK(contains(help, "命令：\n"));
  CHECK(!contains(help, ":\n"));
  CHECK(contains(help, "  grade "));
  CHECK(contains(student.course("--lang zh grade --help").text, "用法"));
  CHECK(contains(student.course("--lang zh banks --help").text, "用法"));
  CHECK(contains(student.course("--lang zh attacks --help").text, "用法"));
  const auto wrong = student.course("--lang zh list --nothing");
  CHECK(wrong.code == kUsage);
  CHECK(contains(wrong.text, "没有选项 --nothing"));
}

TEST_CASE("no line of what is Chinese is wider than the terminal") {
  const Student student;
  student.graded("02_padding/1_square", judge::Ending::passed);
  student.graded("05_transpose/2_pad", judge::Ending::failed);
  for (const char* command : {"", "list", "next", "hint 2_pad", "explain 2_pad", "history 2_pad"})
    for (const int width : {60, 80, 200}) {
      CAPTURE(command);
      CAPTURE(width);
      std::istringstream lines(student
                                   .run("COLUMNS=" + std::to_string(width) +
                                        " '" COURSE_BINARY_DIR "/bin/course' --lang zh " + command)
                                   .text);
      for (std::string line; std::getline(lines, line);) {
        INFO(line);
        CHECK(static_cast<int>(language::columns(line)) <= width);
      }
    }
}

TEST_CASE("bash completes commands, exercises and options") {
  const Student student;
  const auto completed = [&](const std::string& words, int at) {
    return student
        .run("bash -c 'source <(\"" COURSE_BINARY_DIR "/bin/course\" completion bash); "
             "COMP_WORDS=(" +
             words + "); COMP_CWORD=" + std::to_string(at) +
             "; _course; printf \"%s \" \"${COMPREPLY[@]}\"'")
        .text;
  };
  CHECK(completed("./course gr", 1) == "grade ");
  CHECK(completed("./course watch 05_transpose/2", 2) == "05_transpose/2_pad ");
  CHECK(contains(completed("./course grade --s", 2), "--seed "));
  CHECK(completed("./course list --see", 2) != "--seed ");
}

TEST_CASE("the dev container is described, and asks for no GPU") {
  const auto folder = fs::path(COURSE_SOURCE_DIR) / ".devcontainer";
  std::ifstream file(folder / "devcontainer.json");
  const auto json = nlohmann::json::parse(file);
  CHECK(fs::exists(folder / json["build"]["dockerfile"].get<std::string>()));
  CHECK(json["onCreateCommand"] == "./course");
  CHECK_FALSE(json["hostRequirements"].contains("gpu"));
}

TEST_CASE("zsh accepts its completion" * doctest::test_suite("needs zsh")) {
  const Student student;
  if (student.run("command -v zsh >/dev/null").code != 0) {
    MESSAGE("skipped: zsh is not installed");
    return;
  }
  CHECK(student.course("completion zsh > _course && zsh -n _course").code == 0);
}

} // namespace course::cli
