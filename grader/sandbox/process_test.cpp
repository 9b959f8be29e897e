// One file, though long: each behaviour is tested on every rung of the ladder, by the same few
// words.
#include "process.hpp"

#include "sandbox/bubblewrap.hpp"
#include "sandbox/keeper_program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace course::sandbox {
namespace {

namespace fs = std::filesystem;
using End = Outcome::End;
using Words = std::vector<std::string>;

Command subject(Words words) {
  words.insert(words.begin(), COURSE_SANDBOX_SUBJECT);
  Command command;
  command.argv = std::move(words);
  return command;
}

Limits quick() {
  Limits limits;
  limits.wall = std::chrono::seconds(100); // also on a busy machine
  return limits;
}

Outcome run_on(Rung rung, const Words& words, const Limits& limits = quick()) {
  return Process::start(subject(words), limits, rung).wait();
}

// A folder of the grader's, below one that only its owner may enter.
class Folder {
public:
  Folder() {
    char name[] = "/tmp/course-test-XXXXXX";
    base_ = mkdtemp(name);
    path_ = base_ / "inner";
    fs::create_directory(path_);
  }
  ~Folder() { fs::remove_all(base_); }
  const fs::path& path() const { return path_; }
  fs::path file(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return path_ / name;
  }

private:
  fs::path base_, path_;
};

// Processes on the machine with `word` on their command line, seen from outside any name space.
int processes_with(const std::string& word) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline");
    std::stringstream text;
    text << file.rdbuf();
    // The dead have no command line.
    count += text.str().find(word) != std::string::npos;
  }
  return count;
}

std::ptrdiff_t scratch_folders() {
  const auto is_scratch = [](const auto& entry) {
    return entry.path().filename().string().starts_with("course-scratch-");
  };
  return std::ranges::count_if(fs::directory_iterator(fs::temp_directory_path()), is_scratch);
}

// A folder for temporary files of this test's alone, which any user may write to.
class TemporaryFiles {
public:
  TemporaryFiles() {
    char name[] = "/tmp/course-test-XXXXXX";
    path_ = mkdtemp(name);
    if (const char* set = std::getenv("TMPDIR")) before_ = set;
    fs::permissions(path_, fs::perms::all | fs::perms::sticky_bit);
    setenv("TMPDIR", path_.c_str(), 1);
  }
  ~TemporaryFiles() {
    if (before_.empty())
      unsetenv("TMPDIR");
    else
      setenv("TMPDIR", before_.c_str(), 1);
    fs::remove_all(path_);
  }

private:
  fs::path path_;
  std::string before_; // TMPDIR
};

std::string unique_word() {
  static int count = 0;
  return "word-" + std::to_string(getpid()) + "-" + std::to_string(++count);
}

constexpr bool filters(Rung rung) {
  return kHaveFilter && rung != Rung::process;
}

} // namespace

// Runs the rest of the test on every rung that this machine has; sandbox_needs_rungs says which it
// lacks.
#define ON_EVERY_RUNG                                                                              \
  Rung rung = Rung::process;                                                                       \
  for (const Rung each : {Rung::bubblewrap, Rung::landlock, Rung::process})                        \
    SUBCASE(name(each).c_str()) rung = each;                                                       \
  if (!available(rung)) return;

TEST_CASE("there is every rung to be tried" * doctest::test_suite("needs rungs")) {
  for (const Rung rung : {Rung::bubblewrap, Rung::landlock, Rung::process})
    if (!available(rung)) MESSAGE("skipped: not on this machine: " << name(rung));
}

TEST_CASE("an exit code is the program's own, also one that looks like a signal's") {
  ON_EVERY_RUNG
  for (const int code : {0, 3, 127, 128 + SIGSEGV, 255}) {
    const Outcome outcome = run_on(rung, {"exit", std::to_string(code)});
    CHECK(outcome.end == End::exited);
    CHECK(outcome.code == code);
  }
}

TEST_CASE("a crash is told by its signal") {
  ON_EVERY_RUNG
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGTERM, SIGKILL}) {
    const Outcome outcome = run_on(rung, {"raise", std::to_string(signal)});
    CHECK(outcome.end == End::signalled);
    CHECK(outcome.code == signal);
  }
  CHECK(run_on(rung, {"null"}).code == SIGSEGV);
}

TEST_CASE("what it prints arrives on the stream it was printed on") {
  ON_EVERY_RUNG
  const Outcome outcome = run_on(rung, {"print", "a line"});
  CHECK(outcome.out == "a line\n");
  CHECK(outcome.err == "");
  CHECK(outcome.wall.count() > 0);
}

TEST_CASE("a program that sleeps is ended at the wall limit") {
  ON_EVERY_RUNG
  Limits limits = quick();
  limits.wall = std::chrono::milliseconds(100);
  const Outcome outcome = run_on(rung, {"sleep"}, limits);
  CHECK(outcome.end == End::wall_time);
  CHECK(outcome.wall.count() > 0.09);
}

TEST_CASE("the wall limit holds although nobody waits, and closes the channel") {
  ON_EVERY_RUNG
  Command command = subject({"sleep"});
  command.channel = true;
  Limits limits = quick();
  limits.wall = std::chrono::milliseconds(100);
  Process process = Process::start(command, limits, rung);
  char byte;
  CHECK(read(process.channel(), &byte, 1) == 0);
  CHECK(process.wait().end == End::wall_time);
}

TEST_CASE("a program that computes without end is ended at the processor limit" *
          doctest::test_suite("limits")) {
  Limits limits = quick();
  limits.cpu = std::chrono::seconds(1);
  std::vector<Process> side_by_side;
  for (const Rung rung : {Rung::bubblewrap, Rung::landlock, Rung::process})
    if (available(rung)) side_by_side.push_back(Process::start(subject({"loop"}), limits, rung));
  // Ignoring the signal buys a second.
  Process unmoved = Process::start(subject({"loop-unmoved"}), limits);
  for (Process& process : side_by_side) {
    const Outcome outcome = process.wait();
    CHECK(outcome.end == End::cpu_time);
    CHECK(outcome.code == SIGXCPU);
  }
  const Outcome outcome = unmoved.wait();
  CHECK(outcome.end == End::cpu_time);
  CHECK(outcome.code == SIGKILL);
}

TEST_CASE("endless output is cut at the limit and ends the program") {
  ON_EVERY_RUNG
  Limits limits = quick();
  limits.output = 100'000;
  const Outcome out = run_on(rung, {"print-forever"}, limits);
  CHECK(out.end == End::output);
  CHECK(out.out.size() == 100'000);
  const Outcome err = run_on(rung, {"complain-forever"}, limits);
  CHECK(err.end == End::output);
  CHECK(err.err.size() == 100'000);
}

TEST_CASE("an allocation that is refused and not handled is told as memory") {
  ON_EVERY_RUNG
  Limits limits = quick();
  limits.memory = 64 << 20;
  CHECK(run_on(rung, {"allocate-forever"}, limits).end == End::memory);
}

TEST_CASE("a file past the limit ends the program") {
  ON_EVERY_RUNG
  Limits limits = quick();
  limits.file_size = 2 << 20;
  // In bubblewrap's own folder of memory, which is as large, the disk is full first.
  const Folder folder;
  Command command = subject({"write-forever", folder.path() / "big"});
  command.writable = {folder.path()};
  if (rung == Rung::process) command = subject({"write-forever", "big"});
  CHECK(Process::start(command, limits, rung).wait().end == End::file_size);
}

TEST_CASE("processes are limited in number") {
  ON_EVERY_RUNG
  Limits limits = quick();
  limits.processes = 16;
  const Outcome outcome = run_on(rung, {"fork-until-refused"}, limits);
  CHECK(outcome.end == End::exited);
  const int children = std::atoi(outcome.out.c_str());
  CHECK(children > 8);
  CHECK(children < 17);
}

TEST_CASE("a fork bomb ends at the limit and leaves nothing") {
  ON_EVERY_RUNG
  Limits limits = quick();
  limits.wall = std::chrono::milliseconds(200);
  const std::string word = unique_word();
  CHECK(run_on(rung, {"fork-bomb", word}, limits).end == End::wall_time);
  CHECK(processes_with(word) == 0);
}

TEST_CASE("a daemon is gone when the program has ended") {
  ON_EVERY_RUNG
  const std::string word = unique_word();
  const Outcome outcome = run_on(rung, {"daemon", word});
  CHECK(outcome.end == End::exited);
  CHECK(processes_with(word) == 0);
}

TEST_CASE("a process that its owner drops is ended, with all it started") {
  ON_EVERY_RUNG
  const std::string word = unique_word();
  {
    const Process process = Process::start(subject({"sleep", word}), quick(), rung);
    while (processes_with(word) == 0) usleep(1000);
  }
  CHECK(processes_with(word) == 0);
}

TEST_CASE("a word to end that comes when the program has ended does not hide how it ended") {
  ON_EVERY_RUNG
  for (int delay = 0; delay < 60; ++delay) {
    Process process = Process::start(subject({"exit", "0"}), quick(), rung);
    std::this_thread::sleep_for(std::chrono::microseconds(200 * delay));
    process.end();
    const Outcome outcome = process.wait();
    CHECK(outcome.end != Outcome::End::not_started);
  }
}

TEST_CASE("a process that is told to end was killed") {
  ON_EVERY_RUNG
  Process process = Process::start(subject({"sleep"}), quick(), rung);
  process.end();
  const Outcome outcome = process.wait();
  CHECK(outcome.end == End::signalled);
  CHECK(outcome.code == SIGKILL);
}

TEST_CASE("everything ends with the grader, however it ends") {
  ON_EVERY_RUNG
  const std::string word = unique_word();
  const TemporaryFiles files; // others make scratch folders as well
  const pid_t grader = fork();
  if (grader == 0) {
    Process process = Process::start(subject({"sleep", word}), quick(), rung);
    while (processes_with(word) < 2) usleep(1000);
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(grader, &status, 0);
  CHECK(WTERMSIG(status) == SIGKILL);
  while (processes_with(word) != 0) usleep(1000);
  while (scratch_folders() != 0) usleep(1000);
}

TEST_CASE("the environment holds what the command says and nothing else") {
  ON_EVERY_RUNG
  setenv("COURSE_TEST_SECRET", "x", 1);
  Command command = subject({"environment"});
  command.environment = {{"A", "1"}, {"B", "two words = one value"}};
  CHECK(Process::start(command, quick(), rung).wait().out == "A=1\nB=two words = one value\n");
}

TEST_CASE("a program's memory is at the same addresses each time") {
  ON_EVERY_RUNG
  const auto first = Process::start(subject({"address"}), quick(), rung).wait().out;
  CHECK(first.starts_with("0x"));
  CHECK(Process::start(subject({"address"}), quick(), rung).wait().out == first);
}

TEST_CASE("no descriptor is inherited but the three streams, and the channel when asked for") {
  ON_EVERY_RUNG
  const int leaked = dup(1);
  Command command = subject({"descriptors"});
  CHECK(Process::start(command, quick(), rung).wait().out == "0\n1\n2\n");
  command.channel = true;
  CHECK(Process::start(command, quick(), rung).wait().out == "0\n1\n2\n3\n");
  close(leaked);
}

TEST_CASE("the channel carries bytes both ways and closes when the program ends") {
  ON_EVERY_RUNG
  Command command = subject({"echo-channel"});
  command.channel = true;
  Process process = Process::start(command, quick(), rung);
  CHECK(write(process.channel(), "hello", 5) == 5);
  char answer[5];
  REQUIRE(read(process.channel(), answer, 5) == 5);
  CHECK(std::memcmp(answer, "hello", 5) == 0);
  CHECK(read(process.channel(), answer, 5) == 0);
  CHECK(process.wait().code == 0);
  CHECK(process.channel() == -1);
}

TEST_CASE("without a channel there is none") {
  Process process = Process::start(subject({"exit", "0"}), quick());
  CHECK(process.channel() == -1);
  CHECK(process.wait().end == End::exited);
}

TEST_CASE("the program leads a session of its own, so that its group holds nobody else") {
  ON_EVERY_RUNG
  CHECK(run_on(rung, {"session"}).out.starts_with("1 "));
  // Where the filter does not refuse it, the program kills itself and not the keeper, whose word
  // would be missing.
  const Outcome outcome = run_on(rung, {"kill-group"});
  CHECK((outcome.end == End::signalled || outcome.out == "EPERM\n"));
}

TEST_CASE("it works in a scratch folder that it can write, and that is gone afterwards") {
  ON_EVERY_RUNG
  CHECK(run_on(rung, {"write", "new"}).code == 0);
  const std::string folder = run_on(rung, {"directory"}).out;
  if (rung == Rung::bubblewrap) CHECK(folder == std::string(kBox) + "\n");
  CHECK_FALSE(fs::exists(folder.substr(0, folder.size() - 1)));
}

TEST_CASE("a scratch folder is removed even when its owner locked it") {
  const TemporaryFiles files;
  CHECK(run_on(Rung::process, {"lock-folder"}).code == 0);
  CHECK(scratch_folders() == 0);
}

TEST_CASE("it reads what it is allowed to read, and works where it is told") {
  if (best_rung() == Rung::process) return;
  ON_EVERY_RUNG
  if (rung == Rung::process) return;
  const Folder folder;
  const fs::path file = folder.file("given", "text");
  Command command = subject({"read", "given"});
  command.directory = folder.path();
  CHECK(Process::start(command, quick(), rung).wait().out == "done\n");
  command = subject({"read", file});
  command.readable = {file, "/does/not/exist"};
  CHECK(Process::start(command, quick(), rung).wait().out == "done\n");
}

TEST_CASE("it cannot read the grader's files, nor the system's secrets") {
  ON_EVERY_RUNG
  if (rung == Rung::process) return; // where all that its user can read is readable
  const Folder folder;
  const fs::path file = folder.file("solution", "text");
  CHECK(run_on(rung, {"read", file}).code == 1);
  CHECK(run_on(rung, {"read", "/etc/passwd"}).code == 1);
  CHECK(run_on(rung, {"read", "/proc/1/environ"}).code == 1);
  CHECK(run_on(rung, {"read", "/proc/" + std::to_string(getpid()) + "/environ"}).code == 1);
}

TEST_CASE("it writes where it may and nowhere else") {
  ON_EVERY_RUNG
  if (rung == Rung::process) return;
  const Folder folder;
  Command command = subject({"write", folder.path() / "new"});
  command.readable = {folder.path()};
  CHECK(Process::start(command, quick(), rung).wait().code == 1);
  command.readable.clear();
  command.writable = {folder.path()};
  CHECK(Process::start(command, quick(), rung).wait().code == 0);
  CHECK(fs::exists(folder.path() / "new"));
  CHECK(run_on(rung, {"write", "/usr/course-test"}).code == 1);
}

TEST_CASE("a folder that was lent is its owner's again") {
  const Folder folder;
  Command command = subject({"write", folder.path() / "new"});
  command.writable = {folder.path()};
  Process::start(command, quick()).wait();
  struct stat status {};
  REQUIRE(stat(folder.path().c_str(), &status) == 0);
  CHECK(status.st_uid == geteuid());
}

TEST_CASE("it changes nothing about a file that it may only read") {
  ON_EVERY_RUNG
  if (!filters(rung)) return;
  const Folder folder;
  const fs::path file = folder.file("given", "text");
  fs::permissions(file, fs::perms(0666));
  for (const char* what : {"chmod", "truncate"}) {
    Command command = subject({what, file});
    command.readable = {file};
    CHECK(Process::start(command, quick(), rung).wait().code == 1);
  }
  CHECK(fs::file_size(file) == 4);
  CHECK(fs::status(file).permissions() == fs::perms(0666));
}

TEST_CASE("it opens no connection and no memory that outlives it") {
  ON_EVERY_RUNG
  if (!filters(rung)) return;
  CHECK(run_on(rung, {"connect"}).out == "EPERM\n");
  CHECK(run_on(rung, {"shared-memory"}).out == "EPERM\n");
}

TEST_CASE("it neither traces nor kills the grader") {
  ON_EVERY_RUNG
  if (rung == Rung::process && geteuid() != 0) return; // the same user, and nothing between
  const std::string grader = std::to_string(getpid());
  CHECK(run_on(rung, {"trace", grader}).code == 1);
  CHECK(run_on(rung, {"kill", grader}).code == 1);
}

TEST_CASE("honest programs have threads and children that crash") {
  ON_EVERY_RUNG
  CHECK(run_on(rung, {"thread"}).out == "done\n");
  CHECK(run_on(rung, {"abort-child"}).code == 0);
}

TEST_CASE("a program that does not exist, or is none, is not started, and the reason says so") {
  ON_EVERY_RUNG
  Command command;
  command.argv = {"/does/not/exist"};
  const Outcome missing = Process::start(command, quick(), rung).wait();
  CHECK(missing.end == End::not_started);
  CHECK(missing.reason == "the program could not be run: No such file or directory");
  const Folder folder;
  command.argv = {folder.file("text", "not a program")};
  CHECK(Process::start(command, quick(), rung).wait().end == End::not_started);
  CHECK(run(Command{}, quick()).end == End::not_started);
}

TEST_CASE("a working folder that does not exist is the reason not to start") {
  ON_EVERY_RUNG
  Command command = subject({"exit", "0"});
  command.directory = "/does/not/exist";
  const Outcome outcome = Process::start(command, quick(), rung).wait();
  CHECK(outcome.end == End::not_started);
  CHECK(outcome.reason ==
        "the program's working folder could not be entered: No such file or directory");
}

TEST_CASE("root's program that could not get at its files is not started, and the reason says so") {
  if (geteuid() != 0) return;
  const Folder folder;
  Command command = subject({"read", folder.file("given", "text")});
  command.readable = {folder.path() / "given"};
  const Outcome outcome = Process::start(command, quick(), Rung::process).wait();
  CHECK(outcome.end == End::not_started);
  CHECK(outcome.reason.find(folder.path().parent_path()) != std::string::npos);
}

TEST_CASE("many at once do not disturb each other") {
  ON_EVERY_RUNG
  Limits limits = quick();
  limits.processes = 4;
  std::vector<Process> processes;
  processes.reserve(8);
  for (int i = 0; i < 8; ++i)
    processes.push_back(Process::start(subject({"exit", std::to_string(i)}), limits, rung));
  for (int i = 0; i < 8; ++i) CHECK(processes[i].wait().code == i);
}

TEST_CASE("the rung in use is one of the ladder's") {
  CHECK(available(best_rung()));
  CHECK(rung() == name(best_rung()));
  CHECK(available(Rung::process));
}

} // namespace course::sandbox
