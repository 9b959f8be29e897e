#include "system/in_child.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <stdexcept>
#include <unistd.h>

namespace course::system {

using namespace std::chrono_literals;

TEST_CASE("work that comes to its end says nothing") {
  CHECK(in_child([] {}, 10s) == "");
}

TEST_CASE("a crash, an error, an early end and a loop are told apart, and the caller lives") {
  CHECK(in_child([] { std::raise(SIGSEGV); }, 10s).find("signal 11") != std::string::npos);
  CHECK(in_child([] { throw std::runtime_error("no GPU"); }, 10s) == "no GPU");
  CHECK(in_child([] { throw 1; }, 10s) == "ended early");
  CHECK(in_child([] { _exit(3); }, 10s) == "ended early");
  CHECK(in_child(
            [] {
              for (;;) pause();
            },
            1s) == "took longer than 1 s");
}

} // namespace course::system
