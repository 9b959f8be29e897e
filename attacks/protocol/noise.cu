// attack: writes noise to the grader
// against: 05_transpose/2_pad
// must: crashed: disturbed the connection

#include <sys/socket.h>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  for (int i = 0; i < 100; ++i) send(3, "passed, 60 of 60 points ", 24, MSG_NOSIGNAL);
}
