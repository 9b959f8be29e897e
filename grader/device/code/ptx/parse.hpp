// PTX text to a syntax tree.
//
// Takes everything nvcc 13.0 writes, inline assembly with its nested scopes included. Instructions
// are read by form, not by meaning: an opcode that the device cannot execute parses, and the
// decoder refuses it by name. What has no form of the PTX ISA is an error with its line.
#pragma once

#include "device/code/ptx/module.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace course::ptx {

struct ParseError {
  std::string message;        // one sentence: what was expected, what was found
  std::uint32_t ptx_line = 0; // 1-based
  std::string excerpt;        // that line, trimmed, printable, at most 120 bytes
};

// Safe on any bytes: time and memory are linear in the text, but for at most 1,048,576 registers
// and 16 MiB of padding in nested initialisers, beyond which the text is refused.
std::variant<Module, ParseError> parse(std::string_view text);

} // namespace course::ptx
