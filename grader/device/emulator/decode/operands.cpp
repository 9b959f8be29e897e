// Slots for the operands of instructions.
#include "device/emulator/decode/decoder.hpp"
#include "device/emulator/decode/windows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace course::emulator {
namespace {

constexpr std::uint32_t kPredicatesALine = 16;

const std::map<std::string, SpecialRegister>& specials() {
  using S = SpecialRegister;
  static const std::map<std::string, S> all = {
      {"tid.x", S::tid_x},
      {"tid.y", S::tid_y},
      {"tid.z", S::tid_z},
      {"ntid.x", S::ntid_x},
      {"ntid.y", S::ntid_y},
      {"ntid.z", S::ntid_z},
      {"ctaid.x", S::ctaid_x},
      {"ctaid.y", S::ctaid_y},
      {"ctaid.z", S::ctaid_z},
      {"nctaid.x", S::nctaid_x},
      {"nctaid.y", S::nctaid_y},
      {"nctaid.z", S::nctaid_z},
      {"laneid", S::laneid},
      {"warpid", S::warpid},
      {"nwarpid", S::nwarpid},
      {"smid", S::smid},
      {"nsmid", S::nsmid},
      {"gridid", S::gridid},
      {"lanemask_eq", S::lanemask_eq},
      {"lanemask_le", S::lanemask_le},
      {"lanemask_lt", S::lanemask_lt},
      {"lanemask_ge", S::lanemask_ge},
      {"lanemask_gt", S::lanemask_gt},
      {"dynamic_smem_size", S::dynamic_smem_size},
      {"total_smem_size", S::total_smem_size},
      {"clusterid.x", S::clusterid_x},
      {"clusterid.y", S::clusterid_y},
      {"clusterid.z", S::clusterid_z},
      {"nclusterid.x", S::nclusterid_x},
      {"nclusterid.y", S::nclusterid_y},
      {"nclusterid.z", S::nclusterid_z},
      {"cluster_ctaid.x", S::cluster_ctaid_x},
      {"cluster_ctaid.y", S::cluster_ctaid_y},
      {"cluster_ctaid.z", S::cluster_ctaid_z},
      {"cluster_nctaid.x", S::cluster_nctaid_x},
      {"cluster_nctaid.y", S::cluster_nctaid_y},
      {"cluster_nctaid.z", S::cluster_nctaid_z},
      {"cluster_ctarank", S::cluster_ctarank},
      {"cluster_nctarank", S::cluster_nctarank},
      {"envreg0", S::zero},
      {"envreg1", S::grid_workspace_high},
      {"envreg2", S::grid_workspace_low},
  };
  return all;
}

} // namespace

Slot Decoder::allocate(std::uint32_t bytes) {
  const std::uint64_t begin = code_->frame_bytes;
  const std::uint64_t size = (std::uint64_t{bytes} * kLanes + 63) / 64 * 64;
  if (begin + size > 1u << 30)
    throw Refusal{fmt::format("'{}' has too many registers", code_->shown)};
  code_->frame_bytes = static_cast<std::uint32_t>(begin + size);
  return static_cast<Slot>(begin);
}

Slot Decoder::allocate_predicate() {
  if (next_predicate_ % (kPredicatesALine * 4) == 0) next_predicate_ = allocate(2);
  const Slot slot = next_predicate_;
  next_predicate_ += 4;
  return slot;
}

ptx::Type Decoder::register_type(ptx::Register reg) const {
  return function_.registers.at(reg.index);
}

// Bytes a lane; 0 for a predicate. 8-bit registers are held in 16 bits.
std::uint32_t Decoder::register_bytes(ptx::Register reg) const {
  const ptx::Type type = register_type(reg);
  if (type == ptx::Type::pred) return 0;
  return std::max(2u, ptx::size_of(type));
}

Slot Decoder::register_slot(ptx::Register reg) {
  const auto found = registers_.find(reg.index);
  if (found != registers_.end()) return found->second;
  const std::uint32_t bytes = register_bytes(reg);
  const Slot slot = bytes ? allocate(bytes) : allocate_predicate();
  registers_.emplace(reg.index, slot);
  return slot;
}

Slot Decoder::sink(std::uint32_t) {
  if (!sink_) sink_ = allocate(16);
  return sink_;
}

Slot Decoder::constant(std::uint64_t value, std::uint32_t bytes, bool local_address) {
  if (bytes < 8) value &= (1ull << (bytes * 8)) - 1;
  if (local_address) {
    const auto found = local_addresses_.find(value);
    if (found != local_addresses_.end()) return found->second;
    const Slot slot = allocate(8);
    code_->constants.push_back({slot, 8, value, true});
    local_addresses_.emplace(value, slot);
    return slot;
  }
  const auto key = std::make_pair(value, bytes);
  const auto found = constants_.find(key);
  if (found != constants_.end()) return found->second;
  const Slot slot = allocate(bytes);
  code_->constants.push_back({slot, static_cast<std::uint8_t>(bytes), value, false});
  constants_.emplace(key, slot);
  return slot;
}

bool Decoder::is_shared(const std::string& name) const {
  const auto is = [&](const std::vector<ptx::Variable>& variables) {
    return std::any_of(variables.begin(), variables.end(), [&](const ptx::Variable& variable) {
      return variable.name == name && variable.space == ptx::Space::shared;
    });
  };
  return is(function_.variables) || is(program_.module().variables);
}

// An address of the block's shared memory has its rank in a cluster above the offset.
Slot Decoder::shared_address(std::uint64_t value, std::uint32_t bytes) {
  const auto key = std::make_pair(value, bytes);
  const auto found = shared_addresses_.find(key);
  if (found != shared_addresses_.end()) return found->second;
  const Slot slot = allocate(bytes);
  code_->constants.push_back({slot, static_cast<std::uint8_t>(bytes), value, false, true});
  shared_addresses_.emplace(key, slot);
  return slot;
}

Slot Decoder::special(const Instruction& instruction, const std::string& name,
                      std::uint32_t bytes) {
  if (name == "is_explicit_cluster") refuse(instruction, fmt::format("'%{}' is a predicate", name));
  if (name == "reserved_smem_offset_1") return constant(0, bytes); // Layout::reserve
  const auto found = specials().find(name);
  if (found == specials().end()) refuse(instruction, fmt::format("'%{}' is not available", name));
  const auto key = std::make_pair(static_cast<int>(found->second), bytes);
  const auto known = specials_.find(key);
  if (known != specials_.end()) return known->second;
  const Slot slot = allocate(bytes);
  code_->specials.push_back({slot, found->second, static_cast<std::uint8_t>(bytes)});
  // Where a thread is on the device is nobody's promise either.
  code_->tells_order = code_->tells_order || found->second == SpecialRegister::warpid ||
                       found->second == SpecialRegister::smid;
  specials_.emplace(key, slot);
  return slot;
}

// The address of a variable or function, in its own space.
Slot Decoder::symbol(const Instruction& instruction, const ptx::Symbol& symbol,
                     std::uint32_t bytes) {
  const auto local = local_offsets_.find(symbol.name);
  if (local != local_offsets_.end()) {
    if (bytes != 8) refuse(instruction, "a local address has 64 bits");
    return constant(local->second + static_cast<std::uint64_t>(symbol.offset), 8, true);
  }
  if (function_.is_entry) {
    const std::vector<std::uint32_t> offsets = ptx::parameter_offsets(function_);
    for (std::size_t i = 0; i < function_.parameters.size(); ++i)
      if (function_.parameters[i].name == symbol.name)
        return constant(offsets[i] + static_cast<std::uint64_t>(symbol.offset), bytes);
  }
  const auto address = program_.address_of(symbol.name);
  if (!address) refuse(instruction, fmt::format("'{}' is not defined in this module", symbol.name));
  const std::uint64_t at = *address + static_cast<std::uint64_t>(symbol.offset);
  return is_shared(symbol.name) ? shared_address(at, bytes) : constant(at, bytes);
}

std::uint64_t Decoder::immediate(const Instruction& instruction, const ptx::Immediate& immediate,
                                 std::uint32_t bytes) const {
  using K = ptx::Immediate::Kind;
  if (immediate.kind == K::f32 && bytes == 8)
    return std::bit_cast<std::uint64_t>(
        double{std::bit_cast<float>(static_cast<std::uint32_t>(immediate.bits))});
  if (immediate.kind == K::f64 && bytes == 4)
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(immediate.bits)));
  if (immediate.kind != K::integer && bytes < 4)
    refuse(instruction, "a float constant does not fit its operand");
  return immediate.bits;
}

Slot Decoder::predicate(const Instruction& instruction, const Operand& operand) {
  if (std::holds_alternative<ptx::Sink>(operand.value)) return predicate_sink_;
  if (const auto* value = std::get_if<ptx::Immediate>(&operand.value)) {
    const bool set = (value->bits != 0) != operand.negated;
    return constant(set ? kAllLanes : 0, 4);
  }
  const auto* reg = std::get_if<ptx::Register>(&operand.value);
  if (!reg || register_bytes(*reg)) refuse(instruction, "an operand must be a predicate");
  const Slot slot = register_slot(*reg);
  if (!operand.negated) return slot;
  const Slot inverse = allocate_predicate();
  Operation& op = add(forms().find("not.pred")->versions.best());
  op.slot[0] = inverse;
  op.slot[1] = slot;
  return inverse;
}

Slot Decoder::source(const Instruction& instruction, const Operand& operand, std::uint32_t bytes) {
  if (operand.negated) refuse(instruction, "negated operands are not available here");
  if (const auto* reg = std::get_if<ptx::Register>(&operand.value)) {
    const std::uint32_t held = register_bytes(*reg);
    if (held == 0) refuse(instruction, "a predicate where a number is needed");
    if (held == bytes) return register_slot(*reg);
    if (held < bytes) refuse(instruction, "an operand is narrower than its type");
    const Slot narrow = allocate(bytes);
    resize(narrow, bytes, register_slot(*reg), held, false);
    return narrow;
  }
  if (const auto* value = std::get_if<ptx::Immediate>(&operand.value))
    return constant(immediate(instruction, *value, bytes), bytes);
  if (const auto* name = std::get_if<ptx::Special>(&operand.value))
    return special(instruction, name->name, bytes);
  if (const auto* name = std::get_if<ptx::Symbol>(&operand.value))
    return symbol(instruction, *name, bytes);
  refuse(instruction, "an operand is of a kind that is not available here");
}

Decoder::Result Decoder::result(const Instruction& instruction, const Operand& operand,
                                std::uint32_t bytes) {
  if (std::holds_alternative<ptx::Sink>(operand.value)) return {sink(bytes), 0, 0};
  const auto* reg = std::get_if<ptx::Register>(&operand.value);
  if (!reg || !register_bytes(*reg)) refuse(instruction, "the result must be a register");
  const std::uint32_t held = register_bytes(*reg);
  if (held == bytes) return {register_slot(*reg), 0, 0};
  if (held < bytes) refuse(instruction, "the result does not fit its register");
  return {allocate(bytes), register_slot(*reg), held};
}

void Decoder::extend(const Result& made, std::uint32_t bytes, bool is_signed) {
  if (made.wider_bytes) resize(made.wider, made.wider_bytes, made.slot, bytes, is_signed);
}

void Decoder::resize(Slot to, std::uint32_t to_bytes, Slot from, std::uint32_t from_bytes,
                     bool is_signed) {
  const std::string sign = is_signed && to_bytes > from_bytes ? "s" : "u";
  const auto type = [&](std::uint32_t bytes) { return sign + std::to_string(bytes * 8); };
  const Form* found = forms().find("extend." + type(to_bytes) + "." + type(from_bytes));
  if (!found) refuse(*current_, "operands of these widths are not available");
  Operation& op = add(found->versions.best());
  op.slot[0] = to;
  op.slot[1] = from;
}

} // namespace course::emulator
