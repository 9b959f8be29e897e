// One kernel for each thing that ordinary CUDA programs use; each writes what its name says.
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

__global__ void half_pairs(__half2* out, const __half2* in) {
  const __half2 two = __float2half2_rn(2.0f);
  out[threadIdx.x] = __hfma2(in[threadIdx.x], two, __hmul2(in[threadIdx.x], in[threadIdx.x]));
}
__global__ void brain_pairs(__nv_bfloat162* out, const __nv_bfloat162* in) {
  out[threadIdx.x] = __hadd2(in[threadIdx.x], __float2bfloat162_rn(1.0f));
}
__global__ void bytes_of_words(int* out, const int* in) {
  const int t = threadIdx.x, a = in[t], b = in[31 - t];
  out[t] = __dp4a(a, b, 100);
  out[32 + t] = __dp2a_lo(a, b, 100);
  out[64 + t] = __byte_perm(a, b, 0x5270);
  out[96 + t] = __funnelshift_l(a, b, t);
  out[128 + t] = __funnelshift_rc(a, b, 40 - t);
  out[160 + t] = __vadd4(a, b);
  out[192 + t] = __brev(a) ^ __clz(b) ^ __popc(a) ^ __ffs(b);
  out[224 + t] = __vabsdiffu4(a, b) + __vsadu2(a, b) + __vimin_s32_relu(a, b);
}
__global__ void of_the_warp(unsigned* out, const int* in) {
  const int t = threadIdx.x;
  out[t] = __reduce_add_sync(~0u, in[t]);
  out[32 + t] = __reduce_max_sync(~0u, in[t]);
  out[64 + t] = __match_any_sync(~0u, in[t] & 3);
  int all;
  out[96 + t] = __match_all_sync(~0u, 7, &all) + all;
  out[128 + t] = __ballot_sync(~0u, in[t] & 1);
  out[160 + t] = __any_sync(~0u, in[t] == -1) + 2 * __all_sync(~0u, in[t] < 1 << 30);
  out[192 + t] = __reduce_xor_sync(~0u, unsigned(in[t]));
}
__global__ void carries(unsigned __int128* out, const unsigned __int128* in) {
  const int t = threadIdx.x;
  out[t] = in[t] * in[31 - t] + (in[t] >> 3) - in[(t + 5) % 32];
}
__global__ void doubles(double* out, const double* in) {
  const int t = threadIdx.x;
  out[t] = fma(in[t], in[31 - t], 1.0) / (in[t] + 3.0);
  out[32 + t] = sqrt(in[t]) + rint(in[t]) + __ddiv_rd(1.0, in[t] + 1);
  out[64 + t] = double(__double2ll_rz(in[t] * 100)) + float(in[t]);
}
__global__ void long_atomics(unsigned long long* sums, const unsigned long long* in) {
  __shared__ unsigned long long most, least, bits;
  if (threadIdx.x == 0) most = 0, least = ~0ull, bits = 0;
  __syncthreads();
  atomicMax(&most, in[threadIdx.x]);
  atomicMin(&least, in[threadIdx.x]);
  atomicOr(&bits, in[threadIdx.x]);
  atomicAdd(&sums[0], in[threadIdx.x]);
  atomicCAS(&sums[4], 0ull, 77ull);
  atomicExch(&sums[5], 5ull);
  __syncthreads();
  if (threadIdx.x == 0) sums[1] = most, sums[2] = least, sums[3] = bits;
}
__global__ void float_atomics(float* sums, double* more, const float* in) {
  atomicAdd(&sums[0], in[threadIdx.x]);
  atomicAdd(more, double(in[threadIdx.x]));
  atomicAdd(reinterpret_cast<__half2*>(&sums[1]), __floats2half2_rn(1, 2));
}
__global__ void waits_and_looks(long long* out) {
  const long long begin = clock64();
  __nanosleep(100);
  const unsigned also = clock();
  out[threadIdx.x] = (clock64() - begin > 0) + (also > 0 ? 2 : 0);
}
__global__ void read_only_vectors(float4* out, const float4* __restrict__ in,
                                  const unsigned char* __restrict__ bytes, volatile int* flag) {
  const float4 a = __ldg(&in[threadIdx.x]);
  const uchar4 b = *reinterpret_cast<const uchar4*>(&bytes[4 * threadIdx.x]);
  flag[threadIdx.x] = flag[threadIdx.x] + 1;
  const double2 d = *reinterpret_cast<const double2*>(&in[threadIdx.x]);
  out[threadIdx.x] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
  if (d.x == 12345.0) out[0].x = 0;
}
__constant__ int weights[4][8] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};
__global__ void __launch_bounds__(64, 2) constant_arrays(int* out, int row) {
  int local[8];
  for (int i = 0; i < 8; ++i) local[i] = weights[row][i] * (i + 1);
  out[threadIdx.x] = local[threadIdx.x % 8] + weights[threadIdx.x % 4][threadIdx.x % 3];
}
__global__ void groups_of_threads(int* out, const int* in) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  int sum = in[block.thread_rank()];
  for (int i = tile.size() / 2; i > 0; i /= 2) sum += tile.shfl_down(sum, i);
  __shared__ int sums[32];
  if (tile.thread_rank() == 0) sums[tile.meta_group_rank()] = sum;
  block.sync();
  out[block.thread_rank()] = sums[tile.meta_group_rank()] + tile.any(tile.thread_rank() == 3);
  const auto active = cg::coalesced_threads();
  out[64 + block.thread_rank()] = active.size() + active.thread_rank();
  const auto dynamic = cg::tiled_partition(block, 16);
  dynamic.sync();
}
struct Shape {
  __device__ virtual int area() const { return 0; }
};
struct Square : Shape {
  int side;
  __device__ Square(int s) : side(s) {}
  __device__ int area() const override { return side * side; }
};
struct Line : Shape {
  __device__ int area() const override { return 1; }
};
__global__ void virtual_calls(int* out) {
  Square square(threadIdx.x);
  Line line;
  const Shape* shape = threadIdx.x % 2 ? static_cast<Shape*>(&square) : &line;
  out[threadIdx.x] = shape->area();
}
__global__ void counted_barriers(int* out) {
  const int t = threadIdx.x;
  out[t] = __syncthreads_count(t % 3 == 0) + 1000 * __syncthreads_and(t < 64) +
           10000 * __syncthreads_or(t == 70);
}
__global__ void many_functions(float* out, const float* in) {
  const int t = threadIdx.x;
  const float x = in[t];
  out[t] = sinf(x) + cosf(x) + expf(x) + logf(x + 1) + powf(x, 1.5f) + tanhf(x) + erff(x);
  out[32 + t] = __sinf(x) + __expf(x) + __logf(x + 1) + rsqrtf(x + 1) + __fdividef(x, 3);
  out[64 + t] = fmodf(x, 0.7f) + floorf(x) + roundf(x) + fminf(x, 1) + copysignf(x, -1);
  out[96 + t] = __fmaf_rz(x, x, x) + __fadd_ru(x, 1e-8f) + __frcp_rn(x + 1) + __saturatef(x);
}
__global__ void divides(int* out, const int* in) {
  const int t = threadIdx.x;
  out[t] = in[t] / (t + 1) + in[t] % (t + 3);
  out[32 + t] = (long long)in[t] * 1000003 / (t + 7) % 1009;
  out[64 + t] = __mulhi(in[t], 123456789) + __umul24(in[t], t) + abs(-in[t]) + min(in[t], 50);
}
__device__ int counter;
__global__ void last_block(int* out, const int* in) {
  __shared__ bool last;
  if (threadIdx.x == 0) out[1 + blockIdx.x] = in[blockIdx.x];
  __threadfence();
  if (threadIdx.x == 0)
    last = atomicInc(reinterpret_cast<unsigned*>(&counter), gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < gridDim.x; ++i) sum += reinterpret_cast<volatile int*>(out)[1 + i];
    out[0] = sum;
  }
}
