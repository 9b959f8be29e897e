// Decoding of textures and surfaces: tex, tld4, suld, sust.
//
// A surface access becomes an access to global memory, for the lanes that are inside of the array.
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/decode/decoder.hpp"

namespace course::emulator {
namespace {

std::optional<Geometry> take_geometry(Modifiers& modifiers) {
  static const std::pair<const char*, Geometry> all[] = {{"1d", Geometry::one},
                                                         {"2d", Geometry::two},
                                                         {"3d", Geometry::three},
                                                         {"a1d", Geometry::layers_of_one},
                                                         {"a2d", Geometry::layers_of_two}};
  for (const auto& [name, geometry] : all)
    if (modifiers.take(name)) return geometry;
  return std::nullopt;
}

model::RequestKind access_of(Geometry geometry) {
  using A = model::RequestKind;
  constexpr A kAll[] = {A::texture_1d, A::texture_2d, A::texture_3d, A::texture_1d_layered,
                        A::texture_2d_layered};
  return kAll[static_cast<int>(geometry)];
}

// Coordinates, the layer included.
std::size_t needed(Geometry geometry) {
  constexpr std::size_t kNeeded[] = {1, 2, 3, 2, 3};
  return kNeeded[static_cast<std::size_t>(geometry)];
}

} // namespace

// The object and the coordinates, which lie one behind the other in a place of their own.
Decoder::TextureOperands Decoder::texture_operands(const Instruction& instruction,
                                                   const Operand& operand, std::size_t least) {
  const auto* memory = std::get_if<ptx::Memory>(&operand.value);
  const auto* object = memory ? std::get_if<ptx::Register>(&memory->base) : nullptr;
  if (!object || register_bytes(*object) != 8 || memory->offset != 0 || memory->coordinates.empty())
    refuse(instruction, "texture and surface references are not available; objects are");
  const auto& coordinates = memory->coordinates;
  if (coordinates.size() < least || coordinates.size() > 4) refuse(instruction);
  TextureOperands made;
  made.object = register_slot(*object);
  made.coordinates = allocate(16);
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    copy_register(made.coordinates + static_cast<Slot>(4 * kLanes * i),
                  source(instruction, coordinates[i], 4));
  return made;
}

const MemoryOperand* Decoder::keep_texture_access(const Instruction& instruction,
                                                  MemoryOperand access) {
  access.instruction = static_cast<std::uint32_t>(&instruction - function_.body.data());
  code_->accesses.push_back(access);
  MemoryOperand& kept = code_->accesses.back();
  kept.id = add_site(instruction, &kept);
  return &kept;
}

void Decoder::texture(const Instruction& instruction) { // tex, tld4
  Modifiers modifiers(instruction);
  Fetch fetch;
  fetch.gathers = instruction.row->opcode == ptx::Opcode::tld4;
  constexpr const char* kChannels[] = {"r", "g", "b", "a"};
  for (std::uint8_t c = 0; fetch.gathers && c < 4; ++c)
    if (modifiers.take(kChannels[c])) fetch.channel = c;
  // Arrays here have one level: of whatever level is asked for, it is that one.
  modifiers.take_any({"level", "grad", "base"});
  const auto geometry = take_geometry(modifiers);
  const bool four = modifiers.take("v4");
  const auto& types = instruction.modifiers;
  const bool index = !types.empty() && types.back() == "s32";
  if (!geometry || !four || types.size() < 3 || instruction.operands.size() < 2)
    refuse(instruction);
  const std::string result_type = types[types.size() - 2], coordinate_type = types.back();
  const bool known = result_type == "f32" || result_type == "s32" || result_type == "u32";
  if (!known || !(index || coordinate_type == "f32")) refuse(instruction);
  modifiers.take(result_type);
  if (modifiers.take(coordinate_type); types[types.size() - 2] == types.back())
    modifiers.take(coordinate_type); // the second of two that are equal
  if (modifiers.left()) refuse(instruction);
  fetch.geometry = *geometry;
  fetch.by_index = index;

  const auto operands = texture_operands(instruction, instruction.operands[1], needed(*geometry));
  MemoryOperand access;
  access.space = ptx::Space::global;
  access.direction = Direction::load;
  access.reported = {access_of(*geometry), 0};
  access.kind = model::RequestKind::global_load;
  const MemoryOperand* kept = keep_texture_access(instruction, access);
  const Slot area = allocate(16);
  Operation& op = add(fetch_texture);
  op.slot[0] = area;
  op.slot[1] = operands.object;
  op.slot[2] = operands.coordinates;
  op.access = kept;
  op.immediate = fetch.packed();
  scatter(instruction, instruction.operands[0], area, 4);
}

void Decoder::surface(const Instruction& instruction) { // suld, sust
  Modifiers modifiers(instruction);
  const bool store = instruction.row->opcode == ptx::Opcode::sust;
  const bool bytes = modifiers.take("b");
  const auto geometry = take_geometry(modifiers);
  const std::uint32_t count = modifiers.take("v4") ? 4 : modifiers.take("v2") ? 2 : 1;
  std::uint32_t element = 0;
  for (const std::uint32_t bits : {8u, 16u, 32u, 64u})
    if (modifiers.take("b" + std::to_string(bits))) element = bits / 8;
  Outside outside = Outside::trap;
  if (modifiers.take("clamp"))
    outside = Outside::clamp;
  else if (modifiers.take("zero"))
    outside = Outside::zero;
  else
    modifiers.take("trap");
  constexpr std::uint32_t kWidest = 16;
  if (!bytes || !geometry || element == 0 || element * count > kWidest || modifiers.left() ||
      instruction.operands.size() != 2)
    refuse(instruction);
  const auto operands =
      texture_operands(instruction, instruction.operands[store ? 0 : 1], needed(*geometry));
  const auto values = components(instruction.operands[store ? 1 : 0]);
  if (values.size() != count) refuse(instruction);

  MemoryOperand access;
  access.space = ptx::Space::global;
  access.direction = store ? Direction::store : Direction::load;
  access.element = static_cast<std::uint8_t>(element);
  access.components = static_cast<std::uint8_t>(count);
  access.has_base = access.wide_base = true;
  access.base = allocate(8);
  access.reported = {store ? model::RequestKind::surface_store : model::RequestKind::surface_load,
                     static_cast<int>(element * count)};
  const Slot going = allocate_predicate();
  Operation& points = add(point_at_surface);
  points.slot[0] = access.base;
  points.slot[1] = operands.object;
  points.slot[2] = operands.coordinates;
  points.slot[3] = going;
  points.access = keep_texture_access(instruction, access);
  points.immediate = static_cast<std::uint32_t>(*geometry) |
                     static_cast<std::uint32_t>(outside) << 3 | element * count << 5;
  std::vector<Result> made(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (store) {
      access.value[i] = source(instruction, values[i], element);
      continue;
    }
    made[i] = result(instruction, values[i], element);
    access.value[i] = made[i].slot;
    Operation& op = add(clear_lanes); // what is read outside
    op.slot[0] = made[i].slot;
    op.immediate = element;
  }
  const std::size_t before = code_->operations.size();
  add_memory_operation(instruction, access, {});
  for (std::size_t i = before; i < code_->operations.size(); ++i) {
    code_->operations[i].guard = going;
    code_->operations[i].guard_kind = GuardKind::if_set;
  }
  for (const Result& each : made)
    if (!store) extend(each, element, false);
}

} // namespace course::emulator
