// attack: ends with the exit code that the harness has for a machine without a runtime
// against: 05_transpose/2_pad
// must: crashed: ended the whole program with exit code 96

#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  _exit(96);
}
