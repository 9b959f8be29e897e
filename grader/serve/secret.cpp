#include "serve/secret.hpp"

#include <fmt/format.h>

#include <random>

namespace course::serve {
namespace {

constexpr std::size_t kDigits = 64;

} // namespace

std::string new_secret() {
  std::random_device random;
  std::string secret;
  while (secret.size() < kDigits) secret += fmt::format("{:08x}", random());
  return secret;
}

bool is_secret(const std::string& text) {
  return text.size() == kDigits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

} // namespace course::serve
