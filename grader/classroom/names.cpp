#include "classroom/names.hpp"

#include "build/digest.hpp"

#include <algorithm>
#include <charconv>

namespace course::classroom {
namespace {

constexpr std::size_t kLongest = 64;

bool is_plain(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') || std::string_view("_-+@.").find(c) != std::string::npos;
}

} // namespace

std::string id_of(std::string_view name) {
  std::string id(name.substr(0, kLongest));
  for (char& c : id)
    if (!is_plain(c)) c = '_';
  if (id.empty() || id[0] == '.' || id[0] == '-') id.insert(id.begin(), '_');
  if (id == name) return id;
  return id.substr(0, kLongest - 9) + "-" + build::digest(name).substr(0, 8);
}

std::string encoded(std::string_view bytes) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7f && c != '%') {
      text += c;
    } else {
      text += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return text;
}

std::string decoded(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    const auto* digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      bytes += static_cast<char>(byte);
      i += 2;
    } else {
      bytes += text[i];
    }
  }
  return bytes;
}

} // namespace course::classroom
