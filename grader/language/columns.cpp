#include "language/columns.hpp"

#include <algorithm>
#include <clocale>
#include <cstdint>
#include <cwchar>
#include <locale.h>

namespace course::language {
namespace {

// The widths that any locale of UTF-8 knows; of this thread alone and for this question alone.
class Utf8 {
public:
  Utf8() : before_(locale() ? uselocale(locale()) : locale_t{}) {}
  ~Utf8() {
    if (before_) uselocale(before_);
  }
  Utf8(const Utf8&) = delete; // what was before is put back once
  Utf8& operator=(const Utf8&) = delete;

private:
  static locale_t locale() {
    static const locale_t utf8 = [] {
      for (const char* name : {"C.UTF-8", "C.utf8", "en_US.UTF-8"})
        if (const auto found = newlocale(LC_CTYPE_MASK, name, locale_t{})) return found;
      return locale_t{};
    }();
    return utf8;
  }

  locale_t before_;
};

int width_of(std::uint32_t point) {
  const Utf8 here;
  const int width = wcwidth(static_cast<wchar_t>(point));
  return width < 0 ? 1 : width;
}

} // namespace

CodePoint first(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {1, 1};
  const std::size_t length = (lead & 0xe0) == 0xc0   ? 2
                             : (lead & 0xf0) == 0xe0 ? 3
                             : (lead & 0xf8) == 0xf0 ? 4
                                                     : 0;
  if (length == 0 || length > text.size()) return {1, 1};
  std::uint32_t point = lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0) != 0x80) return {1, 1};
    point = point << 6 | (byte & 0x3fu);
  }
  return {length, width_of(point)};
}

std::size_t columns(std::string_view text) {
  std::size_t all = 0;
  while (!text.empty()) {
    const auto point = first(text);
    all += static_cast<std::size_t>(point.columns);
    text.remove_prefix(point.bytes);
  }
  return all;
}

std::string_view head(std::string_view text, std::size_t most) {
  std::size_t bytes = 0;
  for (std::size_t seen = 0; bytes < text.size();) {
    const auto point = first(text.substr(bytes));
    seen += static_cast<std::size_t>(point.columns);
    if (seen > most) break;
    bytes += point.bytes;
  }
  return text.substr(0, bytes);
}

std::string padded(std::string_view text, std::size_t wanted) {
  const auto taken = columns(text);
  return std::string(text) + std::string(wanted - std::min(taken, wanted), ' ');
}

std::string right(std::string_view text, std::size_t wanted) {
  const auto taken = columns(text);
  return std::string(wanted - std::min(taken, wanted), ' ').append(text);
}

} // namespace course::language
