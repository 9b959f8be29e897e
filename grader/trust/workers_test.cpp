#include "trust/workers.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

namespace course::trust {
namespace {

TEST_CASE("each number is worked on once, in several processes, and its result comes back whole") {
  std::set<std::string> numbers, processes;
  const std::string filler(100'000, 'x');
  const auto end = in_processes(
      7, 40, {3, false, {}},
      [&](std::uint64_t n) {
        usleep(1000);
        return std::to_string(n) + " " + std::to_string(getpid()) + " " + filler;
      },
      [&](const std::string& line) {
        CHECK(line.ends_with(" " + filler));
        const auto blank = line.find(' ');
        CHECK(numbers.insert(line.substr(0, blank)).second);
        processes.insert(line.substr(blank + 1, line.find(' ', blank + 1) - blank - 1));
      });
  CHECK(end == 40);
  CHECK(numbers.size() == 33);
  CHECK(numbers.count("7") == 1);
  CHECK(numbers.count("39") == 1);
  CHECK(processes.size() == 3);
  CHECK(processes.count(std::to_string(getpid())) == 0);
}

TEST_CASE("a worker that dies costs what it was working on, and nothing else") {
  std::set<std::string> seen;
  in_processes(
      0, 10, {2, true, {}},
      [](std::uint64_t n) {
        if (n == 3) _exit(1);
        return std::to_string(n);
      },
      [&](const std::string& line) { seen.insert(line); });
  CHECK(seen.size() == 9);
  CHECK(seen.count("3") == 0);
}

TEST_CASE("nothing is begun after the time is up, and the first of the rest is told") {
  std::size_t done = 0;
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  const auto end = in_processes(
      5, 1000, {2, false, until},
      [&](std::uint64_t) {
        while (std::chrono::steady_clock::now() < until) usleep(1000);
        return std::string("done");
      },
      [&](const std::string&) { ++done; });
  CHECK(end == 5 + done);
  CHECK(done <= 2); // one each, where a machine does not take longer than that to begin
}

TEST_CASE("another child of the program, which does not end, is not waited for") {
  const pid_t other = fork();
  if (other == 0) {
    pause();
    _exit(0);
  }
  REQUIRE(other > 0);
  std::size_t done = 0;
  in_processes(
      0, 3, {2, false, {}}, [](std::uint64_t) { return std::string("done"); },
      [&](const std::string&) { ++done; });
  CHECK(done == 3);
  CHECK(kill(other, SIGKILL) == 0);
  CHECK(waitpid(other, nullptr, 0) == other);
}

TEST_CASE("no numbers are no work") {
  CHECK(in_processes(
            5, 5, {}, [](std::uint64_t) { return std::string(); },
            [](const std::string&) { FAIL("nothing was asked for"); }) == 5);
}

} // namespace
} // namespace course::trust
