// PTX as a syntax tree: what the text says, with names resolved and nothing interpreted.
//
// Names are unique within a function. PTX lets each nested scope { } declare its own; a variable,
// label or prototype whose name was already taken in the function gets "@2", "@3", … appended
// (every call sequence of nvcc declares its own param0 and retval0), and operands say so too.
//
// The parser makes it, the decoder (decode.hpp) turns it into executable operations. Source of the
// language: NVIDIA's PTX ISA 9.0, and what nvcc 13.0 makes (its version line says ".version 9.0").
#pragma once

#include "device/code/ptx/instructions.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace course::ptx {

enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  f32,
  f64,
};
std::uint32_t size_of(Type);                      // bytes; pred 1
std::optional<Type> type_named(std::string_view); // "u32", without the dot

enum class Space : std::uint8_t { generic, reg, param, shared, global, local, constant };

struct SourceLine {
  std::uint32_t file = 0; // index into Module::files
  std::uint32_t line = 0; // 0: unknown

  bool operator==(const SourceLine&) const = default;
};

// A virtual register, numbered from 0 within its function; its type is in Function::registers.
struct Register {
  std::uint32_t index = 0;
};
struct Immediate { // integer bits, or the bits of a double for 0d…, of a float for 0f…
  enum class Kind : std::uint8_t { integer, f32, f64 } kind = Kind::integer;
  std::uint64_t bits = 0;
};
struct Symbol { // address of a variable or function, plus bytes
  std::string name;
  std::int64_t offset = 0;
};
struct Special { // "tid.x", "laneid", "clock64", "envreg3" …: without the percent sign
  std::string name;
};
struct Label { // of bra, brx.idx; also names a .callprototype or .calltargets
  std::string name;
};
struct Sink {}; // "_", a result that is thrown away
struct Operand;
using Operands = std::vector<Operand>;
struct Memory { // [base + offset]; base is a register or a symbol (whose own offset is 0), or
                // absent for an absolute address
  std::variant<std::monostate, Register, Symbol> base;
  std::int64_t offset = 0;
  Operands coordinates; // of a tensor copy: [map, {x, y}]
};
struct Vector { // {a, b, …}; also the parenthesised lists of call
  Operands elements;
};
struct PredicatePair {                   // d|p of setp and shfl; d need not be a predicate
  std::optional<Register> first, second; // absent: sink
};
struct Operand {
  std::variant<Register, Immediate, Symbol, Special, Memory, Label, Sink, Vector, PredicatePair>
      value;
  bool negated = false; // !p of a predicate operand, -a where PTX allows it
};

struct Guard {
  Register predicate;
  bool negated = false;
};

// One instruction: "@!%p1 ld.shared.v2.f32 {%f1, %f2}, [%r1+8];"
//
// A call always has the operands: Vector of results, callee (Symbol or Register), Vector of
// arguments, and for an indirect call the Label of its prototype or targets.
//
// `source` is the line to show a reader: where code of a toolkit or system header was inlined (a
// shuffle is a function of sm_30_intrinsics.hpp), it is the nearest line up the chain of inlining
// that is not in such a header (is_system_header). The line itself is in `innermost`. Code that the
// compiler made from several lines has line 0 in PTX, and here the line of the code before it.
struct Instruction {
  std::optional<Guard> guard;
  const Row* row = &kUnknown;         // what is known of it; never absent
  std::string opcode;                 // "ld", for messages: ask the row what it is
  std::vector<std::string> modifiers; // "shared::cta", "v2", "f32", in order, types included
  Operands operands;
  SourceLine source;          // from .loc
  SourceLine innermost;       // from .loc
  std::uint32_t call = 0;     // in Module::calls: the one that led to `source`; 0: none was inlined
  std::uint32_t ptx_line = 0; // 1-based line in the PTX text, as ptxas counts them
};

struct Variable { // .shared, .global, .const, .local, .param; also array parameters
  std::string name;
  Space space{};
  Type type{};
  std::uint32_t align = 1;
  std::uint64_t size = 0; // bytes; 0 for an extern array without bound
  bool is_extern = false; // declared here, defined elsewhere; for .shared: the dynamic part
  bool managed = false;   // .attribute(.managed)
  // Bytes from the start; shorter than `size`: the rest is zero. Empty: zero for .global and
  // .const, undefined for others.
  std::vector<std::uint8_t> initial;
  struct Relocation { // an address in the initialiser, over `width` bytes of `initial`
    std::uint64_t offset = 0;
    Symbol target;
    std::uint32_t width = 8; // bytes
    std::uint32_t shift = 0; // in bits: 0xFF00(sym) stores bits 8 to 15 of the address
    bool generic = false;    // generic(sym): the generic address, not the one in its space
  };
  std::vector<Relocation> relocations;
};

struct Function {
  std::string name;
  bool is_entry = false;
  bool has_body = false;
  std::vector<Variable> results;    // of .func
  std::vector<Variable> parameters; // in order; for an entry, offsets follow from size and align
  std::vector<Type> registers;      // type of each virtual register
  std::vector<std::string> register_names;
  std::vector<Variable> variables; // .shared, .local, .param declared in the body
  std::vector<Instruction> body;
  std::map<std::string, std::uint32_t> labels; // to an index in body; body.size() is the end
  std::map<std::string, std::vector<std::string>> branch_targets; // .branchtargets of brx.idx
  std::map<std::string, std::vector<std::string>> call_targets;   // .calltargets of call
  std::map<std::string, Function> prototypes; // .callprototype of indirect calls
  bool no_return = false;
  std::optional<std::uint32_t> max_threads;      // .maxntid, multiplied out
  std::optional<std::uint32_t> required_threads; // .reqntid, multiplied out
  std::array<std::uint32_t, 3> cluster{};        // .reqnctapercluster: blocks in x, y, z; or zeros
  bool explicit_cluster = false;                 // .explicitcluster
};

// A call that the compiler inlined, and the inlined call that it is part of, as an index; 0: none.
struct Call {
  SourceLine at;
  std::uint32_t outer = 0;
};

struct Module {
  std::string version;                        // "9.0"
  std::string target;                         // "sm_90"
  std::map<std::uint32_t, std::string> files; // .file directives
  std::vector<Variable> variables;            // module scope
  std::vector<Function> functions;            // a declaration and its definition are one
  std::map<std::string, std::string> aliases; // .alias: name to the function it stands for
  std::vector<Call> calls = {{}};             // the first stands for none

  // Aliases resolved; nullptr when there is none.
  const Function* function(std::string_view name) const;
};

// Whether a .file names a header of the CUDA Toolkit or of the system.
bool is_system_header(std::string_view path);

// Offsets of an entry's parameters in the launch's argument bytes, and the total in the last
// element. Saturated at the largest 32-bit number.
std::vector<std::uint32_t> parameter_offsets(const Function& entry);

} // namespace course::ptx
