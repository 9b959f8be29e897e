// Calls, recursion, pointers to functions, structs by value, printf, assert, jump tables,
// mathematics.

#include <cassert>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct Big {
  int x[10];
  double d;
};
typedef float (*Combine)(float, float);

__device__ float sum_of(float a, float b) {
  return a + b;
}
__device__ float product_of(float a, float b) {
  return a * b;
}
__device__ Combine combine[2] = {sum_of, product_of};

__device__ __noinline__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__device__ __noinline__ Big changed(Big big, int i) {
  big.x[i] += 1;
  big.d *= 2;
  return big;
}

__device__ __noinline__ float mathematics(float x, double y, int n) {
  float local[8];
  for (int i = 0; i < 8; i++) local[i] = x * i;
  local[n & 7] =
      sinf(x) + powf(x, 2.3f) + expf(x) + logf(x) + rsqrtf(x) + __sinf(x) + fmodf(x, 2.0f);
  return local[(n + 1) & 7] + (float)(sqrt(y) + exp(y) + y / 3 + __ddiv_rn(y, 2)) + __frcp_rn(x) +
         __fsqrt_ru(x) + __fmaf_rz(x, x, x) + rintf(x) + floorf(x) + __saturatef(x);
}

__global__ void calls(float* out, Big big, int n, long long a, unsigned long long b,
                      const float* __restrict__ in) {
  assert(n > 0);
  const Big other = changed(big, n);
  out[0] = mathematics(out[1], other.d, other.x[n]) + combine[n & 1](out[2], out[3]) +
           __ldg(in + 3) + __ldcs(in + 5) + fibonacci(n);
  if (a / b > 3) printf("%d %f\n", n, out[0]);
  if (n == 99) __trap();
  out[4] = a % n + b / 7;
}

__global__ void jumps(int* out, int n) {
  int v = out[threadIdx.x];
  switch (n) {
  case 0:
    v = v * 3;
    out[1] = 7;
    break;
  case 1:
    v ^= 5;
    out[2] = v;
    break;
  case 2:
    v += out[3];
    break;
  case 3:
    v -= out[9];
    out[0] = 1;
    break;
  case 4:
    v = out[v];
    break;
  case 5:
    v <<= 3;
    out[3] = v;
    break;
  case 6:
    v = ~v;
    out[8] = 9;
    break;
  case 7:
    v = v / 3;
    out[5] = v;
    break;
  case 8:
    v = out[7];
    out[2] = 3;
    break;
  default:
    return;
  }
  out[threadIdx.x] = v;
}

// Written in PTX, as older nvcc made of jumps: this one compares.
__global__ void table(int* out, unsigned n) {
  int v;
  asm volatile("{\n\t.reg .u32 i;\n\tmin.u32 i, %1, 2;\n"
               "places: .branchtargets FIRST, SECOND, THIRD;\n\tbrx.idx i, places;\n"
               "FIRST: mov.s32 %0, 010; bra.uni DONE;\nSECOND: mov.s32 %0, -0x7; bra.uni DONE;\n"
               "THIRD: mov.s32 %0, 4 * (2 + 1);\nDONE:\n}"
               : "=r"(v)
               : "r"(n));
  out[threadIdx.x] = v;
}

__global__ void bits(int* out) {
  int v = out[threadIdx.x];
  v += __popc(v) + __clz(v) + __ffs(v) + __brev(v) + __byte_perm(v, v, 0x1234);
  v += __funnelshift_l(v, v, 3) + __dp4a(v, v, v) + __vadd4(v, v) + __vabsdiffu4(v, v);
  v += __mulhi(v, v) + __sad(v, v, 1u) + __umul24(v, v) + __vseteq4(v, v);
  out[threadIdx.x] = v;
}

__global__ void halves(__half2* a, __nv_bfloat162* b, __half* c, float* d) {
  a[0] = __hfma2(a[1], a[2], a[3]);
  b[0] = __hmul2(b[1], b[2]);
  c[0] = hexp(c[1]);
  c[3] = hsqrt(c[9]);
  if (__hgt(c[1], c[2])) c[1] = c[2];
  c[5] = __float2half_rn(d[3]);
  d[0] = __half2float(c[2]) + __bfloat162float(__low2bfloat16(b[4]));
  b[9] = __floats2bfloat162_rn(d[1], d[2]);
}
