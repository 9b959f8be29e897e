// What the driver says of this GPU, as CSV: attribute, value.
//
//   nvcc -arch=native attributes.cu -o attributes && ./attributes > attributes.csv
#include <cstdio>
#include <cuda_runtime.h>

int main() {
  struct {
    const char* name;
    cudaDeviceAttr attribute;
  } const kAttributes[] = {
      {"multiprocessors", cudaDevAttrMultiProcessorCount},
      {"shared_bytes_a_block", cudaDevAttrMaxSharedMemoryPerBlock},
      {"shared_bytes_a_block_opt_in", cudaDevAttrMaxSharedMemoryPerBlockOptin},
      {"shared_bytes_a_multiprocessor", cudaDevAttrMaxSharedMemoryPerMultiprocessor},
      {"reserved_shared_bytes_a_block", cudaDevAttrReservedSharedMemoryPerBlock},
      {"registers_a_multiprocessor", cudaDevAttrMaxRegistersPerMultiprocessor},
      {"threads_a_multiprocessor", cudaDevAttrMaxThreadsPerMultiProcessor},
      {"blocks_a_multiprocessor", cudaDevAttrMaxBlocksPerMultiprocessor},
      {"threads_a_block", cudaDevAttrMaxThreadsPerBlock},
      {"constant_bytes", cudaDevAttrTotalConstantMemory},
      {"l2_bytes", cudaDevAttrL2CacheSize},
  };
  std::printf("attribute,value\n");
  for (const auto& one : kAttributes) {
    int value = 0;
    const cudaError_t error = cudaDeviceGetAttribute(&value, one.attribute, 0);
    if (error != cudaSuccess) {
      std::fprintf(stderr, "%s: %s\n", one.name, cudaGetErrorString(error));
      return 1;
    }
    std::printf("%s,%d\n", one.name, value);
  }
}
