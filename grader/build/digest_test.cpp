#include "digest.hpp"

#include <doctest/doctest.h>
#include <openssl/sha.h>

namespace course::build {

TEST_CASE("a digest is the SHA-256 of its fields, each with its length") {
  const std::string text = "2:ab0:";
  unsigned char expected[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), expected);
  const std::string hex = Digest().add("ab").add("").hex();
  REQUIRE(hex.size() == 64);
  for (int i = 0; i < SHA256_DIGEST_LENGTH; ++i)
    CHECK(std::stoi(hex.substr(2 * i, 2), nullptr, 16) == expected[i]);
}

TEST_CASE("fields do not run into each other") {
  CHECK(Digest().add("ab").add("c").hex() != Digest().add("a").add("bc").hex());
  CHECK(Digest().add("ab").hex() != Digest().add("ab").add("").hex());
  CHECK(digest("ab") == Digest().add("ab").hex());
}

} // namespace course::build
