#include "system/file_lock.hpp"

#include "system/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <fstream>
#include <optional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace course::system {
namespace {

using Busy = FileLock::Busy;

bool is_free(const std::filesystem::path& file) {
  return FileLock(file, Busy::give_up).held();
}

} // namespace

TEST_CASE("a file is held by one at a time, and free again at the end") {
  const TemporaryFolder folder("of-a-test");
  const auto file = folder.path() / "locks" / "a";
  {
    const FileLock lock(file);
    CHECK(lock.held());
    CHECK_FALSE(is_free(file));
    CHECK(is_free(folder.path() / "locks" / "b"));
  }
  CHECK(is_free(file));
}

TEST_CASE("who waits has it as soon as it is free") {
  const TemporaryFolder folder("of-a-test");
  const auto file = folder.path() / "a";
  std::optional<FileLock> first(file);
  bool held = false;
  std::thread second([&] { held = FileLock(file).held(); });
  first.reset();
  second.join();
  CHECK(held);
}

TEST_CASE("a process that is killed holds nothing") {
  const TemporaryFolder folder("of-a-test");
  const auto file = folder.path() / "a";
  int ready[2];
  REQUIRE(pipe(ready) == 0);
  const pid_t holder = fork();
  if (holder == 0) {
    const FileLock lock(file);
    char held = lock.held() ? 1 : 0;
    if (write(ready[1], &held, 1) != 1) _exit(1);
    for (;;) pause();
  }
  char held = 0;
  CHECK(read(ready[0], &held, 1) == 1);
  CHECK(held == 1);
  CHECK_FALSE(is_free(file));
  kill(holder, SIGKILL);
  waitpid(holder, nullptr, 0);
  CHECK(is_free(file));
  close(ready[0]);
  close(ready[1]);
}

TEST_CASE("a file that cannot be made is not held") {
  const TemporaryFolder folder("of-a-test");
  CHECK_FALSE(FileLock(folder.path()).held()); // a folder
  std::ofstream(folder.path() / "file") << "text";
  CHECK_THROWS_AS(FileLock(folder.path() / "file" / "a"), std::filesystem::filesystem_error);
}

} // namespace course::system
