// One kernel a thing that ptxas does to memory accesses.

#include <cuda_pipeline.h>

extern __shared__ __align__(16) float dynamic[];

// A function of two kernels, which ptxas copies behind each.
__device__ __noinline__ float swapped(const float* in, int i) {
  __shared__ float4 cell[64];
  cell[i] = make_float4(i, i, in[i], i);
  __syncthreads();
  return cell[i ^ 1].x + cell[i ^ 1].y + cell[i ^ 1].z + cell[i ^ 1].w;
}
__global__ void caller(float* out) {
  out[threadIdx.x] = swapped(out, threadIdx.x);
}
__global__ void other_caller(float* out) {
  out[threadIdx.x] = 2 * swapped(out, threadIdx.x);
}

// Vector loads of which one component is used.
__global__ void narrowed(float* out) {
  const unsigned at = __cvta_generic_to_shared(dynamic) + threadIdx.x * 16;
  dynamic[threadIdx.x] = out[0];
  __syncthreads();
  float a, b, c, d, e, f;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(a), "=f"(b), "=f"(c), "=f"(d)
               : "r"(at));
  asm volatile("ld.shared.v2.f32 {%0, %1}, [%2+4096];" : "=f"(e), "=f"(f) : "r"(at));
  out[threadIdx.x] = d + f;
}

__global__ void split(float4* out, int shift) {
  __shared__ float4 cell[64], other[64];
  cell[threadIdx.x] = out[threadIdx.x];
  other[threadIdx.x] = out[threadIdx.x + 64];
  __syncthreads();
  const float4 apart = cell[threadIdx.x ^ shift];
  const float4 together = other[threadIdx.x ^ shift];
  out[threadIdx.x].x = apart.x * apart.z + together.z / together.w;
}

// A loop of which ptxas makes four loads.
__global__ void unrolled(float* out) {
  __shared__ float cell[1024];
  cell[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  float sum = 0;
  unsigned at = __cvta_generic_to_shared(cell);
  asm("{.reg .pred p; .reg .u32 i; .reg .f32 t; mov.u32 i, 0; NEXT: ld.shared.f32 t, [%1]; "
      "add.f32 %0, %0, t; add.u32 %1, %1, 4; add.u32 i, i, 1; setp.lt.u32 p, i, 16; @p bra NEXT;}"
      : "+f"(sum), "+r"(at));
  out[threadIdx.x] = sum;
}

// Three of four floats: two merged stores, one merged load.
__global__ void partial(float4* out) {
  __shared__ float4 cell[64];
  cell[threadIdx.x].w = out[0].x;
  cell[threadIdx.x].z = out[1].x;
  cell[threadIdx.x].y = out[2].x;
  __syncthreads();
  float a = cell[threadIdx.x ^ 1].w;
  a = a * a + cell[threadIdx.x ^ 1].z;
  a = a * a + cell[threadIdx.x ^ 1].y;
  out[threadIdx.x].x = a;
}

__global__ void copies(float4* data) {
  __shared__ float4 cell[128];
  __pipeline_memcpy_async(&cell[threadIdx.x], data + threadIdx.x, 16);
  __pipeline_memcpy_async((float*)&cell[64] + threadIdx.x, (float*)data + threadIdx.x, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  data[threadIdx.x] = cell[threadIdx.x ^ 1];
}

__global__ void matrices(int* out) {
  __shared__ alignas(16) int cell[512];
  cell[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const unsigned at = __cvta_generic_to_shared(cell + threadIdx.x * 4);
  int a, b, c, d;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
               : "r"(at));
  asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%2], {%0, %1};" ::"r"(a), "r"(b),
               "r"(at));
  asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%1], {%0};" ::"r"(c + d), "r"(at));
  out[threadIdx.x] = cell[threadIdx.x ^ 5];
}

__global__ void any_memory(int* out, int n) {
  __shared__ int cell[64];
  int* p = n ? cell : out;
  cell[threadIdx.x] = n;
  __syncthreads();
  p[threadIdx.x] += 1;
  atomicAdd((float*)p + threadIdx.x * 2, 1.0f);
  __syncthreads();
  out[threadIdx.x] = cell[threadIdx.x];
}

// The same address in the whole warp: one lane adds for all. Two atomics share one election.
__global__ void elected(int* out, int n) {
  __shared__ int cell[4];
  cell[threadIdx.x & 3] = 0;
  __syncthreads();
  atomicAdd(&cell[0], 3);
  atomicAdd(&cell[1], 3);
  if (out[threadIdx.x] > n) atomicMax(&cell[2], out[threadIdx.x]);
  __syncthreads();
  out[0] = cell[0] + cell[1] + cell[2];
}

// A guard, but no election.
__global__ void guarded(int* out, int n) {
  __shared__ int cell[64];
  cell[threadIdx.x & 63] = 0;
  __syncthreads();
  if (out[threadIdx.x] > n) atomicAdd(&cell[out[threadIdx.x] & 63], out[threadIdx.x]);
  if (threadIdx.x < n) cell[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = threadIdx.x < n ? cell[threadIdx.x ^ 1] : 0;
}

__global__ void operations(unsigned* out) {
  __shared__ unsigned cell[64];
  __shared__ unsigned long long wide[64];
  cell[threadIdx.x] = 0;
  wide[threadIdx.x] = 0;
  __syncthreads();
  unsigned* mine = &cell[out[threadIdx.x] & 63];
  atomicMin(mine, out[1]);
  atomicMax(mine, out[2]);
  atomicInc(mine, out[3]);
  atomicDec(mine, out[4]);
  atomicAnd(mine, out[5]);
  atomicOr(mine, out[6]);
  atomicXor(mine, out[7]);
  atomicExch(mine, out[8]);
  atomicExch(&wide[out[9] & 63], 7ull);
  atomicAdd(&wide[out[10] & 63], 7ull);
  atomicCAS(&wide[out[11] & 63], 7ull, 8ull);
  __syncthreads();
  out[threadIdx.x] = cell[threadIdx.x] + wide[threadIdx.x];
}
