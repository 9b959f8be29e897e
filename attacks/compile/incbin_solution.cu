// attack: puts the solution into its library, and prints it
// against: 05_transpose/2_pad
// must: did_not_compile
// never: Rows one word longer

#include <cstdio>

asm(".section .rodata\n"
    "stolen: .incbin \"@ROOT@/solutions/05_transpose/2_pad.cu\"\n.byte 0\n.previous");
extern "C" const char stolen[];
void transpose(float* out, const float* in, int rows, int cols) {
  std::puts(stolen);
}
