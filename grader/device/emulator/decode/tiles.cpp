#include "device/emulator/decode/tiles.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <map>

namespace course::emulator {
namespace {

constexpr int kEight = 8, kFour = 4; // lanes across and along

int chunks(const Tile& tile) { // of a and b: pieces along that one register of four lanes holds
  return tile.along / (kFour * tile.per_register());
}
int halves(const Tile& tile) { // rows of a tile of 16, in eights
  return std::min(2, tile.across / kEight);
}

struct Shape {
  int m = 0, n = 0, k = 0;
};
std::optional<Shape> shape_named(const std::string& name) {
  Shape shape;
  int used = 0;
  const bool read =
      std::sscanf(name.c_str(), "m%dn%dk%d%n", &shape.m, &shape.n, &shape.k, &used) == 3;
  if (!read || static_cast<std::size_t>(used) != name.size()) return std::nullopt;
  return shape;
}

Tile tile_in(Tile::Part part, const Shape& shape, Number number) {
  if (part == Tile::Part::a) return {part, number, shape.m, shape.k};
  if (part == Tile::Part::b) return {part, number, shape.n, shape.k};
  return {part, number, shape.m, shape.n};
}

// The shapes of products of numbers like this (PTX ISA, mma and wmma.mma, sm_90).
std::vector<std::string> shapes_of(bool wmma, Number number) {
  switch (number) {
  case Number::f16:
  case Number::bf16:
    if (wmma) return {"m16n16k16", "m32n8k16", "m8n32k16"};
    return {"m16n8k8", "m16n8k16"};
  case Number::tf32:
    if (wmma) return {"m16n16k8"};
    return {"m16n8k4", "m16n8k8"};
  case Number::f64:
    if (wmma) return {"m8n8k4"};
    return {"m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"};
  case Number::int8:
  case Number::uint8:
    if (wmma) return {"m16n16k16", "m32n8k16", "m8n32k16"};
    return {"m8n8k16", "m16n8k16", "m16n8k32"};
  case Number::int4:
  case Number::uint4:
    if (wmma) return {"m8n8k32"};
    return {"m8n8k32", "m16n8k32", "m16n8k64"};
  case Number::b1:
    if (wmma) return {"m8n8k128"};
    return {"m8n8k128", "m16n8k128", "m16n8k256"};
  case Number::e4m3:
  case Number::e5m2:
    if (wmma) return {};
    return {"m16n8k32"};
  default:
    return {};
  }
}

enum class Family { half, bfloat, tf32, f64, bytes, nibbles, bits, fp8, none };
Family family(Number number) {
  switch (number) {
  case Number::f16:
    return Family::half;
  case Number::bf16:
    return Family::bfloat;
  case Number::tf32:
    return Family::tf32;
  case Number::f64:
    return Family::f64;
  case Number::int8:
  case Number::uint8:
    return Family::bytes;
  case Number::int4:
  case Number::uint4:
    return Family::nibbles;
  case Number::b1:
    return Family::bits;
  case Number::e4m3:
  case Number::e5m2:
    return Family::fp8;
  default:
    return Family::none;
  }
}

bool accumulates(Family of, Number number) {
  switch (of) {
  case Family::half:
  case Family::fp8:
    return number == Number::f16 || number == Number::f32;
  case Family::bfloat:
  case Family::tf32:
    return number == Number::f32;
  case Family::f64:
    return number == Number::f64;
  case Family::none:
    return false;
  default:
    return number == Number::int32;
  }
}

} // namespace

std::optional<Number> number_named(const std::string& name) {
  using N = Number;
  static const std::map<std::string, N> all = {
      {"f16", N::f16},   {"bf16", N::bf16}, {"tf32", N::tf32}, {"f64", N::f64}, {"f32", N::f32},
      {"s32", N::int32}, {"s8", N::int8},   {"u8", N::uint8},  {"s4", N::int4}, {"u4", N::uint4},
      {"b1", N::b1},     {"e4m3", N::e4m3}, {"e5m2", N::e5m2}};
  const auto found = all.find(name);
  if (found == all.end()) return std::nullopt;
  return found->second;
}

int bits_of(Number number) {
  switch (number) {
  case Number::f64:
    return 64;
  case Number::tf32:
  case Number::f32:
  case Number::int32:
    return 32;
  case Number::f16:
  case Number::bf16:
    return 16;
  case Number::int4:
  case Number::uint4:
    return 4;
  case Number::b1:
    return 1;
  default:
    return 8;
  }
}

int Tile::registers() const {
  const int numbers = across * along / kLanes; // of a lane
  return numbers / per_register();
}

Place place_of(const Tile& tile, int reg, int i) {
  const int each = tile.per_register();
  if (tile.part == Tile::Part::c) { // two numbers of a row in each lane, by eights
    const int number = reg * each + i, which = number % 2, group = number / 2;
    const int half = group % halves(tile), rest = group / halves(tile);
    const int eights = tile.along / kEight;
    return {rest / eights * 16 + half * kEight, rest % eights * kEight + which, 2};
  }
  if (tile.part == Tile::Part::b)
    return {reg / chunks(tile) * kEight, reg % chunks(tile) * kFour * each + i, each};
  const int half = reg % halves(tile), rest = reg / halves(tile);
  return {rest / chunks(tile) * 16 + half * kEight, rest % chunks(tile) * kFour * each + i, each};
}

std::optional<Product> product_of(ptx::Opcode opcode, const std::vector<std::string>& modifiers) {
  const bool wmma = opcode == ptx::Opcode::wmma_mma;
  Product product;
  std::vector<Number> types;
  std::vector<std::string> layouts;
  std::string shape;
  bool synchronous = false, aligned = false, counts = false, rounds = false;
  for (const std::string& each : modifiers) {
    if (each == "sync")
      synchronous = true;
    else if (each == "aligned")
      aligned = true;
    else if (each == "row" || each == "col")
      layouts.push_back(each);
    else if (each == "satfinite")
      product.saturates = true;
    else if (each == "popc")
      counts = true;
    else if (each == "xor")
      product.operation = Product::Operation::exclusive_or;
    else if (each == "and")
      product.operation = Product::Operation::logical_and;
    else if (each == "rn")
      rounds = true;
    else if (const auto number = number_named(each))
      types.push_back(*number);
    else if (shape_named(each) && shape.empty())
      shape = each;
    else if (!(each == "mma" && &each == &modifiers.front()))
      return std::nullopt;
  }
  if (types.size() == 2 && wmma) types = {types[0], Number::f16, Number::f16, types[1]};
  if (!synchronous || !aligned || types.size() != 4 || layouts.size() != 2) return std::nullopt;
  if (!wmma && layouts != std::vector<std::string>{"row", "col"}) return std::nullopt;
  const auto parsed = shape_named(shape);
  const Family of = family(types[1]);
  const bool is_bits = of == Family::bits;
  const bool is_integer = of == Family::bytes || of == Family::nibbles;
  const auto shapes = shapes_of(wmma, types[1]);
  if (!parsed || family(types[2]) != of || !accumulates(of, types[0]) ||
      !accumulates(of, types[3]) || std::find(shapes.begin(), shapes.end(), shape) == shapes.end())
    return std::nullopt;
  if (is_bits != counts || (product.operation != Product::Operation::multiply) != is_bits ||
      (product.saturates && !is_integer) || (rounds && of != Family::f64))
    return std::nullopt;
  if (!wmma && of == Family::half && types[0] != types[3]) return std::nullopt;
  product.a = tile_in(Tile::Part::a, *parsed, types[1]);
  product.b = tile_in(Tile::Part::b, *parsed, types[2]);
  product.c = tile_in(Tile::Part::c, *parsed, types[3]);
  product.d = tile_in(Tile::Part::c, *parsed, types[0]);
  return product;
}

std::optional<Tile> tile_of(const std::string& part, const std::string& shape,
                            const std::string& type) {
  const auto parsed = shape_named(shape);
  const auto number = number_named(type);
  if (!parsed || !number) return std::nullopt;
  const bool has_part = part == "a" || part == "b" || part == "c" || part == "d";
  if (!has_part) return std::nullopt;
  const bool factor = part == "a" || part == "b";
  for (const Number of : {Number::f16, Number::bf16, Number::tf32, Number::f64, Number::int8,
                          Number::int4, Number::b1}) {
    const auto shapes = shapes_of(true, of);
    if (std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) continue;
    if (factor ? family(*number) == family(of) : accumulates(family(of), *number))
      return tile_in(part == "a"   ? Tile::Part::a
                     : part == "b" ? Tile::Part::b
                                   : Tile::Part::c,
                     *parsed, *number);
  }
  return std::nullopt;
}

std::uint32_t packed_place(const Place& place, const Tile& tile, bool across_is_major) {
  return static_cast<std::uint32_t>(place.across) |
         static_cast<std::uint32_t>(place.along) << kAlongShift |
         static_cast<std::uint32_t>(std::countr_zero(static_cast<std::uint32_t>(place.step)))
             << kStepShift |
         static_cast<std::uint32_t>(
             std::countr_zero(static_cast<std::uint32_t>(bits_of(tile.number))))
             << kSizeShift |
         (across_is_major ? 1u : 0u) << kMajorShift;
}

} // namespace course::emulator
