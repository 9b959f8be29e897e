// attack: ends the main thread but not the process
// against: 05_transpose/2_pad
// must: crashed
// must: timed_out

#include <pthread.h>

void transpose(float* out, const float* in, int rows, int cols) {
  pthread_exit(nullptr);
}
