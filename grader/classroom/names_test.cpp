#include "classroom/names.hpp"

#include <doctest/doctest.h>

namespace course::classroom {

TEST_CASE("a plain name is its own id") {
  for (const char* name : {"anna", "a.b-c_d+e@uni.org", "4711"}) CHECK(id_of(name) == name);
}

TEST_CASE("an id is safe as a file name, and different names have different ids") {
  const std::string names[] = {
      "",     "..",       "../../etc/passwd", "-rf",    ".hidden", "a b",  "a\tb", "a/b",
      "\xf6", "\xc3\xb6", "x;rm -r",          "a\"b'c", "a]=]b",   "a\nb", "$(x)"};
  for (const auto& one : names) {
    const auto id = id_of(one);
    INFO(id);
    CHECK(id.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "_-+@.") == id.npos);
    CHECK((id[0] != '.' && id[0] != '-'));
    for (const auto& other : names) CHECK((id == id_of(other)) == (one == other));
  }
}

TEST_CASE("a long name keeps its start, and stays its own") {
  const std::string start(100, 'a');
  CHECK(id_of(start).size() <= 64);
  CHECK(id_of(start + "b") != id_of(start + "c"));
}

TEST_CASE("no name is the id of another") {
  for (const char* name : {"Anna Schmidt", "Zo\xc3\xab M\xc3\xbcller", "anna.", "..", "-x"}) {
    const auto id = id_of(name);
    CHECK(id != name);
    CHECK(id_of(id) != id); // a folder that is called so
    CHECK(id_of(id_of(id)) != id);
  }
  CHECK(id_of("anna-deadbeef") == "anna-deadbeef"); // of no ID's length
}

TEST_CASE("the ids of older versions are known, and which of them two names could have") {
  CHECK(former_id_of("anna") == "anna");
  CHECK(former_id_of("Anna Schmidt") == "Anna_Schmidt-905ef638");
  CHECK(former_id_of("Anna_Schmidt-905ef638") == "Anna_Schmidt-905ef638");
  CHECK(is_of_one_name("anna"));
  CHECK_FALSE(is_of_one_name("Anna_Schmidt-905ef638"));
}

TEST_CASE("any bytes come back from their encoding") {
  std::string bytes;
  for (int i = 1; i < 256; ++i) bytes += static_cast<char>(i);
  const auto text = encoded(bytes);
  CHECK(decoded(text) == bytes);
  for (const char c : text) CHECK((c > 0x20 && c < 0x7f));
  CHECK(decoded("50%") == "50%");
  CHECK(decoded("%zz%4") == "%zz%4");
}

} // namespace course::classroom
