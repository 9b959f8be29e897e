// Programs that make no CUDA call: what is theirs passes through. With CUDA: cli/run_test.cpp.
#include "runtime/live_program.hpp"

#include "device/emulator/emulator.hpp"

#include <doctest/doctest.h>

#include <csignal>

namespace course::runtime {
namespace {

LiveRun shell(const std::string& script, std::vector<std::string> environment = {}) {
  const auto device = emulator::make_live();
  return run_live({"/bin/sh", {"sh", "-c", script}, std::move(environment), "/our/runtime"},
                  *device);
}

} // namespace

TEST_CASE("the exit code is the program's, and so is the signal that ends it") {
  auto run = shell("exit 3");
  CHECK(run.end == LiveRun::End::exited);
  CHECK(run.code == 3);
  CHECK(run.calls == 0);
  run = shell("kill -TERM $$");
  CHECK(run.end == LiveRun::End::signalled);
  CHECK(run.code == SIGTERM);
}

TEST_CASE("the runtime comes before the program's own search path, and the rest stays") {
  CHECK(shell("test \"$LD_LIBRARY_PATH\" = /our/runtime:/mine", {"LD_LIBRARY_PATH=/mine"}).code ==
        0);
  CHECK(shell("test \"$LD_LIBRARY_PATH\" = /our/runtime").code == 0);
  CHECK(shell("test \"$A\" = b", {"A=b"}).code == 0);
}

TEST_CASE("a process that stays behind with the connection does not hold up the end") {
  const auto run = shell("sleep 3 >&- 2>&- & exit 5");
  CHECK(run.code == 5);
}

TEST_CASE("words that are no calls end the connection, not the program") {
  const auto run = shell("printf 'these are no CUDA calls at all' >&3; exit 6");
  CHECK(run.code == 6);
  CHECK(run.fault.find("protocol version") != std::string::npos);
}

TEST_CASE("a file that cannot be started is no run") {
  const auto device = emulator::make_live();
  const auto run = run_live({"/no/such/program", {"program"}, {}, "/our/runtime"}, *device);
  CHECK(run.end == LiveRun::End::not_started);
  CHECK(run.reason == "No such file or directory");
}

} // namespace course::runtime
