// attack: puts the environment of the compiler into its library, and prints it
// against: 05_transpose/2_pad
// must: did_not_compile
// must: failed launch: nothing was launched
// never: COURSE_CACHE

#include <cstdio>

asm(".section .rodata\nstolen: .incbin \"/proc/self/environ\"\n.byte 0\n.previous");
extern "C" const char stolen[];
void transpose(float* out, const float* in, int rows, int cols) {
  std::puts(stolen);
}
