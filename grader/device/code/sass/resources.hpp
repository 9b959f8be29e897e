// What ptxas gave each kernel of a cubin: registers, stack, static shared memory.
//
// Sources, as seen in cubins of nvcc 13.0 beside what "ptxas -v" prints: the section `.nv.info` has
// entries {u8 format, u8 attribute, u16 size, bytes}; attribute 0x2f is {u32 symbol, u32
// registers}, 0x12 {u32 symbol, u32 bytes of stack, callees included}. `.nv.shared.KERNEL` is as
// large as the static shared memory and the 1 KiB that the system reserves at its beginning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace course::sass {

struct Resources {
  std::uint32_t registers = 0; // a thread
  std::uint32_t stack = 0;     // bytes of local memory a thread
  std::uint32_t shared = 0;    // static, bytes a block, without the reserved part
};

// By the kernel's mangled name. Empty when the bytes are not a cubin; safe on any bytes.
std::map<std::string, Resources> resources(std::span<const std::byte> cubin);

} // namespace course::sass
