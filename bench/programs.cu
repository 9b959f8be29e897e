// Twenty kernels as programs have them, by what keeps them busy, for bench_programs.
#include <mma.h>

// ---- arithmetic

// Multiply-adds, four chains of them.
__global__ void polynomial(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  float a = 1, b = 2, c = 3, d = 4;
  for (int k = 0; k < 64; ++k) {
    a = a * x + 0.25f;
    b = b * x + 0.5f;
    c = c * x + 0.75f;
    d = d * x + 1.0f;
  }
  out[i] = a + b + c + d;
}

// Shifts, products and remainders of integers.
__global__ void hashes(unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned h = i;
  for (int k = 0; k < 32; ++k) {
    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    h ^= h >> 16;
    h += h % 1009;
  }
  out[i] = h;
}

// Lanes leave the loop one after the other.
__global__ void mandelbrot(int* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float cr = 3.0f * x / width - 2.0f, ci = 2.0f * y / height - 1.0f;
  float r = 0, i = 0;
  int k = 0;
  while (k < 100 && r * r + i * i < 4) {
    const float next = r * r - i * i + cr;
    i = 2 * r * i + ci;
    r = next;
    ++k;
  }
  out[y * width + x] = k;
}

// All bodies against all, a tile of them at a time in shared memory, read by all lanes at once.
__global__ void bodies(float4* force, const float4* body, int n) {
  __shared__ float4 tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 me = body[i];
  float x = 0, y = 0, z = 0;
  for (int t = 0; t < n; t += 256) {
    tile[threadIdx.x] = body[t + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 256; ++k) {
      const float4 other = tile[k];
      const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      const float pull = other.w * inverse * inverse * inverse;
      x += dx * pull;
      y += dy * pull;
      z += dz * pull;
    }
    __syncthreads();
  }
  force[i] = make_float4(x, y, z, 0);
}

// ---- copies

__global__ void copy(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

__global__ void copy_wide(float4* out, const float4* in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = in[i];
}

// A sparse matrix by its rows: lanes read what lies far apart.
__global__ void sparse_rows(float* y, const float* value, const int* column, const int* begin,
                            const float* x, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = begin[row]; k < begin[row + 1]; ++k) sum += value[k] * x[column[k]];
  y[row] = sum;
}

// ---- shared memory

template <int kPad>
__global__ void transpose(float* out, const float* in, int n) {
  __shared__ float tile[32][32 + kPad];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
  __syncthreads();
  const int to_x = blockIdx.y * 32 + threadIdx.x, to_y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) out[(to_y + k) * n + to_x] = tile[threadIdx.x][threadIdx.y + k];
}
template __global__ void transpose<0>(float*, const float*, int);
template __global__ void transpose<1>(float*, const float*, int);

template <int kTile>
__global__ void product(float* c, const float* a, const float* b, int n) {
  __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += kTile) {
    a_tile[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
    b_tile[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
template __global__ void product<16>(float*, const float*, const float*, int);
template __global__ void product<32>(float*, const float*, const float*, int);

__global__ void histogram(int* out, const unsigned char* in, int n) {
  __shared__ int bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[in[i]], 1);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

// 1,024 keys in a block of 512 threads.
__global__ void bitonic_sort(int* keys) {
  __shared__ int part[1024];
  const int t = threadIdx.x, begin = blockIdx.x * 1024;
  part[t] = keys[begin + t];
  part[t + 512] = keys[begin + t + 512];
  for (int size = 2; size <= 1024; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const int at = 2 * t - (t & (stride - 1));
      const bool up = (t & (size / 2)) == 0;
      if ((part[at] > part[at + stride]) == up) {
        const int kept = part[at];
        part[at] = part[at + stride];
        part[at + stride] = kept;
      }
    }
  }
  __syncthreads();
  keys[begin + t] = part[t];
  keys[begin + t + 512] = part[t + 512];
}

// Two sorted halves of 512: each key looks for its place in the other half.
__global__ void merge(int* out, const int* in) {
  __shared__ int keys[1024];
  const int t = threadIdx.x, begin = blockIdx.x * 1024;
  keys[t] = in[begin + t];
  __syncthreads();
  const int* other = keys + (t < 512 ? 512 : 0);
  const int mine = keys[t];
  int low = 0, high = 512;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (t < 512 ? other[middle] < mine : other[middle] <= mine)
      low = middle + 1;
    else
      high = middle;
  }
  out[begin + low + (t & 511)] = mine;
}

__global__ void reduction(float* out, const float* in, int n) {
  __shared__ float sums[256];
  const unsigned t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) sum += in[i];
  sums[t] = sum;
  __syncthreads();
  for (unsigned s = 128; s > 0; s /= 2) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}

// Up and down a tree, as textbooks have it: strides of all powers of two.
__global__ void scan(int* out, const int* in) {
  __shared__ int part[512];
  const int t = threadIdx.x, begin = blockIdx.x * 512;
  part[2 * t] = in[begin + 2 * t];
  part[2 * t + 1] = in[begin + 2 * t + 1];
  int offset = 1;
  for (int d = 256; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) part[offset * (2 * t + 2) - 1] += part[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) part[511] = 0;
  for (int d = 1; d < 512; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (t < d) {
      const int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
      const int kept = part[left];
      part[left] = part[right];
      part[right] += kept;
    }
  }
  __syncthreads();
  out[begin + 2 * t] = part[2 * t];
  out[begin + 2 * t + 1] = part[2 * t + 1];
}

// Five points, in blocks of 16 x 16 with a halo.
__global__ void stencil(float* out, const float* in, int n) {
  __shared__ float tile[18][18];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  tile[ty][tx] = in[y * n + x];
  if (threadIdx.x == 0) tile[ty][0] = x > 0 ? in[y * n + x - 1] : 0;
  if (threadIdx.x == 15) tile[ty][17] = x + 1 < n ? in[y * n + x + 1] : 0;
  if (threadIdx.y == 0) tile[0][tx] = y > 0 ? in[(y - 1) * n + x] : 0;
  if (threadIdx.y == 15) tile[17][tx] = y + 1 < n ? in[(y + 1) * n + x] : 0;
  __syncthreads();
  out[y * n + x] = 0.2f * (tile[ty][tx] + tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] +
                           tile[ty + 1][tx]);
}

// ---- warps

__global__ void shuffles(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = i; k < n; k += gridDim.x * blockDim.x) sum += in[k];
  for (int s = 16; s > 0; s /= 2) sum += __shfl_xor_sync(0xffffffff, sum, s);
  if (threadIdx.x % 32 == 0) out[i / 32] = sum;
}

// Products of 16 x 16 by tensor cores, a warp for each.
__global__ void tensor_product(float* c, const __half* a, const __half* b, int n) {
  using namespace nvcuda;
  const int row = blockIdx.y * 16, column = (blockIdx.x * 4 + threadIdx.x / 32) * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < n; k += 16) {
    wmma::load_matrix_sync(left, a + row * n + k, n);
    wmma::load_matrix_sync(right, b + k * n + column, n);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

// ---- atomics in global memory

__global__ void count_words(int* out, const int* in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&out[in[i] & 4095], 1);
}
