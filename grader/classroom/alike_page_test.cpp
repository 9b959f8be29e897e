#include "classroom/alike_page.hpp"

#include <doctest/doctest.h>

namespace course::classroom {

TEST_CASE("what both have and the skeleton has not is marked, and nothing in a file is markup") {
  const std::string given = "void f(float* out) {\n  for (int i = 0; i < 32; ++i) out[i] = 0;\n}\n";
  const std::string own =
      "void g(int n) {\n  int sum = 0; while (n > 0) { sum += n & 1; n >>= 1; }\n"
      "  if (sum == 7) return; // <script>\n}\n";
  const std::string renamed = "void h(int k) {\n  int s = 0; while (k > 0) { s += k & 1; k >>= 1; "
                              "}\n  if (s == 9) return;\n}\n";
  const auto page = alike_page({"05_transpose/2_pad",
                                given,
                                {"anna", "bert"},
                                {given + own, given + "int other;\n" + renamed}},
                               {"CS 420", "", "a grader"});
  CHECK(page.find("<mark>  int sum = 0; while (n &gt; 0)") != page.npos);
  CHECK(page.find("<mark>  int s = 0; while (k &gt; 0)") != page.npos);
  CHECK(page.find("<mark>  for (int i") == page.npos);
  CHECK(page.find("<mark>int other") == page.npos);
  CHECK(page.find("<script>") == page.npos);
}

} // namespace course::classroom
