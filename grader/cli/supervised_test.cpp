#include "cli/supervised.hpp"

#include "cli/exit_codes.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace course::cli {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

std::string temporary() {
  return fs::temp_directory_path().string();
}

// A file by which work tells the test where it was and which process it started.
struct Note {
  fs::path file = fs::temp_directory_path() / ("supervised_" + std::to_string(getpid()));
  ~Note() { fs::remove(file); }

  void write(const std::string& folder, pid_t process) const {
    const auto draft = file.string() + "_draft";
    std::ofstream(draft) << folder << " " << process;
    fs::rename(draft, file);
  }
  // What was written, once it is.
  std::pair<std::string, pid_t> read() const {
    std::pair<std::string, pid_t> noted{"", 0};
    while (!fs::exists(file)) std::this_thread::sleep_for(1ms);
    std::ifstream(file) >> noted.first >> noted.second;
    return noted;
  }
};

// Starts a process that would outlive us, away from our group, and writes a file that resists.
pid_t make_trouble() {
  const fs::path folder = temporary();
  fs::create_directory(folder / "locked");
  std::ofstream(folder / "locked" / "file") << "x";
  fs::permissions(folder / "locked", fs::perms::none);
  const pid_t child = fork();
  if (child == 0) {
    setsid();
    for (;;) pause();
  }
  return child;
}

bool gone(pid_t process) {
  return kill(process, 0) != 0;
}

} // namespace

TEST_CASE("the exit code of the work is passed on") {
  CHECK(supervised([] { return 0; }) == 0);
  CHECK(supervised([] { return 5; }) == 5);
}

TEST_CASE("work that throws or crashes is an error of the grader's") {
  CHECK(supervised([]() -> int { throw std::runtime_error("on purpose"); }) == kInternal);
  CHECK(supervised([]() -> int {
          raise(SIGKILL);
          return 0;
        }) == kInternal);
}

TEST_CASE("what the work leaves behind is gone: processes, and files that resist") {
  const Note note;
  const auto before = temporary();
  CHECK(supervised([&] {
          note.write(temporary(), make_trouble());
          return 3;
        }) == 3);
  const auto [folder, process] = note.read();
  REQUIRE(process > 0);
  CHECK(gone(process));
  CHECK_FALSE(fs::exists(folder));
  CHECK(temporary() == before);
}

TEST_CASE("an interrupt ends everything, and says by which signal") {
  for (const int signal : {SIGINT, SIGTERM}) {
    const Note note;
    const pid_t grader = fork();
    if (grader == 0) {
      _exit(supervised([&]() -> int {
        note.write(temporary(), make_trouble());
        for (;;) pause();
      }));
    }
    const auto [folder, process] = note.read();
    REQUIRE(process > 0);
    kill(grader, signal);
    int status = 0;
    waitpid(grader, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 128 + signal);
    CHECK(gone(process));
    CHECK_FALSE(fs::exists(folder));
  }
}

TEST_CASE("work with last words is told, and ends with the code of its choice") {
  const Note note;
  const pid_t grader = fork();
  if (grader == 0) {
    _exit(supervised([&](ToldToEnd& told) -> int {
      std::atomic<int> word{0};
      told.call([&](int signal) { word = signal; });
      note.write(temporary(), make_trouble());
      while (word == 0) std::this_thread::sleep_for(1ms);
      return 40 + word;
    }));
  }
  const auto [folder, process] = note.read();
  REQUIRE(process > 0);
  kill(grader, SIGTERM);
  int status = 0;
  waitpid(grader, &status, 0);
  CHECK(WEXITSTATUS(status) == 40 + SIGTERM);
  CHECK(gone(process));
  CHECK_FALSE(fs::exists(folder));
}

TEST_CASE(
    "a second signal ends work that does not come to its last words, as does a first one that "
    "it takes no notice of") {
  for (const bool listens : {true, false}) {
    const Note note;
    const pid_t grader = fork();
    if (grader == 0) {
      _exit(supervised([&](ToldToEnd& told) -> int {
        if (listens) told.call([&](int) { note.write("told", getpid()); });
        note.write(temporary(), make_trouble());
        for (;;) pause();
      }));
    }
    const auto [folder, process] = note.read();
    REQUIRE(process > 0);
    fs::remove(note.file);
    kill(grader, SIGINT);
    int status = 0;
    if (listens) {
      CHECK(note.read().first == "told");
      // One that comes at once after the first is the same again.
      while (waitpid(grader, &status, WNOHANG) == 0) {
        kill(grader, SIGINT);
        std::this_thread::sleep_for(50ms);
      }
    } else {
      waitpid(grader, &status, 0);
    }
    CHECK(WEXITSTATUS(status) == 128 + SIGINT);
    CHECK(gone(process));
    CHECK_FALSE(fs::exists(folder));
  }
}

} // namespace course::cli
