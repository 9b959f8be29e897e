#include "device/code/ptx/snippet.hpp"

#include <bit>

namespace course::ptx {
namespace {

Variable variable_of(const std::string& statements) {
  const Module module = module_of(statements);
  REQUIRE(!module.variables.empty());
  return module.variables.back();
}

using Bytes = std::vector<std::uint8_t>;

} // namespace

TEST_CASE("variables have a space, a type, an alignment and a size") {
  const Variable tile = variable_of(".shared .align 16 .b8 tile[4224];");
  CHECK(tile.space == Space::shared);
  CHECK(tile.align == 16);
  CHECK(tile.size == 4224);
  CHECK(tile.initial.empty());
  const Variable grid = variable_of(".visible .global .f32 grid[3][5];");
  CHECK(grid.space == Space::global);
  CHECK(grid.align == 4);
  CHECK(grid.size == 60);
  const Variable vector = variable_of(".global .v4 .f32 v[2];");
  CHECK(vector.size == 32);
  CHECK(vector.align == 16);
  CHECK(variable_of(".weak .const .align 8 .f64 c;").space == Space::constant);
  CHECK(variable_of(".common .global .u32 c;").size == 4);
  CHECK(variable_of(".global .attribute(.managed) .align 4 .u32 m;").managed);
}

TEST_CASE("dynamic shared memory has no size") {
  const Variable dynamic = variable_of(".extern .shared .align 16 .b8 dynamic[];");
  CHECK(dynamic.is_extern);
  CHECK(dynamic.size == 0);
}

TEST_CASE("one declaration may name several variables") {
  const Module module = module_of(".global .u16 a, b[3], c = 7;");
  REQUIRE(module.variables.size() == 3);
  CHECK(module.variables[1].size == 6);
  CHECK(module.variables[2].initial == Bytes{7, 0});
}

TEST_CASE("an extern variable and its definition are one") {
  const Module module =
      module_of(".extern .global .u32 a;\n.global .u32 a = 5;\n.extern .global .u32 a;");
  REQUIRE(module.variables.size() == 1);
  CHECK_FALSE(module.variables[0].is_extern);
  CHECK(module.variables[0].initial == Bytes{5, 0, 0, 0});
}

TEST_CASE("initialisers are bytes, and what they leave out is zero") {
  CHECK(variable_of(".global .b8 a[8] = {1, 255, 0x10};").initial == Bytes{1, 255, 16});
  CHECK(variable_of(".global .u16 a[2] = {-1, 258};").initial == Bytes{255, 255, 2, 1});
  CHECK(variable_of(".global .u32 a = (1 + 2) * 4 - -1;").initial == Bytes{13, 0, 0, 0});
  CHECK(variable_of(".global .s64 a = ~0 << 8;").initial ==
        Bytes{0, 255, 255, 255, 255, 255, 255, 255});
  CHECK(variable_of(".global .u32 a = WARP_SZ;").initial == Bytes{32, 0, 0, 0});
  CHECK(variable_of(".global .b8 a[] = {1, 2, 3};").size == 3);
  CHECK(variable_of(".global .b8 a[4] = {};").initial.empty());
}

TEST_CASE("floats keep their bits") {
  CHECK(variable_of(".const .f32 a = 0f3F800000;").initial == Bytes{0, 0, 128, 63});
  CHECK(variable_of(".const .f32 a = 1.0;").initial == Bytes{0, 0, 128, 63});
  CHECK(variable_of(".const .f32 a = -1.0;").initial == Bytes{0, 0, 128, 191});
  CHECK(variable_of(".const .f32 a = 1;").initial == Bytes{0, 0, 128, 63});
  CHECK(variable_of(".const .f64 a = 0f3F800000;").initial == Bytes{0, 0, 0, 0, 0, 0, 240, 63});
}

TEST_CASE("rows of a nested initialiser are as long as the array says") {
  CHECK(variable_of(".global .b8 a[2][3] = {{1}, {2, 3}};").initial == Bytes{1, 0, 0, 2, 3, 0});
  CHECK(refused_module(".global .b8 a[2] = {{{1}}};").message ==
        "more braces than the array has dimensions");
  CHECK(refused_module(".global .b8 a[2][1000000000] = {{1}, {2}};").message ==
        "initialisers with too much left out; write the zeros");
}

TEST_CASE("addresses in initialisers are relocations") {
  const Variable plain = variable_of(".global .b8 t[16]; .global .u64 p[2] = {t+8, generic(t)+4};");
  CHECK(plain.initial == Bytes(16, 0));
  REQUIRE(plain.relocations.size() == 2);
  CHECK(plain.relocations[0].offset == 0);
  CHECK(plain.relocations[0].target.name == "t");
  CHECK(plain.relocations[0].target.offset == 8);
  CHECK(plain.relocations[0].width == 8);
  CHECK_FALSE(plain.relocations[0].generic);
  CHECK(plain.relocations[1].offset == 8);
  CHECK(plain.relocations[1].generic);
  CHECK(plain.relocations[1].target.offset == 4);
}

TEST_CASE("a mask selects one byte of an address") {
  const Variable bytes =
      variable_of(".func f(); .global .u8 p[2] = {0xFF(f), 0xFF00(generic(f)+4)};");
  REQUIRE(bytes.relocations.size() == 2);
  CHECK(bytes.relocations[0].width == 1);
  CHECK(bytes.relocations[0].shift == 0);
  CHECK(bytes.relocations[1].offset == 1);
  CHECK(bytes.relocations[1].shift == 8);
  CHECK(bytes.relocations[1].generic);
  CHECK(refused_module(".func f(); .global .u8 p = 0xF0(f);").message ==
        "a mask must select one byte of an address for a one-byte element");
  CHECK(refused_module(".func f(); .global .u8 p = f;").message ==
        "an address does not fit an element of this type");
}

TEST_CASE("an address may be of what is declared later, but must be declared") {
  CHECK(module_of(".global .u64 p = later; .global .u32 later;").variables.size() == 2);
  const ParseError error = refused_module("\n.global .u64 p = nothing;\n");
  CHECK(error.message == "'nothing' is not declared");
  CHECK(error.ptx_line == 5);
}

TEST_CASE("impossible variables are refused") {
  CHECK(refused_module(".global .align 3 .u32 a;").message ==
        "an alignment must be a power of two");
  CHECK(refused_module(".global .align 0 .u32 a;").message ==
        "an alignment must be a power of two");
  CHECK(refused_module(".global .b8 a[2] = {1, 2, 3};").message ==
        "the initialiser is longer than the variable");
  CHECK(refused_module(".global .b8 a[4000000000][4000000000];").message ==
        "an array of more than a terabyte");
  CHECK(refused_module(".global .b8 a[-1];").message ==
        "an array bound must be from 0 to 4294967295");
  CHECK(refused_module(".shared .u32 a = 1;").message ==
        "only .global and .const variables have initialisers");
  CHECK(refused_module(".global .u32 a = 1 / 0;").message == "division by zero in a constant");
  CHECK(refused_module(".global .u32 a = " + std::string(100'000, '(')).message ==
        "this constant is nested too deep");
  CHECK(refused_module(".global .u32 a = " + std::string(100'000, '-')).message ==
        "this constant is nested too deep");
  CHECK(refused_module(".global .attribute(.unified(1, 2)) .u32 a;").message ==
        "expected '.managed', the only attribute known here, found '.unified'");
}

TEST_CASE("the smallest number divided by minus one wraps") {
  CHECK(variable_of(".global .s64 a = -9223372036854775808 / -1;").initial ==
        Bytes{0, 0, 0, 0, 0, 0, 0, 128});
  CHECK(variable_of(".global .s64 a = -9223372036854775808 % -1;").initial == Bytes(8, 0));
}

TEST_CASE("registers are numbered through the function") {
  const Function kernel =
      parsed(kHeader + ".entry k() { .reg .b32 %r<3>; .reg .pred p, q; { .reg.f64 %fd<2>; } }")
          .functions.at(0);
  CHECK(kernel.registers ==
        std::vector{Type::b32, Type::b32, Type::b32, Type::pred, Type::pred, Type::f64, Type::f64});
  CHECK(kernel.register_names ==
        std::vector<std::string>{"%r0", "%r1", "%r2", "p", "q", "%fd0", "%fd1"});
}

TEST_CASE("registers without end are refused") {
  CHECK(refused_module(".entry k() { .reg .b32 %r<4294967295>; }").message ==
        "more registers than are supported");
  CHECK(
      refused_module(".entry k() { .reg .b32 %r<1000000>; } .entry l() { .reg .b32 %r<1000000>; }")
          .message == "more registers than are supported");
  CHECK(refused_module(".entry k() { .reg .v2 .f32 v; }").message ==
        "vector registers are not supported");
}

} // namespace course::ptx
