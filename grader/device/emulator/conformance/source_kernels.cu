// The kernels whose counts were measured on an H200 (source_kernels.csv), in the order of that
// file.
//
// Each is the smallest kernel that makes the accesses of one listing of the books and articles on
// shared memory that the course follows. An ordinary program: it runs on a GPU as it is, and on the
// emulated device with `course run`; conformance_test.cpp compares the two.
// Long, because each row of the table needs its kernel and its launch side by side.
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    const cudaError_t error = (call);                                                              \
    if (error != cudaSuccess) {                                                                    \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                           \
                   cudaGetErrorString(error));                                                     \
      return 1;                                                                                    \
    }                                                                                              \
  } while (false)

// --- Square tiles: 32x32 threads, one element each ---

__global__ void sq_rowrow(int* out) {
  __shared__ int tile[32][32];
  const int index = threadIdx.y * 32 + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = index;
  __syncthreads();
  out[index] = tile[threadIdx.y][threadIdx.x];
}

__global__ void sq_colcol(int* out) {
  __shared__ int tile[32][32];
  const int index = threadIdx.y * 32 + threadIdx.x;
  tile[threadIdx.x][threadIdx.y] = index;
  __syncthreads();
  out[index] = tile[threadIdx.x][threadIdx.y];
}

__global__ void sq_rowcol(int* out) {
  __shared__ int tile[32][32];
  const int index = threadIdx.y * 32 + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = index;
  __syncthreads();
  out[index] = tile[threadIdx.x][threadIdx.y];
}

__global__ void sq_pad(int* out) {
  __shared__ int tile[32][33];
  const int index = threadIdx.y * 32 + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = index;
  __syncthreads();
  out[index] = tile[threadIdx.x][threadIdx.y];
}

__global__ void sq_dyn(int* out) {
  extern __shared__ int words[];
  const int index = threadIdx.y * 32 + threadIdx.x;
  words[index] = index;
  __syncthreads();
  out[index] = words[threadIdx.x * 32 + threadIdx.y];
}

__global__ void sq_dynpad(int* out) {
  extern __shared__ int words[];
  const int index = threadIdx.y * 32 + threadIdx.x;
  words[threadIdx.y * 33 + threadIdx.x] = index;
  __syncthreads();
  out[index] = words[threadIdx.x * 33 + threadIdx.y];
}

// --- Rectangular tiles: 32x16 threads ---

__global__ void rc_rowrow(int* out) {
  __shared__ int tile[16][32];
  const int index = threadIdx.y * 32 + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = index;
  __syncthreads();
  out[index] = tile[threadIdx.y][threadIdx.x];
}

__global__ void rc_colcol(int* out) {
  __shared__ int tile[32][16];
  const int index = threadIdx.y * 32 + threadIdx.x;
  tile[threadIdx.x][threadIdx.y] = index;
  __syncthreads();
  out[index] = tile[threadIdx.x][threadIdx.y];
}

// Written along rows, read along columns by a new split of the thread's number.
template <int kPad>
__device__ void rectangle_row_column(int* out) {
  __shared__ int tile[16][32 + kPad];
  const int index = threadIdx.y * 32 + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = index;
  __syncthreads();
  out[index] = tile[index % 16][index / 16];
}

__global__ void rc_rowcol(int* out) {
  rectangle_row_column<0>(out);
}
__global__ void rc_pad(int* out) {
  rectangle_row_column<2>(out);
}
__global__ void rc_pad1(int* out) {
  rectangle_row_column<1>(out);
}

// --- One warp: structures, widths, strides, broadcast, atomics ---

struct Three {
  float x, y, z;
};

__global__ void st_v3(float* out, const float* in) {
  __shared__ Three item[32];
  const int t = threadIdx.x;
  const float value = in[t];
  item[t].x = value;
  item[t].y = value + 1;
  item[t].z = value + 2;
  __syncthreads();
  out[t] = item[31 - t].x + item[31 - t].y + item[31 - t].z;
}

struct Two {
  float x, y;
};

// Volatile keeps the two fields from being moved as one 8-byte access.
__global__ void st_v2(float* out, const float* in) {
  __shared__ volatile Two item[32];
  const int t = threadIdx.x;
  const float value = in[t];
  item[t].x = value;
  item[t].y = value + 1;
  __syncthreads();
  out[t] = item[31 - t].x + item[31 - t].y;
}

__global__ void st_f4(float4* out, const float4* in) {
  __shared__ float4 item[32];
  const int t = threadIdx.x;
  item[t] = in[t];
  __syncthreads();
  out[t] = item[31 - t];
}

__global__ void st_f4s(float4* out, const float4* in) {
  __shared__ float4 item[32];
  const int t = threadIdx.x;
  item[t] = in[t];
  __syncthreads();
  out[t] = item[2 * t % 32];
}

__global__ void st_char(char* out, const char* in) {
  __shared__ char item[32];
  const int t = threadIdx.x;
  item[t] = in[t];
  __syncthreads();
  out[t] = item[31 - t];
}

__global__ void st_char4(char* out, const char* in) {
  __shared__ char item[128];
  const int t = threadIdx.x;
  item[4 * t] = in[t];
  __syncthreads();
  out[t] = item[4 * (31 - t)];
}

__global__ void st_dbl(double* out, const double* in) {
  __shared__ double item[32];
  const int t = threadIdx.x;
  item[t] = in[t];
  __syncthreads();
  out[t] = item[31 - t];
}

__global__ void st_dbl2(double* out, const double* in) {
  __shared__ double item[64];
  const int t = threadIdx.x;
  item[2 * t] = in[t];
  __syncthreads();
  out[t] = item[2 * (31 - t)];
}

template <int kStride>
__global__ void st_stride(int* out) {
  __shared__ int item[32 * kStride];
  const int t = threadIdx.x;
  item[t * kStride] = t;
  __syncthreads();
  out[t] = item[t * kStride];
}

__global__ void st_bcast(int* out) {
  __shared__ int item[32];
  const int t = threadIdx.x;
  item[t] = t;
  __syncthreads();
  out[t] = item[7];
}

__global__ void st_2bcast(int* out) {
  __shared__ int item[64];
  const int t = threadIdx.x;
  item[t] = t;
  item[t + 32] = -t;
  __syncthreads();
  out[t] = item[t % 2 * 32];
}

__global__ void st_atomic_same(int* out) {
  __shared__ int item[32];
  const int t = threadIdx.x;
  if (t == 0) item[0] = 0;
  __syncthreads();
  atomicAdd(&item[0], t);
  __syncthreads();
  out[t] = item[0];
}

__global__ void st_atomic_stride(int* out) {
  __shared__ int item[1024];
  const int t = threadIdx.x;
  for (int i = 0; i < 32; ++i) item[i * 32 + t] = 0;
  __syncthreads();
  atomicAdd(&item[t * 32], t);
  __syncthreads();
  out[t] = item[t * 32];
}

// --- Reductions ---

// The tail of the classic reductions: no barrier, one warp, volatile. It is a data race since
// compute capability 7.0, and it is here because it was measured.
__device__ void volatile_tail(volatile int* data, unsigned tid) {
  data[tid] += data[tid + 32];
  data[tid] += data[tid + 16];
  data[tid] += data[tid + 8];
  data[tid] += data[tid + 4];
  data[tid] += data[tid + 2];
  data[tid] += data[tid + 1];
}

__global__ void red_gmem(int* in, int* out, unsigned n) {
  const unsigned tid = threadIdx.x;
  int* data = in + blockIdx.x * blockDim.x;
  if (blockIdx.x * blockDim.x + tid >= n) return;
  if (tid < 64) data[tid] += data[tid + 64];
  __syncthreads();
  if (tid < 32) volatile_tail(data, tid);
  if (tid == 0) out[blockIdx.x] = *static_cast<volatile int*>(data);
}

__global__ void red_smem(const int* in, int* out, unsigned n) {
  __shared__ int data[128];
  const unsigned tid = threadIdx.x;
  const unsigned index = blockIdx.x * blockDim.x + tid;
  if (index >= n) return;
  data[tid] = in[index];
  __syncthreads();
  if (tid < 64) data[tid] += data[tid + 64];
  __syncthreads();
  if (tid < 32) volatile_tail(data, tid);
  if (tid == 0) out[blockIdx.x] = *static_cast<volatile int*>(data);
}

__global__ void red_unroll4(const int* in, int* out, unsigned n) {
  __shared__ int data[128];
  const unsigned tid = threadIdx.x;
  const unsigned index = blockIdx.x * blockDim.x * 4 + tid;
  int sum = 0;
  if (index + 3 * blockDim.x < n)
    sum = in[index] + in[index + blockDim.x] + in[index + 2 * blockDim.x] +
          in[index + 3 * blockDim.x];
  data[tid] = sum;
  __syncthreads();
  if (tid < 64) data[tid] += data[tid + 64];
  __syncthreads();
  if (tid < 32) volatile_tail(data, tid);
  if (tid == 0) out[blockIdx.x] = *static_cast<volatile int*>(data);
}

__global__ void red_interleaved(const float* in, float* out, unsigned n) {
  __shared__ float data[256];
  const unsigned tid = threadIdx.x;
  const unsigned index = blockIdx.x * blockDim.x + tid;
  data[tid] = index < n ? in[index] : 0;
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    const unsigned i = 2 * s * tid;
    if (i < blockDim.x) data[i] += data[i + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = data[0];
}

__global__ void red_sequential(const float* in, float* out, unsigned n) {
  __shared__ float data[256];
  const unsigned tid = threadIdx.x;
  const unsigned index = blockIdx.x * blockDim.x + tid;
  data[tid] = index < n ? in[index] : 0;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (tid < s) data[tid] += data[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = data[0];
}

__device__ int warp_sum(int value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_xor_sync(0xffffffff, value, offset);
  return value;
}

__device__ int block_sum(int value) {
  __shared__ int of_warp[8];
  value = warp_sum(value);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  value = threadIdx.x < 8 ? of_warp[threadIdx.x] : 0;
  return threadIdx.x < 32 ? warp_sum(value) : 0;
}

__global__ void red_shfl(const int* in, int* out, unsigned n) {
  const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
  const int sum = block_sum(index < n ? in[index] : 0);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void red_best(const int4* in, int* out, unsigned n) {
  int sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int4 four = in[i];
    sum += four.x + four.y + four.z + four.w;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

// --- Transposes ---

__global__ void tr_copy(float* out, const float* in, int nx, int ny) {
  const int ix = blockIdx.x * blockDim.x + threadIdx.x;
  const int iy = blockIdx.y * blockDim.y + threadIdx.y;
  if (ix < nx && iy < ny) out[iy * nx + ix] = in[iy * nx + ix];
}

__global__ void tr_naive(float* out, const float* in, int nx, int ny) {
  const int ix = blockIdx.x * blockDim.x + threadIdx.x;
  const int iy = blockIdx.y * blockDim.y + threadIdx.y;
  if (ix < nx && iy < ny) out[ix * ny + iy] = in[iy * nx + ix];
}

template <int kPad, int kWidth, int kHeight>
__global__ void tr_smem(float* out, const float* in, int nx, int ny) {
  __shared__ float tile[kHeight][kWidth + kPad];
  const int ix = blockIdx.x * kWidth + threadIdx.x;
  const int iy = blockIdx.y * kHeight + threadIdx.y;
  if (ix < nx && iy < ny) tile[threadIdx.y][threadIdx.x] = in[iy * nx + ix];
  __syncthreads();
  const int index = threadIdx.y * kWidth + threadIdx.x;
  const int row = index / kHeight, col = index % kHeight;
  const int ox = blockIdx.y * kHeight + col, oy = blockIdx.x * kWidth + row;
  if (ox < ny && oy < nx) out[oy * ny + ox] = tile[col][row];
}

// As printed in one of the sources: padded, but written with the index of the naive transpose.
__global__ void tr_seedpad(float* out, const float* in, int nx, int ny) {
  __shared__ float tile[16][17];
  const int ix = blockIdx.x * 16 + threadIdx.x;
  const int iy = blockIdx.y * 16 + threadIdx.y;
  if (ix < nx && iy < ny) tile[threadIdx.y][threadIdx.x] = in[iy * nx + ix];
  __syncthreads();
  const int index = threadIdx.y * 16 + threadIdx.x;
  const int row = index / 16, col = index % 16;
  if (ix < nx && iy < ny) out[ix * ny + iy] = tile[col][row];
}

template <int kPad>
__global__ void tr_32x8(float* out, const float* in, int nx, int ny) {
  __shared__ float tile[32][32 + kPad];
  const int ix = blockIdx.x * 32 + threadIdx.x;
  const int iy = blockIdx.y * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8) tile[threadIdx.y + r][threadIdx.x] = in[(iy + r) * nx + ix];
  __syncthreads();
  const int ox = blockIdx.y * 32 + threadIdx.x;
  const int oy = blockIdx.x * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8) out[(oy + r) * ny + ox] = tile[threadIdx.x][threadIdx.y + r];
}

// --- Constant memory: 1,024 reads, the same index for a warp or one for each lane ---

__constant__ float table[1024];

__global__ void k_uniform(float* out) {
  float sum = 0;
  for (int i = 0; i < 1024; ++i) sum += table[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void k_diverge(float* out) {
  float sum = 0;
  for (int i = 0; i < 1024; ++i) sum += table[(i + threadIdx.x) & 1023];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void k_ldg(float* out, const float* in) {
  float sum = 0;
  for (int i = 0; i < 1024; ++i) sum += __ldg(&in[(i + threadIdx.x) & 1023]);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
  constexpr int kSide = 4096;
  constexpr unsigned kCount = 1u << 22;
  void *in = nullptr, *out = nullptr;
  CHECK(cudaMalloc(&in, sizeof(float) * kSide * kSide));
  CHECK(cudaMalloc(&out, sizeof(float) * kSide * kSide));
  CHECK(cudaMemset(in, 0, sizeof(float) * kSide * kSide));
  CHECK(cudaMemset(out, 0, sizeof(float) * kSide * kSide));
  int* const ints = static_cast<int*>(out);
  float* const floats = static_cast<float*>(out);
  const int* const in_ints = static_cast<int*>(in);
  const float* const in_floats = static_cast<float*>(in);

  const dim3 square(32, 32), rectangle(32, 16);
  sq_rowrow<<<1, square>>>(ints);
  sq_colcol<<<1, square>>>(ints);
  sq_rowcol<<<1, square>>>(ints);
  sq_pad<<<1, square>>>(ints);
  sq_dyn<<<1, square, 32 * 32 * sizeof(int)>>>(ints);
  sq_dynpad<<<1, square, 32 * 33 * sizeof(int)>>>(ints);
  rc_rowrow<<<1, rectangle>>>(ints);
  rc_colcol<<<1, rectangle>>>(ints);
  rc_rowcol<<<1, rectangle>>>(ints);
  rc_pad<<<1, rectangle>>>(ints);
  rc_pad1<<<1, rectangle>>>(ints);

  st_v3<<<1, 32>>>(floats, in_floats);
  st_v2<<<1, 32>>>(floats, in_floats);
  st_f4<<<1, 32>>>(static_cast<float4*>(out), static_cast<float4*>(in));
  st_f4s<<<1, 32>>>(static_cast<float4*>(out), static_cast<float4*>(in));
  st_char<<<1, 32>>>(static_cast<char*>(out), static_cast<char*>(in));
  st_char4<<<1, 32>>>(static_cast<char*>(out), static_cast<char*>(in));
  st_dbl<<<1, 32>>>(static_cast<double*>(out), static_cast<double*>(in));
  st_dbl2<<<1, 32>>>(static_cast<double*>(out), static_cast<double*>(in));
  st_stride<1><<<1, 32>>>(ints);
  st_stride<2><<<1, 32>>>(ints);
  st_stride<3><<<1, 32>>>(ints);
  st_stride<4><<<1, 32>>>(ints);
  st_stride<8><<<1, 32>>>(ints);
  st_stride<16><<<1, 32>>>(ints);
  st_stride<17><<<1, 32>>>(ints);
  st_stride<32><<<1, 32>>>(ints);
  st_bcast<<<1, 32>>>(ints);
  st_2bcast<<<1, 32>>>(ints);
  st_atomic_same<<<1, 32>>>(ints);
  st_atomic_stride<<<1, 32>>>(ints);

  red_gmem<<<kCount / 128, 128>>>(static_cast<int*>(in), ints, kCount);
  red_smem<<<kCount / 128, 128>>>(in_ints, ints, kCount);
  red_unroll4<<<kCount / 512, 128>>>(in_ints, ints, kCount);
  red_interleaved<<<kCount / 256, 256>>>(in_floats, floats, kCount);
  red_sequential<<<kCount / 256, 256>>>(in_floats, floats, kCount);
  red_shfl<<<kCount / 256, 256>>>(in_ints, ints, kCount);
  red_best<<<1056, 256>>>(static_cast<int4*>(in), ints, kCount / 4);

  const dim3 tile16(16, 16), grid16(kSide / 16, kSide / 16), grid32x16(kSide / 32, kSide / 16);
  const dim3 tile32x8(32, 8), grid32(kSide / 32, kSide / 32);
  tr_copy<<<grid16, tile16>>>(floats, in_floats, kSide, kSide);
  tr_naive<<<grid16, tile16>>>(floats, in_floats, kSide, kSide);
  tr_smem<0, 16, 16><<<grid16, tile16>>>(floats, in_floats, kSide, kSide);
  tr_smem<1, 16, 16><<<grid16, tile16>>>(floats, in_floats, kSide, kSide);
  tr_seedpad<<<grid16, tile16>>>(floats, in_floats, kSide, kSide);
  tr_smem<0, 32, 16><<<grid32x16, rectangle>>>(floats, in_floats, kSide, kSide);
  tr_smem<2, 32, 16><<<grid32x16, rectangle>>>(floats, in_floats, kSide, kSide);
  tr_32x8<0><<<grid32, tile32x8>>>(floats, in_floats, kSide, kSide);
  tr_32x8<1><<<grid32, tile32x8>>>(floats, in_floats, kSide, kSide);

  float values[1024];
  for (int i = 0; i < 1024; ++i) values[i] = static_cast<float>(i);
  CHECK(cudaMemcpyToSymbol(table, values, sizeof(values)));
  k_uniform<<<64, 256>>>(floats);
  k_diverge<<<64, 256>>>(floats);
  k_ldg<<<64, 256>>>(floats, in_floats);

  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(out));
  CHECK(cudaFree(in));
  return 0;
}
