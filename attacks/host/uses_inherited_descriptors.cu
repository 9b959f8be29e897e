// attack: looks for descriptors of the grader and writes a verdict to them
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// never: descriptor was written
// never: is open

#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  for (int d = 4; d < 1024; ++d)
    if (fcntl(d, F_GETFD) >= 0) {
      std::printf("descriptor %d is open\n", d);
      if (write(d, "passed", 6) > 0) std::puts("descriptor was written");
    }
}
