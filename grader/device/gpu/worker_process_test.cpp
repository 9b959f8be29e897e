#include "device/gpu/worker_process.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace course::gpu {
namespace {

using namespace std::chrono_literals;

// A program in the worker's place.
class Script {
public:
  explicit Script(const std::string& text) {
    path_ = std::filesystem::temp_directory_path() /
            ("course_worker_" + std::to_string(getpid()) + "_" + std::to_string(count_++));
    std::ofstream(path_) << "#!/bin/sh\n" << text << '\n';
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
  }
  ~Script() { std::filesystem::remove(path_); }

  // Long: what answers, or ends, does so before, on however busy a machine.
  WorkerFailure failure(std::chrono::milliseconds limit = 10min) const {
    auto started = WorkerProcess::start(path_);
    REQUIRE(std::holds_alternative<WorkerProcess>(started));
    auto answer = std::get<WorkerProcess>(started).ask(Describe{}, limit);
    REQUIRE(std::holds_alternative<WorkerFailure>(answer));
    return std::get<WorkerFailure>(answer);
  }
  const std::filesystem::path& path() const { return path_; }

private:
  static inline int count_ = 0;
  std::filesystem::path path_;
};

} // namespace

TEST_CASE("a worker that is not there is named") {
  auto started = WorkerProcess::start("/no/such/worker");
  REQUIRE(std::holds_alternative<WorkerFailure>(started));
  const auto& failure = std::get<WorkerFailure>(started);
  CHECK(failure.kind == WorkerFailure::Kind::not_started);
  CHECK(failure.reason.find("/no/such/worker") != std::string::npos);
}

TEST_CASE("a worker that leaves says with what code, and its first words") {
  const auto failure = Script("echo 'no luck today' >&2; exit 3").failure();
  CHECK(failure.kind == WorkerFailure::Kind::ended);
  CHECK(failure.reason == "the GPU worker ended with exit code 3: no luck today");
}

TEST_CASE("a worker that crashes says by what signal") {
  const auto failure = Script("kill -SEGV $$").failure();
  CHECK(failure.kind == WorkerFailure::Kind::ended);
  CHECK(failure.reason == "the GPU worker ended by signal Segmentation fault");
}

TEST_CASE("a worker that does not answer is ended") {
  const auto failure = Script("exec sleep 3600").failure(200ms); // and is not waited for
  CHECK(failure.kind == WorkerFailure::Kind::late);
}

TEST_CASE("a worker that speaks another language is ended") {
  const auto failure = Script("printf 'hello, hello, hello' >&3; exec sleep 60").failure();
  CHECK(failure.kind == WorkerFailure::Kind::malformed);
}

TEST_CASE("a worker sees no descriptor and no variable of the grader's") {
  setenv("COURSE_SECRET", "1", 1);
  const Script script(
      "test -z \"$COURSE_SECRET\" && ! test -e /proc/self/fd/4 && exit 41; exit 42");
  const int extra = dup(1);
  const auto failure = script.failure();
  close(extra);
  CHECK(failure.reason == "the GPU worker ended with exit code 41");
}

TEST_CASE("what a worker prints is kept, up to the cap") {
  const Script script("printf 'one two'; exec sleep 60");
  auto started = WorkerProcess::start(script.path());
  REQUIRE(std::holds_alternative<WorkerProcess>(started));
  auto& worker = std::get<WorkerProcess>(started);
  while (worker.printed().size() < 7) usleep(10'000);
  CHECK(worker.printed() == "one two");
  CHECK(worker.printed(3) == "one");
}

} // namespace course::gpu
