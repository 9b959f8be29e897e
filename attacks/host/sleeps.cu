// attack: sleeps and ignores the signals that would wake it
// against: 05_transpose/2_pad
// must: timed_out: had not returned

#include <csignal>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  for (int s = 1; s < 64; ++s) signal(s, SIG_IGN);
  for (;;) pause();
}
