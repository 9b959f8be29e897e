// Loops that benchmarks time: the same launch again and again (README.md). Each prints a sum, which
// has to be the same however it was executed.
//
//   course run ./repeated WAY ROUNDS
//     writes     a kernel that reads one array and writes another
//     sums       a fill, and a kernel that adds to what was filled
//     in_place   two kernels that write what the other reads: each round is another
//     parts      64 launches that fill a part of an array each, from the part before
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int kCount = 1 << 20, kParts = 64;

__global__ void writes(unsigned* out, const unsigned* in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * 4 + in[i ^ 1];
}
__global__ void sums(unsigned* bins, const unsigned* in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&bins[in[i] & 4095], 1u);
}
__global__ void part(unsigned* all, int number) {
  const int i = number * (kCount / kParts) + blockIdx.x * blockDim.x + threadIdx.x;
  all[i] = number ? all[i - kCount / kParts] + 1 : i;
}

int main(int count, char** arguments) {
  const char* way = count > 1 ? arguments[1] : "writes";
  const int rounds = count > 2 ? atoi(arguments[2]) : 100;
  std::vector<unsigned> numbers(kCount);
  for (int i = 0; i < kCount; ++i) numbers[i] = i * 31 % 5003;
  unsigned *a = nullptr, *b = nullptr;
  cudaMalloc(&a, kCount * sizeof(int));
  cudaMalloc(&b, kCount * sizeof(int));
  cudaMemcpy(a, numbers.data(), kCount * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(b, 0, kCount * sizeof(int));
  for (int round = 0; round < rounds; ++round) {
    if (!strcmp(way, "writes")) writes<<<kCount / 256, 256>>>(b, a);
    if (!strcmp(way, "sums")) {
      cudaMemset(b, 0, 4096 * sizeof(int));
      sums<<<kCount / 256, 256>>>(b, a);
    }
    if (!strcmp(way, "in_place")) {
      writes<<<kCount / 256, 256>>>(b, a);
      writes<<<kCount / 256, 256>>>(a, b);
    }
    if (!strcmp(way, "parts"))
      for (int number = 0; number < kParts; ++number)
        part<<<kCount / kParts / 256, 256>>>(b, number);
  }
  cudaMemcpy(numbers.data(), b, kCount * sizeof(int), cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (const unsigned number : numbers) sum = sum * 31 + number;
  printf("%s, %d rounds: %u\n", way, rounds, sum);
  cudaFree(a);
  cudaFree(b);
}
