// What one request is, and its name in tables and reports: "shared_load_4". Names are read and
// written here and nowhere else.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "device/model/async_copy.hpp"
#include "device/model/request.hpp"

namespace course::model {

// In the order of their names, in which reports have them.
enum class Memory : std::uint8_t { constant, global, other, remote, shared };
constexpr bool is_plain(Memory memory) { // which threads name and get to by themselves
  return memory != Memory::other && memory != Memory::remote;
}
enum class Direction : std::uint8_t { atomic, load, store };

// Remote: another block's shared memory. An asynchronous copy is a store to shared memory that no
// thread makes. Other: what is counted in no unit of a memory, such as a texture's.
struct Use {
  Memory memory{};
  Direction direction{};

  auto operator<=>(const Use&) const = default;
};
Use use_of(RequestKind);
inline Memory memory_of(RequestKind access) {
  return use_of(access).memory;
}
std::string name_of(Use); // "shared load"
// A copy that one lane asks for and no lane makes: it has bytes, and no wavefronts.
constexpr bool is_bulk(RequestKind access) {
  return access >= RequestKind::bulk_dshared_store && access <= RequestKind::tensor_global_store;
}
std::optional<Use> use_named(std::string_view name);

// How PTX spells an atomic; SASS says less.
struct Atomic {
  enum class Operation : std::uint8_t { none, add, min, max, inc, dec, and_, or_, xor_, exch, cas };
  // clang-format off
  enum class Type : std::uint8_t {
    b16, b32, b64, u32, u64, s32, s64, f16, f16x2, bf16, bf16x2, f32, f64
  };
  // clang-format on
  Operation operation{};
  Type type{};
  bool returns = false; // atom, and not red
  bool of_one = false;  // its operand is the constant 1

  bool operator==(const Atomic&) const = default;
};

// An access, its width in bytes a lane, and what more its name says.
struct RequestType {
  RequestKind access = RequestKind::shared_load;
  int width = 4;          // 0: its name has none. Of wgmma: columns
  bool around_l1 = false; // cp_async
  Atomic atomic = {};

  Use use() const { return use_of(access); }
  bool is_on(Memory memory) const { return use().memory == memory; }
  bool operator==(const RequestType&) const = default;
};

// An atomic as PTX has it, in shared, global, or (generic) some memory. Nothing for another type or
// operation.
std::optional<Atomic> atomic_named(std::string_view operation, std::string_view type);
RequestType kind_of(const Atomic&, Memory);

// Accepts all of:
//   shared_load_W, shared_store_W, global_load_W, global_store_W, constant_load_W   W: 1 2 4 8 16
//   and so on: request_type.cpp has all that stand before a number, or alone;
//   shared_atomic_add_4, which is shared_atomic_4;
//   atom_shared_OP_TYPE, red_global_OP_TYPE, such as atom_shared_min_u32, and behind it _constant_1
std::optional<RequestType> kind_of(std::string_view name);
// The same of those alone that a rule of this room was measured for.
std::optional<RequestType> measured_kind(std::string_view name);
std::string name_of(const RequestType&);

// The asynchronous copy that a measured pattern is, but for its lanes and addresses. Behind the
// name of the instruction stands how many bytes it reads: nothing where it is all, else _of_ and 0
// or half of the width as constants; k0 or kW, which ptxas does not know; oddW, in odd lanes W and
// in even ones 0; anyW, 0, half of W and W in turn. "cp_async_cg_16_of_odd16".
std::optional<AsyncCopy> copy_of(std::string_view name);

} // namespace course::model
