#include "cli/written_file.hpp"

#include "system/published_file.hpp"
#include "system/stream.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace course::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const fs::path& file, int error) {
  throw fs::filesystem_error("cannot write", file, std::error_code(error, std::generic_category()));
}

// A pipe or a device (/dev/stdout) cannot be replaced, only written to.
void write_through(const fs::path& file, std::string_view content) {
  const int descriptor = open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) cannot_write(file, errno);
  const bool good = system::write_all(descriptor, content);
  const int error = errno;
  close(descriptor);
  if (!good) cannot_write(file, error);
}

mode_t usual_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

} // namespace

void write_whole(const fs::path& file, std::string_view content) {
  std::error_code none;
  if (fs::exists(file, none) && !fs::is_regular_file(file, none) && !fs::is_directory(file, none)) {
    write_through(file, content);
    return;
  }
  if (file.has_parent_path() && !fs::exists(file.parent_path(), none)) cannot_write(file, ENOENT);
  system::Draft draft(file, usual_mode());
  draft.write(content);
  draft.publish(system::Durable::yes);
}

} // namespace course::cli
