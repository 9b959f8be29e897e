// Decoding of products of warpgroups: wgmma.
#include "device/code/ptx/registers.hpp"
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/decode/decoder.hpp"
#include "device/emulator/decode/product_registers.hpp"

#include <algorithm>
#include <cstdio>

namespace course::emulator {
namespace {

// Of the types that wgmma has (PTX ISA 9.0, wgmma.mma_async): what A and B may be, and D of these.
bool multiplies(Number a, Number b, Number d) {
  const bool to_float = d == Number::f32, to_half = d == Number::f16 || to_float;
  switch (a) {
  case Number::f16:
    return b == a && to_half;
  case Number::bf16:
  case Number::tf32:
    return b == a && to_float;
  case Number::e4m3:
  case Number::e5m2:
    return (b == Number::e4m3 || b == Number::e5m2) && to_half;
  case Number::int8:
  case Number::uint8:
    return (b == Number::int8 || b == Number::uint8) && d == Number::int32;
  default:
    return false;
  }
}

bool of_bytes(Number number) {
  return number == Number::int8 || number == Number::uint8;
}

// Those of "m64n128k16", 128, for numbers like these; 0: PTX has no such shape.
std::uint32_t columns_of(const std::string& shape, Number number) {
  unsigned columns = 0, depth = 0;
  int used = 0;
  const bool read = std::sscanf(shape.c_str(), "m64n%uk%u%n", &columns, &depth, &used) == 2 &&
                    static_cast<std::size_t>(used) == shape.size();
  const unsigned expected = model::kProductDepth * 8 / static_cast<unsigned>(bits_of(number));
  if (!read || depth != expected || columns == 0 || columns > 256 || columns % 8) return 0;
  if (of_bytes(number) && columns > 32 && columns % 16) return 0;
  return columns;
}

std::optional<std::uint64_t> number_in(const ptx::Operand& operand) {
  const auto* value = std::get_if<ptx::Immediate>(&operand.value);
  if (!value) return std::nullopt;
  return operand.negated ? 0 - value->bits : value->bits;
}

} // namespace

void Decoder::tensor_memory(const Instruction& instruction) {
  refuse(instruction, "tensor memory is of compute capability 10.0, and this is 9.0: wgmma has its "
                      "results in registers");
}

void Decoder::warpgroup_step(const Instruction& instruction) {
  code_->has_products = code_->has_memory_barriers = true;
  const bool fences = instruction.row->orders == ptx::Orders::products;
  Modifiers modifiers(instruction);
  modifiers.take_any({"fence", "commit_group"});
  const bool expected = modifiers.take("sync") && modifiers.take("aligned");
  if (!expected || modifiers.left() || !instruction.operands.empty()) refuse(instruction);
  const std::uint32_t site = add_site(instruction, nullptr);
  add_for_whole_warp(fences ? fence_products : commit_products, site).immediate = site;
}

void Decoder::warpgroup_wait(const Instruction& instruction) {
  code_->has_products = code_->has_memory_barriers = true;
  Modifiers modifiers(instruction);
  modifiers.take("wait_group");
  const bool expected = modifiers.take("sync") && modifiers.take("aligned");
  constexpr std::uint64_t kMost = 7;
  const std::uint64_t count = instruction.operands.size() == 1
                                  ? number_in(instruction.operands[0]).value_or(kMost + 1)
                                  : kMost + 1;
  if (!expected || modifiers.left() || count > kMost) refuse(instruction);
  const std::uint32_t site = add_site(instruction, nullptr);
  add_for_whole_warp(need_whole_warp, site).immediate = site;
  Operation& op = add(nullptr, OperationKind::product_wait);
  op.slot[0] = site;
  op.immediate = static_cast<std::uint32_t>(count);
}

void Decoder::warpgroup_product(const Instruction& instruction) {
  code_->has_products = code_->has_memory_barriers = true;
  Modifiers modifiers(instruction);
  modifiers.take("mma_async");
  if (modifiers.take("sp")) refuse(instruction, "products of sparse matrices are not available");
  const auto& words = instruction.modifiers;
  if (words.size() < 6 || std::find(words.begin(), words.end(), "b1") != words.end())
    refuse(instruction, words.size() < 6 ? "" : "products of single bits are not available");
  WarpgroupProduct product;
  product.saturates = modifiers.take("satfinite");
  const auto a = number_named(words[words.size() - 2]), b = number_named(words.back());
  const auto d = number_named(words[words.size() - 3]);
  const auto shape = std::find_if(words.begin(), words.end(),
                                  [](const auto& word) { return word.starts_with("m64"); });
  if (!a || !b || !d || shape == words.end() || !multiplies(*a, *b, *d)) refuse(instruction);
  product.a = *a;
  product.b = *b;
  product.d = *d;
  product.columns = columns_of(*shape, *a);
  const bool integers = of_bytes(*a);
  const bool expected = modifiers.take("sync") && modifiers.take("aligned") &&
                        modifiers.take(*shape) && modifiers.take(words.back()) &&
                        modifiers.take(words[words.size() - 2]) &&
                        modifiers.take(words[words.size() - 3]);
  if (!product.columns || !expected || modifiers.left() || (product.saturates && !integers))
    refuse(instruction);

  // d, a, b, scale-d; of floats the signs of A and B; of 16 bits the majors of what is in memory.
  const auto& operands = instruction.operands;
  if (operands.size() < 4) refuse(instruction);
  product.a_in_registers = std::holds_alternative<ptx::Vector>(operands[1].value);
  const bool may_be_mn = bits_of(*a) == 16;
  const std::size_t majors = !may_be_mn ? 0 : product.a_in_registers ? 1 : 2;
  if (operands.size() != 4 + (integers ? 0 : 2) + majors) refuse(instruction);
  const auto constant_at = [&](std::size_t i, std::initializer_list<std::int64_t> allowed) {
    const auto value = number_in(operands[i]);
    const auto signed_value = static_cast<std::int64_t>(value.value_or(7));
    const auto narrow = static_cast<std::int64_t>(static_cast<std::int32_t>(signed_value));
    if (std::find(allowed.begin(), allowed.end(), narrow) == allowed.end()) refuse(instruction);
    return narrow;
  };
  if (!integers) {
    product.negates_a = constant_at(4, {1, -1}) < 0;
    product.negates_b = constant_at(5, {1, -1}) < 0;
  }
  const auto major_at = [&](std::size_t i) {
    return constant_at(i, {0, 1}) ? model::Major::mn : model::Major::k;
  };
  if (majors == 2) product.a_major = major_at(6);
  if (majors) product.b_major = major_at(5 + majors);

  const auto slots_of = [&](const Operand& list, std::size_t count) {
    const auto registers = components(list);
    std::vector<Slot> slots;
    for (const Operand& one : registers) {
      const auto* reg = std::get_if<ptx::Register>(&one.value);
      if (!reg || register_bytes(*reg) != 4) refuse(instruction);
      slots.push_back(register_slot(*reg));
    }
    if (slots.size() != count) refuse(instruction);
    return slots;
  };
  const bool halves = *d == Number::f16;
  product.d_slots = slots_of(operands[0], product.columns / (halves ? 4 : 2));
  if (product.a_in_registers)
    product.a_slots = slots_of(operands[1], 4);
  else
    product.a_descriptor = source(instruction, operands[1], 8);
  product.b_descriptor = source(instruction, operands[2], 8);
  product.adds = predicate(instruction, operands[3]);
  product.registers = product.d_slots;
  product.registers.insert(product.registers.end(), product.a_slots.begin(), product.a_slots.end());
  std::sort(product.registers.begin(), product.registers.end());

  MemoryOperand access;
  access.space = ptx::Space::shared;
  access.element = model::kProductChunk;
  access.value[0] = sink(model::kProductChunk);
  access.kind = model::RequestKind::shared_load;
  access.counted_width = 0; // by its bytes, and no line of lanes
  access.proof = Proof::exact;
  access.reported = {model::RequestKind::wgmma, static_cast<int>(product.columns)};
  access.product = &code_->products.emplace_back(std::move(product));
  const MemoryOperand* kept = keep_access(instruction, access);
  Operation& op = add_for_whole_warp(start_product, kept->id);
  op.access = kept;
}

// Before the instruction itself: what of products' registers it accesses.
void Decoder::add_touch(const Instruction& instruction) {
  const auto slots = [&](const std::vector<ptx::Register>& registers) {
    std::vector<Slot> all;
    for (const ptx::Register reg : registers)
      if (register_bytes(reg) == 4) all.push_back(register_slot(reg));
    return all;
  };
  ProductTouch touch;
  touch.reads = slots(ptx::sources(instruction));
  touch.writes = slots(ptx::results(instruction));
  if (is_copy(instruction) && touch.reads.size() == 1 && touch.writes.size() == 1) {
    touch.copies.emplace_back(touch.writes[0], touch.reads[0]);
    touch.reads.clear();
  }
  touch.of_constant =
      instruction.row->opcode == ptx::Opcode::mov && touch.reads.empty() && touch.copies.empty();
  const std::uint32_t site = add_site(instruction, nullptr);
  Operation& op = add(touch_registers);
  op.counted = false;
  first_of_instruction_ = true;
  op.immediate = site;
  op.target = static_cast<std::uint32_t>(code_->touches.size());
  code_->touches.push_back(std::move(touch));
}

} // namespace course::emulator
