// attack: changes the machine code in its container before it registers it
// against: 05_transpose/2_pad
// must: passed

#include <cstring>
#include <dlfcn.h>
#include <vector>

struct Image {
  int magic, version;
  const char* image;
  void* more;
};
struct Header {
  unsigned magic;
  unsigned short version, size;
  unsigned long rest;
};

// Takes the place of the runtime's function, to see what the compiler registers.
extern "C" void** __cudaRegisterFatBinary(void* wrapper) {
  auto* image = static_cast<Image*>(wrapper);
  Header header;
  std::memcpy(&header, image->image, sizeof header);
  static std::vector<char> copy;
  copy.assign(image->image, image->image + header.size + header.rest);
  for (std::size_t at = 200; at < copy.size(); at += 97) copy[at] ^= 1;
  static Image changed{image->magic, image->version, copy.data(), image->more};
  auto* next = (void** (*)(void*))dlsym(RTLD_NEXT, "__cudaRegisterFatBinary");
  return next(&changed);
}

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}
void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
