// Digests that tell contents apart: SHA-256, by OpenSSL.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace course::build {

// A digest of a sequence of fields. Each goes in with its length, so that no two sequences are
// alike because their fields are cut differently.
class Digest {
public:
  Digest();
  Digest(Digest&&) noexcept;
  ~Digest();

  Digest& add(std::string_view field);
  std::string hex(); // 64 digits; once

private:
  struct Context;
  std::unique_ptr<Context> context_;
};

std::string digest(std::string_view bytes); // of a single field
std::string sha256(std::string_view text);  // as any other program has it

} // namespace course::build
