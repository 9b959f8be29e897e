// The memory instructions of SASS, from their 128 bits.
//
// Opcodes and fields as seen in cubins of nvcc 13.0 for sm_90, by compiling kernels that have a
// single access each. The low nine bits are the instruction, three more say which operands are
// registers, constants or uniform registers, so that LDS is 0x984 and STS 0x388 or 0x988:
//
//   03b LDSM   044 STSM   180 LD   181 LDG   182 LDC   183 LDL   184 LDS   185 ST   186 STG
//   187 STL    188 STS    18a ATOM 18b ATOM.CAS   18c ATOMS   18d ATOMS.CAS   18e RED
//   1a3 ATOMG of floats   1a6 RED of floats   1a8 ATOMG   1a9 ATOMG.CAS   1ae LDGSTS   0b9 ULDC
//   142 BREAK   006 VOTE   086 VOTEU   189 SHFL   1a1 MATCH   1c4 REDUX   1c8 USETMAXREG
//   00b FSETP   00c ISETP   012 LOP3   01c PLOP3   02a DSETP
//
//   bits 12-15   guard: predicate, 7 is "true"; bit 15 negates, so that 15 is "never"
//   bits 24-31   loads and stores: the register of the address; 255 is zero
//   bits 40-63   loads and stores: bytes behind it, signed
//   bits 32-37   loads: a register of the whole warp, which is added; of stores in bits 64-69
//   bits 72-73   LDSM, STSM: 0, 1, 2 for 1, 2, 4 matrices
//   bits 73-75   size: 0 u8, 1 s8, 2 u16, 3 s16, 4 32 bits, 5 64 bits, 6 128 bits;
//                of shared atomics 0 u32, 1 s32, 2 64 bits
//   bits 81-83   comparisons, LOP3 and PLOP3: the predicate they set; 7 is none
//   bits 84-86   comparisons and PLOP3: another one
//   bits 81, 82  LDGSTS: through L1; the address says how many bytes are read
//   bits 87-90   LDGSTS: the predicate of the lanes that read; 15 ("never") fills with zeros
//   bits 87-88   ATOMS.CAS: 0 compare and swap, 3 CAST.SPIN
//   bits 87-90   ATOMS: add, min, max, inc, dec, and, or, xor, exchange; 11 is POPC.INC
#pragma once

#include "device/code/sass/access_widths.hpp"

#include <optional>

namespace course::sass {

struct Word {
  std::uint64_t low = 0, high = 0;
};
inline constexpr std::uint64_t kInstructionBytes = 16;

// Nothing for other instructions, and for those that never execute: ptxas puts "@!PT LDS" in front
// of asynchronous copies. Lines, address and aggregation are left to the caller.
std::optional<Access> decode(Word);

// 0 to 6; nothing where the guard is "true".
std::optional<int> guard(Word);

// Whether lanes leave a point where others are to meet them.
bool leaves_meeting(Word);

// setmaxnreg: gives registers back, or asks for more.
bool sets_registers(Word);

// The predicates that a comparison or a logical operation sets, a bit each.
std::uint32_t set_predicates(Word);

} // namespace course::sass
