#include "classroom/zip.hpp"

#ifdef COURSE_HAS_LIBARCHIVE
#include <archive.h>
#include <archive_entry.h>
#endif

#include <algorithm>
#include <memory>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;

#ifdef COURSE_HAS_LIBARCHIVE

using Reader = std::unique_ptr<archive, decltype(&archive_read_free)>;

std::string broken(archive* reader) {
  const char* why = archive_error_string(reader);
  return std::string("The zip file cannot be read") + (why ? std::string(": ") + why : "") +
         ". It may be cut off or encrypted: ask for it again.";
}

// Memory is bounded by what is asked for, whatever size the entry claims.
SourceFile read_entry(archive* reader, const std::string& path) {
  SourceFile file{path, std::string(kMostSource + 1, '\0'), ""};
  std::size_t size = 0;
  while (size < file.content.size()) {
    const auto read =
        archive_read_data(reader, file.content.data() + size, file.content.size() - size);
    if (read < 0) file.problem = "is damaged in the zip file";
    if (read <= 0) break;
    size += static_cast<std::size_t>(read);
  }
  if (size > kMostSource) file.problem = "is larger than 1 MB";
  file.content.resize(file.problem.empty() ? size : 0);
  file.content.shrink_to_fit();
  return file;
}

#endif

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  return text;
}

} // namespace

bool is_source(const fs::path& path) {
  for (const auto& part : path) {
    const auto name = part.string();
    if (name == "__MACOSX" || (name.starts_with(".") && name != "." && name != "..")) return false;
  }
  return lower(path.extension().string()) == ".cu";
}

#ifdef COURSE_HAS_LIBARCHIVE

std::variant<Sources, std::string> read_zip(const fs::path& file) {
  const Reader reader(archive_read_new(), archive_read_free);
  archive_read_support_format_zip(reader.get());
  constexpr std::size_t kBlock = 1 << 16;
  if (archive_read_open_filename(reader.get(), file.c_str(), kBlock) != ARCHIVE_OK)
    return broken(reader.get());
  Sources sources;
  for (std::size_t entries = 0;; ++entries) {
    archive_entry* entry = nullptr;
    const int result = archive_read_next_header(reader.get(), &entry);
    if (result == ARCHIVE_EOF) return sources;
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN) return broken(reader.get());
    if (entries == kMostEntries)
      return "The zip file has more than 20,000 entries. Ask for one with the .cu files only.";
    const char* path = archive_entry_pathname(entry);
    if (!path || archive_entry_filetype(entry) != AE_IFREG || !is_source(path)) continue;
    if (sources.files.size() == kMostSources)
      return "The zip file has more than 500 .cu files. Ask for one with the exercises only.";
    sources.files.push_back(read_entry(reader.get(), path));
    if (archive_entry_mtime_is_set(entry))
      sources.newest = std::max<std::int64_t>(sources.newest, archive_entry_mtime(entry));
  }
}

#else

std::variant<Sources, std::string> read_zip(const fs::path&) {
  return "This grader was built without libarchive, so it cannot read zip files: install "
         "libarchive-dev and build it again.";
}

#endif

} // namespace course::classroom
