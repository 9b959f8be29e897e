// The .cu files in an archive of a student (zip, tar in any of its packings, 7z, rar), by
// libarchive, without writing any of them to disk.
//
// An archive is hostile: its paths are words to look at, never places to write to; links and
// devices in it are skipped; and what it unpacks to is bounded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace course::classroom {

struct SourceFile {
  std::string path;       // in the submission, as bytes
  std::string content;    // of a .cu file; empty when `problem` is not
  std::string problem;    // why it cannot be used: "mine/2_pad.cu is larger than 1 MB"
  std::int64_t time = 0;  // seconds since 1970, by `clock`; 0: not known
  std::string clock = {}; // which clock that is, for tables: "date of the file"
  std::string item = {};  // Place::Part::item that it is in; empty: the place has no parts
};

struct Sources {
  std::vector<SourceFile> files;    // .cu files, in the submission's order
  std::vector<std::string> ignored; // what looks like work and is not read as such, and why
};

inline constexpr std::uint64_t kMostSource = 1 << 20;   // bytes of a .cu file
inline constexpr std::uint64_t kMostUnpacked = 1 << 30; // bytes of an archive that are looked at
inline constexpr std::size_t kMostEntries = 20'000;     // of an archive, or files of a folder
inline constexpr std::size_t kMostSources = 500;        // .cu files of a student
inline constexpr std::size_t kMostIgnored = 20;         // that are named

// What a path is taken for.
enum class Kind {
  source,    // a .cu file
  archive,   // by its name: .zip, .tar.gz, .7z, .rar and their like
  like_work, // a .cu file in a hidden folder, 1_tile.cu.txt, a header, a notebook, a text:
             // why_ignored() says what
  other      // nobody's concern: README.md, what an archiver adds
};
Kind kind_of(const std::filesystem::path& path);
// "mine/1_tile.cu.txt does not end in .cu", for a path that is shown as `name`.
std::string why_ignored(const std::filesystem::path& path, const std::string& name);

// The name without what makes it an archive's: "anna" of "anna.tar.gz".
std::string without_archive_suffix(const std::string& name);

// A sentence when it cannot be read as a whole. Paths are below `within`, if that is given.
std::variant<Sources, std::string> read_archive(const std::filesystem::path& file,
                                                const std::filesystem::path& within = {});

} // namespace course::classroom
