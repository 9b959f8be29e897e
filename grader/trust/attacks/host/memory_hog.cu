// attack: fills the memory
// against: 05_transpose/2_pad
// must: crashed: needed more than 1024 MiB of host memory

#include <cstring>

void transpose(float* out, const float* in, int rows, int cols) {
  for (;;) memset(new char[1 << 26], 1, 1 << 26);
}
