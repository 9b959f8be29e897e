// attack: ends with the exit code that the harness has for a grader that does not answer
// against: 05_transpose/2_pad
// must: crashed

#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  _exit(97);
}
