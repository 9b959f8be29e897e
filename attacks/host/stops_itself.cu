// attack: stops, so that only the clock on the wall goes on
// against: 05_transpose/2_pad
// must: timed_out: had not returned

#include <csignal>

void transpose(float* out, const float* in, int rows, int cols) {
  raise(SIGSTOP);
}
