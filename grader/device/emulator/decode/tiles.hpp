// Tiles: matrices in the registers of a warp, of any shape and type that wmma and mma.sync have,
// and their products.
//
// A fragment of wmma is opaque: programs load, multiply, store, and do the same to each of its
// elements. Its elements lie here as the PTX ISA documents for mma.sync of the same type: tiles of
// 16 x 8 and 8 x 8 numbers, lane / 4 across and lane % 4 along. Where PTX gives a fragment more
// registers than it has numbers, they repeat.
#pragma once

#include "device/code/ptx/instructions.hpp"
#include "device/emulator/decode/operation.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace course::emulator {

enum class Number : std::uint8_t {
  f16,
  bf16,
  tf32,
  f64,
  f32,
  int32,
  int8,
  uint8,
  int4,
  uint4,
  b1,
  e4m3,
  e5m2
};
std::optional<Number> number_named(const std::string&); // "f16", as a modifier
int bits_of(Number);

struct Tile {
  enum class Part : std::uint8_t { a, b, c } part{}; // c: the accumulators, d as well
  Number number{};
  int across = 0; // rows of a and c, columns of b
  int along = 0;  // columns of a and c, rows of b

  int register_bytes() const { return number == Number::f64 ? 8 : 4; }
  int per_register() const { return register_bytes() * 8 / bits_of(number); }
  int registers() const; // without repetitions
};

// Number i of a register of lane 0: where it is in the matrix. Lane L has it lane / 4 further
// across, and lane % 4 * step further along.
struct Place {
  int across = 0, along = 0, step = 1;
};
Place place_of(const Tile&, int reg, int i);

struct Product {
  enum class Operation : std::uint8_t { multiply, logical_and, exclusive_or } operation{};
  Tile a, b, c, d;
  bool saturates = false;
};
// Of all modifiers of `mma` or `wmma_mma`; nothing where PTX has no such product at sm_90.
std::optional<Product> product_of(ptx::Opcode, const std::vector<std::string>& modifiers);
// One operand of wmma.load and wmma.store: the tile of a shape, "m16n16k16".
std::optional<Tile> tile_of(const std::string& part, const std::string& shape,
                            const std::string& type);

// Where an element is, as point_at_tile has it in `immediate`.
std::uint32_t packed_place(const Place&, const Tile&, bool across_is_major);
inline constexpr std::uint32_t kAlongShift = 6, kStepShift = 15, kSizeShift = 18, kMajorShift = 21;

} // namespace course::emulator
