// Decoding of wmma, and of the products of mma.sync that have no operation of their own.
//
// A wmma.load or wmma.store becomes an access for each register, or for each of its numbers where
// they are apart in memory: so all is checked that is checked of any access. Where ptxas has as
// many at the line, or one for two that are neighbours, they are these; where not, they are counted
// as they are here, and marked (sass_counts.cpp).
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/decode/decoder.hpp"
#include "device/emulator/decode/tiles.hpp"

#include <algorithm>

namespace course::emulator {
namespace {

std::optional<ptx::Space> take_tile_space(Modifiers& modifiers) {
  if (modifiers.take("global")) return ptx::Space::global;
  if (modifiers.take_any({"shared", "shared::cta"})) return ptx::Space::shared;
  return std::nullopt;
}

} // namespace

void Decoder::tile_product(const Instruction& instruction) {
  const auto product = product_of(instruction.row->opcode, instruction.modifiers);
  if (!product || instruction.operands.size() != 4) refuse(instruction);
  const auto registers_of = [&](std::size_t operand, const Tile& tile) {
    auto list = components(instruction.operands[operand]);
    const auto distinct = static_cast<std::size_t>(tile.registers());
    if (list.size() < distinct || list.size() % distinct != 0) refuse(instruction);
    return list;
  };
  const auto gathered = [&](std::size_t operand, const Tile& tile) {
    const auto list = registers_of(operand, tile);
    const auto bytes = static_cast<std::uint32_t>(tile.register_bytes());
    const auto count = static_cast<std::uint32_t>(tile.registers());
    const Slot area = allocate(bytes * count);
    for (std::uint32_t i = 0; i < count; ++i)
      copy_register(area + bytes * kLanes * i, source(instruction, list[i], bytes), bytes);
    return area;
  };
  const Slot a = gathered(1, product->a), b = gathered(2, product->b), c = gathered(3, product->c);
  const auto bytes = static_cast<std::uint32_t>(product->d.register_bytes());
  const auto count = static_cast<std::uint32_t>(product->d.registers());
  const auto results = registers_of(0, product->d);
  const Slot d = allocate(bytes * count);
  const std::uint32_t site = add_site(instruction, nullptr);
  Operation& op = add_for_whole_warp(multiply_tiles, site);
  op.slot = {d, a, b, c, keep(*product)};
  op.immediate = site;
  for (std::uint32_t i = 0; i < results.size(); ++i) {
    const Result made = result(instruction, results[i], bytes);
    copy_register(made.slot, d + bytes * kLanes * (i % count), bytes);
  }
}

void Decoder::tile_access(const Instruction& instruction) {
  Modifiers modifiers(instruction);
  const bool store = instruction.row->kind == ptx::Class::matrix_store;
  modifiers.take_any({"load", "store"});
  std::string part;
  for (const char* each : {"a", "b", "c", "d"})
    if (modifiers.take(each)) part += each;
  const bool expected =
      modifiers.take("sync") && modifiers.take("aligned") && (part == "d") == store;
  const bool by_rows = modifiers.take("row");
  if (!expected || by_rows == modifiers.take("col") || instruction.modifiers.empty())
    refuse(instruction);
  const std::string& type = instruction.modifiers.back();
  std::string shape;
  for (const std::string& each : instruction.modifiers)
    if (each.size() > 4 && each[0] == 'm' && each.find('k') != each.npos) shape = each;
  const auto space = take_tile_space(modifiers);
  const auto tile = tile_of(part, shape, type);
  if (!tile || !modifiers.take(shape) || !modifiers.take(type) || modifiers.left())
    refuse(instruction);
  // Numbers smaller than a byte lie side by side along, and nowhere else.
  const bool across_is_major = (tile->part == Tile::Part::b) != by_rows;
  const int bits = bits_of(tile->number);
  if (bits < 8 && !across_is_major) refuse(instruction);

  const auto& operands = instruction.operands;
  if (operands.size() < 2 || operands.size() > 3) refuse(instruction);
  const auto* memory = std::get_if<ptx::Memory>(&operands[store ? 0 : 1].value);
  const auto registers = components(operands[store ? 1 : 0]);
  const auto distinct = static_cast<std::size_t>(tile->registers());
  if (!memory || registers.size() < distinct || registers.size() % distinct != 0)
    refuse(instruction);

  MemoryOperand access;
  access.space = space.value_or(ptx::Space::generic);
  access.direction = store ? Direction::store : Direction::load;
  point(instruction, access, *memory);
  Slot base = constant(0, 8);
  if (access.has_base && access.wide_base) {
    base = access.base;
  } else if (access.has_base) {
    base = allocate(8);
    resize(base, 8, access.base, 4, false);
  }
  const int usual = across_is_major ? tile->along : tile->across;
  const Slot stride = operands.size() == 3 ? source(instruction, operands[2], 4)
                                           : constant(static_cast<std::uint64_t>(usual), 4);
  const std::uint32_t site = add_site(instruction, nullptr);
  add_for_whole_warp(need_whole_warp, site).immediate = site;

  // One number a register, or all of it, or each of its numbers by itself.
  const auto bytes = static_cast<std::uint32_t>(tile->register_bytes());
  const int each = tile->per_register();
  const bool at_once = each == 1 || across_is_major;
  const std::uint32_t element = at_once ? bytes : static_cast<std::uint32_t>(bits) / 8;
  access.element = static_cast<std::uint8_t>(element);
  access.has_base = access.wide_base = true;
  // Of a sum, two numbers of a row are a lane's.
  const bool in_pairs = tile->part == Tile::Part::c && across_is_major && each == 1;
  access.of_tile.parts =
      static_cast<std::uint8_t>(distinct * static_cast<std::size_t>(at_once ? 1 : each));
  access.of_tile.neighbours = in_pairs ? 2 : 1;
  const auto access_number = [&](std::size_t reg, int i, Slot value) {
    const Slot address = allocate(8);
    Operation& op = add(point_at_tile);
    op.slot[0] = address;
    op.slot[1] = base;
    op.slot[2] = stride;
    op.immediate = packed_place(place_of(*tile, static_cast<int>(reg), i), *tile, across_is_major);
    MemoryOperand made = access;
    made.base = address;
    made.value[0] = value;
    add_memory_operation(instruction, made, {});
    ++access.of_tile.place;
  };
  std::vector<Slot> loaded;
  for (std::size_t reg = 0; reg < distinct; ++reg) {
    const Slot whole = store ? source(instruction, registers[reg], bytes) : allocate(bytes);
    if (at_once) access_number(reg, 0, whole);
    for (int i = 0; i < each && !at_once; ++i) {
      const Slot number = allocate(element);
      if (!store) access_number(reg, i, number);
      Operation& op =
          add(store ? take_part(static_cast<int>(element)) : put_part(static_cast<int>(element)));
      op.slot[0] = store ? number : whole;
      op.slot[1] = store ? whole : number;
      op.immediate = static_cast<std::uint32_t>(i);
      if (store) access_number(reg, i, number);
    }
    loaded.push_back(whole);
  }
  for (std::size_t i = 0; i < registers.size() && !store; ++i)
    copy_register(result(instruction, registers[i], bytes).slot, loaded[i % distinct], bytes);
}

} // namespace course::emulator
