// attack: ends the process with the exit code of success
// against: 05_transpose/2_pad
// must: crashed: ended the whole program with exit code 0

#include <cstdlib>

void transpose(float* out, const float* in, int rows, int cols) {
  exit(0);
}
