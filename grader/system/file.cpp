#include "file.hpp"

#include "system/descriptor.hpp"
#include "system/stream.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>

namespace course::system {
namespace {

namespace fs = std::filesystem;
using Why = Unreadable::Why;

Unreadable not_opened(int error) {
  switch (error) {
  case ENOENT:
  case ENOTDIR:
    return {Why::missing, "there is no such file"};
  case EACCES:
  case EPERM:
    return {Why::not_allowed, "it cannot be read; check its permissions"};
  case ELOOP:
    return {Why::link, "it is a symbolic link; put the file itself in its place"};
  default:
    return {Why::other, std::strerror(error)};
  }
}

Unreadable too_large(std::uint64_t most) {
  return {Why::too_large, "it has more than " + std::to_string(most) + " bytes"};
}

[[noreturn]] void fail(const char* what, const fs::path& path) {
  throw fs::filesystem_error(what, path, std::error_code(errno, std::generic_category()));
}

// Reads to the end, or until there is more than `most`. 0, or the error that ended it.
int append_all(int file, std::uint64_t most, std::string& text) {
  // The size may change, and some files have none while they have content.
  char chunk[1 << 14];
  for (ssize_t count; text.size() <= most && (count = read(file, chunk, sizeof(chunk))) != 0;) {
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    text.append(chunk, count);
  }
  return 0;
}

} // namespace

std::variant<std::string, Unreadable> read_file(const fs::path& path, std::uint64_t most) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file) return not_opened(errno);
  struct stat status {};
  if (fstat(file.get(), &status) != 0) return not_opened(errno);
  if (!S_ISREG(status.st_mode)) return Unreadable{Why::not_a_file, "it is not a file"};

  std::string text;
  if (const int error = append_all(file.get(), most, text)) return not_opened(error);
  if (text.size() > most) return too_large(most);
  return text;
}

std::optional<std::string> content_of(const fs::path& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  if (!file || append_all(file.get(), UINT64_MAX, text) != 0) return std::nullopt;
  return text;
}

void write_file(const fs::path& path, std::string_view bytes) {
  std::string temporary = path.string() + ".XXXXXX";
  const Descriptor file(mkostemp(temporary.data(), O_CLOEXEC));
  if (!file) fail("cannot write", temporary);
  try {
    if (!write_all(file.get(), bytes)) fail("cannot write", temporary);
    if (fchmod(file.get(), 0644) != 0 || fsync(file.get()) != 0) fail("cannot write", temporary);
    if (rename(temporary.c_str(), path.c_str()) != 0) fail("cannot write", path);
  } catch (const fs::filesystem_error&) {
    unlink(temporary.c_str());
    throw;
  }
}

} // namespace course::system
