#include "classroom/archive.hpp"

#include "classroom/clock.hpp"
#include "classroom/hand_made_folder.hpp"

#include <doctest/doctest.h>

#ifdef COURSE_HAS_LIBARCHIVE
#include <archive.h>
#include <archive_entry.h>

#include <memory>
#include <utility>

namespace course::classroom {
namespace {

using Members = std::vector<std::pair<std::string, std::string>>; // path, content

std::filesystem::path zip(const hand_made::Folder& folder, const Members& members,
                          const std::string& link = "") {
  const auto file = folder.path / "anna.zip";
  const std::unique_ptr<archive, decltype(&archive_write_free)> writer(archive_write_new(),
                                                                       archive_write_free);
  archive_write_set_format_zip(writer.get());
  archive_write_open_filename(writer.get(), file.c_str());
  const auto add = [&](const std::string& path, unsigned type, const std::string& content) {
    const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(),
                                                                              archive_entry_free);
    archive_entry_set_pathname(entry.get(), path.c_str());
    archive_entry_set_filetype(entry.get(), type);
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_mtime(entry.get(), 1'700'000'000, 0);
    archive_entry_set_size(entry.get(), static_cast<std::int64_t>(content.size()));
    if (type == AE_IFLNK) archive_entry_set_symlink(entry.get(), "/etc/passwd");
    archive_write_header(writer.get(), entry.get());
    if (type == AE_IFREG) archive_write_data(writer.get(), content.data(), content.size());
  };
  for (const auto& [path, content] : members) add(path, AE_IFREG, content);
  if (!link.empty()) add(link, AE_IFLNK, "");
  archive_write_close(writer.get());
  return file;
}

Sources sources(const std::filesystem::path& file) {
  auto read = read_archive(file);
  if (const auto* what = std::get_if<std::string>(&read)) FAIL(*what);
  return std::get<Sources>(std::move(read));
}

} // namespace

namespace {

// A zip file with one empty file in it, and the local time of DOS alone: 2026-11-20 23:30:00.
std::string old_zip() {
  const auto number = [](unsigned value, int bytes) {
    std::string text;
    for (; bytes > 0; --bytes, value >>= 8) text += static_cast<char>(value & 0xff);
    return text;
  };
  const std::string name = "2_pad.cu";
  const auto when = number(23 << 11 | 30 << 5, 2) + number((2026 - 1980) << 9 | 11 << 5 | 20, 2);
  const auto entry =
      number(20, 2) + number(0, 4) + when + number(0, 12) + number(8, 2) + number(0, 2);
  const auto local = "PK\3\4" + entry + name;
  const auto central = "PK\1\2" + number(20, 2) + entry + number(0, 14) + name;
  return local + central + "PK\5\6" + number(0, 4) + number(1, 2) + number(1, 2) +
         number(static_cast<unsigned>(central.size()), 4) +
         number(static_cast<unsigned>(local.size()), 4) + number(0, 2);
}

} // namespace

TEST_CASE("a zip file's local time is one of the zone that is said") {
  const hand_made::Folder folder;
  const auto file = folder.write("anna.zip", old_zip());
  for (const auto& [zone, when] : {std::pair("Europe/Berlin", "2026-11-20T23:30:00+01:00"),
                                   std::pair("Asia/Shanghai", "2026-11-20T23:30:00+08:00")}) {
    const InZone in(zone);
    const auto read = sources(file);
    REQUIRE(read.files.size() == 1);
    CHECK(read.files[0].time == time_of(when));
    CHECK(read.files[0].clock == "date in the archive");
  }
}

TEST_CASE("the .cu files of a zip file are read, and nothing else of it") {
  const hand_made::Folder folder;
  const auto read = sources(zip(folder, {{"mine/2_pad.cu", "one"},
                                         {"mine/notes.txt", "no"},
                                         {"__MACOSX/mine/._2_pad.cu", "no"},
                                         {".git/2_pad.cu", "no"},
                                         {"mine/3_ROWS.CU", "two"}}));
  REQUIRE(read.files.size() == 2);
  CHECK(read.files[0].path == "mine/2_pad.cu");
  CHECK(read.files[0].content == "one");
  CHECK(read.files[1].content == "two");
  CHECK(read.files[0].time == doctest::Approx(1'700'000'000).epsilon(1e-4)); // zip: local time
  CHECK(read.files[0].clock == "date in the archive");
}

TEST_CASE("a .rar of version 5 is read, by its bytes") {
  // mine/2_pad.cu, stored, of 2023-11-14T22:13:20Z; libarchive writes no .rar.
  const std::string hex =
      "526172211a070100c51a333203010000ef9961d0200202190619a4830200f15365ee93e21600010d"
      "6d696e652f325f7061642e63752f2f2030355f7472616e73706f73652f325f7061643a20740a"
      "19b23a3503050000";
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  const hand_made::Folder folder;
  const auto read = sources(folder.write("anna.rar", bytes));
  REQUIRE(read.files.size() == 1);
  CHECK(read.files[0].path == "mine/2_pad.cu");
  CHECK(read.files[0].content == "// 05_transpose/2_pad: t\n");
  CHECK(read.files[0].time == 1'700'000'000);
  CHECK(std::holds_alternative<std::string>(
      read_archive(folder.write("cut.rar", bytes.substr(0, 60)))));
}

TEST_CASE("files of other kinds that may be somebody's work are named, and no tool's") {
  for (const char* name : {"2_pad.cpp", "answers.txt", "work.ipynb", "report.pdf", "2_pad.h"}) {
    CHECK(kind_of(name) == Kind::like_work);
    CHECK(why_ignored(name, "it") == "it does not end in .cu");
  }
  for (const char* name : {"README.md", ".vscode/settings.json", ".x.cpp", "Makefile", "a.o"})
    CHECK(kind_of(name) == Kind::other);
}

TEST_CASE("a path that leads elsewhere is a word, and nothing is written anywhere") {
  const hand_made::Folder folder;
  const auto read = sources(zip(folder, {{"../../outside.cu", "text"}, {"/etc/2_pad.cu", "text"}}));
  CHECK(read.files.size() == 2);
  CHECK_FALSE(std::filesystem::exists(folder.path / "../../outside.cu"));
  CHECK_FALSE(std::filesystem::exists("/etc/2_pad.cu"));
}

TEST_CASE("a link in a zip file is not followed") {
  const hand_made::Folder folder;
  CHECK(sources(zip(folder, {}, "2_pad.cu")).files.empty());
}

TEST_CASE("a file that unpacks to too much is refused, and its memory is bounded") {
  const hand_made::Folder folder;
  const auto read = sources(zip(folder, {{"2_pad.cu", std::string(8 << 20, 'x')}, {"a.cu", "y"}}));
  REQUIRE(read.files.size() == 2);
  CHECK(read.files[0].problem == "2_pad.cu is larger than 1 MB");
  CHECK(read.files[0].content.empty());
  CHECK(read.files[1].content == "y");
}

TEST_CASE("a zip file of too many files is refused whole") {
  const hand_made::Folder folder;
  Members members;
  for (std::size_t i = 0; i <= kMostSources; ++i)
    members.emplace_back(std::to_string(i) + ".cu", "");
  CHECK(std::holds_alternative<std::string>(read_archive(zip(folder, members))));
}

TEST_CASE("damaged zip files are a sentence, wherever they are cut or changed") {
  const hand_made::Folder folder;
  const auto whole =
      *system::content_of(zip(folder, {{"2_pad.cu", "some text to pack"}, {"b.cu", "more"}}));
  CHECK(std::holds_alternative<std::string>(read_archive(folder.write("no.zip", "PK\3\4"))));
  CHECK(std::holds_alternative<std::string>(read_archive(folder.write("no.zip", ""))));
  CHECK(std::holds_alternative<std::string>(read_archive(folder.path / "not_there.zip")));
  for (std::size_t size = 0; size < whole.size(); size += 7)
    read_archive(folder.write("cut.zip", whole.substr(0, size))); // whatever it says, it returns
  for (std::size_t at = 0; at < whole.size(); ++at) {
    auto changed = whole;
    changed[at] = static_cast<char>(~changed[at]);
    read_archive(folder.write("changed.zip", changed));
  }
}

} // namespace course::classroom
#endif
