#include "device/code/inspect/display_name.hpp"

#include <doctest/doctest.h>

namespace course::code {

TEST_CASE("a kernel is called what its author called it") {
  CHECK(display_name("_Z9transposePfPKfii") == "transpose");
  CHECK(display_name("_ZN3lab4tileEPf") == "lab::tile");
  CHECK(display_name("_ZN36_GLOBAL__N__5060384e_4_n_cu_8e4507146hiddenEPi") ==
        "(anonymous namespace)::hidden");
}

TEST_CASE("template arguments are kept, results and parameters are not") {
  CHECK(display_name("_Z9transposeILi32EfEvPT0_PKS0_") == "transpose<32, float>");
  CHECK(display_name("_Z4valsILb1ELj7ELc120EEvPi") == "vals<true, 7u, (char)120>");
  CHECK(display_name("_Z2enIL1E1EEvPi") == "en<(E)1>");
  CHECK(display_name("_Z2fpIXadL_Z5twiceiEEEvPi") == "fp<&(twice(int))>");
  CHECK(display_name("_ZN36_GLOBAL__N__5060384e_4_n_cu_8e4507144tmplIfLi3EEEvPT_") ==
        "(anonymous namespace)::tmpl<float, 3>");
  CHECK(display_name("_ZN3lab5applyIZ2goPiEUliE_EEvT_S1_") ==
        "lab::apply<go(int*)::{lambda(int)#1}>");
}

TEST_CASE("a name that is not mangled stays") {
  CHECK(display_name("scale") == "scale");
  CHECK(display_name("_Zwhatever") == "_Zwhatever");
  CHECK(display_name("") == "");
}

TEST_CASE("a hostile name is cut and cleaned") {
  CHECK(display_name("\x1b[31mred\n") == "?[31mred?");
  CHECK(display_name(std::string(100'000, 'P')).size() == 500);
  CHECK(display_name("_Z1f" + std::string(50'000, 'P')).size() == 500);
  // Each level doubles what the demangler writes; it must stay bounded all the same.
  CHECK(display_name("_Z1fIiE" + std::string(900, 'P') + "i").size() <= 500);
}

} // namespace course::code
