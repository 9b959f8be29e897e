// attack: jumps back into a frame of the harness that it never had
// against: 05_transpose/2_pad
// must: crashed

#include <csetjmp>

void transpose(float* out, const float* in, int rows, int cols) {
  jmp_buf nowhere = {};
  longjmp(nowhere, 1);
}
