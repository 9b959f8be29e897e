// attack: replaces itself by a shell that prints a verdict
// against: 05_transpose/2_pad
// must: crashed: ended the whole program

#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  execl("/bin/sh", "sh", "-c", "echo passed; exit 0", nullptr);
}
