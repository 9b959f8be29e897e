// Four ways to declare shared memory, and where each array begins.
//
//   ./course run labs/01_banks/demo/declarations.cu
//   nvcc -cudart shared -arch=native declarations.cu    on a GPU
//
// Prints byte offsets in the block's shared memory; what lies where is the
// compiler's choice, but for `rest`, which comes after all others.
#include <cuda_runtime.h>

#include <cstdio>

//! [declarations]
__shared__ float line[256];  // known to every kernel of the file

__global__ void declares(unsigned* begins) {
  __shared__ float tile[32][33];
  __shared__ int box[4][8][8];
  extern __shared__ float rest[];  // as many bytes as the launch says
  //! [declarations]
  begins[0] = __cvta_generic_to_shared(line);
  begins[1] = __cvta_generic_to_shared(tile);
  begins[2] = __cvta_generic_to_shared(box);
  begins[3] = __cvta_generic_to_shared(rest);
}

int main() {
  unsigned* begins = nullptr;
  unsigned host[4];
  if (cudaMalloc(&begins, sizeof host) != cudaSuccess) return 1;
  declares<<<1, 1, 1024>>>(begins);
  if (cudaMemcpy(host, begins, sizeof host, cudaMemcpyDeviceToHost) !=
      cudaSuccess)
    return 1;
  std::printf("line at %u, tile at %u, box at %u, rest at %u\n", host[0],
              host[1], host[2], host[3]);
  cudaFree(begins);
}
