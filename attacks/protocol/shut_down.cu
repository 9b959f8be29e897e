// attack: ends the stream to the grader, and does not return
// against: 05_transpose/2_pad
// must: crashed
// must: timed_out

#include <sys/socket.h>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  shutdown(3, SHUT_RDWR);
  for (;;) pause();
}
