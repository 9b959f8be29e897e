#include "system/demangled.hpp"

#include <doctest/doctest.h>

#include <sys/resource.h>

namespace course::system {
namespace {

// "S_", "S0_", … "S10_": the part of a name with this number.
std::string part(int number) {
  if (number == 0) return "S_";
  std::string digits;
  for (int rest = number - 1; digits.empty() || rest > 0; rest /= 36)
    digits.insert(digits.begin(), "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[rest % 36]);
  return "S" + digits + "_";
}

// Each step is a template of two of the step before it, so that its text is twice as long.
std::string doubled(int steps) {
  std::string name = "_Z1f1AIiiE";
  for (int step = 1; step < steps; ++step) name += "S_I" + part(step) + part(step) + "E";
  return name;
}

long children_megabytes() {
  rusage use{};
  getrusage(RUSAGE_CHILDREN, &use);
  return use.ru_maxrss >> 10;
}

} // namespace

TEST_CASE("a mangled name is what its author wrote, any other stays") {
  CHECK(demangled("_Z9transposePfPKfi") == "transpose(float*, float const*, int)");
  CHECK(demangled("transpose") == "transpose");
  CHECK(demangled("f") == "f"); // not float
  CHECK(demangled("_Zwhatever") == "_Zwhatever");
  CHECK(demangled("") == "");
}

TEST_CASE("a name with many references is demangled when its text is no longer for it") {
  std::string name = "_Z1fN1a1bE";
  std::string text = "f(a::b";
  for (int i = 0; i < 40; ++i) name += "S0_", text += ", a::b";
  CHECK(demangled(name) == text + ")");
  CHECK(demangled_if_simple(name) == name);
}

TEST_CASE("a name that stands for gigabytes stays as it is, and takes little") {
  const auto name = doubled(28);
  REQUIRE(name.size() < 400);
  CHECK(demangled(doubled(3)).size() > 30);
  CHECK(demangled(name) == name);
  CHECK(demangled(name) == name); // and is not tried again
  CHECK(children_megabytes() < 300);
}

} // namespace course::system
