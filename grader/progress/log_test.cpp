#include "progress/log.hpp"

#include "system/file.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sys/wait.h>
#include <unistd.h>

namespace course::progress {
namespace {

namespace fs = std::filesystem;
using system::content_of;

struct Folder {
  fs::path path = fs::temp_directory_path() / ("progress_log_" + std::to_string(getpid()));
  Folder() { fs::create_directory(path); }
  ~Folder() { fs::remove_all(path); }
  fs::path file() const { return path / "deeper" / "progress.jsonl"; }
};

Event hint(const std::string& exercise, unsigned number, const std::string& time) {
  Event event;
  event.time = time;
  event.kind = Event::Kind::hint;
  event.exercise = exercise;
  event.hint = number;
  return event;
}

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

const std::string kGood = line_of(hint("a/b", 1, "2026-01-01T00:00:00Z"));
const std::string kLater = line_of(hint("a/b", 2, "2026-01-02T00:00:00Z"));

} // namespace

TEST_CASE("a log that is not there yet has no events, and is made by the first") {
  const Folder folder;
  const Log log(folder.file());
  CHECK(log.read().events.empty());
  CHECK(log.read().complaint.empty());
  CHECK(log.append(hint("a/b", 1, "2026-01-01T00:00:00Z")).empty());
  const auto remembered = log.read();
  CHECK(remembered.complaint.empty());
  REQUIRE(remembered.events.size() == 1);
  CHECK(remembered.events[0].exercise == "a/b");
  CHECK(content_of(folder.file())->starts_with("{\"about\": "));
}

TEST_CASE("two logs are merged by putting their lines together, whatever the order, or by git") {
  const Folder folder;
  const Log log(folder.file());
  write(folder.file(), kLater + kGood + kLater);
  auto events = log.read().events;
  REQUIRE(events.size() == 2);
  CHECK(events[0].hint == 1);
  CHECK(events[1].hint == 2);
  write(folder.file(), "<<<<<<< ours\n" + kGood + "=======\n" + kLater + ">>>>>>> theirs\n");
  CHECK(log.read().events.size() == 2);
  CHECK(log.read().complaint.empty());
}

TEST_CASE("damaged lines are named and put aside, the others go on") {
  const Folder folder;
  const Log log(folder.file());
  const auto damaged = kGood + "{\"time\": \"2026-01-0\n" + kLater;
  write(folder.file(), damaged);
  const auto remembered = log.read();
  CHECK(remembered.events.size() == 2);
  CHECK(remembered.complaint.find("Line 2 of it is damaged") != std::string::npos);
  CHECK(remembered.complaint.find("progress.jsonl.damaged-1") != std::string::npos);
  CHECK(content_of(folder.file()) == kGood + kLater);
  CHECK(content_of(folder.file().string() + ".damaged-1") == damaged);
  CHECK(log.read().complaint.empty());
  write(folder.file(), "no log\n");
  CHECK(log.read().complaint.find(".damaged-2") != std::string::npos);
}

TEST_CASE("bytes of any kind are damage, and never a crash") {
  const Folder folder;
  const Log log(folder.file());
  for (const std::string& text :
       {std::string("\0\xff\xfe{", 4), std::string(100'000, '['), std::string("null\n[]\n1\n"),
        std::string("{\"event\": 1, \"time\": 2, \"exercise\": 3}\n"),
        std::string(
            "{\"event\": \"run\", \"time\": \"2026-01-01T00:00:00Z\", \"exercise\": \"a\"}"),
        std::string(
            "{\"event\": \"hint\", \"time\": \"soon\", \"exercise\": \"a\", \"number\": 1}")}) {
    write(folder.file(), text);
    const auto remembered = log.read();
    CHECK(remembered.events.empty());
    CHECK_FALSE(remembered.complaint.empty());
    CHECK(log.append(hint("a/b", 1, "2026-01-01T00:00:00Z")).empty());
    CHECK(log.read().events.size() == 1);
  }
}

TEST_CASE("events of a later version of the course are passed over, and kept") {
  const Folder folder;
  const Log log(folder.file());
  const std::string later =
      "{\"time\":\"2026-01-01T00:00:00Z\",\"event\":\"badge\",\"exercise\":\"a/b\"}\n";
  write(folder.file(), later);
  CHECK(log.read().events.empty());
  CHECK(log.read().complaint.empty());
  CHECK(content_of(folder.file()) == later);
}

TEST_CASE("a line that was cut short does not swallow the next one") {
  const Folder folder;
  const Log log(folder.file());
  write(folder.file(), kGood + kLater.substr(0, kLater.size() / 2));
  CHECK(log.append(hint("a/b", 3, "2026-01-03T00:00:00Z")).empty());
  const auto remembered = log.read();
  REQUIRE(remembered.events.size() == 2);
  CHECK(remembered.events[1].hint == 3);
}

TEST_CASE("processes that write at once lose nothing") {
  const Folder folder;
  constexpr unsigned kProcesses = 4, kEach = 50;
  for (unsigned process = 0; process < kProcesses; ++process) {
    if (fork() != 0) continue;
    const Log log(folder.file());
    bool good = true;
    for (unsigned i = 0; i < kEach; ++i)
      good &= log.append(hint("a/b", process * kEach + i, "2026-01-01T00:00:00Z")).empty();
    _exit(good ? 0 : 1);
  }
  for (unsigned process = 0; process < kProcesses; ++process) {
    int status = 1;
    wait(&status);
    CHECK(status == 0);
  }
  const auto remembered = Log(folder.file()).read();
  CHECK(remembered.complaint.empty());
  REQUIRE(remembered.events.size() == kProcesses * kEach);
  std::vector<unsigned> numbers;
  for (const auto& event : remembered.events) numbers.push_back(event.hint);
  std::ranges::sort(numbers);
  for (unsigned i = 0; i < numbers.size(); ++i) CHECK(numbers[i] == i);
}

TEST_CASE("a log is mended in one step: at no moment is a good line missing") {
  const Folder folder;
  write(folder.file(), kGood + "damage\n");
  std::ifstream before(folder.file(), std::ios::binary); // reads what the file has at any moment
  CHECK(Log(folder.file()).read().events.size() == 1);
  CHECK(std::string(std::istreambuf_iterator<char>(before), {}) == kGood + "damage\n");
  CHECK(content_of(folder.file()) == kGood);
}

TEST_CASE("a line that is written while the log is mended is in the mended one") {
  const Folder folder;
  for (int round = 0; round < 20; ++round) {
    write(folder.file(), kGood + "damage\n");
    const pid_t mender = fork();
    if (mender == 0) {
      Log(folder.file()).read();
      _exit(0);
    }
    CHECK(Log(folder.file()).append(hint("a/b", 7, "2026-01-03T00:00:00Z")).empty());
    waitpid(mender, nullptr, 0);
    CHECK(Log(folder.file()).read().events.size() == 2);
  }
}

TEST_CASE("a log that cannot be written or read is said, and not thrown") {
  const Folder folder;
  fs::create_directory(folder.path / "deeper");
  fs::create_directory(folder.file()); // a folder where the file should be
  CHECK_FALSE(Log(folder.file()).append(hint("a/b", 1, "2026-01-01T00:00:00Z")).empty());
  CHECK(Log(folder.file()).read().events.empty());
  const auto said = Log("/proc/nowhere/log").append(hint("a/b", 1, "2026-01-01T00:00:00Z"));
  CHECK(said.find("could not be written to /proc/nowhere/log: ") != std::string::npos);
  CHECK(said.find("COURSE_STATE") != std::string::npos);
  // Why its folder could not be made, not that there is none.
  write(folder.path / "file", "");
  const auto blocked =
      Log(folder.path / "file" / "log").append(hint("a/b", 1, "2026-01-01T00:00:00Z"));
  CHECK(blocked.find("Not a directory") != std::string::npos);
}

} // namespace course::progress
