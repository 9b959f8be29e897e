#include "system/published_file.hpp"

#include <doctest/doctest.h>

#include <array>
#include <csignal>
#include <random>
#include <set>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace course::system {
namespace {

struct PublishedFolder {
  std::filesystem::path path;
  PublishedFolder() {
    char name[] = "/tmp/course-published-file-test-XXXXXX";
    path = mkdtemp(name);
  }
  PublishedFolder(const PublishedFolder&) = delete; // two would remove one folder
  ~PublishedFolder() { std::filesystem::remove_all(path); }
};

// One letter, as often as only a whole file of that letter has it.
std::string content_in(char letter) {
  return std::string(100'000 + 1'000 * static_cast<std::size_t>(letter - 'a'), letter);
}

bool is_whole(const std::string& content) {
  return !content.empty() && content[0] >= 'a' && content[0] <= 'h' &&
         content == content_in(content[0]);
}

// Publishes one after the other until it is killed.
pid_t start_writer(const std::filesystem::path& file, char letter, Durable durable) {
  const pid_t writer = fork();
  if (writer != 0) return writer;
  for (char c = letter;; c = c == 'h' ? 'a' : static_cast<char>(c + 1))
    publish(file, content_in(c), durable);
}

} // namespace

TEST_CASE("a draft is not there until it is published, and leaves nothing when it is not") {
  const PublishedFolder folder;
  const auto file = folder.path / "new" / "grades.csv";
  {
    Draft draft(file);
    draft.write("half");
    CHECK_FALSE(content_of(file));
  }
  CHECK(std::filesystem::is_empty(file.parent_path()));
  Draft draft(file);
  draft.write("who");
  draft.write("le");
  draft.publish(Durable::yes);
  CHECK(content_of(file) == "whole");
}

TEST_CASE("a file that cannot be written stays as it was") {
  const PublishedFolder folder;
  publish(folder.path / "file", "old");
  CHECK_THROWS_AS(publish(folder.path / "file" / "below", "new"),
                  std::filesystem::filesystem_error);
  CHECK(content_of(folder.path / "file") == "old");
}

TEST_CASE("two writers of one file, killed at random 500 times, always leave a whole one") {
  const PublishedFolder folder;
  const auto file = folder.path / "verdict.json";
  publish(file, content_in('a'));
  std::mt19937 random(1729);
  std::set<std::string> seen;
  std::size_t cut = 0; // drafts that a kill left: it came in the middle of writing
  for (int round = 0; round < 500; ++round) {
    const char letter = static_cast<char>('a' + round % 8);
    const std::array writers = {start_writer(file, letter, Durable::no),
                                start_writer(file, 'h', Durable::yes)};
    usleep(random() % 2000);
    for (const pid_t writer : writers) {
      kill(writer, SIGKILL);
      int status = 0;
      waitpid(writer, &status, 0);
      CHECK(WIFSIGNALED(status)); // it did not fail
    }
    const auto content = content_of(file);
    REQUIRE(content);
    REQUIRE(is_whole(*content));
    seen.insert(*content);
    for (const auto& entry : std::filesystem::directory_iterator(folder.path)) {
      if (entry.path() == file) continue;
      ++cut;
      std::filesystem::remove(entry.path());
    }
  }
  CHECK(seen.size() > 3);
  CHECK(cut > 50);
}

} // namespace course::system
