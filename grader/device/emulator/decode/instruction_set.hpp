// The instructions that are found by name, in tables that execute has: arithmetic, exchanges,
// products, atomics, functions that CUDA provides.
#pragma once

#include "device/emulator/decode/memory_operand.hpp"
#include "device/emulator/decode/operation.hpp"

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

namespace course::emulator {

// Two versions of a function, to choose from when decoding.
struct Versions {
  Execute any = nullptr, avx2 = nullptr;

  Execute best() const {
    static const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                                 __builtin_cpu_supports("bmi2");
    return has_avx2 ? avx2 : any;
  }
};

// Forms: every arithmetic instruction that can be executed, by its full name ("add.rn.f32").
//
// A form is a name, the sizes of its operands, and a function over lanes. The decoder looks an
// instruction up by its name; what is not found is refused, so a modifier that is not listed can
// never be ignored by mistake.
struct Form {
  Versions versions;
  // One letter an operand, result first: b h w d for 1, 2, 4, 8 bytes; p predicate; i immediate.
  std::string operands;
  // How many of the operands' slots the instruction does not name: the carry flag comes last.
  bool carries = false;
  bool pair = false; // the result may be written d|p
};

// Bytes of an operand with that letter, but p and i.
constexpr std::uint32_t bytes_of_operand(char letter) {
  return letter == 'b' ? 1 : letter == 'h' ? 2 : letter == 'w' ? 4 : 8;
}

class Forms {
public:
  const Form* find(const std::string& name) const {
    const auto found = forms_.find(name);
    return found == forms_.end() ? nullptr : &found->second;
  }
  std::size_t size() const { return forms_.size(); }
  const std::unordered_map<std::string, Form>& all() const { return forms_; }

protected:
  std::unordered_map<std::string, Form> forms_;
};

// All of them; made on first use.
const Forms& forms();

// Exchanges between the lanes of a warp: shfl, vote, match, redux, activemask, elect. Slots:
// result, the PTX sources in order, and in the last slot the predicate p of d|p.
//
// shfl: value, lane or distance, clamp and segment; members.   vote: predicate; members.
// match: value; members.   redux: value; members.
struct Exchange {
  Execute execute = nullptr;
  const char* operands = ""; // letters as in Form
  bool pair = false;
  bool counts_as_shuffle = false;
};
// By full name ("shfl.sync.down.b32"); nullptr when there is none.
const Exchange* exchange_operation(const std::string& name);
std::vector<std::string> exchange_names(); // sorted
inline constexpr int kPairSlot = 5;
// Whose value each lane gets by a shuffle of `lanes`.
std::array<std::uint8_t, kLanes> shuffled_from(const Warp&, const Operation&, std::uint32_t lanes);

// mma.sync with C and D in f32, D = A B + C. Slots 0 to 3: D, A, B, C, each register's 32 lanes one
// behind the other. Added up as a matrix unit does (unit_sums.hpp).
struct MatrixProduct {
  Execute execute = nullptr;
  int of_a = 0, of_b = 0; // registers; C and D have four
};
// By all modifiers: "sync.aligned.m16n8k16.row.col.f32.f16.f16.f32". Without `execute`: none.
MatrixProduct matrix_product(const std::string& modifiers);
std::vector<std::string> matrix_product_names(); // all modifiers of each, sorted

// Instructions of memory with an action of their own ("discard.global.L2"): their address becomes
// the access of the operation, and the action does the rest, bounds, checks and counts included. A
// new one is its row in the table of instructions and an entry in execute/memory_actions.cpp.
struct MemoryAction {
  Execute execute = nullptr;
  // What is touched at the address, which bounds and alignment are asked for.
  ptx::Space space = ptx::Space::global;
  Direction direction = Direction::load;
  std::uint8_t element = 4, components = 1;
  // A letter for each operand, as in Form; `a` is the address, whose slot is not used.
  const char* operands = "a";
};
// By full name; nullptr when there is none.
const MemoryAction* memory_action(const std::string& name);
std::vector<std::string> memory_action_names(); // sorted

// The function that does `access`, which is no atomic; nullptr when there is none.
Execute memory_operation(const MemoryOperand&);
// The function that does an atomic, in shared, global or generic space.
Execute atomic_operation(const MemoryOperand&);

// By operation and type, as in the PTX: "add.u32", "cas.b64". nullptr: no such operation.
// `ordered`: the result depends on the order in which lanes come, even when nobody looks at the
// old value. Floating-point sums do, by their rounding.
Combine combine_operation(const std::string& name, bool& ordered);
std::vector<std::string> combine_names(); // sorted
// The same operation on global memory, where sums of f32 take and leave subnormal numbers as zeros
// of their sign. On shared memory they do not (PTX ISA, atom).
Combine on_global_memory(Combine);

// Functions that CUDA provides to kernels: printf, assert, malloc and free. By the name in the PTX
// ("vprintf"); nullptr for what is not provided. Slots: the areas of the result and of the
// arguments, lane after lane, 16 bytes each; `immediate` is its site.
Execute provided_function(const std::string& name);

} // namespace course::emulator
