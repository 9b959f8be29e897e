#include "serve/children.hpp"

#include "system/environment.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <poll.h>
#include <string>

namespace {

using course::serve::Children;
using Ended = Children::Ended;

Children::Id run(Children& children, const std::string& script, std::optional<Ended>& ended,
                 std::chrono::seconds limit = std::chrono::seconds(600)) {
  return children.start({"sh", "-c", script}, "/bin/sh", course::system::environment_with({}),
                        limit, [&](const Ended& end) { ended = end; });
}

void wait(Children& children, const std::optional<Ended>& ended) {
  while (!ended) {
    std::vector<pollfd> ready;
    children.add_descriptors(ready);
    poll(ready.data(), ready.size(), 10);
    children.work();
  }
}

} // namespace

TEST_CASE("what a program says, on both streams, and how it ended") {
  Children children;
  std::optional<Ended> ended;
  CHECK(run(children, "echo one; echo two >&2; exit 3", ended) != 0);
  wait(children, ended);
  CHECK(ended->code == 3);
  CHECK(ended->text == "one\ntwo\n");
  CHECK_FALSE(ended->stopped);
  CHECK(children.count() == 0);
}

TEST_CASE("a program that is stopped is told to end") {
  Children children;
  std::optional<Ended> ended;
  const auto id =
      run(children,
          "trap 'echo told; exit 9' TERM; echo ready; while :; do sleep 1 & wait $!; done", ended);
  REQUIRE(id != 0);
  children.stop(id);
  wait(children, ended);
  CHECK(ended->stopped);
}

TEST_CASE("a program that takes too long is told to end") {
  Children children;
  std::optional<Ended> ended;
  run(children, "while :; do :; done", ended, std::chrono::seconds(0));
  wait(children, ended);
  CHECK(ended->too_long);
  CHECK(ended->code == 128 + 15);
}

TEST_CASE("words without end are cut, and the program comes to its end") {
  Children children;
  std::optional<Ended> ended;
  run(children, "head -c 3000000 /dev/zero | tr '\\0' x", ended);
  wait(children, ended);
  CHECK(ended->code == 0);
  CHECK(ended->text.size() == Children::kMostWords);
}

TEST_CASE("what follows may start another") {
  Children children;
  std::optional<Ended> second;
  children.start({"true"}, "/bin/true", {}, std::chrono::seconds(600),
                 [&](const Ended&) { run(children, "exit 4", second); });
  wait(children, second);
  CHECK(second->code == 4);
}

TEST_CASE("a program that is not there ends with 127") {
  Children children;
  std::optional<Ended> ended;
  children.start({"nothing"}, "/nowhere/nothing", {}, std::chrono::seconds(600),
                 [&](const Ended& end) { ended = end; });
  wait(children, ended);
  CHECK(ended->code == 127);
}
