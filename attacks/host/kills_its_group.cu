// attack: sends SIGKILL to its process group, itself included
// against: 05_transpose/2_pad
// must: crashed

#include <csignal>

void transpose(float* out, const float* in, int rows, int cols) {
  kill(0, SIGKILL);
}
