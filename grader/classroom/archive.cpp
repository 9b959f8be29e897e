#include "classroom/archive.hpp"

#include "language/translate.hpp"
#include "report/words/numbers.hpp"

#ifdef COURSE_HAS_LIBARCHIVE
#include <archive.h>
#include <archive_entry.h>
#endif

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <set>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  return text;
}

// Longer ones first.
constexpr std::array kArchives{".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst", ".tgz", ".tbz2",
                               ".txz",    ".tar",     ".zip",    ".7z",      ".rar"};

const char* archive_suffix(const std::string& name) {
  const auto plain = lower_case(name);
  for (const char* suffix : kArchives)
    if (plain.size() > std::string_view(suffix).size() && plain.ends_with(suffix)) return suffix;
  return nullptr;
}

bool is_hidden(const std::string& part) {
  return part.starts_with(".") && part != "." && part != "..";
}

// Whether an archiver or a version control system put it there, not the student.
bool is_of_tools(const fs::path& path) {
  for (const auto& part : path)
    if (part == "__MACOSX" || part == ".git" || part.string().starts_with("._")) return true;
  return false;
}

} // namespace

Kind kind_of(const fs::path& path) {
  if (is_of_tools(path)) return Kind::other;
  const auto name = lower_case(path.filename().string());
  const bool hidden = std::any_of(path.begin(), path.end(),
                                  [](const fs::path& part) { return is_hidden(part.string()); });
  if (name.ends_with(".cu")) return hidden ? Kind::like_work : Kind::source;
  if (archive_suffix(name)) return hidden ? Kind::other : Kind::archive;
  if (hidden) return Kind::other;
  for (const char* part : {".cu.", ".cu~", ".cuh"})
    if (name.find(part) != name.npos) return Kind::like_work;
  static const std::set<std::string> kWork{".c",  ".cc",  ".cpp", ".cxx",   ".h",   ".hpp",
                                           ".py", ".txt", ".pdf", ".ipynb", ".doc", ".docx"};
  return kWork.contains(fs::path(name).extension().string()) ? Kind::like_work : Kind::other;
}

std::string why_ignored(const fs::path& path, const std::string& name) {
  for (const auto& part : path)
    if (is_hidden(part.string()))
      return part == path.filename() ? tr("{} is a hidden file", name)
                                     : tr("{} is in a hidden folder", name);
  if (lower_case(path.filename().string()).ends_with(".cuh"))
    return tr("{} is a header: an exercise is one file", name);
  return tr("{} does not end in .cu", name);
}

std::string without_archive_suffix(const std::string& name) {
  const char* suffix = archive_suffix(name);
  return suffix ? name.substr(0, name.size() - std::string_view(suffix).size()) : name;
}

#ifdef COURSE_HAS_LIBARCHIVE

namespace {

using Reader = std::unique_ptr<archive, decltype(&archive_read_free)>;

std::string broken(archive* reader) {
  const char* said = archive_error_string(reader);
  const std::string why = said ? said : "";
  if (why.find("ncrypt") != why.npos)
    return tr("The archive is encrypted: ask for one without a password.");
  if (why.empty())
    return tr("The archive cannot be read. It may be cut off or encrypted: ask for it again.");
  return tr("The archive cannot be read: {}. It may be cut off or encrypted: ask for it again.",
            why);
}

// Memory is bounded by what is asked for, whatever size the entry claims.
SourceFile read_entry(archive* reader, archive_entry* entry, const std::string& path) {
  SourceFile file{path, std::string(kMostSource + 1, '\0'), "", 0, ""};
  if (archive_entry_mtime_is_set(entry)) {
    file.time = archive_entry_mtime(entry);
    file.clock = language::marked("clock", "date in the archive");
  }
  if (archive_entry_is_data_encrypted(entry)) {
    file.problem = tr("{} is encrypted in the archive", path);
    file.content.clear();
    return file;
  }
  std::size_t size = 0;
  while (size < file.content.size()) {
    const auto read =
        archive_read_data(reader, file.content.data() + size, file.content.size() - size);
    if (read < 0) file.problem = tr("{} is damaged in the archive", path);
    if (read <= 0) break;
    size += static_cast<std::size_t>(read);
  }
  if (size > kMostSource) file.problem = tr("{} is larger than 1 MB", path);
  file.content.resize(file.problem.empty() ? size : 0);
  file.content.shrink_to_fit();
  return file;
}

Reader reader_of_all() {
  Reader reader(archive_read_new(), archive_read_free);
  for (const auto support : {archive_read_support_format_zip, archive_read_support_format_tar,
                             archive_read_support_format_7zip, archive_read_support_format_rar,
                             archive_read_support_format_rar5, archive_read_support_filter_gzip,
                             archive_read_support_filter_bzip2, archive_read_support_filter_xz,
                             archive_read_support_filter_zstd})
    support(reader.get());
  return reader;
}

void ignore(Sources& sources, const std::string& what) {
  if (sources.ignored.size() < kMostIgnored) sources.ignored.push_back(what);
}

// Adds an entry to what was found; a sentence when that is too much.
std::optional<std::string> look_at(archive* reader, archive_entry* entry, const fs::path& within,
                                   Sources& sources) {
  const char* path = archive_entry_pathname(entry);
  if (!path || archive_entry_filetype(entry) != AE_IFREG) return std::nullopt;
  // Whatever the path says, it is a name below the submission.
  const auto name = within.empty() ? std::string(path) : within.string() + "/" + path;
  switch (kind_of(path)) {
  case Kind::source:
    if (sources.files.size() == kMostSources)
      return tr("The archive has more than {} .cu files. Ask for one with the exercises only.",
                report::thousands(kMostSources));
    sources.files.push_back(read_entry(reader, entry, name));
    break;
  case Kind::archive:
    ignore(sources, tr("{} is an archive in an archive", name));
    break;
  case Kind::like_work:
    ignore(sources, why_ignored(path, name));
    break;
  case Kind::other:
    break;
  }
  return std::nullopt;
}

} // namespace

std::variant<Sources, std::string> read_archive(const fs::path& file, const fs::path& within) {
  const auto reader = reader_of_all();
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
      return tr("The archive has more than {} entries. Ask for one with the .cu files only.",
                report::thousands(kMostEntries));
    if (archive_filter_bytes(reader.get(), 0) > static_cast<la_int64_t>(kMostUnpacked))
      return tr("The archive unpacks to more than 1 GB. Ask for one with the .cu files only.");
    if (const auto too_much = look_at(reader.get(), entry, within, sources)) return *too_much;
  }
}

#else

std::variant<Sources, std::string> read_archive(const fs::path&, const fs::path&) {
  return tr("This grader was built without libarchive, so it cannot read archives: install {} and "
            "build it again.",
            "libarchive-dev");
}

#endif

} // namespace course::classroom
