// attack: prints without end
// against: 05_transpose/2_pad
// must: crashed: printed more than 64 KiB

#include <cstdio>

void transpose(float* out, const float* in, int rows, int cols) {
  for (;;) std::puts("passed");
}
