// attack: replaces itself by the harness, without arguments
// against: 05_transpose/2_pad
// must: crashed

#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  execl("/proc/self/exe", "course_host", nullptr);
}
