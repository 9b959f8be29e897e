#include "classroom/text_encoding.hpp"

#include "classroom/unicode_forms.hpp"

#include <array>
#include <cstdint>
#include <iconv.h>
#include <optional>

namespace course::classroom {
namespace {

constexpr char32_t kBad = 0xfffd;

void append(std::string& text, char32_t point) {
  const auto byte = [&](char32_t value) { text += static_cast<char>(value); };
  if (point < 0x80) {
    byte(point);
  } else if (point < 0x800) {
    byte(0xc0 | (point >> 6));
    byte(0x80 | (point & 0x3f));
  } else if (point < 0x10000) {
    byte(0xe0 | (point >> 12));
    byte(0x80 | ((point >> 6) & 0x3f));
    byte(0x80 | (point & 0x3f));
  } else {
    byte(0xf0 | (point >> 18));
    byte(0x80 | ((point >> 12) & 0x3f));
    byte(0x80 | ((point >> 6) & 0x3f));
    byte(0x80 | (point & 0x3f));
  }
}

// The code point at `at`, which moves behind it; kBad where there is none.
char32_t next_point(std::string_view text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at++]);
  if (first < 0x80) return first;
  const int more = first >= 0xf0 && first < 0xf5 ? 3 : first >= 0xe0 ? 2 : first >= 0xc2 ? 1 : 0;
  if (more == 0 || first >= 0xf5 || at + static_cast<std::size_t>(more) > text.size()) return kBad;
  char32_t point = first & (0x3f >> more);
  for (int i = 0; i < more; ++i) {
    const auto byte = static_cast<unsigned char>(text[at + static_cast<std::size_t>(i)]);
    if ((byte & 0xc0) != 0x80) return kBad;
    point = (point << 6) | (byte & 0x3f);
  }
  constexpr std::array<char32_t, 4> kLeast{0, 0x80, 0x800, 0x10000}; // else it was spelt too long
  if (point < kLeast[static_cast<std::size_t>(more)] || point > 0x10ffff ||
      (point >= 0xd800 && point < 0xe000))
    return kBad;
  at += static_cast<std::size_t>(more);
  return point;
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();)
    if (next_point(text, at) == kBad) return false;
  return true;
}

std::string of_utf16(std::string_view bytes, bool little) {
  std::string text;
  char32_t high = 0;
  for (std::size_t i = 2; i + 1 < bytes.size(); i += 2) {
    const auto one = static_cast<unsigned char>(bytes[i + (little ? 1 : 0)]);
    const auto other = static_cast<unsigned char>(bytes[i + (little ? 0 : 1)]);
    const char32_t unit = static_cast<char32_t>(one << 8 | other);
    if (unit >= 0xd800 && unit < 0xdc00) {
      high = unit;
    } else if (unit >= 0xdc00 && unit < 0xe000) {
      append(text, high ? 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00) : kBad);
      high = 0;
    } else {
      append(text, unit);
    }
  }
  return text;
}

// Windows-1252 from 0x80 to 0x9f; the rest is Latin-1, whose numbers are those of Unicode.
constexpr std::array<char16_t, 32> kWindows{
    0x20ac, 0xfffd, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0xfffd, 0x017d, 0xfffd, 0xfffd, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0xfffd, 0x017e, 0x0178};

std::string of_windows(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    append(text, byte >= 0x80 && byte < 0xa0 ? kWindows[byte - 0x80u] : byte);
  }
  return text;
}

std::string old_encoding; // OldTexts

// Nothing where it is no text of this encoding.
std::optional<std::string> converted(std::string_view bytes, const std::string& encoding) {
  const auto with = iconv_open("UTF-8", encoding.c_str());
  if (with == reinterpret_cast<iconv_t>(-1)) return std::nullopt;
  std::string from(bytes), text(4 * bytes.size() + 4, '\0');
  char *in = from.data(), *out = text.data();
  std::size_t left = from.size(), room = text.size();
  const auto result = iconv(with, &in, &left, &out, &room);
  iconv_close(with);
  if (result == static_cast<std::size_t>(-1)) return std::nullopt;
  text.resize(text.size() - room);
  return text;
}

// The plain letter of U+00C0 … U+017F, without its accent; '*': no letter, or two.
constexpr std::string_view kPlain =
    "aaaaaa*ceeeeiiiidnooooo*ouuuuy**aaaaaa*ceeeeiiiidnooooo*ouuuuy*y"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii**jjkkklllllll"
    "lllnnnnnnn**oooooo**rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
static_assert(kPlain.size() == 0x180 - 0xc0);

struct Two {
  char32_t point;
  const char* letters;
};
constexpr std::array kTwo{Two{0xc6, "ae"},  Two{0xe6, "ae"},  Two{0xdf, "ss"},  Two{0xde, "th"},
                          Two{0xfe, "th"},  Two{0x132, "ij"}, Two{0x133, "ij"}, Two{0x152, "oe"},
                          Two{0x153, "oe"}, Two{0x14a, "ng"}, Two{0x14b, "ng"}};

void append_folded(std::string& text, char32_t point) {
  if (point < 0x80) {
    const char c = static_cast<char>(point);
    if (c >= 'A' && c <= 'Z') text += static_cast<char>(c + 32);
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) text += c;
    return;
  }
  for (const auto& two : kTwo) {
    if (two.point != point) continue;
    text += two.letters;
    return;
  }
  if (point >= 0xc0 && point < 0x180) {
    if (kPlain[point - 0xc0] != '*') text += kPlain[point - 0xc0];
    return;
  }
  const bool accent = point >= 0x300 && point < 0x370; // of the letter before it
  const bool sign = point < 0xc0 || (point >= 0x2000 && point < 0x2070) || point == 0x3000;
  if (!accent && !sign) append(text, point);
}

std::u32string parts_of(std::string_view name) {
  const auto text = utf8_of(name);
  std::u32string parts;
  for (std::size_t at = 0; at < text.size();) append_parts(parts, next_point(text, at));
  sort_marks(parts);
  return parts;
}

} // namespace

std::string utf8_of(std::string_view bytes) {
  if (bytes.starts_with("\xff\xfe")) return of_utf16(bytes, true);
  if (bytes.starts_with("\xfe\xff")) return of_utf16(bytes, false);
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  if (is_utf8(bytes)) return std::string(bytes);
  if (!old_encoding.empty())
    if (auto text = converted(bytes, old_encoding)) return *text;
  return of_windows(bytes);
}

OldTexts::OldTexts(const std::string& encoding) : before_(old_encoding) {
  if (!encoding.empty()) old_encoding = encoding;
}

OldTexts::~OldTexts() {
  old_encoding = before_;
}

bool is_encoding(const std::string& name) {
  return !name.empty() && converted("a", name) == "a";
}

std::string one_form(std::string_view name) {
  std::string text;
  for (const auto point : parts_of(name)) append(text, point);
  return text;
}

std::string folded(std::string_view name) {
  std::string plain;
  for (const auto point : parts_of(name)) append_folded(plain, point);
  return plain;
}

} // namespace course::classroom
