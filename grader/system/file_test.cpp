#include "file.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace course::system {
namespace {

namespace fs = std::filesystem;
using Why = Unreadable::Why;

class Folder {
public:
  Folder() {
    char name[] = "/tmp/course-file-test-XXXXXX";
    path_ = mkdtemp(name);
  }
  ~Folder() { fs::remove_all(path_); }
  fs::path operator/(const char* name) const { return path_ / name; }
  int entries() const { return static_cast<int>(std::distance(fs::directory_iterator(path_), {})); }

private:
  fs::path path_;
};

Why why_not(const fs::path& path, std::uint64_t most = 100) {
  const auto read = read_file(path, most);
  REQUIRE(std::holds_alternative<Unreadable>(read));
  CHECK_FALSE(std::get<Unreadable>(read).text.empty());
  return std::get<Unreadable>(read).why;
}

} // namespace

TEST_CASE("what was written is read, and nothing else is left") {
  const Folder folder;
  const std::string text("a\0\xff\n", 4);
  write_file(folder / "a", "longer than the text that follows");
  write_file(folder / "a", text);
  CHECK(std::get<std::string>(read_file(folder / "a", 4)) == text);
  CHECK(folder.entries() == 1);
  struct stat status {};
  stat((folder / "a").c_str(), &status);
  CHECK((status.st_mode & 0777) == 0644);
}

TEST_CASE("a file of one's own is read whole, through a link or a pipe as well") {
  const Folder folder;
  const std::string text = std::string(100'000, 'a') + '\0';
  write_file(folder / "a", text);
  CHECK(content_of(folder / "a") == text);
  fs::create_symlink("a", folder / "link");
  CHECK(content_of(folder / "link") == text);
  mkfifo((folder / "pipe").c_str(), 0644);
  std::thread writer([&] { std::ofstream(folder / "pipe") << text; });
  CHECK(content_of(folder / "pipe") == text);
  writer.join();
  write_file(folder / "empty", "");
  CHECK(content_of(folder / "empty") == "");
}

TEST_CASE("what cannot be read has no content") {
  const Folder folder;
  CHECK_FALSE(content_of(folder / "missing"));
  fs::create_directory(folder / "folder");
  CHECK_FALSE(content_of(folder / "folder"));
  fs::create_symlink("link", folder / "link");
  CHECK_FALSE(content_of(folder / "link"));
}

TEST_CASE("a file that cannot be written is an exception and leaves nothing") {
  const Folder folder;
  CHECK_THROWS_AS(write_file(folder / "no/a", "text"), fs::filesystem_error);
  fs::create_directory(folder / "a");
  CHECK_THROWS_AS(write_file(folder / "a", "text"), fs::filesystem_error);
  CHECK(folder.entries() == 1);
}

TEST_CASE("what is no file of a reasonable size is refused, each for its reason") {
  const Folder folder;
  write_file(folder / "a", "12345");
  CHECK(why_not(folder / "missing") == Why::missing);
  CHECK(why_not(folder / "a", 4) == Why::too_large);
  fs::create_symlink("a", folder / "link");
  CHECK(why_not(folder / "link") == Why::link);
  mkfifo((folder / "pipe").c_str(), 0644); // reading it would wait for ever
  CHECK(why_not(folder / "pipe") == Why::not_a_file);
  fs::create_directory(folder / "folder");
  CHECK(why_not(folder / "folder") == Why::not_a_file);
  CHECK(why_not("/dev/zero") == Why::not_a_file);
  if (geteuid() != 0) {
    fs::permissions(folder / "a", fs::perms::none);
    CHECK(why_not(folder / "a") == Why::not_allowed);
  }
}

} // namespace course::system
