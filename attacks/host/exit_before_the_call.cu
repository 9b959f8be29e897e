// attack: ends the process while the library is loaded
// against: 05_transpose/2_pad
// must: crashed: ended the whole program with exit code 0

#include <unistd.h>

struct First {
  First() { _exit(0); }
} first;

void transpose(float* out, const float* in, int rows, int cols) {}
