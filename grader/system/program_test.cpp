#include "system/program.hpp"

#include "system/fork.hpp"
#include "system/stream.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace course::system;

namespace {

int code_of(pid_t process) {
  const int status = await(process);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

} // namespace

TEST_CASE("a program's output is what it printed, and nothing where it fails") {
  CHECK(output_of({"sh", "-c", "echo one; echo two >&2"}) == "one\n");
  CHECK(output_of({"sh", "-c", "echo one; exit 3"}) == std::nullopt);
  CHECK(output_of({"no-such-program-of-the-course"}) == std::nullopt);
  CHECK(output_of({"sh", "-c", "cat"}) == "");
  CHECK(output_of({"head", "-c", "17000000", "/dev/zero"}) == std::nullopt);
}

TEST_CASE("a program has the environment and the descriptors that it is given") {
  auto pipe = make_pipe();
  REQUIRE(pipe);
  Program program;
  program.words = {"/bin/sh", "-c", "echo $WHO >&7; [ -z \"$HOME\" ]"};
  program.environment = {"WHO=me"};
  program.descriptors = {{7, pipe->write.get()}};
  for (const bool with_parent : {false, true}) {
    CHECK(code_of(with_parent ? start_with_parent(program, SIGKILL) : start(program)) == 0);
    char text[8] = {};
    CHECK(read(pipe->read.get(), text, sizeof text) == 3);
    CHECK(std::string(text) == "me\n");
  }
}

TEST_CASE(
    "a program that is apart has a session of its own and no descriptor that it is not given") {
  auto pipe = make_pipe();
  REQUIRE(pipe);
  const int inherited = dup(pipe->read.get()); // not closed by exec
  Program program;
  program.words = {"/bin/sh", "-c",
                   "[ ! -e /proc/self/fd/" + std::to_string(inherited) +
                       " ] && [ \"$(ps -o sid= -p $$ | tr -d ' ')\" = $$ ]"};
  program.descriptors = {{STDIN_FILENO}};
  program.apart = true;
  CHECK(code_of(start(program)) == 0);
  program.apart = false;
  CHECK(code_of(start(program)) == 1);
  close(inherited);
}

TEST_CASE("a program that is not there is an error at once, or exit code 127 of its process") {
  const Program program{{"/no/such/program"}};
  CHECK(start(program) == -1);
  CHECK(errno == ENOENT);
  CHECK(code_of(start_with_parent(program, SIGKILL)) == 127);
}

TEST_CASE("a program with a parent ends when its parent does") {
  auto pipe = make_pipe();
  REQUIRE(pipe);
  const pid_t parent = fork_child(0);
  if (parent == 0) {
    Program program{{"sleep", "60"}};
    program.descriptors = {{STDOUT_FILENO, pipe->write.get()}};
    start_with_parent(program, SIGKILL);
    _exit(0);
  }
  pipe->write.reset();
  await(parent);
  CHECK(read_all(pipe->read.get(), 10) == ""); // ends when nobody can write any more
}
