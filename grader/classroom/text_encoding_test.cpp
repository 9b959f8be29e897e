#include "classroom/text_encoding.hpp"

#include <doctest/doctest.h>

namespace course::classroom {

TEST_CASE("names become UTF-8, whatever they were") {
  CHECK(utf8_of("Löve 李雷") == "Löve 李雷");
  CHECK(utf8_of("L\xf6ve") == "Löve");
  CHECK(utf8_of("\x80 \x96") == "€ –");
  CHECK(utf8_of("\xef\xbb\xbfid") == "id");
  CHECK(utf8_of(std::string_view("\xff\xfe\x4c\x00\xf6\x00\x3d\xd8\x00\xde", 10)) == "Lö😀");
  CHECK(utf8_of(std::string_view("\xfe\xff\x00\x4c\x00\xf6", 6)) == "Lö");
  CHECK(utf8_of("\xc0\xaf") == "À¯"); // a slash that is spelt too long is no UTF-8
  CHECK(utf8_of("\xed\xa0\x80") == "í\u00a0€");
  CHECK(utf8_of("") == "");
}

TEST_CASE("texts of older programs are in the encoding that is said") {
  const std::string gbk = "\xc0\xee\xc0\xd7", japanese = "\x8e\x52\x93\x63"; // 李雷, 山田
  CHECK(utf8_of(gbk) == "ÀîÀ×");
  {
    const OldTexts in("GBK");
    CHECK(utf8_of(gbk) == "李雷");
    CHECK(utf8_of("Löve 李雷") == "Löve 李雷"); // UTF-8 stays
    CHECK(utf8_of("\xff") == "ÿ");              // and what is not of it, too
    const OldTexts other("Shift_JIS");
    CHECK(utf8_of(japanese) == "山田");
    CHECK(folded(japanese) == folded("山田"));
  }
  CHECK(utf8_of(gbk) == "ÀîÀ×");
  CHECK(is_encoding("GB18030"));
  CHECK_FALSE(is_encoding("GBKK"));
  CHECK_FALSE(is_encoding(""));
}

TEST_CASE("a name has one form, however its letters were written") {
  CHECK(one_form("Zo\u00eb") == one_form("Zoe\u0308"));
  CHECK(one_form("Nguy\u1ec5n") == one_form("Nguye\u0302\u0303n"));
  CHECK(one_form("\u1ec7") == one_form("e\u0302\u0323")); // in either order
  CHECK(one_form("\ud55c") == one_form("\u1112\u1161\u11ab"));
  CHECK(one_form("\uac00") == one_form("\u1100\u1161"));
  CHECK(one_form("\u0439") == one_form("\u0438\u0306"));
  CHECK(one_form("\u212b") == one_form("\u00c5")); // ångström, and the letter
  CHECK(one_form("L\xf6ve") == one_form("Löve"));
  CHECK(one_form("\xef\xbb\xbf"
                 "anna") == "anna");
  CHECK(one_form("Anna") != one_form("anna"));
  CHECK(one_form("Zoe") != one_form("Zoë"));
  CHECK(one_form("李雷") == "李雷");
  CHECK(folded("Nguy\u1ec5n") == "nguyen");
  CHECK(folded("\ud55c") == folded("\u1112\u1161\u11ab"));
}

TEST_CASE("spellings of one name are one, and of two are two") {
  CHECK(folded("Müller, Jörg") == "mullerjorg");
  CHECK(folded("MU\xcc\x88LLER JO\xcc\x88RG") == "mullerjorg"); // accents apart, as macOS has them
  CHECK(folded("M\xfcller J\xf6rg") == "mullerjorg");
  CHECK(folded("Łukasz Ærø-Žižek 2") == "lukaszaerozizek2");
  CHECK(folded("Strauß") == "strauss");
  CHECK(folded("李雷") == "李雷");
  CHECK(folded("L\xf6ve") != folded("L\xe4ve"));
  CHECK(folded("") == "");
}

} // namespace course::classroom
