#include "device/code/fatbin/linked_ptx.hpp"

#include "device/module_info.hpp"

#include <doctest/doctest.h>

namespace course::code {
namespace {

const std::string kHeader = ".version 9.0\n.target sm_90\n.address_size 64\n";

// A kernel that calls a function of the other unit, reads its variable, and has a text of its own.
const std::string kFirst = kHeader + R"(
.extern .func (.param .b32 func_retval0) twice(.param .b32 twice_param_0);
.extern .global .align 4 .u32 counter;
.global .align 1 .b8 $str[4] = {104, 105, 10, 0};
.weak .func same() { ret; }
.visible .entry first(.param .u64 out)
{
  .reg .b64 %rd<3>;
  .loc 1 7 3
  mov.u64 %rd1, $str;
  mov.u64 %rd2, counter;
  ret; // "quoted" and { braces
}
.file 1 "first.cu"
)";
const std::string kSecond = kHeader + R"(
.visible .global .align 4 .u32 counter = 3;
.global .align 1 .b8 $str[2] = {66, 0};
.weak .func same() { ret; }
.visible .func (.param .b32 func_retval0) twice(.param .b32 twice_param_0)
{
  .reg .b64 %rd<2>;
  .loc 1 9 1
  mov.u64 %rd1, $str;
  ret;
}
.visible .entry second() { ret; }
.file 1 "second.cu"
)";

std::string linked(const std::vector<std::string>& units) {
  auto made = link_ptx(units);
  if (auto* why = std::get_if<std::string>(&made)) return "refused: " + *why;
  return std::get<LinkedPtx>(made).text;
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

} // namespace

TEST_CASE("linked units are one module with the kernels and variables of both") {
  const auto text = linked({kFirst, kSecond});
  const auto info = device::inspect({text, {}});
  CHECK(info.error == "");
  CHECK(info.kernel("first"));
  CHECK(info.kernel("second"));
  REQUIRE(info.symbol("counter"));
  CHECK(info.symbol("counter")->size == 4);
  CHECK(times(text, ".version") == 1);
}

TEST_CASE("a weak function is kept once, and what is internal has a name of its own") {
  const auto text = linked({kFirst, kSecond});
  CHECK(times(text, "same()") == 1);
  CHECK(times(text, "$str[4]") == 1);
  CHECK(times(text, "$str$1[2]") == 1);
  CHECK(times(text, "mov.u64 %rd1, $str$1;") == 1);
  CHECK(times(text, ".extern .global") == 0);
}

TEST_CASE("lines keep the files that they are in") {
  const auto text = linked({kFirst, kSecond});
  CHECK(times(text, ".file 1 \"first.cu\"") == 1);
  CHECK(times(text, ".file 2 \"second.cu\"") == 1);
  CHECK(times(text, ".loc 1 7 3") == 1);
  CHECK(times(text, ".loc 2 9 1") == 1);
}

TEST_CASE("one name that two units define is refused by name") {
  CHECK(linked({kSecond, kSecond}).find("refused: 'counter' is defined in two") == 0);
}

} // namespace course::code
