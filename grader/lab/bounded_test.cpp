#include "lab/bounded.hpp"

#include "lab/labs.hpp"
#include "report/words/ended_words.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace course::lab {
namespace {

judge::Verdict passed() {
  judge::Verdict verdict;
  verdict.ending = judge::Ending::passed;
  return verdict;
}

// The status of a process that gets a verdict by `grade` and ends by `report` of it.
int status_of(const std::function<judge::Verdict()>& grade,
              const std::function<int(const judge::Verdict&)>& report, Bounds bounds = {}) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      const auto& exercise = exercises(COURSE_SOURCE_DIR).front();
      _exit(report(grade_bounded(exercise, {"a.cu", 1}, {}, grade, bounds)));
    } catch (const std::exception&) {
      _exit(99);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

int code_of(const std::function<judge::Verdict()>& grade,
            const std::function<int(const judge::Verdict&)>& report, Bounds bounds = {}) {
  const int status = status_of(grade, report, bounds);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool says(const judge::Verdict& verdict, judge::Ending ending, const char* words) {
  return verdict.ending == ending && verdict.points == 0 && verdict.max_points > 0 &&
         report::ended_words(verdict).headline.find(words) != std::string::npos;
}

} // namespace

TEST_CASE("what is graded within the limits has its verdict, and the process its end") {
  CHECK(code_of(passed, [](const judge::Verdict& verdict) {
          return verdict.ending == judge::Ending::passed ? 17 : 1;
        }) == 17);
}

TEST_CASE("an exception in grading comes through") {
  CHECK(code_of([]() -> judge::Verdict { throw std::runtime_error("no room"); },
                [](const judge::Verdict&) { return 1; }) == 99);
}

TEST_CASE("grading that takes too much memory is ended, and the verdict says so") {
  const auto hog = [] {
    for (;;) {
      constexpr std::size_t kPiece = 4 << 20;
      std::memset(std::malloc(kPiece), 1, kPiece);
      usleep(2000);
    }
    return passed();
  };
  CHECK(code_of(hog,
                [](const judge::Verdict& verdict) {
                  return says(verdict, judge::Ending::not_measurable, "more than 100 MiB") ? 17 : 1;
                },
                {100 << 20, std::chrono::seconds(60)}) == 17);
}

TEST_CASE("grading that takes too much processor time is ended, and the verdict says so" *
          doctest::test_suite("limits")) {
  const auto spin = [] {
    while (std::clock() >= 0) {
    }
    return passed();
  };
  CHECK(code_of(spin,
                [](const judge::Verdict& verdict) {
                  return says(verdict, judge::Ending::timed_out, "more than 1 s") ? 17 : 1;
                },
                {1ull << 40, std::chrono::seconds(1)}) == 17);
}

TEST_CASE("one that was graded may take what it likes" * doctest::test_suite("limits")) {
  const auto slow = [](const judge::Verdict&) {
    for (const auto end = std::clock() + 3 * CLOCKS_PER_SEC / 2; std::clock() < end;) {
    }
    return 17;
  };
  CHECK(code_of(passed, slow, {1ull << 40, std::chrono::seconds(1)}) == 17);
}

TEST_CASE("a grader that crashes is seen to crash") {
  const int status = status_of(
      [] {
        std::signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
        return passed();
      },
      [](const judge::Verdict&) { return 1; });
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGSEGV);
}

TEST_CASE("one after the other is graded in its own right") {
  CHECK(code_of(
            [] {
              const auto& exercise = exercises(COURSE_SOURCE_DIR).front();
              const auto first = grade_bounded(exercise, {"a.cu", 1}, {}, passed);
              return grade_bounded(exercise, {"b.cu", 1}, {}, [&] { return first; });
            },
            [](const judge::Verdict& verdict) {
              return verdict.ending == judge::Ending::passed ? 17 : 1;
            }) == 17);
}

} // namespace course::lab
