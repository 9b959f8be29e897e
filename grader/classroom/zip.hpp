// The .cu files in a zip file of a student, by libarchive, without writing any of them to disk.
//
// A zip file is hostile: its paths are words to look at, never places to write to; links and
// devices in it are skipped; and what it unpacks to is bounded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace course::classroom {

struct SourceFile {
  std::string path;    // in the submission, as bytes
  std::string content; // of a .cu file; empty when `problem` is not
  std::string problem; // why it cannot be used: "is larger than 1 MB"
};

struct Sources {
  std::vector<SourceFile> files; // .cu files, in the submission's order
  std::int64_t newest = 0;       // seconds since 1970; the newest of them; 0: not known
};

inline constexpr std::uint64_t kMostSource = 1 << 20; // bytes of a .cu file
inline constexpr std::size_t kMostEntries = 20'000;   // of a zip file, or files of a folder
inline constexpr std::size_t kMostSources = 500;      // .cu files of a student

// Whether a path is one to grade: a .cu file, not hidden, not what an archiver adds.
bool is_source(const std::filesystem::path& path);

// A sentence when it cannot be read as a whole.
std::variant<Sources, std::string> read_zip(const std::filesystem::path& file);

} // namespace course::classroom
