// attack: writes one file without end
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// must: crashed: wrote a file

#include <fcntl.h>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  static char block[1 << 20] = {1};
  const int file = open("large", O_CREAT | O_WRONLY, 0600);
  while (write(file, block, sizeof block) > 0) {
  }
}
