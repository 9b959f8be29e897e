// attack: turns any end into success
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// must: crashed

#include <cstdlib>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  atexit([] { _exit(0); });
}
