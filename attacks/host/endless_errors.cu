// attack: prints one endless line to its standard error
// against: 05_transpose/2_pad
// must: crashed: printed more than 64 KiB

#include <cstdio>

void transpose(float* out, const float* in, int rows, int cols) {
  for (;;) std::fputs("\x1b[2J", stderr);
}
