#include "watch.hpp"

#include <doctest/doctest.h>

#include <csignal>

namespace course::sandbox {
namespace {

using End = Outcome::End;

End end_by(int signal, std::int64_t cpu_microseconds = 0, const std::string& err = "") {
  Limits limits;
  limits.cpu = std::chrono::seconds(5);
  int code = 0;
  const End end = end_of({Report::Kind::ended, {}, signal, cpu_microseconds}, limits, err, code);
  CHECK(code == signal);
  return end;
}

} // namespace

TEST_CASE("a kill is the processor limit's when the time was used up, else somebody's") {
  CHECK(end_by(SIGKILL, 5'900'000) == End::cpu_time);
  CHECK(end_by(SIGKILL, 4'900'000) == End::signalled);
  CHECK(end_by(SIGSEGV, 5'900'000) == End::signalled);
}

TEST_CASE("an abort is memory's only when an allocation was refused") {
  CHECK(end_by(SIGABRT, 0, "terminate called … 'std::bad_alloc'") == End::memory);
  CHECK(end_by(SIGABRT, 0, "assertion failed") == End::signalled);
  CHECK(end_by(SIGSEGV, 0, "std::bad_alloc") == End::signalled);
}

TEST_CASE("the kernel's signals for its limits are told as the limits") {
  CHECK(end_by(SIGXCPU) == End::cpu_time);
  CHECK(end_by(SIGXFSZ) == End::file_size);
}

TEST_CASE("an exit code is read from the wait status") {
  int code = 0;
  CHECK(end_of({Report::Kind::ended, {}, 3 << 8, 0}, {}, "std::bad_alloc", code) == End::exited);
  CHECK(code == 3);
}

} // namespace course::sandbox
