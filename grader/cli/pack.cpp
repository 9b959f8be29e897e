#include "cli/pack.hpp"

#include "system/published_file.hpp"

#ifdef COURSE_HAS_LIBARCHIVE
#include <archive.h>
#include <archive_entry.h>
#endif

#include <cerrno>
#include <ctime>
#include <memory>

namespace course::cli {
namespace {

[[noreturn]] void cannot_pack(const std::filesystem::path& file, int error) {
  throw std::filesystem::filesystem_error("cannot write", file,
                                          std::error_code(error, std::generic_category()));
}

} // namespace

#ifdef COURSE_HAS_LIBARCHIVE

void pack(const std::filesystem::path& zip,
          const std::vector<std::pair<std::string, std::string>>& files) {
  std::string bytes(1 << 16, '\0');
  for (const auto& [path, content] : files) bytes.resize(bytes.size() + content.size() + 4096);
  std::size_t used = 0;
  const std::unique_ptr<archive, decltype(&archive_write_free)> writer(archive_write_new(),
                                                                       archive_write_free);
  const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(),
                                                                            archive_entry_free);
  bool good =
      archive_write_set_format_zip(writer.get()) == ARCHIVE_OK &&
      archive_write_open_memory(writer.get(), bytes.data(), bytes.size(), &used) == ARCHIVE_OK;
  for (const auto& [path, content] : files) {
    archive_entry_clear(entry.get());
    archive_entry_set_pathname(entry.get(), path.c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_mtime(entry.get(), std::time(nullptr), 0);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(content.size()));
    good = good && archive_write_header(writer.get(), entry.get()) == ARCHIVE_OK &&
           archive_write_data(writer.get(), content.data(), content.size()) ==
               static_cast<la_ssize_t>(content.size());
  }
  good = good && archive_write_close(writer.get()) == ARCHIVE_OK;
  if (!good) cannot_pack(zip, EIO);
  system::publish(zip, std::string_view(bytes).substr(0, used));
}

#else

void pack(const std::filesystem::path& zip,
          const std::vector<std::pair<std::string, std::string>>&) {
  cannot_pack(zip, ENOTSUP);
}

#endif

} // namespace course::cli
