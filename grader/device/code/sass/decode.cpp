#include "device/code/sass/decode.hpp"

#include <array>

namespace course::sass {
namespace {

std::uint32_t high_bits(Word word, int first, int count) { // numbered from bit 64
  return static_cast<std::uint32_t>(word.high >> (first - 64) & ((1u << count) - 1));
}

std::uint32_t instruction(Word word) {
  return word.low & 0x1ff;
}

struct Form {
  std::uint32_t instruction;
  Operation operation;
  Memory memory;
};
constexpr std::array<Form, 27> kForms = {{
    {0x006, Operation::vote, Memory::none},
    {0x03b, Operation::matrix_load, Memory::shared},
    {0x044, Operation::matrix_store, Memory::shared},
    {0x086, Operation::vote, Memory::none},
    {0x0b9, Operation::load, Memory::constant},
    {0x180, Operation::load, Memory::generic},
    {0x181, Operation::load, Memory::global},
    {0x182, Operation::load, Memory::constant},
    {0x183, Operation::load, Memory::local},
    {0x184, Operation::load, Memory::shared},
    {0x185, Operation::store, Memory::generic},
    {0x186, Operation::store, Memory::global},
    {0x187, Operation::store, Memory::local},
    {0x188, Operation::store, Memory::shared},
    {0x189, Operation::shuffle, Memory::none},
    {0x18a, Operation::atomic, Memory::generic},
    {0x18b, Operation::atomic, Memory::generic},
    {0x18c, Operation::atomic, Memory::shared},
    {0x18d, Operation::atomic, Memory::shared},
    {0x18e, Operation::atomic, Memory::global},
    {0x1a1, Operation::match, Memory::none},
    {0x1a3, Operation::atomic, Memory::global},
    {0x1a6, Operation::atomic, Memory::global},
    {0x1a8, Operation::atomic, Memory::global},
    {0x1a9, Operation::atomic, Memory::global},
    {0x1ae, Operation::copy, Memory::shared},
    {0x1c4, Operation::reduction, Memory::none},
}};
constexpr std::uint32_t kSharedAtomic = 0x18c;
constexpr std::uint32_t kSharedCas = 0x18d;

void point(Access& access, Word word) {
  const std::uint32_t of_warp =
      access.operation == Operation::load ? word.low >> 32 & 63 : high_bits(word, 64, 6);
  access.base = static_cast<std::uint16_t>((word.low >> 24 & 255) | of_warp << 8);
  access.offset = static_cast<std::int32_t>(static_cast<std::int64_t>(word.low) >> 40);
}

std::uint8_t load_width(Word word) {
  constexpr std::array<std::uint8_t, 8> kBytes = {1, 1, 2, 2, 4, 8, 16, 0};
  return kBytes[high_bits(word, 73, 3)];
}

std::uint8_t shared_atomic_width(Word word) {
  constexpr std::array<std::uint8_t, 8> kBytes = {4, 4, 8, 8, 0, 0, 0, 0};
  return kBytes[high_bits(word, 73, 3)];
}

Atomic shared_atomic(Word word) {
  constexpr std::array<Atomic, 16> kAtomics = {
      Atomic::add,      Atomic::min,     Atomic::max,    Atomic::inc,
      Atomic::dec,      Atomic::bit_and, Atomic::bit_or, Atomic::bit_xor,
      Atomic::exchange, Atomic::other,   Atomic::other,  Atomic::popc_inc,
      Atomic::other,    Atomic::other,   Atomic::other,  Atomic::other,
  };
  return kAtomics[high_bits(word, 87, 4)];
}

Atomic shared_cas(Word word) {
  const std::uint32_t form = high_bits(word, 87, 2);
  return form == 0 ? Atomic::cas : form == 3 ? Atomic::cast_spin : Atomic::other;
}

} // namespace

std::optional<int> guard(Word word) {
  const int predicate = static_cast<int>(word.low >> 12 & 7);
  if (predicate == 7) return std::nullopt;
  return predicate;
}

bool leaves_meeting(Word word) {
  constexpr std::uint32_t kBreak = 0x142;
  return instruction(word) == kBreak;
}

bool sets_registers(Word word) {
  constexpr std::uint32_t kSetMaximum = 0x1c8;
  return instruction(word) == kSetMaximum;
}

std::uint32_t set_predicates(Word word) {
  constexpr std::uint32_t kFsetp = 0x00b, kIsetp = 0x00c, kLop3 = 0x012, kPlop3 = 0x01c,
                          kDsetp = 0x02a, kNone = 7;
  const std::uint32_t wanted = instruction(word);
  const bool one = wanted == kLop3;
  const bool two = wanted == kFsetp || wanted == kIsetp || wanted == kPlop3 || wanted == kDsetp;
  std::uint32_t set = 0;
  if (one || two) set |= 1u << high_bits(word, 81, 3);
  if (two) set |= 1u << high_bits(word, 84, 3);
  return set & ~(1u << kNone);
}

std::optional<Access> decode(Word word) {
  constexpr std::uint64_t kNever = 15, kAlways = 7; // predicates that are constant
  if ((word.low >> 12 & 15) == kNever) return std::nullopt;
  const std::uint32_t wanted = instruction(word);
  for (const Form& form : kForms) {
    if (form.instruction != wanted) continue;
    Access access;
    access.operation = form.operation;
    access.memory = form.memory;
    access.guarded = guard(word).has_value();
    switch (form.operation) {
    case Operation::atomic:
      access.atomic = wanted == kSharedAtomic ? shared_atomic(word)
                      : wanted == kSharedCas  ? shared_cas(word)
                                              : Atomic::other;
      access.width = form.memory == Memory::shared ? shared_atomic_width(word) : 0;
      break;
    case Operation::matrix_load:
    case Operation::matrix_store:
      access.width = 16;
      access.matrices = static_cast<std::uint8_t>(1u << high_bits(word, 72, 2));
      break;
    case Operation::shuffle:
    case Operation::vote:
    case Operation::match:
    case Operation::reduction:
      break;
    case Operation::copy:
      access.any_count = high_bits(word, 82, 1) != 0;
      access.fills = high_bits(word, 87, 4) == kNever;
      access.may_fill = high_bits(word, 87, 3) != kAlways;
      [[fallthrough]];
    default:
      access.width = load_width(word);
      point(access, word);
    }
    return access;
  }
  return std::nullopt;
}

} // namespace course::sass
