// A tile of 32 rows of 128 bytes, 64 numbers of bf16 each, read by one warp as
// fragments: by words and by ldmatrix, with rows of 8 and of 9 units of 16
// bytes, and swizzled. Before that, who holds what of a matrix of 8x8, and a
// product by one mma.sync.
//
//   ./course run labs/10_matrix_units/demo/matrix_units.cu
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                      \
  do {                                                                   \
    const cudaError_t error = call;                                      \
    if (error != cudaSuccess) {                                          \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, \
                   cudaGetErrorString(error));                           \
      std::exit(1);                                                      \
    }                                                                    \
  } while (0)

constexpr int kRows = 32, kUnits = 8;  // of the tile; a unit is 16 bytes
constexpr int kLanes = 32, kMatrix = 8;

// Lane l gets two neighbours of row l / 4, from the row that lane l / 4 names.
__global__ void who_holds(int* lane_of, const unsigned short* in) {
  __shared__ uint4 matrix[kMatrix];
  const int lane = threadIdx.x;
  if (lane < kMatrix) matrix[lane] = reinterpret_cast<const uint4*>(in)[lane];
  __syncwarp();
  const unsigned at = __cvta_generic_to_shared(&matrix[lane % kMatrix]);
  unsigned two = 0;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(two)
               : "r"(at));
  lane_of[two & 0xffff] = lane;
  lane_of[two >> 16] = lane;
}

__device__ void load_four(unsigned (&to)[4], const uint4* row) {
  const unsigned at = __cvta_generic_to_shared(row);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(at));
}

// C = A B^T for 16x16 numbers of A and 8x16 of B, one instruction.
__global__ void one_product(float* c, const __nv_bfloat16* a,
                            const __nv_bfloat16* b) {
  const int lane = threadIdx.x, row = lane / 4, two = lane % 4 * 2;
  const auto pair = [](const __nv_bfloat16* of, int r, int col) {
    return *reinterpret_cast<const unsigned*>(of + 16 * r + col);
  };
  const unsigned a0 = pair(a, row, two), a1 = pair(a, row + 8, two);
  const unsigned a2 = pair(a, row, two + 8), a3 = pair(a, row + 8, two + 8);
  const unsigned b0 = pair(b, row, two), b1 = pair(b, row, two + 8);
  float d[4] = {};
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
  c[8 * row + two] = d[0];
  c[8 * row + two + 1] = d[1];
  c[8 * (row + 8) + two] = d[2];
  c[8 * (row + 8) + two + 1] = d[3];
}

template <int kPitch>
__global__ void by_words(unsigned* out, const uint4* in) {
  __shared__ uint4 tile[kRows][kPitch];
  const int lane = threadIdx.x;
  for (int e = lane; e < kRows * kUnits; e += kLanes)
    tile[e / kUnits][e % kUnits] = in[e];
  __syncwarp();
  unsigned sum = 0;
  for (int row = 0; row < kRows; row += 8)
    for (int unit = 0; unit < kUnits; ++unit)
      sum += reinterpret_cast<unsigned*>(&tile[row + lane / 4][unit])[lane % 4];
  out[lane] = sum;
}

template <int kPitch>
__global__ void by_rows(unsigned* out, const uint4* in) {
  __shared__ uint4 tile[kRows][kPitch];
  const int lane = threadIdx.x;
  for (int e = lane; e < kRows * kUnits; e += kLanes)
    tile[e / kUnits][e % kUnits] = in[e];
  __syncwarp();
  unsigned sum = 0, four[4];
  for (int row = 0; row < kRows; row += 16)
    for (int unit = 0; unit < kUnits; unit += 2) {
      load_four(four, &tile[row + lane % 16][unit + lane / 16]);
      sum += four[0] + four[1] + four[2] + four[3];
    }
  out[lane] = sum;
}

__global__ void swizzled(unsigned* out, const uint4* in) {
  __shared__ uint4 tile[kRows][kUnits];
  const int lane = threadIdx.x;
  for (int e = lane; e < kRows * kUnits; e += kLanes)
    tile[e / kUnits][e % kUnits ^ e / kUnits % kUnits] = in[e];
  __syncwarp();
  unsigned sum = 0, four[4];
  for (int row = 0; row < kRows; row += 16)
    for (int unit = 0; unit < kUnits; unit += 2) {
      const int r = row + lane % 16, u = unit + lane / 16;
      load_four(four, &tile[r][u ^ r % kUnits]);
      sum += four[0] + four[1] + four[2] + four[3];
    }
  out[lane] = sum;
}

std::vector<void*> allocated;  // what is to be freed at the end

template <class T>
T* on_device(const std::vector<T>& host) {
  T* copy = nullptr;
  CHECK(cudaMalloc(&copy, host.size() * sizeof(T)));
  allocated.push_back(copy);
  CHECK(cudaMemcpy(copy, host.data(), host.size() * sizeof(T),
                   cudaMemcpyHostToDevice));
  return copy;
}

template <class T>
std::vector<T> on_host(const T* device, int count) {
  std::vector<T> copy(count);
  CHECK(cudaMemcpy(copy.data(), device, count * sizeof(T),
                   cudaMemcpyDeviceToHost));
  return copy;
}

void show_holders() {
  std::vector<unsigned short> numbers(kMatrix * kMatrix);
  for (int i = 0; i < kMatrix * kMatrix; ++i) numbers[i] = i;
  int* const lanes = on_device(std::vector<int>(kMatrix * kMatrix));
  who_holds<<<1, kLanes>>>(lanes, on_device(numbers));
  const auto lane_of = on_host(lanes, kMatrix * kMatrix);
  for (int row = 0; row < kMatrix; ++row) {
    std::printf("row %d is held by lanes", row);
    for (int col = 0; col < kMatrix; ++col)
      std::printf(" %2d", lane_of[row * kMatrix + col]);
    std::printf("\n");
  }
}

void show_product() {
  std::vector<__nv_bfloat16> a(16 * 16), b(8 * 16);
  for (int i = 0; i < 16 * 16; ++i) a[i] = __float2bfloat16(i / 16 + i % 16);
  for (int i = 0; i < 8 * 16; ++i) b[i] = __float2bfloat16(i / 16 - i % 16);
  float* const c = on_device(std::vector<float>(16 * 8));
  one_product<<<1, kLanes>>>(c, on_device(a), on_device(b));
  const auto got = on_host(c, 16 * 8);
  int wrong = 0;
  for (int row = 0; row < 16; ++row)
    for (int col = 0; col < 8; ++col) {
      float sum = 0;
      for (int k = 0; k < 16; ++k) sum += float((row + k) * (col - k));
      wrong += got[8 * row + col] != sum;
    }
  std::printf("one product: %d of %d sums wrong\n", wrong, 16 * 8);
}

int main() {
  show_holders();
  show_product();
  std::vector<uint4> numbers(kRows * kUnits);
  unsigned i = 0;
  for (uint4& unit : numbers) unit = {i, i + 1, i + 2, i + 3}, i += 4;
  const uint4* const in = on_device(numbers);
  unsigned* const out = on_device(std::vector<unsigned>(kLanes));
  const auto show = [&](const char* name,
                        void (*kernel)(unsigned*, const uint4*)) {
    kernel<<<1, kLanes>>>(out, in);
    CHECK(cudaGetLastError());
    unsigned sum = 0;
    for (const unsigned one : on_host(out, kLanes)) sum += one;
    std::printf("%-20s sum %u\n", name, sum);
  };
  show("words, rows of 8", by_words<8>);
  show("words, rows of 9", by_words<9>);
  show("ldmatrix, rows of 8", by_rows<8>);
  show("ldmatrix, rows of 9", by_rows<9>);
  show("ldmatrix, swizzled", swizzled);
  for (void* const one : allocated) CHECK(cudaFree(one));
}
