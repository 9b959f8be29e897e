// More kernels whose machine code is not what their PTX says: of the six kinds of kinds.cu, and of
// merging under conditions. ../kernels.hpp says how "launch:" is read. Each kernel is measured on
// an H200. Long, as there are thirty of them.

// launch: scalars_apart float, grid 2, block 64, n 128
__global__ void scalars_apart(float* out, const float* in, int n) {
  __shared__ float scale;
  __shared__ float tile[64];
  __shared__ float offset;
  if (threadIdx.x == 0) {
    scale = in[blockIdx.x];
    offset = in[blockIdx.x + 7];
  }
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * scale;
  out[i + n] = in[i] + offset + tile[threadIdx.x ^ 1];
}

// launch: scalars_in_one_branch float, grid 2, block 64, n 128
__global__ void scalars_in_one_branch(float* out, const float* in, int n) {
  __shared__ float first;
  __shared__ float rest[3];
  __shared__ float second;
  if (threadIdx.x == 0) {
    first = in[0];
    second = in[1];
  }
  if (threadIdx.x < 3) rest[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  if (v > 32.0f) v = v * first + second;
  out[i] = v + rest[threadIdx.x % 3];
}

// launch: scalars_int_float float, grid 2, block 64, n 128
__global__ void scalars_int_float(float* out, const float* in, int n) {
  __shared__ int count;
  __shared__ float mean, deviation;
  __shared__ double total;
  if (threadIdx.x == 0) {
    count = n;
    mean = in[1];
    deviation = in[2];
    total = in[3];
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = (in[i] - mean) / deviation;
  if (threadIdx.x & 1) out[i + n] = static_cast<float>(total);
}

// launch: scalars_loop float, grid 2, block 64, n 128
__global__ void scalars_loop(float* out, const float* in, int n) {
  __shared__ float step, limit;
  __shared__ bool done;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  for (int k = 0; k < 6; ++k) {
    __syncthreads();
    if (threadIdx.x == 0) {
      step = in[k];
      limit = in[k + 1] * 2;
      done = k == 4;
    }
    __syncthreads();
    if (done) break;
    x += step;
    if (x > limit) x -= limit;
  }
  out[i] = x;
}

// launch: scalars_dynamic_first float, grid 2, block 64, n 128, dynamic 512
__global__ void scalars_dynamic_first(float* out, const float* in, int n) {
  extern __shared__ float tile[];
  __shared__ float scale;
  __shared__ float offset;
  if (threadIdx.x == 0) {
    scale = in[blockIdx.x];
    offset = in[blockIdx.x + 7];
  }
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float s = scale;
  const float o = offset;
  out[i] = tile[63 - threadIdx.x] * s + o;
}

// launch: scalars_array_elements float, grid 2, block 64, n 128
__global__ void scalars_array_elements(float* out, const float* in, int n) {
  __shared__ float sums[40];
  if (threadIdx.x < 40) sums[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i] / sums[0];
  if (v > 1) v -= sums[33];
  if (v > 2) v += sums[17] * sums[18];
  out[i] = v + sums[2] + sums[39];
}

// launch: scalars_two_stores float, grid 2, block 64, n 128
__global__ void scalars_two_stores(float* out, const float* in, int n) {
  __shared__ float low, high;
  __shared__ int where;
  if (threadIdx.x == 0) low = 1e9f;
  if (threadIdx.x == 32) high = -1e9f;
  if (threadIdx.x == 63) where = n;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] < 1.0f) low = 0;
  if (in[i] > 60.0f) high = 100;
  __syncthreads();
  out[i] = low < high ? low + where : high;
}

// Updates: elements are read, changed and written back.
template <typename Element, int kCount>
__device__ __forceinline__ void update(Element* data, int count) {
  using Vector = std::conditional_t<sizeof(Element) == 2, uint2, uint4>;
  if (reinterpret_cast<std::size_t>(data) % sizeof(Vector) == 0 && count >= kCount) {
    Vector v = *reinterpret_cast<Vector*>(data);
    Element* e = reinterpret_cast<Element*>(&v);
#pragma unroll
    for (int k = 0; k < kCount; ++k) e[k] = e[k] + 1;
    *reinterpret_cast<Vector*>(data) = v;
  } else {
#pragma unroll
    for (int k = 0; k < kCount; ++k)
      if (k < count) data[k] = data[k] + 1;
  }
}

// launch: update_2 short, grid 2, block 64, n 250
__global__ void update_2(short* out, const short* in, int n) {
  __shared__ __align__(16) short tile[256];
  for (int i = threadIdx.x; i < 256; i += 64) tile[i] = in[i];
  __syncthreads();
  update<short, 4>(tile + threadIdx.x * 4, n - threadIdx.x * 4);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 64) out[i] = tile[i];
}

// launch: update_4 float, grid 2, block 64, n 234
__global__ void update_4(float* out, const float* in, int n) {
  __shared__ __align__(16) float tile[256];
  for (int i = threadIdx.x; i < 256; i += 64) tile[i] = in[i];
  __syncthreads();
  update<float, 4>(tile + threadIdx.x * 4, n - threadIdx.x * 4);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 64) out[i] = tile[i];
}

// launch: update_global_2 short, grid 2, block 64, n 500
__global__ void update_global_2(short* out, const short* in, int n) {
  const int i = (blockIdx.x * 64 + threadIdx.x) * 4;
  update<short, 4>(out + i + (n & 1), n - i - (in[i] & 3));
}

// launch: update_either_2 short, grid 2, block 64, n 500
__global__ void update_either_2(short* out, const short* in, int n) {
  __shared__ __align__(16) short tile[320];
  for (int i = threadIdx.x; i < 320; i += 64) tile[i] = in[i];
  __syncthreads();
  short* mine = tile + threadIdx.x * 4;
  const short* from = in + (blockIdx.x * 64 + threadIdx.x) * 4 + (threadIdx.x % 5 == 0);
  if ((reinterpret_cast<std::size_t>(mine) | reinterpret_cast<std::size_t>(from)) % 8 == 0) {
    const short4 a = *reinterpret_cast<const short4*>(from);
    short4 b = *reinterpret_cast<short4*>(mine);
    b.x += a.x;
    b.y += a.y;
    b.z += a.z;
    b.w += a.w;
    *reinterpret_cast<short4*>(mine) = b;
  } else {
#pragma unroll
    for (int k = 0; k < 4; ++k) mine[k] += from[k];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 64) out[blockIdx.x * 256 + i] = tile[i];
}

// launch: update_either_4 float, grid 2, block 64, n 500
__global__ void update_either_4(float* out, const float* in, int n) {
  __shared__ __align__(16) float tile[320];
  for (int i = threadIdx.x; i < 320; i += 64) tile[i] = in[i];
  __syncthreads();
  float* mine = tile + threadIdx.x * 4;
  const float* from = in + (blockIdx.x * 64 + threadIdx.x) * 4 + (threadIdx.x % 5 == 0);
  if ((reinterpret_cast<std::size_t>(mine) | reinterpret_cast<std::size_t>(from)) % 16 == 0) {
    const float4 a = *reinterpret_cast<const float4*>(from);
    float4 b = *reinterpret_cast<float4*>(mine);
    b.x += a.x;
    b.y += a.y;
    b.z += a.z;
    b.w += a.w;
    *reinterpret_cast<float4*>(mine) = b;
  } else {
#pragma unroll
    for (int k = 0; k < 4; ++k) mine[k] += from[k];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 64) out[blockIdx.x * 256 + i] = tile[i];
}

// launch: bytes_runs bytes, grid 2, block 64, n 4000
__global__ void bytes_runs(unsigned char* out, const unsigned char* in, int n) {
  __shared__ unsigned char heads[64];
  __shared__ int places[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  const unsigned char* mine = in + i * 30;
  unsigned char last = mine[0];
  int length = 0, written = 0;
#pragma unroll 4
  for (int k = 0; k < 30 && i * 30 + k < n; ++k) {
    const unsigned char now = mine[k];
    if ((now ^ last) & 0x60) {
      out[i * 30 + written] = last;
      out[i * 30 + written + 1] = static_cast<unsigned char>(length);
      written += 2;
      length = 0;
      last = now;
      if (written > 26) break;
    }
    ++length;
  }
  heads[threadIdx.x] = last;
  places[threadIdx.x] = written;
  __syncthreads();
  if (heads[threadIdx.x ^ 1] > last && places[threadIdx.x ^ 3] > 4) {
    out[i * 30 + written] = heads[(threadIdx.x * 7) & 63];
    out[8192 + i] = static_cast<unsigned char>(places[(threadIdx.x * 4) & 63]);
  }
}

// launch: bytes_blend bytes, grid 2, block 64, n 200
__global__ void bytes_blend(unsigned char* out, const unsigned char* in, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  unsigned char p[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) p[k] = in[i * 4 + k];
  if (p[3] == 0) return;
  if (p[3] > 128) {
#pragma unroll
    for (int k = 0; k < 4; ++k) out[i * 4 + k] = p[k];
  } else {
#pragma unroll
    for (int k = 0; k < 3; ++k)
      out[i * 4 + k] = static_cast<unsigned char>((p[k] * p[3] + out[i * 4 + k + 1024]) / 255);
    out[i * 4 + 3] = in[i * 4 + 2048 + (p[0] & 3)];
  }
  if (i < n) out[4096 + i] = p[0] > p[1] ? in[4096 + i * 2] : in[4096 + i * 2 + 1];
}

// launch: bytes_decode bytes, grid 2, block 64, n 64
__global__ void bytes_decode(unsigned char* out, const unsigned char* in, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  int at = i * 20, to = i * 24;
  for (int round = 0; round < 8; ++round) {
    const unsigned char code = in[at++];
    if (code < 128) {
      out[to++] = code;
    } else if (code < 192) {
      out[to++] = static_cast<unsigned char>(code & 63);
      out[to++] = in[at++];
    } else {
      const unsigned char a = in[at], b = in[at + 1];
      at += 2;
      out[to++] = a;
      out[to++] = b;
      out[to++] = static_cast<unsigned char>(a ^ b);
    }
  }
  out[16384 + i * 2] = static_cast<unsigned char>(to - n);
  out[16384 + i * 2 + 1] = static_cast<unsigned char>(at);
}

// launch: product_unrolled_rest float, grid 2x2, block 16x16, n 27
__global__ void product_unrolled_rest(float* out, const float* in, int n) {
  __shared__ float a[16][16], b[16][16];
  const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  int tile = 0;
  for (; tile + 16 <= n; tile += 16) {
    a[threadIdx.y][threadIdx.x] = in[row * n + tile + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = in[(tile + threadIdx.y) * n + column];
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 16; ++j) sum += a[threadIdx.y][j] * b[j][threadIdx.x];
    __syncthreads();
  }
  const int rest = n - tile;
  if (static_cast<int>(threadIdx.x) < rest)
    a[threadIdx.y][threadIdx.x] = in[row * n + tile + threadIdx.x];
  if (static_cast<int>(threadIdx.y) < rest)
    b[threadIdx.y][threadIdx.x] = in[(tile + threadIdx.y) * n + column];
  __syncthreads();
  for (int j = 0; j < rest; ++j) sum += a[threadIdx.y][j] * b[j][threadIdx.x];
  if (row < n && column < n) out[row * n + column] = sum;
}

// launch: product_four_rows float, grid 2x2, block 32x8, n 50
__global__ void product_four_rows(float* out, const float* in, int n) {
  __shared__ float a[32][32], b[32][32];
  const int column = blockIdx.x * 32 + threadIdx.x;
  float sum[4] = {};
  for (int tile = 0; tile < n; tile += 32) {
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      const int y = threadIdx.y + r * 8, row = blockIdx.y * 32 + y;
      a[y][threadIdx.x] = row < n && tile + threadIdx.x < n ? in[row * n + tile + threadIdx.x] : 0;
      b[y][threadIdx.x] = tile + y < n && column < n ? in[(tile + y) * n + column] : 0;
    }
    __syncthreads();
    for (int j = 0; j < min(32, n - tile); ++j) {
      const float value = b[j][threadIdx.x];
#pragma unroll
      for (int r = 0; r < 4; ++r) sum[r] += a[threadIdx.y + r * 8][j] * value;
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    const int row = blockIdx.y * 32 + threadIdx.y + r * 8;
    if (row < n && column < n) out[row * n + column] = sum[r];
  }
}

// launch: scalars_misaligned float, grid 2, block 64, n 128
__global__ void scalars_misaligned(float* out, const float* in, int n) {
  __shared__ __align__(16) float first[5];
  if (threadIdx.x < 5) first[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float a = first[1];
  const float b = first[2];
  out[i] = in[i] * a + b;
  if (in[i] > 30.0f) out[i + n] = first[3] + first[4];
}

// launch: scalars_and_row float, grid 2, block 64, n 128
__global__ void scalars_and_row(float* out, const float* in, int n) {
  __shared__ float row[64], head, tail;
  row[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x == 5) head = in[9];
  if (threadIdx.x == 6) tail = in[8];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = row[(threadIdx.x + 1) & 63];
  if (threadIdx.x == 0) v += head;
  if (threadIdx.x == 63) v += tail + head;
  out[i] = v + n;
}

// launch: atomic_cas_one_warp int, grid 2, block 32, n 32
__global__ void atomic_cas_one_warp(int* out, const int* in, int n) {
  __shared__ int word;
  if (threadIdx.x == 0) word = 0;
  __syncwarp();
  int seen = 0, before;
  do {
    before = seen;
    seen = atomicCAS(&word, before, before + in[threadIdx.x % n] + 1);
  } while (seen != before);
  __syncwarp();
  if (threadIdx.x == 0) out[blockIdx.x] = word;
}

// launch: atomic_either_bin int, grid 2, block 64, n 128
__global__ void atomic_either_bin(int* out, const int* in, int n) {
  __shared__ int bins[64];
  bins[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] > 500)
    atomicAdd(&bins[in[i] & 31], 1);
  else
    atomicAdd(&bins[32 + (in[i] & 15)], 2);
  __syncthreads();
  out[i] = bins[threadIdx.x] + n;
}

// launch: atomic_in_loop int, grid 1, block 64, n 6
__global__ void atomic_in_loop(int* out, const int* in, int n) {
  __shared__ int bins[16], all;
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  if (threadIdx.x == 16) all = 0;
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    const int value = in[threadIdx.x + 64 * k];
    if (value & 1) atomicAdd(&bins[value & 15], value);
    if (value & 2) atomicAdd(&all, 1);
  }
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = bins[threadIdx.x] + all;
}

// launch: atomic_result_used int, grid 1, block 64, n 64
__global__ void atomic_result_used(int* out, const int* in, int n) {
  __shared__ int most[8];
  if (threadIdx.x < 8) most[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    const int before = atomicMax(&most[threadIdx.x & 7], in[threadIdx.x]);
    out[threadIdx.x] = before < 0 ? n : before;
  }
  __syncthreads();
  out[64 + threadIdx.x] = most[threadIdx.x & 7];
}

// Two neighbours stored under one condition.
// launch: stores_merged_under_condition float, grid 2, block 64, n 128
__global__ void stores_merged_under_condition(float* out, const float* in, int n) {
  __shared__ __align__(8) float tile[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = 0;
  tile[threadIdx.x + 64] = 0;
  __syncthreads();
  if (in[i] > 32.0f) {
    tile[threadIdx.x * 2] = in[i];
    tile[threadIdx.x * 2 + 1] = in[i] + n;
  }
  __syncthreads();
  out[i] = tile[threadIdx.x] * tile[127 - threadIdx.x];
}

// Neighbours stored under two conditions.
// launch: stores_two_conditions float, grid 2, block 64, n 128
__global__ void stores_two_conditions(float* out, const float* in, int n) {
  __shared__ __align__(8) float tile[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = 1;
  tile[threadIdx.x + 64] = 2;
  __syncthreads();
  if (in[i] > 32.0f) tile[threadIdx.x * 2] = in[i];
  if (in[i] > 16.0f) tile[threadIdx.x * 2 + 1] = in[i] + n;
  __syncthreads();
  out[i] = tile[threadIdx.x] + tile[127 - threadIdx.x];
}

// A vector of which each branch needs another element.
// launch: vector_element_by_branch float, grid 2, block 64, n 128
__global__ void vector_element_by_branch(float* out, const float* in, int n) {
  __shared__ float4 tile[64];
  tile[threadIdx.x] = reinterpret_cast<const float4*>(in)[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 four = tile[threadIdx.x ^ 1];
  if (in[i] > 32.0f)
    out[i] = sqrtf(four.x) + n;
  else
    out[i] = four.w / 3;
}

// Neighbours of which each branch needs another one.
// launch: neighbours_by_branch float, grid 2, block 64, n 128
__global__ void neighbours_by_branch(float* out, const float* in, int n) {
  __shared__ __align__(16) float tile[256];
  for (int k = threadIdx.x; k < 256; k += 64) tile[k] = in[k];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v;
  if (in[i] > 32.0f)
    v = tile[threadIdx.x * 4] + tile[threadIdx.x * 4 + 1];
  else
    v = tile[threadIdx.x * 4 + 2] * tile[threadIdx.x * 4 + 1];
  out[i] = v + n;
}

// A search whose rounds are unrolled, each with its own way out.
// launch: scan_until float, grid 2, block 64, n 60
__global__ void scan_until(float* out, const float* in, int n) {
  __shared__ float tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  tile[threadIdx.x + 64] = in[threadIdx.x + 64];
  __syncthreads();
  int k = 0;
#pragma unroll 4
  for (; k < n; ++k)
    if (tile[threadIdx.x + k] > 60.0f) break;
  out[blockIdx.x * 64 + threadIdx.x] = k;
}

// Rounds that some lanes leave out.
// launch: loop_with_continue float, grid 2, block 64, n 12
__global__ void loop_with_continue(float* out, const float* in, int n) {
  __shared__ float tile[64 * 13];
  for (int i = threadIdx.x; i < 64 * 13; i += 64) tile[i] = in[i];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    if ((threadIdx.x + k) % 3 == 0) continue;
    sum += tile[threadIdx.x * 13 + k];
    if (sum > 200.0f) sum -= tile[k * 13];
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// A condition that does not change in a loop, and is taken out of it.
// launch: unswitched_loop float, grid 2, block 64, n 12
__global__ void unswitched_loop(float* out, const float* in, int n) {
  __shared__ float tile[64 * 13];
  for (int i = threadIdx.x; i < 64 * 13; i += 64) tile[i] = in[i];
  __syncthreads();
  const bool odd = in[threadIdx.x] > 32.0f;
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    if (odd)
      sum += tile[threadIdx.x * 13 + k];
    else
      sum -= tile[k * 64 + threadIdx.x];
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// Two branches whose ends are alike.
// launch: alike_ends float, grid 2, block 64, n 128
__global__ void alike_ends(float* out, const float* in, int n) {
  __shared__ float tile[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = in[i];
  tile[threadIdx.x + 64] = in[i + 1];
  __syncthreads();
  if (in[i] > 32.0f) {
    const float a = tile[(threadIdx.x * 2) & 127];
    tile[threadIdx.x] = a * 2;
    out[i] = tile[127 - threadIdx.x] + a;
  } else {
    const float a = tile[(threadIdx.x * 4) & 127];
    tile[threadIdx.x] = a * 3;
    out[i] = tile[127 - threadIdx.x] + a;
  }
  if (n < 0) out[i + n] = tile[threadIdx.x];
}

// Bytes and halfwords by condition.
// launch: bytes_by_condition bytes, grid 2, block 64, n 128
__global__ void bytes_by_condition(unsigned char* out, const unsigned char* in, int n) {
  __shared__ unsigned char tile[512];
  __shared__ unsigned short wide[128];
  for (int k = threadIdx.x; k < 512; k += 64) tile[k] = in[k];
  wide[threadIdx.x] = in[threadIdx.x];
  wide[threadIdx.x + 64] = in[threadIdx.x + 64];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = tile[threadIdx.x * 8];
  if (v > 100)
    v += tile[threadIdx.x * 8 + 1] + tile[threadIdx.x * 8 + 2];
  else
    v += wide[threadIdx.x * 2] * wide[threadIdx.x * 2 + 1];
  out[i] = static_cast<unsigned char>(v + n);
}

// Runtime trip counts of two lanes' groups, and a barrier behind.
// launch: rest_by_warp float, grid 1, block 128, n 29
__global__ void rest_by_warp(float* out, const float* in, int n) {
  __shared__ float tile[128 + 32];
  tile[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x < 32) tile[threadIdx.x + 128] = in[threadIdx.x + 128];
  __syncthreads();
  const int end = n - static_cast<int>(threadIdx.x / 32) * 5;
  float sum = 0;
  for (int k = 0; k < end; ++k) sum += tile[threadIdx.x + k];
  __syncthreads();
  tile[threadIdx.x] = sum;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 33];
}
