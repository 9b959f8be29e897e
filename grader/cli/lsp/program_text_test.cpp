#include "cli/lsp/program_text.hpp"

#include <doctest/doctest.h>

namespace course::cli {

TEST_CASE("a program has a main") {
  CHECK(has_main("int main() { return 0; }"));
  CHECK(has_main("#include <cstdio>\n\nint\nmain (int argc, char** argv)\n{\n}\n"));
  CHECK(has_main("auto main() -> int {}"));
  CHECK(has_main("const int big = 1'000'000;\nint /* entry */ main(void) {}"));
  CHECK(has_main("char c = '\"';\nint main() {}"));
}

TEST_CASE("a file without one is none, whatever it says of it") {
  CHECK_FALSE(has_main(""));
  CHECK_FALSE(has_main("void transpose(float* out) {}"));
  CHECK_FALSE(has_main("// int main() {}\n/* int main() {} */"));
  CHECK_FALSE(has_main("const char* text = \"int main() {}\";"));
  CHECK_FALSE(has_main("int main_loop();\nint domain(int);"));
  CHECK_FALSE(has_main("int x = main();")); // called, not defined
  CHECK_FALSE(has_main("/* int main() {"));
  CHECK_FALSE(has_main("\"int main() {"));
}

} // namespace course::cli
