// attack: never returns, and ignores the signal of the processor limit
// against: 05_transpose/2_pad
// must: timed_out: had not returned

#include <csignal>

void transpose(float* out, const float* in, int rows, int cols) {
  signal(SIGXCPU, SIG_IGN);
  for (volatile int i = 0;; ++i) {
  }
}
