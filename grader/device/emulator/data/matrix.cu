// Matrices in registers: loads and stores in all forms, and products on the tensor cores.
#include <cstdint>

template <int kMatrices, bool kTransposed>
__device__ void load(uint32_t (&m)[kMatrices], uint32_t from) {
#define LOAD(form, registers, ...)                                                                 \
  asm volatile("ldmatrix.sync.aligned.m8n8." form ".shared.b16 " registers ";"                     \
               : __VA_ARGS__                                                                       \
               : "r"(from))
  if constexpr (kMatrices == 1 && !kTransposed) LOAD("x1", "{%0}, [%1]", "=r"(m[0]));
  if constexpr (kMatrices == 1 && kTransposed) LOAD("x1.trans", "{%0}, [%1]", "=r"(m[0]));
  if constexpr (kMatrices == 2 && !kTransposed)
    LOAD("x2", "{%0, %1}, [%2]", "=r"(m[0]), "=r"(m[1]));
  if constexpr (kMatrices == 2 && kTransposed)
    LOAD("x2.trans", "{%0, %1}, [%2]", "=r"(m[0]), "=r"(m[1]));
  if constexpr (kMatrices == 4 && !kTransposed)
    LOAD("x4", "{%0, %1, %2, %3}, [%4]", "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3]));
  if constexpr (kMatrices == 4 && kTransposed)
    LOAD("x4.trans", "{%0, %1, %2, %3}, [%4]", "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3]));
}
template <int kMatrices, bool kTransposed>
__device__ void store(const uint32_t (&m)[kMatrices], uint32_t to) {
#define STORE(form, registers, ...)                                                                \
  asm volatile("stmatrix.sync.aligned.m8n8." form ".shared.b16 [%0], " registers ";" ::"r"(to),    \
               __VA_ARGS__                                                                         \
               : "memory")
  if constexpr (kMatrices == 1 && !kTransposed) STORE("x1", "{%1}", "r"(m[0]));
  if constexpr (kMatrices == 1 && kTransposed) STORE("x1.trans", "{%1}", "r"(m[0]));
  if constexpr (kMatrices == 2 && !kTransposed) STORE("x2", "{%1, %2}", "r"(m[0]), "r"(m[1]));
  if constexpr (kMatrices == 2 && kTransposed) STORE("x2.trans", "{%1, %2}", "r"(m[0]), "r"(m[1]));
  if constexpr (kMatrices == 4 && !kTransposed)
    STORE("x4", "{%1, %2, %3, %4}", "r"(m[0]), "r"(m[1]), "r"(m[2]), "r"(m[3]));
  if constexpr (kMatrices == 4 && kTransposed)
    STORE("x4.trans", "{%1, %2, %3, %4}", "r"(m[0]), "r"(m[1]), "r"(m[2]), "r"(m[3]));
}

// Row r of matrix m begins at shared[pitch * (8 * m + r)], in 16-bit numbers.
template <int kMatrices, bool kTransposed>
__global__ void loads(uint32_t* out, const uint16_t* in, int pitch) {
  __shared__ alignas(16) uint16_t shared[32 * 64];
  for (int i = threadIdx.x; i < 32 * pitch; i += 32) shared[i] = in[i];
  __syncwarp();
  uint32_t m[kMatrices];
  const auto row = threadIdx.x % (8 * kMatrices);
  load<kMatrices, kTransposed>(m, (uint32_t)__cvta_generic_to_shared(&shared[pitch * row]));
  for (int i = 0; i < kMatrices; ++i) out[32 * i + threadIdx.x] = m[i];
}
template <int kMatrices, bool kTransposed>
__global__ void stores(uint16_t* out, const uint32_t* in, int pitch) {
  __shared__ alignas(16) uint16_t shared[32 * 64];
  uint32_t m[kMatrices];
  for (int i = 0; i < kMatrices; ++i) m[i] = in[32 * i + threadIdx.x];
  const auto row = threadIdx.x % (8 * kMatrices);
  store<kMatrices, kTransposed>(m, (uint32_t)__cvta_generic_to_shared(&shared[pitch * row]));
  __syncwarp();
  for (int r = 0; r < 8 * kMatrices; ++r)
    if (threadIdx.x < 8) out[8 * r + threadIdx.x] = shared[pitch * r + threadIdx.x];
}
#define BOTH(matrices, transposed)                                                                 \
  template __global__ void loads<matrices, transposed>(uint32_t*, const uint16_t*, int);           \
  template __global__ void stores<matrices, transposed>(uint16_t*, const uint32_t*, int)
BOTH(1, false);
BOTH(1, true);
BOTH(2, false);
BOTH(2, true);
BOTH(4, false);
BOTH(4, true);

// A 16 x 16 product of f16: 16 x 16 times 16 x 8, by rows and by columns, plus what is in c.
__global__ void multiplies(float* c, const uint32_t* a, const uint32_t* b) {
  const int group = threadIdx.x / 4, lane = threadIdx.x % 4;
  float d[4];
  for (int i = 0; i < 4; ++i) d[i] = c[(group + i / 2 * 8) * 8 + 2 * lane + i % 2];
  const uint32_t a0 = a[group * 8 + lane], a1 = a[(group + 8) * 8 + lane];
  const uint32_t a2 = a[group * 8 + lane + 4], a3 = a[(group + 8) * 8 + lane + 4];
  const uint32_t b0 = b[group * 8 + lane], b1 = b[group * 8 + lane + 4];
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
               "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
  for (int i = 0; i < 4; ++i) c[(group + i / 2 * 8) * 8 + 2 * lane + i % 2] = d[i];
}
// 16 x 8 times 8 x 8 in tf32.
__global__ void multiplies_tf32(float* c, const uint32_t* a, const uint32_t* b) {
  const int group = threadIdx.x / 4, lane = threadIdx.x % 4;
  float d[4] = {};
  const uint32_t a0 = a[group * 8 + lane], a1 = a[(group + 8) * 8 + lane];
  const uint32_t a2 = a[group * 8 + lane + 4], a3 = a[(group + 8) * 8 + lane + 4];
  const uint32_t b0 = b[group * 8 + lane], b1 = b[group * 8 + lane + 4];
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, "
               "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
  for (int i = 0; i < 4; ++i) c[(group + i / 2 * 8) * 8 + 2 * lane + i % 2] = d[i];
}
// Row 3 of the matrix is never written.
__global__ void reads_a_row_too_many(uint32_t* out) {
  __shared__ alignas(16) uint16_t shared[64];
  for (int i = threadIdx.x; i < 64; i += 32)
    if (i / 8 != 3) shared[i] = i;
  __syncwarp();
  uint32_t m[1];
  load<1, false>(m, (uint32_t)__cvta_generic_to_shared(&shared[threadIdx.x % 8 * 8]));
  out[threadIdx.x] = m[0];
}
__global__ void reads_beyond(uint32_t* out) {
  __shared__ alignas(16) uint16_t shared[64];
  for (int i = threadIdx.x; i < 64; i += 32) shared[i] = i;
  __syncwarp();
  uint32_t m[1];
  load<1, false>(m, (uint32_t)__cvta_generic_to_shared(&shared[threadIdx.x % 8 * 8]) + 16);
  out[threadIdx.x] = m[0];
}
