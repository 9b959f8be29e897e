// For tests: small pieces of PTX, parsed.
#pragma once

#include "device/code/ptx/parse.hpp"

#include <doctest/doctest.h>

#include <string>

namespace course::ptx {

inline const std::string kHeader = ".version 9.0\n.target sm_90\n.address_size 64\n";

inline Module parsed(const std::string& text) {
  auto result = parse(text);
  if (auto* error = std::get_if<ParseError>(&result)) {
    FAIL(error->message << " in line " << error->ptx_line << ": " << error->excerpt);
  }
  return std::get<Module>(std::move(result));
}

// The error of a text that must not parse.
inline ParseError refused(const std::string& text) {
  auto result = parse(text);
  REQUIRE(std::holds_alternative<ParseError>(result));
  return std::get<ParseError>(result);
}

inline Module module_of(const std::string& statements) {
  return parsed(kHeader + statements);
}
inline ParseError refused_module(const std::string& statements) {
  return refused(kHeader + statements);
}

// A kernel with some registers: predicates %p0-%p7, %r0-%r7, %rd0-%rd7, %f0-%f7.
inline std::string kernel_text(const std::string& body) {
  return kHeader +
         ".extern .shared .align 16 .b8 dynamic[];\n.global .align 4 .u32 counter;\n"
         ".visible .entry kernel(.param .u64 out)\n{\n"
         ".reg .pred %p<8>; .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<8>;\n" +
         body + "\n}\n";
}
inline Function kernel_of(const std::string& body) {
  return *parsed(kernel_text(body)).function("kernel");
}
inline Instruction instruction_of(const std::string& text) {
  const Function kernel = kernel_of(text);
  REQUIRE(kernel.body.size() == 1);
  return kernel.body[0];
}
inline std::string refused_instruction(const std::string& text) {
  return refused(kernel_text(text)).message;
}

template <class T>
const T& as(const Operand& operand) {
  REQUIRE(std::holds_alternative<T>(operand.value));
  return std::get<T>(operand.value);
}

} // namespace course::ptx
