#include "scope.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

namespace course::sandbox {
namespace {

TEST_CASE("a scope bounds the sum of memory and processes, and has no swap") {
  Limits limits;
  limits.memory = 1ull << 30;
  limits.processes = 64;
  const auto words = scope_words(limits);
  const auto has = [&](const char* word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  CHECK(has("--user"));
  CHECK(has("--scope"));
  CHECK(has("--property=MemoryMax=1140850688"));
  CHECK(has("--property=MemorySwapMax=0"));
  CHECK(has("--property=TasksMax=72"));
  CHECK(words.back() == "--"); // the program's own options are not systemd-run's
}

TEST_CASE("systemd-run is told where the manager is, and nothing else of the environment") {
  setenv("COURSE_TEST_SECRET", "secret", 1);
  for (const auto& word : scope_environment())
    CHECK((word.starts_with("XDG_RUNTIME_DIR=") || word.starts_with("DBUS_SESSION_BUS_ADDRESS=")));
  unsetenv("COURSE_TEST_SECRET");
}

TEST_CASE("where there are scopes, a program in one is contained as without" *
          doctest::test_suite("needs scopes")) {
  if (!scopes_work()) {
    MESSAGE("skipped: this user has no service manager");
    return;
  }
  CHECK(rung().find("scope") != std::string::npos);
}

} // namespace
} // namespace course::sandbox
