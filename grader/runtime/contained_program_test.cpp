// Programs that make no CUDA call, in the sandbox. With CUDA: cli/mcp/session_test.mjs.
#include "runtime/contained_program.hpp"

#include "device/emulator/emulator.hpp"
#include "sandbox/rung.hpp"

#include <doctest/doctest.h>

#include <csignal>

namespace course::runtime {
namespace {

using namespace std::chrono_literals;
using End = sandbox::Outcome::End;

// A limit that is not what the test is about comes late on any machine.
ContainedRun contained_shell(const std::string& script, std::chrono::milliseconds time = 1h) {
  const auto device = emulator::make_live();
  ContainedProgram program;
  program.file = "/bin/sh";
  program.arguments = {"-c", script};
  program.runtime = "/our/runtime";
  program.limits.output = 1000;
  program.deadline = std::chrono::steady_clock::now() + time;
  return run_contained(program, *device);
}

} // namespace

TEST_CASE("a contained program's exit code and words are its own") {
  const auto run = contained_shell("echo here; echo there >&2; exit 3");
  CHECK(run.live.end == LiveRun::End::exited);
  CHECK(run.live.code == 3);
  CHECK_FALSE(run.live.stopped);
  CHECK(run.live.calls == 0);
  CHECK(run.outcome.out == "here\n");
  CHECK(run.outcome.err == "there\n");
}

TEST_CASE("a contained program gets our runtime and nothing else of this environment") {
  CHECK(
      contained_shell("test \"$LD_LIBRARY_PATH\" = /our/runtime && test -z \"$HOME\"").live.code ==
      0);
}

TEST_CASE("a contained program reads no file of this course") {
  const std::string here = COURSE_SOURCE_DIR;
  CHECK(contained_shell("cat " + here + "/README.md").live.code != 0);
  CHECK(contained_shell("cat /etc/passwd").live.code != 0);
}

TEST_CASE("a contained program that goes on for ever is ended at its deadline") {
  const auto run = contained_shell("while :; do sleep 1; done", 300ms);
  CHECK(run.live.stopped);
  CHECK(run.too_late);
}

TEST_CASE("a contained program that prints without end is ended by that limit") {
  const auto run = contained_shell("while :; do echo again and again; done");
  CHECK(run.live.stopped);
  CHECK_FALSE(run.too_late);
  CHECK(run.outcome.end == End::output);
  CHECK(run.outcome.out.size() <= 1000);
}

TEST_CASE("words of a contained program that are no calls end it") {
  const auto run = contained_shell("printf 'these are no CUDA calls at all' >&3; sleep 60");
  CHECK(run.live.fault.find("protocol version") != std::string::npos);
}

} // namespace course::runtime
