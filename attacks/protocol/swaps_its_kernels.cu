// attack: registers its unpadded kernel under the name of its padded one
// against: 05_transpose/2_pad
// must: failed conflicts

#include <cstring>
#include <dlfcn.h>

using Register = void (*)(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*,
                          dim3*, int*);

// What is executed is what the name says, which is right; what is called is another matter.
extern "C" void __cudaRegisterFunction(void** handle, const char* host, char* device,
                                       const char* name, int limit, uint3* a, uint3* b, dim3* c,
                                       dim3* d, int* e) {
  if (std::strstr(name, "unpadded")) name = "_Z14transpose_tilePfPKfii";
  const auto next = (Register)dlsym(RTLD_NEXT, "__cudaRegisterFunction");
  next(handle, host, device, name, limit, a, b, c, d, e);
}

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

__global__ void unpadded(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}
void transpose(float* out, const float* in, int rows, int cols) {
  unpadded<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
