#include "lab/turned_tiles.hpp"

#include "lab/cost.hpp"
#include "lab/inputs.hpp"
#include "lab/pieces.hpp"
#include "lab/ways.hpp"

#include <limits>

namespace course::lab {
namespace {

constexpr std::uint64_t kLanes = 32;
constexpr std::uint64_t kSectorFloats = 8; // 32 bytes
constexpr std::uint64_t kRoomForSpecials = 100;

} // namespace

judge::GlobalBound in_order(std::uint64_t elements) {
  return {ceil_div(elements, kLanes), ceil_div(elements, kSectorFloats)};
}

Floats numbers_to_move(std::uint64_t count, Flavour flavour, std::uint64_t seed) {
  auto values = floats(count, flavour, seed);
  if (flavour == Flavour::exact || count < kRoomForSpecials) return values;
  using Limits = std::numeric_limits<float>;
  Random random(seed);
  for (const float special : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()})
    values[random.below(count)] = special;
  return values;
}

Floats turned(const Floats& in, TileShape shape) {
  const auto [rows, cols] = shape;
  Floats out(in.size());
  for (std::uint64_t i = 0; i < in.size(); ++i) {
    const auto first = i / (rows * cols) * (rows * cols);
    const auto row = (i - first) / cols, col = (i - first) % cols;
    out[first + col * rows + row] = in[i];
  }
  return out;
}

Case turned_tiles(std::uint64_t tiles, TileShape shape) {
  const auto elements = tiles * shape.rows * shape.cols;
  const auto units = elements / kLanes; // to be moved once; somebody may look at some of them again
  Case one;
  one.shape = std::to_string(tiles) + (tiles == 1 ? " tile of " : " tiles of ") +
              std::to_string(shape.rows) + " x " + std::to_string(shape.cols);
  one.operands = {{"out", elements, true}, {"in", elements, false}};
  one.arguments = {Pointer{0}, Pointer{1}, static_cast<std::int32_t>(tiles)};
  one.extent = {tiles * shape.cols, shape.rows};
  one.instruction_budget = 2'000'000 + 50 * elements;
  one.bounds.elements = elements;
  one.bounds.shared_loads = one.bounds.shared_stores = {units, units * 3 / 2};
  one.bounds.way = through_tile();
  one.bounds.cost = many_times(30 * units, 4 * units);
  one.bounds.global_loads = one.bounds.global_stores = with_room(in_order(elements));
  one.inputs = [elements](Flavour flavour, std::uint64_t seed) {
    return std::vector<Floats>{{}, numbers_to_move(elements, flavour, seed)};
  };
  one.reference = [shape](const std::vector<Floats>& inputs) { return turned(inputs[1], shape); };
  return one;
}

} // namespace course::lab
