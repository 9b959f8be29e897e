// Decoder: a PTX function to Code. One object decodes one function.
//
// What is not understood in full, a modifier included, throws Refusal with the instruction and its
// source line.
#pragma once

#include "device/emulator/decode/decoded_module.hpp"
#include "device/emulator/decode/instruction_set.hpp"
#include "device/emulator/decode/registers_used.hpp"

#include <initializer_list>
#include <map>
#include <string_view>
#include <utility>

namespace course::emulator {

class Modifiers;

class Decoder {
public:
  // The arrangement says before which instructions requests are counted.
  Decoder(Program&, const ptx::Function&, const Arrangement&);
  std::unique_ptr<Code> run();
  // Opcodes that have a decoder of their own. All others are looked up by their full names.
  static std::vector<std::string_view> opcodes(); // sorted

private:
  using Instruction = ptx::Instruction;
  using Operand = ptx::Operand;

  // A function for each row of decoders.def, in the file that is named there.
#define OF_OPCODE(function, ...) void function(const Instruction&);
#define OF_CLASS OF_OPCODE
#include "device/emulator/decode/decoders.def"

  // decoder.cpp: dispatch, control
  using Decode = void (Decoder::*)(const Instruction&);
  static Decode decoder_of(const ptx::Row&); // nullptr: by its full name
  void decode(const Instruction&);
  void resolve_branches();
  void add_cleared(); // behind the last instruction
  void find_places(const Arrangement&);
  void add_places(std::uint32_t instruction);
  void find_reconvergence();
  [[noreturn]] void refuse(const Instruction&, const std::string& why = {}) const;

  // decode_waits.cpp
  void exchange(const Instruction&, const Exchange&);

  // decode_async_copy.cpp
  std::uint64_t number(const Instruction&, const Operand&) const; // a constant

  // decode_mbarrier.cpp
  void barrier_arrival(const Instruction&, Modifiers&, std::uint32_t flags);
  void barrier_test(const Instruction&, Modifiers&, bool suspends);
  MemoryOperand barrier_access(const Instruction&, const Operand&, ptx::Space);

  // decode_bulk_copy.cpp
  void bulk_transfer(const Instruction&, Modifiers&, bool reduces);
  void tensor_transfer(const Instruction&, Modifiers&);

  // decode_lanes.cpp: arithmetic, moves
  void need_operands(const Instruction&, std::size_t count) const; // as many, and no others
  void form(const Instruction&, const Form&);
  void pack(const Instruction&, const ptx::Vector&);
  void unpack(const Instruction&, const ptx::Vector&);

  // decode_access.cpp
  std::vector<Operand> components(const Operand&) const;
  std::uint32_t add_site(const Instruction&, const MemoryOperand*);
  std::uint32_t add_site(const Instruction&, const MemoryOperand*, std::uint32_t operation);
  void point(const Instruction&, MemoryOperand&, const ptx::Memory&);
  const MemoryOperand* keep_access(const Instruction&, const MemoryOperand&);

  // decode_memory.cpp
  const ptx::Variable* point_at_parameter(const Instruction&, MemoryOperand&, const ptx::Memory&,
                                          const ptx::Symbol&);
  void load_parameter(const Instruction&, const ptx::Variable&, std::int64_t offset,
                      const std::vector<Operand>& values, ptx::Type);
  void add_memory_operation(const Instruction&, MemoryOperand&, const MemoryOrder&);

  // decode_matrix.cpp
  Slot gather(const Instruction&, const Operand& list, std::size_t count);
  void scatter(const Instruction&, const Operand& list, Slot area, std::size_t count);
  void copy_register(Slot to, Slot from, std::uint32_t bytes = 4);
  Operation& add_for_whole_warp(Execute, std::uint32_t site);

  // decode_products.cpp
  void add_touch(const Instruction&);

  // decode_textures.cpp
  struct TextureOperands {
    Slot object = 0, coordinates = 0;
  };
  TextureOperands texture_operands(const Instruction&, const Operand&, std::size_t least);
  const MemoryOperand* keep_texture_access(const Instruction&, MemoryOperand);

  // operands.cpp: slots
  Slot allocate(std::uint32_t bytes);
  Slot allocate_predicate();
  Slot register_slot(ptx::Register);
  std::uint32_t register_bytes(ptx::Register) const;
  ptx::Type register_type(ptx::Register) const;
  Slot constant(std::uint64_t value, std::uint32_t bytes, bool local_address = false);
  bool is_shared(const std::string& symbol) const;
  Slot shared_address(std::uint64_t value, std::uint32_t bytes);
  Slot special(const Instruction&, const std::string& name, std::uint32_t bytes);
  Slot symbol(const Instruction&, const ptx::Symbol&, std::uint32_t bytes);
  std::uint64_t immediate(const Instruction&, const ptx::Immediate&, std::uint32_t bytes) const;
  Slot predicate(const Instruction&, const Operand&);
  Slot source(const Instruction&, const Operand&, std::uint32_t bytes);
  Slot sink(std::uint32_t bytes);
  // A place for a result of `bytes`, and the extension that follows when the register is wider.
  struct Result {
    Slot slot = 0;
    Slot wider = 0;
    std::uint32_t wider_bytes = 0; // 0: none
  };
  Result result(const Instruction&, const Operand&, std::uint32_t bytes);
  void extend(const Result&, std::uint32_t bytes, bool is_signed);
  void resize(Slot to, std::uint32_t to_bytes, Slot from, std::uint32_t from_bytes, bool is_signed);

  Operation& add(Execute, OperationKind = OperationKind::lanes); // with the instruction's guard
  CallUse::Copy parameter_area(const ptx::Variable&);

  Program& program_;
  const ptx::Function& function_;
  std::unique_ptr<Code> code_;
  const Instruction* current_ = nullptr;
  bool first_of_instruction_ = true;
  struct Place { // where deferred requests are counted
    Execute execute = nullptr;
    std::uint32_t index = 0;
  };
  std::multimap<std::uint32_t, Place> places_;                    // by the instruction behind
  std::vector<std::uint32_t> first_operation_;                    // of each instruction
  std::vector<std::pair<std::uint32_t, std::uint32_t>> branches_; // operation, instruction
  std::map<std::uint32_t, Slot> registers_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, Slot> constants_; // value, bytes
  std::map<std::uint64_t, Slot> local_addresses_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, Slot> shared_addresses_;
  std::map<std::pair<int, std::uint32_t>, Slot> specials_;
  std::map<std::string, std::uint64_t> local_offsets_; // of .local variables
  std::map<std::string, CallUse::Copy> areas_;         // of .param variables
  std::vector<bool> touches_;        // by instruction: whether it may disturb products' registers
  std::vector<std::uint32_t> uses_;  // of each register, as a source
  std::vector<std::uint32_t> looks_; // of these, when compared with a constant
  Slot next_predicate_ = 0, carry_ = 0, sink_ = 0, predicate_sink_ = 0;
};

// Reads of the modifiers of one instruction: each must be taken by somebody.
class Modifiers {
public:
  explicit Modifiers(const ptx::Instruction& instruction)
      : all_(instruction.modifiers), taken_(instruction.modifiers.size()) {}
  bool take(std::string_view name) {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (taken_[i] || all_[i] != name) continue;
      taken_[i] = true;
      return true;
    }
    return false;
  }
  bool take_any(std::initializer_list<std::string_view> names) {
    bool any = false;
    for (const auto name : names) any = take(name) || any;
    return any;
  }
  // The type, which comes last.
  std::optional<ptx::Type> take_type();
  const std::string* left() const {
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (!taken_[i]) return &all_[i];
    return nullptr;
  }

private:
  const std::vector<std::string>& all_;
  std::vector<bool> taken_;
};

std::string text_of(const ptx::Instruction&); // opcode and modifiers

} // namespace course::emulator
