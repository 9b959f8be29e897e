// attack: makes as many processes as it can
// against: 05_transpose/2_pad
// must: timed_out: had not returned
// must: crashed

#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  for (;;) fork();
}
