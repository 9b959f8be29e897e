// Loads and stores as the PTX ISA lists them, and what one moves between bytes and registers.
#pragma once

#include "device/emulator/differential/reference.hpp"

#include <string>
#include <vector>

namespace course::emulator::differential {

struct MemoryForm {
  std::string opcode; // "ld"
  std::string space;  // ".shared"; empty: generic
  std::size_t count = 1;
  std::string type; // "u16"

  std::size_t element() const { return type == "b128" ? 16 : std::size_t(bits_of_type(type)) / 8; }
  std::size_t width() const { return element() * count; }
  std::string vector() const { return count == 1 ? "" : ".v" + std::to_string(count); }
  std::string full() const { return opcode + space + vector() + "." + type; }
  // Registers that it may name, by their letters: h, w, d, q for 2, 4, 8, 16 bytes. An integer may
  // be in a wider one.
  std::string registers() const;
};
// All of them; of ld.global with and without .nc, and ldu.
const std::vector<MemoryForm>& memory_forms();

std::size_t bytes_of_register(char letter);
// The number in a register of `letter` after a load of `bytes`, in the low bits.
Bits loaded(const MemoryForm&, const unsigned char* bytes, char letter);

} // namespace course::emulator::differential
