// attack: leaves a process behind that outlives it and holds its output open
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched

#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  if (fork() != 0) return;
  setsid();
  if (fork() != 0) _exit(0);
  for (;;) pause();
}
