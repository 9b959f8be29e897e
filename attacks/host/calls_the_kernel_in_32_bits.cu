// attack: makes its system calls as a program of 32 bits, which a filter may not know
// against: 05_transpose/2_pad
// must: crashed
// must: failed launch: nothing was launched
// never: 32 bits

#include <cstdio>

// write, socketcall and unshare have other numbers there.
static long call32(long number, long a, long b, long c) {
  long result = 0;
  asm volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
  return result;
}

void transpose(float* out, const float* in, int rows, int cols) {
  if (call32(310, 0x10000000, 0, 0) == 0) std::puts("a name space in 32 bits");
  if (call32(359, 2, 1, 0) >= 0) std::puts("a socket in 32 bits");
  if (call32(26, 0, 0, 0) == 0) std::puts("traced in 32 bits");
}
