// Six kinds of kernels whose machine code does not do what their PTX says, several of each. In
// other people's programs these were counted wrong. ../kernels.hpp says how a comment "launch:" is
// read; each kernel is measured on an H200.
// Long, as each kind has several kernels.

// ---- Named scalars in shared memory, read one after the other: ptxas loads neighbours together.

// launch: named_scalars_two float, grid 4, block 128, n 512
__global__ void named_scalars_two(float* out, const float* in, int n) {
  __shared__ float scale, offset;
  if (threadIdx.x == 0) {
    scale = in[blockIdx.x];
    offset = in[blockIdx.x + 7];
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * scale + offset;
}

// launch: named_scalars_three float, grid 2, block 96, n 190
__global__ void named_scalars_three(float* out, const float* in, int n) {
  __shared__ float low;
  __shared__ float high;
  __shared__ int count;
  if (threadIdx.x == 0) {
    low = in[0];
    high = in[1];
    count = n / 2;
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float value = in[i];
  value = value < low ? low : value;
  value = value > high ? high : value;
  out[i] = value / count;
}

// launch: named_scalars_in_branch float, grid 2, block 128, n 250
__global__ void named_scalars_in_branch(float* out, const float* in, int n) {
  __shared__ float first, second, third;
  if (threadIdx.x < 3)
    (threadIdx.x == 0 ? first : threadIdx.x == 1 ? second : third) = in[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (in[i] > 30.0f) {
    out[i] = first;
    out[i + n] = second + third;
  } else {
    out[i] = third;
  }
}

// launch: named_scalars_wide float, grid 2, block 64, n 128
__global__ void named_scalars_wide(float* out, const float* in, int n) {
  __shared__ double mean;
  __shared__ long long seen;
  __shared__ float rest;
  if (threadIdx.x == 0) {
    mean = in[3];
    seen = n;
    rest = in[4];
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = static_cast<float>((in[i] - mean) / static_cast<double>(seen)) + rest;
}

// ---- A search in a sorted table in shared memory, unrolled, with loads on both sides.

template <int kStep>
__device__ __forceinline__ int search(const float* table, float wanted, int at) {
  if constexpr (kStep == 0) {
    return at;
  } else {
    if (wanted > table[at])
      return search<kStep / 2>(table, wanted, at + kStep);
    else
      return search<kStep / 2>(table, wanted, at - kStep);
  }
}

// launch: search_both_sides float, grid 2, block 128, n 256
__global__ void search_both_sides(float* out, const float* in, int n) {
  __shared__ float table[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) table[i] = 0.25f * i;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = search<64>(table, in[i], 128);
}

// launch: search_levels float, grid 2, block 128, n 256
__global__ void search_levels(float* out, const float* in, int n) {
  __shared__ float table[64];
  if (threadIdx.x < 64) table[threadIdx.x] = threadIdx.x * 1.1f;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  int p = 31;
  if (x > table[p])
    p += 16;
  else
    p -= 16;
  if (x > table[p])
    p += 8;
  else
    p -= 8;
  if (x > table[p])
    p += 4;
  else
    p -= 4;
  if (x > table[p])
    p += 2;
  else
    p -= 2;
  if (x > table[p])
    p += 1;
  else
    p -= 1;
  out[i] = table[p] + p;
}

// launch: search_loop_unrolled float, grid 2, block 128, n 256
__global__ void search_loop_unrolled(float* out, const float* in, int n) {
  __shared__ float table[128];
  table[threadIdx.x] = threadIdx.x * 0.5f;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  int low = 0, high = 127;
#pragma unroll
  for (int round = 0; round < 7; ++round) {
    const int middle = (low + high) / 2;
    if (x > table[middle])
      low = middle + 1;
    else
      high = middle;
  }
  out[i] = low;
}

// launch: search_by_lane float, grid 2, block 64, n 128
__global__ void search_by_lane(float* out, const float* in, int n) {
  __shared__ float tables[64 * 32];
  for (int i = threadIdx.x; i < 64 * 32; i += blockDim.x) tables[i] = (i & 31) * 2;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = search<4>(tables, in[i], threadIdx.x * 32 + 16);
}

// launch: search_two_deep float, grid 2, block 128, n 256
__global__ void search_two_deep(float* out, const float* in, int n) {
  __shared__ float table[512];
  for (int i = threadIdx.x; i < 512; i += blockDim.x) table[i] = in[i];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = in[i];
  float* at = table + 3 * threadIdx.x + 64;
  float found;
  if (x > at[0])
    found = x > at[7] ? at[9] : at[5];
  else
    found = x > at[-7] ? at[-5] : at[-9];
  out[i] = found + n;
}

// launch: search_by_halves float, grid 1, block 128, n 128
__global__ void search_by_halves(float* out, const float* in, int n) {
  __shared__ float keys[128];
  keys[threadIdx.x] = threadIdx.x * 0.5f;
  __syncthreads();
  const float x = in[threadIdx.x];
  float found;
  if (x > keys[64]) {
    if (x > keys[64 + (threadIdx.x & 31)])
      found = keys[threadIdx.x ^ 3] + keys[(threadIdx.x * 2) & 127];
    else
      found = keys[(threadIdx.x * 4) & 127];
  } else {
    if (x > keys[threadIdx.x & 31])
      found = keys[(threadIdx.x * 8) & 127];
    else
      found = keys[(threadIdx.x * 3) & 127] - keys[threadIdx.x & 15];
  }
  if (threadIdx.x < n) out[threadIdx.x] = found;
}

// ---- Alignment tested at run time: a vector path, and an unrolled fallback of single elements.
// Lanes take both.

template <typename Element>
__device__ __forceinline__ void copy_eight(Element* to, const Element* from) {
  constexpr std::size_t kVector = sizeof(Element) == 2 ? 4 : 8;
  using Vector = std::conditional_t<sizeof(Element) == 2, uint2, uint4>;
  constexpr int kEach = sizeof(Vector) / sizeof(Element);
  if ((reinterpret_cast<std::size_t>(to) | reinterpret_cast<std::size_t>(from)) % (2 * kVector) ==
      0) {
#pragma unroll
    for (int k = 0; k < 8 / kEach; ++k)
      reinterpret_cast<Vector*>(to)[k] = reinterpret_cast<const Vector*>(from)[k];
  } else {
#pragma unroll
    for (int k = 0; k < 8; ++k) to[k] = from[k];
  }
}

// launch: aligned_copy_2 short, grid 2, block 64, n 64
__global__ void aligned_copy_2(short* out, const short* in, int n) {
  __shared__ __align__(16) short tile[1200];
  short* mine = tile + threadIdx.x * (8 + threadIdx.x % 3);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  copy_eight(mine, in + i * 8 + i % 3);
  __syncthreads();
  copy_eight(out + i * 8 + n % 2, mine);
}

// launch: aligned_copy_4 float, grid 2, block 64, n 64
__global__ void aligned_copy_4(float* out, const float* in, int n) {
  __shared__ __align__(16) float tile[1200];
  float* mine = tile + threadIdx.x * (8 + threadIdx.x % 3);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  copy_eight(mine, in + i * 8 + i % 3);
  __syncthreads();
  copy_eight(out + i * 8 + n % 2, mine);
}

// launch: aligned_update_2 short, grid 2, block 64, n 64
__global__ void aligned_update_2(short* out, const short* in, int n) {
  __shared__ __align__(16) short tile[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) tile[i] = in[i];
  __syncthreads();
  const short* mine = tile + threadIdx.x * (4 + (threadIdx.x & 1));
  int sum = 0;
  if (reinterpret_cast<std::size_t>(mine) % 8 == 0) {
    const short4 four = *reinterpret_cast<const short4*>(mine);
    sum = four.x + four.y + four.z + four.w;
  } else {
#pragma unroll
    for (int k = 0; k < 4; ++k) sum += mine[k];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<short>(sum + n);
}

// launch: aligned_update_4 float, grid 2, block 64, n 256
__global__ void aligned_update_4(float* out, const float* in, int n) {
  __shared__ __align__(16) float tile[512];
  for (int i = threadIdx.x; i < 512; i += blockDim.x) tile[i] = in[i];
  __syncthreads();
  float* mine = tile + threadIdx.x * 6 + (n & 1);
  float sum = 0;
  if (reinterpret_cast<std::size_t>(mine) % 16 == 0) {
    const float4 four = *reinterpret_cast<const float4*>(mine);
    sum = four.x + four.y * four.z + four.w;
  } else {
#pragma unroll
    for (int k = 0; k < 4; ++k) sum += mine[k] * k;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The test is about global memory; of shared memory ptxas knows the alignment in both paths.
template <typename Element>
__device__ __forceinline__ void copy_in(Element* tile, const Element* from) {
  using Vector = std::conditional_t<sizeof(Element) == 2, uint2, uint4>;
  Element* mine = tile + threadIdx.x * 4;
  if (reinterpret_cast<std::size_t>(from) % sizeof(Vector) == 0) {
    *reinterpret_cast<Vector*>(mine) = *reinterpret_cast<const Vector*>(from);
  } else {
#pragma unroll
    for (int k = 0; k < 4; ++k) mine[k] = from[k];
  }
}
template <typename Element>
__device__ __forceinline__ void copy_out(Element* to, const Element* tile) {
  using Vector = std::conditional_t<sizeof(Element) == 2, uint2, uint4>;
  const Element* mine = tile + (threadIdx.x ^ 1) * 4;
  if (reinterpret_cast<std::size_t>(to) % sizeof(Vector) == 0) {
    *reinterpret_cast<Vector*>(to) = *reinterpret_cast<const Vector*>(mine);
  } else {
#pragma unroll
    for (int k = 0; k < 4; ++k) to[k] = mine[k];
  }
}

// launch: aligned_elsewhere_2 short, grid 2, block 64, n 64
__global__ void aligned_elsewhere_2(short* out, const short* in, int n) {
  __shared__ __align__(16) short tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  copy_in(tile, in + i * 4 + i % 3 / 2);
  __syncthreads();
  copy_out(out + i * (4 + (n & 1)) + (threadIdx.x / 5 & 1), tile);
}

// launch: aligned_elsewhere_4 float, grid 2, block 64, n 65
__global__ void aligned_elsewhere_4(float* out, const float* in, int n) {
  __shared__ __align__(16) float tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  copy_in(tile, in + i * 4 + i % 3 / 2);
  __syncthreads();
  copy_out(out + i * (4 + (n & 1)), tile);
}

// launch: aligned_sum_2 short, grid 2, block 64, n 200
__global__ void aligned_sum_2(short* out, const short* in, int n) {
  __shared__ __align__(16) short tile[512];
  for (int i = threadIdx.x; i < 512; i += blockDim.x) tile[i] = in[i];
  __syncthreads();
  const int first = threadIdx.x * 4;
  int sum = 0;
  if (first + 4 <= n - in[threadIdx.x] % 64) {
    const short4 four = *reinterpret_cast<const short4*>(tile + first);
    sum = four.x + four.y + four.z + four.w;
  } else {
#pragma unroll
    for (int k = 0; k < 4; ++k) sum += tile[first + k] * k;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<short>(sum);
}

// launch: aligned_global_2 short, grid 4, block 64, n 256
__global__ void aligned_global_2(short* out, const short* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  copy_eight(out + i * 9, in + i * 10 + i % 2);
}

// ---- Atomics on words that several warps of a block share: retries depend on who comes first.

// launch: atomic_float_shared float, grid 2, block 256, n 512
__global__ void atomic_float_shared(float* out, const float* in, int n) {
  __shared__ float bins[8];
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[i & 7], in[i]);
  __syncthreads();
  if (threadIdx.x < 8) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

// launch: atomic_double_shared double, grid 2, block 256, n 512
__global__ void atomic_double_shared(double* out, const double* in, int n) {
  __shared__ double sum[4];
  if (threadIdx.x < 4) sum[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&sum[i & 3], in[i]);
  __syncthreads();
  if (threadIdx.x < 4) atomicAdd(&out[threadIdx.x], sum[threadIdx.x]);
}

// launch: atomic_long_shared int, grid 2, block 256, n 512
__global__ void atomic_long_shared(int* out, const int* in, int n) {
  __shared__ unsigned long long most[4];
  if (threadIdx.x < 4) most[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicMax(&most[i & 3], static_cast<unsigned long long>(in[i]) << 20);
  __syncthreads();
  if (threadIdx.x < 4)
    out[blockIdx.x * 4 + threadIdx.x] = static_cast<int>(most[threadIdx.x] >> 20);
}

// launch: atomic_float_own_words float, grid 2, block 128, n 256
__global__ void atomic_float_own_words(float* out, const float* in, int n) {
  __shared__ float own[128];
  own[threadIdx.x] = 0;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 4; ++k) atomicAdd(&own[threadIdx.x], in[(i + k) % n]);
  out[i] = own[threadIdx.x];
}

// launch: atomic_float_one_warp float, grid 2, block 32, n 256
__global__ void atomic_float_one_warp(float* out, const float* in, int n) {
  __shared__ float bins[8];
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  __syncwarp();
  for (int i = threadIdx.x; i < n; i += 32) atomicAdd(&bins[(i * 5) & 7], in[i]);
  __syncwarp();
  if (threadIdx.x < 8) out[blockIdx.x * 8 + threadIdx.x] = bins[threadIdx.x];
}

// launch: atomic_cas_loop int, grid 1, block 128, n 128
__global__ void atomic_cas_loop(int* out, const int* in, int n) {
  __shared__ int word;
  if (threadIdx.x == 0) word = 0;
  __syncthreads();
  int seen = word, before;
  do {
    before = seen;
    seen = atomicCAS(&word, before, before + in[threadIdx.x % n]);
  } while (seen != before);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = word;
}

// ---- Bytes of global memory in a long kernel.

// launch: bytes_filter bytes, grid 2, block 128, n 256
__global__ void bytes_filter(unsigned char* out, const unsigned char* in, int n) {
  __shared__ unsigned char window[130];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  window[threadIdx.x + 1] = in[i];
  if (threadIdx.x == 0) {
    window[0] = i > 0 ? in[i - 1] : 0;
    window[129] = in[i + 128];
  }
  __syncthreads();
  int sum = 0;
#pragma unroll
  for (int k = 0; k < 3; ++k) sum += window[threadIdx.x + k];
  if (i < n) out[i] = static_cast<unsigned char>(sum / 3);
  const unsigned char a = in[i * 4], b = in[i * 4 + 1], c = in[i * 4 + 2], d = in[i * 4 + 3];
  out[4096 + i * 4] = a ^ b;
  out[4096 + i * 4 + 1] = b ^ c;
  out[4096 + i * 4 + 2] = c ^ d;
  out[4096 + i * 4 + 3] = d;
}

// launch: bytes_long bytes, grid 2, block 64, n 2048
__global__ void bytes_long(unsigned char* out, const unsigned char* in, int n) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  unsigned state = 7;
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    if (first + k >= n) break;
    const unsigned char value = in[first + k];
    state = state * 31 + value;
    if (value > 200)
      out[first + k] = static_cast<unsigned char>(state);
    else if (value > 100)
      out[first + k] = in[(first + k) ^ 1];
    else
      out[first + k] = in[n - 1 - first - k];
  }
  out[8192 + first] = static_cast<unsigned char>(state >> 8);
  out[8192 + first + 1] = static_cast<unsigned char>(state >> 16);
}

// launch: bytes_conditional bytes, grid 1, block 128, n 1024
__global__ void bytes_conditional(unsigned char* out, const unsigned char* in, int n) {
  __shared__ unsigned char seen[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) seen[i] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (in[i] & 1) seen[in[i]] = 1;
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) {
    unsigned char value = seen[i];
    if (value) value += in[i];
    out[i] = value;
  }
}

// ---- Products with a loop for the rest.

// launch: product_rest float, grid 3x2, block 16x16, n 39
__global__ void product_rest(float* out, const float* in, int n) {
  __shared__ float a[16][16], b[16][17];
  const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < n; tile += 16) {
    const int k = tile + threadIdx.x, l = tile + threadIdx.y;
    a[threadIdx.y][threadIdx.x] = row < n && k < n ? in[row * n + k] : 0;
    b[threadIdx.y][threadIdx.x] = l < n && column < n ? in[l * n + column] : 0;
    __syncthreads();
    const int end = min(16, n - tile);
    for (int j = 0; j < end; ++j) sum += a[threadIdx.y][j] * b[j][threadIdx.x];
    __syncthreads();
  }
  if (row < n && column < n) out[row * n + column] = sum;
}

// launch: product_rest_column float, grid 2, block 64, n 70
__global__ void product_rest_column(float* out, const float* in, int n) {
  __shared__ float x[128];
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = in[i];
  __syncthreads();
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < n; ++k) sum += in[row * n + k] * x[k];
  out[row] = sum;
}

// launch: product_rest_by_lane float, grid 1, block 64, n 64
__global__ void product_rest_by_lane(float* out, const float* in, int n) {
  __shared__ float tile[64 * 9];
  for (int i = threadIdx.x; i < 64 * 9; i += blockDim.x) tile[i] = in[i];
  __syncthreads();
  const int end = threadIdx.x % 10; // every lane has a rest of its own
  float sum = 0;
  for (int k = 0; k < end && k < n; ++k) sum += tile[threadIdx.x * 9 + k];
  out[threadIdx.x] = sum;
}
