// Decoding of loads, stores and atomics.
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/decode/decoder.hpp"
#include "device/emulator/decode/instruction_set.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace course::emulator {
namespace {

std::optional<ptx::Space> take_space(Modifiers& modifiers) {
  using S = ptx::Space;
  static const std::pair<std::string_view, S> spaces[] = {
      {"global", S::global},      {"shared", S::shared},     {"shared::cta", S::shared},
      {"local", S::local},        {"const", S::constant},    {"param", S::param},
      {"param::entry", S::param}, {"param::func", S::param},
  };
  for (const auto& [name, space] : spaces)
    if (modifiers.take(name)) return space;
  return std::nullopt;
}

// An address of the cluster's shared memory, which may be the block's own.
bool take_cluster(Modifiers& modifiers, MemoryOperand& access) {
  if (!modifiers.take("shared::cluster")) return false;
  access.space = ptx::Space::shared;
  access.of_cluster = true;
  return true;
}

// Hints for caches change no result.
void take_hints(Modifiers& modifiers) {
  static constexpr std::string_view hints[] = {"ca",
                                               "cg",
                                               "cs",
                                               "lu",
                                               "cv",
                                               "wb",
                                               "wt",
                                               "L1::evict_normal",
                                               "L1::evict_unchanged",
                                               "L1::evict_first",
                                               "L1::evict_last",
                                               "L1::no_allocate",
                                               "L2::evict_normal",
                                               "L2::evict_first",
                                               "L2::evict_last",
                                               "L2::64B",
                                               "L2::128B",
                                               "L2::256B",
                                               "L2::cache_hint",
                                               "level::eviction_priority",
                                               "unified"};
  for (const std::string_view hint : hints) modifiers.take(hint);
}

std::uint32_t take_components(Modifiers& modifiers) {
  if (modifiers.take("v2")) return 2;
  if (modifiers.take("v4")) return 4;
  return modifiers.take("v8") ? 8 : 1;
}

// What order of memory is asked for, and for whom.
MemoryOrder take_order(Modifiers& modifiers, MemoryOperand& access) {
  MemoryOrder order;
  const bool both = modifiers.take("acq_rel");
  order.releases = modifiers.take("release") || both;
  order.acquires = modifiers.take("acquire") || both;
  const bool others = modifiers.take_any({"relaxed", "mmio"});
  access.strong = access.strong || order.releases || order.acquires || others;
  order.cluster = modifiers.take("cluster");
  if (modifiers.take("cta") || order.cluster) order.scope = Scope::block;
  modifiers.take_any({"gpu", "sys"});
  return order;
}

bool releases_to_host(const ptx::Instruction& instruction, const MemoryOrder& order) {
  return order.releases && std::ranges::count(instruction.modifiers, "sys") != 0;
}

// Whether PTX has it at sm_90 (PTX ISA, ld, st, ldu).
bool exists(ptx::Opcode opcode, const MemoryOperand& access, ptx::Type type) {
  using T = ptx::Type;
  const bool half = type == T::f16 || type == T::f16x2 || type == T::bf16 || type == T::bf16x2;
  if (half || type == T::pred || (access.element == 16 && access.components > 1)) return false;
  const bool global = access.space == ptx::Space::global;
  if (opcode == ptx::Opcode::ldu && !global && access.space != ptx::Space::generic) return false;
  if (access.width() <= 16) return access.components <= 4;
  return access.width() == 32 && global && opcode != ptx::Opcode::ldu;
}

std::string size_name(const MemoryOperand& access) {
  return std::to_string(access.element * 8);
}

model::Memory memory_of(ptx::Space space) {
  return space == ptx::Space::shared   ? model::Memory::shared
         : space == ptx::Space::global ? model::Memory::global
                                       : model::Memory::other; // a generic address
}

} // namespace

void Decoder::add_memory_operation(const Instruction& instruction, MemoryOperand& access,
                                   const MemoryOrder& order) {
  Execute execute =
      access.direction == Direction::atomic ? atomic_operation(access) : memory_operation(access);
  if (!execute) refuse(instruction);
  access.counted_width = static_cast<std::uint8_t>(access.width());
  using D = Direction;
  using M = model::RequestKind;
  // An atomic on a generic address does not merge: only ATOMS has a form that counts lanes.
  const auto atomic_in_shared =
      access.kind == M::shared_atomic_increment ? M::shared_atomic : access.kind;
  if (access.space == ptx::Space::constant || access.space == ptx::Space::param)
    access.kind = M::constant_load;
  else if (access.space != ptx::Space::shared)
    access.kind = access.direction == D::load ? M::global_load : M::global_store;
  else if (access.direction != D::atomic)
    access.kind = access.direction == D::load ? M::shared_load : M::shared_store;

  const auto keep = [&](const MemoryOperand& made) {
    code_->accesses.push_back(made);
    MemoryOperand& kept = code_->accesses.back();
    kept.id = add_site(instruction, &kept);
    program_.sites_[kept.id].order = order;
    kept.instruction = static_cast<std::uint32_t>(&instruction - function_.body.data());
    return &kept;
  };
  const auto of_remote = [&] {
    MemoryOperand made = access;
    made.space = ptx::Space::generic;
    made.of_cluster = false;
    made.kind = access.direction == D::load ? M::global_load : M::global_store;
    made.counted_width = static_cast<std::uint8_t>(access.width());
    made.reported = {access.direction == D::atomic ? M::dshared_atomic
                     : access.direction == D::load ? M::dshared_load
                                                   : M::dshared_store,
                     static_cast<int>(access.width())};
    return keep(made);
  };
  if (access.of_cluster) {
    // As SASS has it, a generic access, also where it is the block's own memory.
    MemoryOperand own = access;
    own.of_cluster = false;
    if (access.direction == D::atomic) own.kind = atomic_in_shared;
    access.shared = keep(own);
    access.remote = of_remote();
  }
  if (access.space == ptx::Space::generic) {
    access.remote = of_remote();
    // A generic access counts and reports as the one that its address makes it.
    const auto as = [&](ptx::Space space) -> const MemoryOperand* {
      MemoryOperand made = access;
      made.space = space;
      const bool load = access.direction == D::load;
      if (space == ptx::Space::constant) made.kind = M::constant_load;
      if (space == ptx::Space::shared)
        made.kind = access.direction == D::atomic ? atomic_in_shared
                    : load                        ? M::shared_load
                                                  : M::shared_store;
      if (access.direction == D::atomic) {
        if (space == ptx::Space::global) made.combine = on_global_memory(made.combine);
        made.reported = model::kind_of(made.reported->atomic, memory_of(space));
      }
      return keep(made);
    };
    access.shared = as(ptx::Space::shared);
    access.global = as(ptx::Space::global);
    if (access.direction != D::atomic) {
      access.local = as(ptx::Space::local);
      access.constant = as(ptx::Space::constant);
    }
  }
  const MemoryOperand* kept = keep(access);
  Operation& op = add(execute);
  op.access = kept;
  // An exchange whose result nobody wants is a store. Any other atomic of the kind only joins what
  // others do: it tells nobody's order, but what comes before it may be seen before it.
  const bool tells = access.strong || access.returns || !order.reads;
  code_->tells_order = code_->tells_order || tells;
  op.tells_order = tells || access.direction == Direction::atomic;
}

// Where an access to the parameter space goes that names a variable: the area of a call, or a
// parameter of the kernel. One whose elements fit a register is returned: it is no memory here.
const ptx::Variable* Decoder::point_at_parameter(const Instruction& instruction,
                                                 MemoryOperand& access, const ptx::Memory& memory,
                                                 const ptx::Symbol& name) {
  const std::int64_t offset = memory.offset + name.offset;
  if (const auto area = areas_.find(name.name); area != areas_.end()) {
    if (offset < 0 || offset + access.width() > area->second.bytes)
      refuse(instruction, fmt::format("it is outside of parameter '{}'", name.name));
    access.area = area->second.area;
    access.area_bytes = area->second.bytes;
    access.offset = offset;
    access.has_base = false;
    return nullptr;
  }
  const auto& all = function_.parameters;
  const auto parameter = std::ranges::find(all, name.name, &ptx::Variable::name);
  if (parameter == all.end() || !function_.is_entry || access.direction == Direction::store)
    refuse(instruction, fmt::format("'{}' is no parameter", name.name));
  if (access.element <= 8) return &*parameter;
  access.base = symbol(instruction, name, 8);
  access.offset = memory.offset;
  return nullptr;
}

void Decoder::load_or_store(const Instruction& instruction) {
  Modifiers modifiers(instruction);
  MemoryOperand access;
  access.direction =
      instruction.row->kind == ptx::Class::store ? Direction::store : Direction::load;
  const auto type = modifiers.take_type();
  if (!type) refuse(instruction, "it has no type");
  if (!take_cluster(modifiers, access))
    access.space = take_space(modifiers).value_or(ptx::Space::generic);
  modifiers.take("weak");
  access.strong = modifiers.take("volatile");
  MemoryOrder order = take_order(modifiers, access);
  code_->synchronises = code_->synchronises || order.releases || order.acquires;
  code_->releases_to_host = code_->releases_to_host || releases_to_host(instruction, order);
  code_->reads_strongly =
      code_->reads_strongly || (access.strong && access.direction == Direction::load);
  access.unchanging = instruction.row->opcode == ptx::Opcode::ldu ||
                      (access.space == ptx::Space::global &&
                       instruction.row->opcode == ptx::Opcode::ld && modifiers.take("nc"));
  take_hints(modifiers);
  const std::uint32_t count = take_components(modifiers);
  if (const std::string* left = modifiers.left())
    refuse(instruction, fmt::format("'.{}' is not available", *left));
  if (instruction.operands.size() < 2) refuse(instruction);

  const bool store = access.direction == Direction::store;
  const Operand& where = instruction.operands[store ? 0 : 1];
  const std::vector<Operand> values = components(instruction.operands[store ? 1 : 0]);
  const auto* memory = std::get_if<ptx::Memory>(&where.value);
  if (!memory || values.size() != count) refuse(instruction);
  access.element = static_cast<std::uint8_t>(ptx::size_of(*type));
  access.components = static_cast<std::uint8_t>(count);
  if (!exists(instruction.row->opcode, access, *type)) refuse(instruction);

  const auto* parameter = std::get_if<ptx::Symbol>(&memory->base);
  const bool of_parameters = access.space == ptx::Space::param;
  if (of_parameters && parameter) {
    if (const auto* whole = point_at_parameter(instruction, access, *memory, *parameter))
      return load_parameter(instruction, *whole, memory->offset + parameter->offset, values, *type);
  } else {
    if (of_parameters && (store || !function_.is_entry)) refuse(instruction);
    point(instruction, access, *memory);
  }

  // Results that are narrower than their registers go to places of their own size first.
  std::vector<Result> made(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (store) {
      access.value[i] = source(instruction, values[i], access.element);
    } else {
      made[i] = result(instruction, values[i], access.element);
      access.value[i] = made[i].slot;
    }
  }
  if (const auto* reg = std::get_if<ptx::Register>(&values[0].value); reg && !store && count == 1) {
    order.decides = looks_[reg->index] > 0;
    order.only_decides = uses_[reg->index] == looks_[reg->index];
  }
  const bool sign = *type == ptx::Type::s8 || *type == ptx::Type::s16 || *type == ptx::Type::s32;
  if (access.strong) {
    if (access.space == ptx::Space::global || access.space == ptx::Space::generic)
      code_->ordered_atomics = code_->may_wait = true;
    // It may be waiting for what another lane writes, or another block.
    Operation& op = add(touch_atomics);
    if (!store && access.has_base && access.wide_base && access.offset == 0) {
      op.execute = look_at_flag;
      op.slot[0] = access.base;
    }
  }
  add_memory_operation(instruction, access, order);
  for (const Result& each : made)
    if (!store) extend(each, access.element, sign);
}

// A kernel's parameter is the same for all threads: it is in the frame before the kernel starts.
void Decoder::load_parameter(const Instruction& instruction, const ptx::Variable& parameter,
                             std::int64_t offset, const std::vector<Operand>& values,
                             ptx::Type type) {
  const std::uint32_t bytes = ptx::size_of(type);
  if (offset < 0 || offset + static_cast<std::int64_t>(bytes * values.size()) >
                        static_cast<std::int64_t>(parameter.size))
    refuse(instruction, fmt::format("it is outside of parameter '{}'", parameter.name));
  const std::vector<std::uint32_t> offsets = ptx::parameter_offsets(function_);
  const auto index = static_cast<std::size_t>(&parameter - function_.parameters.data());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Slot from = allocate(bytes);
    code_->parameters.push_back(
        {from,
         static_cast<std::uint32_t>(offsets[index] + static_cast<std::uint64_t>(offset) +
                                    i * bytes),
         static_cast<std::uint8_t>(bytes)});
    const Result made = result(instruction, values[i], bytes);
    if (made.wider_bytes) {
      const bool sign = type == ptx::Type::s8 || type == ptx::Type::s16 || type == ptx::Type::s32;
      resize(made.wider, made.wider_bytes, from, bytes, sign);
    } else {
      const Form* form = forms().find("mov.b" + std::to_string(std::max(16u, bytes * 8)));
      Operation& op = add(form->versions.best());
      op.slot[0] = made.slot;
      op.slot[1] = from;
    }
  }
}

void Decoder::atomic(const Instruction& instruction) {
  Modifiers modifiers(instruction);
  MemoryOperand access;
  access.direction = Direction::atomic;
  const bool reduction = instruction.row->opcode == ptx::Opcode::red;
  const auto type = modifiers.take_type();
  if (!type) refuse(instruction, "it has no type");
  if (!take_cluster(modifiers, access))
    access.space = take_space(modifiers).value_or(ptx::Space::generic);
  MemoryOrder order = take_order(modifiers, access);
  code_->synchronises = code_->synchronises || order.releases;
  code_->releases_to_host = code_->releases_to_host || releases_to_host(instruction, order);
  modifiers.take_any({"L2::cache_hint", "level::cache_hint"});
  std::string operation;
  for (const char* name : {"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"})
    if (modifiers.take(name)) operation = name;
  if (modifiers.take("noftz")) operation += ".noftz";
  if (const std::string* left = modifiers.left())
    refuse(instruction, fmt::format("'.{}' is not available", *left));
  const std::string& type_name = instruction.modifiers.back();
  bool ordered = false;
  access.combine = combine_operation(operation + "." + type_name, ordered);
  if (!access.combine) refuse(instruction);
  if (access.space == ptx::Space::global) access.combine = on_global_memory(access.combine);
  access.element = static_cast<std::uint8_t>(ptx::size_of(*type));

  const auto& operands = instruction.operands;
  const std::size_t first = reduction ? 0 : 1;
  const bool compares = operation == "cas";
  if (reduction && (compares || operation == "exch")) refuse(instruction);
  if (operands.size() < first + (compares ? 3 : 2)) refuse(instruction);
  const auto* memory = std::get_if<ptx::Memory>(&operands[first].value);
  if (!memory) refuse(instruction);
  point(instruction, access, *memory);

  // An old value that nobody reads is one that ptxas does not ask for.
  Result made;
  if (!reduction) {
    made = result(instruction, operands[0], access.element);
    const auto* reg = std::get_if<ptx::Register>(&operands[0].value);
    access.returns = reg && uses_[reg->index] > 0;
    if (made.wider_bytes) refuse(instruction);
    access.value[0] = made.slot;
  } else {
    access.value[0] = sink(access.element);
  }
  access.value[1] = source(instruction, operands[first + 1], access.element);
  access.value[2] =
      compares ? source(instruction, operands[first + 2], access.element) : access.value[1];
  order.reads = access.returns || operation != "exch";
  code_->ordered_atomics = code_->ordered_atomics || ordered || access.returns;
  code_->may_wait = code_->may_wait || (access.returns && access.space != ptx::Space::shared);

  const auto* operand = std::get_if<ptx::Immediate>(&operands[first + 1].value);
  const bool increment =
      operation == "add" && operand && operand->bits == 1 && size_name(access) == "32";
  auto spelled = model::atomic_named(operation.substr(0, operation.find('.')), type_name);
  if (!spelled) refuse(instruction);
  spelled->returns = access.returns;
  spelled->of_one = increment;
  access.reported = model::kind_of(*spelled, memory_of(access.space));
  access.kind = model::kind_of(*spelled, model::Memory::shared).access;
  // One address for the whole warp, known when compiling, and only the sum matters.
  access.one_lane = !access.has_base && !access.returns && !ordered && access.element == 4 &&
                    access.kind == model::RequestKind::shared_atomic && operation != "inc" &&
                    operation != "dec";
  add_memory_operation(instruction, access, order);
}

} // namespace course::emulator
