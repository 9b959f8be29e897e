// attack: defines functions of the C library that the harness uses
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched

#include <cstddef>
#include <sys/types.h>

extern "C" ssize_t send(int, const void*, size_t size, int) {
  return size;
}
extern "C" ssize_t recv(int, void*, size_t size, int) {
  return size;
}
extern "C" ssize_t write(int, const void*, size_t size) {
  return size;
}

void transpose(float* out, const float* in, int rows, int cols) {
  write(1, "", 0);
}
