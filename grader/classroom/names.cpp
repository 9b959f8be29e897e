#include "classroom/names.hpp"

#include "build/digest.hpp"

#include <algorithm>
#include <charconv>

namespace course::classroom {
namespace {

constexpr std::size_t kLongest = 64;
constexpr std::size_t kDigits = 16;      // of a digest in an ID
constexpr std::size_t kFormerDigits = 8; // in IDs of older versions

bool is_plain(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') || std::string_view("_-+@.").find(c) != std::string::npos;
}

// What is left of a name where only plain ones will do.
std::string plain_part(std::string_view name) {
  std::string id(name.substr(0, kLongest));
  for (char& c : id)
    if (!is_plain(c)) c = '_';
  if (id.empty() || id[0] == '.' || id[0] == '-') id.insert(id.begin(), '_');
  return id;
}

// Whether it looks like one of those that end in so many digits of a digest.
bool ends_in_digits(const std::string& id, std::size_t digits) {
  const auto dash = id.rfind('-');
  return dash != id.npos && id.size() - dash - 1 == digits &&
         id.find_first_not_of("0123456789abcdef", dash + 1) == id.npos;
}

} // namespace

std::string id_of(std::string_view name) {
  const auto id = plain_part(name);
  const bool itself = id == name && !id.ends_with('.') && !ends_in_digits(id, kDigits);
  return itself ? id : with_digest(id, name, kDigits);
}

std::string former_id_of(std::string_view name) {
  const auto id = plain_part(name);
  return id == name ? id : with_digest(id, name, kFormerDigits);
}

bool is_of_one_name(const std::string& former_id) {
  return !ends_in_digits(former_id, kFormerDigits);
}

std::string with_digest(const std::string& id, std::string_view of, std::size_t digits) {
  return id.substr(0, kLongest - digits - 1) + "-" + build::digest(of).substr(0, digits);
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
