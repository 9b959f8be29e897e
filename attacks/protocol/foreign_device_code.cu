// attack: registers device code that was not compiled from this file
// against: 05_transpose/2_pad
// must: failed launch
// must: failed output

#include <sys/socket.h>
#include <unistd.h>

struct Image {
  int magic, version;
  const void* image;
  void* more;
};
extern "C" void** __cudaRegisterFatBinary(void*);
extern "C" void __cudaRegisterFatBinaryEnd(void**);

void transpose(float* out, const float* in, int rows, int cols) {
  static const unsigned long image[] = {0x0010'0001'ba55'ed50, 0, 0, 0, 0, 0, 0, 0};
  Image wrapper{0x466243b1, 1, image, nullptr};
  void** handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFatBinaryEnd(handle);
}
