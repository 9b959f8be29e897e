#include "device/code/fatbin/decompress.hpp"

#include "device/code/fatbin/fatbin.hpp"

#include <fmt/format.h>

#ifdef COURSE_HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef COURSE_HAVE_LZ4
#include <lz4.h>
#endif

namespace course::code {
namespace {

[[noreturn, maybe_unused]] void damaged(const char* method) {
  throw BadFatbin(fmt::format("device code compressed with '{}' is damaged", method));
}

[[noreturn, maybe_unused]] void missing(const char* method, const char* package) {
  throw BadFatbin(
      fmt::format("device code is compressed with '{}', which this grader was built "
                  "without: compile with --no-compress, or install '{}' and build again",
                  method, package));
}

} // namespace

#ifdef COURSE_HAVE_ZSTD
device::Bytes decompress_zstd(elf::View data, std::size_t size) {
  device::Bytes result(size);
  if (ZSTD_decompress(result.data(), size, data.data(), data.size()) != size) damaged("zstd");
  return result;
}
#else
device::Bytes decompress_zstd(elf::View, std::size_t) {
  missing("zstd", "libzstd-dev");
}
#endif

#ifdef COURSE_HAVE_LZ4
device::Bytes decompress_lz4(elf::View data, std::size_t size) {
  device::Bytes result(size);
  const int count = LZ4_decompress_safe(reinterpret_cast<const char*>(data.data()),
                                        reinterpret_cast<char*>(result.data()),
                                        static_cast<int>(data.size()), static_cast<int>(size));
  if (count < 0 || static_cast<std::size_t>(count) != size) damaged("LZ4");
  return result;
}
#else
device::Bytes decompress_lz4(elf::View, std::size_t) {
  missing("LZ4", "liblz4-dev");
}
#endif

} // namespace course::code
