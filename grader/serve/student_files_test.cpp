#include "serve/student_files.hpp"

#include "serve/http_request.hpp"
#include "system/file.hpp"
#include "system/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

namespace {

namespace fs = std::filesystem;
using namespace course;
using serve::NoText;
using serve::StudentFiles;
using serve::Text;

constexpr const char* kFirst = "01_lab/1_first";

struct Folder {
  system::TemporaryFolder folder{"course_student_files"};
  fs::path root = folder.path();
  fs::path file = root / "labs" / "01_lab" / "1_first.cu";
  StudentFiles files{root};

  Folder() {
    fs::create_directories(file.parent_path());
    system::write_file(file, "one\n");
  }
  std::string version() { return std::get<Text>(files.read(kFirst)).version; }
};

} // namespace

TEST_CASE("a text is saved on the version that it was made of") {
  Folder folder;
  const auto saved = folder.files.save(kFirst, "two\n", folder.version());
  CHECK(std::get<Text>(saved).text == "two\n");
  CHECK(system::content_of(folder.file) == "two\n");
  CHECK(folder.version() == std::get<Text>(saved).version);
}

TEST_CASE("what another editor saved meanwhile is not written over, and is handed out") {
  Folder folder;
  const auto base = folder.version();
  system::write_file(folder.file, "from outside\n");
  const auto saved = folder.files.save(kFirst, "two\n", base);
  CHECK(std::get<Text>(saved).text == "from outside\n");
  CHECK(system::content_of(folder.file) == "from outside\n");
}

TEST_CASE("the same text from both sides is no difference") {
  Folder folder;
  const auto base = folder.version();
  system::write_file(folder.file, "two\n");
  CHECK(std::get<Text>(folder.files.save(kFirst, "two\n", base)).text == "two\n");
}

TEST_CASE("a version is seen to change, and is not read again where stat says the same") {
  Folder folder;
  const auto before = folder.files.version(kFirst);
  CHECK(before == folder.version());
  CHECK(folder.files.version(kFirst) == before);
  system::write_file(folder.file, "two\n");
  CHECK(folder.files.version(kFirst) == serve::version_of("two\n"));
  fs::remove(folder.file);
  CHECK(folder.files.version(kFirst).empty());
}

TEST_CASE("a file that was removed is written again, from the page that has its text") {
  Folder folder;
  fs::remove(folder.file);
  CHECK(std::get<NoText>(folder.files.read(kFirst)) == NoText::missing);
  CHECK(std::get<Text>(folder.files.save(kFirst, "two\n", "")).text == "two\n");
  CHECK(system::content_of(folder.file) == "two\n");
}

TEST_CASE("a link is neither read nor written, at the end of the way or on it") {
  Folder folder;
  const auto secret = folder.root / "secret";
  system::write_file(secret, "not yours\n");
  fs::remove(folder.file);
  fs::create_symlink(secret, folder.file);
  CHECK(std::get<NoText>(folder.files.read(kFirst)) == NoText::not_plain);
  CHECK(std::get<NoText>(folder.files.save(kFirst, "x", "")) == NoText::not_plain);
  CHECK(system::content_of(secret) == "not yours\n");

  const auto elsewhere = folder.root / "elsewhere";
  fs::create_directories(elsewhere);
  system::write_file(elsewhere / "1_first.cu", "not yours\n");
  fs::remove_all(folder.file.parent_path());
  fs::create_directory_symlink(elsewhere, folder.file.parent_path());
  CHECK(std::get<NoText>(folder.files.read(kFirst)) == NoText::not_plain);
  CHECK(std::get<NoText>(folder.files.save(kFirst, "x", "")) == NoText::not_plain);
  CHECK(system::content_of(elsewhere / "1_first.cu") == "not yours\n");
}

TEST_CASE("a link that leads nowhere is not written through") {
  Folder folder;
  fs::remove(folder.file);
  fs::create_symlink(folder.root / "to be made", folder.file);
  CHECK(std::holds_alternative<NoText>(folder.files.save(kFirst, "x", "")));
  CHECK_FALSE(fs::exists(folder.root / "to be made"));
}

TEST_CASE("what is no text, or too much of it, is not shown") {
  Folder folder;
  system::write_file(folder.file, "\xff\xfe");
  CHECK(std::get<NoText>(folder.files.read(kFirst)) == NoText::not_text);
  system::write_file(folder.file, std::string("a\0b", 3));
  CHECK(std::get<NoText>(folder.files.read(kFirst)) == NoText::not_text);
  system::write_file(folder.file, std::string(serve::kMostText + 1, 'x'));
  CHECK(std::get<NoText>(folder.files.read(kFirst)) == NoText::too_large);
}

TEST_CASE("texts that are given up are kept, each under a name of its own") {
  Folder folder;
  const auto one = folder.files.keep(kFirst, "one\n").value(),
             two = folder.files.keep(kFirst, "two\n").value();
  CHECK(one != two);
  CHECK(system::content_of(folder.root / one) == "one\n");
  CHECK(system::content_of(folder.root / two) == "two\n");
}
