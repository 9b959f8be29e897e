#include "digest.hpp"

#include <array>
#include <openssl/evp.h>
#include <stdexcept>

namespace course::build {
namespace {

void check(int result) {
  if (result != 1) throw std::runtime_error("OpenSSL cannot compute a SHA-256 digest");
}

using Bytes = std::array<unsigned char, EVP_MAX_MD_SIZE>;

std::string hex_of(const Bytes& bytes, std::size_t size) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < size; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

} // namespace

struct Digest::Context {
  EVP_MD_CTX* state = EVP_MD_CTX_new();
  ~Context() { EVP_MD_CTX_free(state); }
  void update(std::string_view bytes) {
    check(EVP_DigestUpdate(state, bytes.data(), bytes.size()));
  }
};

Digest::Digest() : context_(std::make_unique<Context>()) {
  check(EVP_DigestInit_ex(context_->state, EVP_sha256(), nullptr));
}

Digest::Digest(Digest&&) noexcept = default;
Digest::~Digest() = default;

Digest& Digest::add(std::string_view field) {
  context_->update(std::to_string(field.size()) + ":");
  context_->update(field);
  return *this;
}

std::string Digest::hex() {
  Bytes bytes;
  unsigned size = 0;
  check(EVP_DigestFinal_ex(context_->state, bytes.data(), &size));
  return hex_of(bytes, size);
}

std::string digest(std::string_view bytes) {
  return Digest().add(bytes).hex();
}

std::string sha256(std::string_view text) {
  Bytes bytes;
  std::size_t size = 0;
  check(EVP_Q_digest(nullptr, "SHA256", nullptr, text.data(), text.size(), bytes.data(), &size));
  return hex_of(bytes, size);
}

} // namespace course::build
