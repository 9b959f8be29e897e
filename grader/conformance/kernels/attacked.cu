// Attacks on the mapping from machine code to lines: tricks with names and inline assembly; those
// with lines are in attacked_lines.cu. Each pair does the same to memory, and what is attacked must
// not count less than its plain twin, or be marked. ../kernels.hpp says how "launch:" is read;
// "twin NAME" names the plain one. Long, as each trick has a kernel.

// launch: plain_store_load float, grid 1, block 64, n 64
__global__ void plain_store_load(float* out, const float* in, int n) {
  __shared__ float tile[256];
  tile[threadIdx.x * 4] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[(63 - threadIdx.x) * 4] + n;
}

// ---- Names

// launch: _Z8overloadPfPKfi float, grid 1, block 64, n 64, twin plain_store_load
__global__ void overload(float* out, const float* in, int n) {
  __shared__ float tile[256];
  tile[threadIdx.x * 4] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[(63 - threadIdx.x) * 4] + n;
}
__global__ void overload(int* out, const int* in, int n) {
  out[threadIdx.x] = in[threadIdx.x] + n;
}
__global__ void overload(float* out, const float* in) {
  out[threadIdx.x] = in[threadIdx.x];
}

namespace one {
__global__ void twice(float* out, const float* in, int n) {
  out[threadIdx.x] = in[threadIdx.x] + n;
}
} // namespace one
namespace {
// launch: (anonymous namespace)::twice float, grid 1, block 64, n 64, twin plain_store_load
__global__ void twice(float* out, const float* in, int n) {
  __shared__ float tile[256];
  tile[threadIdx.x * 4] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[(63 - threadIdx.x) * 4] + n;
}
} // namespace
void start(float* out, const float* in, int n) {
  twice<<<1, 64>>>(out, in, n);
  one::twice<<<1, 64>>>(out, in, n);
}

// launch: templated<4> float, grid 1, block 64, n 64, twin plain_store_load
template <int kStride>
__global__ void templated(float* out, const float* in, int n) {
  __shared__ float tile[256];
  tile[threadIdx.x * kStride] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[(63 - threadIdx.x) * kStride] + n;
}
template __global__ void templated<1>(float*, const float*, int);
template __global__ void templated<4>(float*, const float*, int);
template __global__ void templated<2>(float*, const float*, int);

// launch: by_lambda float, grid 1, block 64, n 64, twin plain_store_load
__global__ void by_lambda(float* out, const float* in, int n) {
  __shared__ float tile[256];
  const auto put = [&](int at, float value) { tile[at] = value; };
  const auto get = [&](int at) { return tile[at]; };
  put(threadIdx.x * 4, in[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = get((63 - threadIdx.x) * 4) + n;
}

__device__ __noinline__ float read_one(const float* from) {
  return *from;
}
__device__ __noinline__ void write_one(float* to, float value) {
  *to = value;
}
// launch: by_functions float, grid 1, block 64, n 64, twin plain_store_load
__global__ void by_functions(float* out, const float* in, int n) {
  __shared__ float tile[256];
  write_one(tile + threadIdx.x * 4, in[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = read_one(tile + (63 - threadIdx.x) * 4) + n;
}

// ---- Several accesses on one line

// launch: plain_many float, grid 1, block 32, n 32
__global__ void plain_many(float* out, const float* in, int n) {
  __shared__ float tile[1024];
  for (int i = threadIdx.x; i < 1024; i += 32) tile[i] = in[i];
  __syncthreads();
  float sum = n;
  sum += tile[threadIdx.x * 2];
  sum += tile[threadIdx.x * 8];
  sum += tile[threadIdx.x * 32];
  out[threadIdx.x] = sum;
}

#define READ_THREE(at) tile[(at)*2] + tile[(at)*8] + tile[(at)*32]
// launch: macro_on_one_line float, grid 1, block 32, n 32, twin plain_many
__global__ void macro_on_one_line(float* out, const float* in, int n) {
  __shared__ float tile[1024];
  for (int i = threadIdx.x; i < 1024; i += 32) tile[i] = in[i];
  __syncthreads();
  out[threadIdx.x] = n + READ_THREE(threadIdx.x);
}

// clang-format off
// launch: kernel_on_one_line float, grid 1, block 32, n 32, twin plain_many
__global__ void kernel_on_one_line(float* out, const float* in, int n) { __shared__ float tile[1024]; for (int i = threadIdx.x; i < 1024; i += 32) tile[i] = in[i]; __syncthreads(); float sum = n; sum += tile[threadIdx.x * 2]; sum += tile[threadIdx.x * 8]; sum += tile[threadIdx.x * 32]; out[threadIdx.x] = sum; }
// clang-format on

// ---- Inline assembly

__device__ __forceinline__ unsigned shared_address(const void* at) {
  return static_cast<unsigned>(__cvta_generic_to_shared(at));
}

// launch: asm_three_loads float, grid 1, block 32, n 32, twin plain_many
__global__ void asm_three_loads(float* out, const float* in, int n) {
  __shared__ float tile[1024];
  for (int i = threadIdx.x; i < 1024; i += 32) tile[i] = in[i];
  __syncthreads();
  float a, b, c;
  asm volatile("ld.shared.f32 %0, [%3]; ld.shared.f32 %1, [%4]; ld.shared.f32 %2, [%5];"
               : "=f"(a), "=f"(b), "=f"(c)
               : "r"(shared_address(tile + threadIdx.x * 2)),
                 "r"(shared_address(tile + threadIdx.x * 8)),
                 "r"(shared_address(tile + threadIdx.x * 32)));
  out[threadIdx.x] = a + b + c + n;
}

// launch: asm_load_store_one_line float, grid 1, block 64, n 64, twin plain_store_load
__global__ void asm_load_store_one_line(float* out, const float* in, int n) {
  __shared__ float tile[256];
  float value = in[threadIdx.x];
  asm volatile("st.shared.f32 [%1], %0; bar.sync 0; ld.shared.f32 %0, [%2];"
               : "+f"(value)
               : "r"(shared_address(tile + threadIdx.x * 4)),
                 "r"(shared_address(tile + (63 - threadIdx.x) * 4)));
  out[threadIdx.x] = value + n;
}

// launch: plain_predicated float, grid 1, block 64, n 64
__global__ void plain_predicated(float* out, const float* in, int n) {
  __shared__ float tile[256];
  for (int i = threadIdx.x; i < 256; i += 64) tile[i] = in[i];
  __syncthreads();
  float value = n;
  if (in[threadIdx.x] > 32.0f) value = tile[threadIdx.x * 4];
  out[threadIdx.x] = value;
}

// launch: asm_predicated float, grid 1, block 64, n 64, twin plain_predicated
__global__ void asm_predicated(float* out, const float* in, int n) {
  __shared__ float tile[256];
  for (int i = threadIdx.x; i < 256; i += 64) tile[i] = in[i];
  __syncthreads();
  float value = n;
  asm volatile("{ .reg .pred p; setp.gt.f32 p, %1, 0f42000000; @p ld.shared.f32 %0, [%2]; }"
               : "+f"(value)
               : "f"(in[threadIdx.x]), "r"(shared_address(tile + threadIdx.x * 4)));
  out[threadIdx.x] = value;
}

// launch: asm_branch float, grid 1, block 64, n 64, twin plain_predicated
__global__ void asm_branch(float* out, const float* in, int n) {
  __shared__ float tile[256];
  for (int i = threadIdx.x; i < 256; i += 64) tile[i] = in[i];
  __syncthreads();
  float value = n;
  asm volatile(
      "{ .reg .pred p; setp.gt.f32 p, %1, 0f42000000; @!p bra past; ld.shared.f32 %0, [%2]; past: }"
      : "+f"(value)
      : "f"(in[threadIdx.x]), "r"(shared_address(tile + threadIdx.x * 4)));
  out[threadIdx.x] = value;
}

// launch: asm_both_sides float, grid 1, block 64, n 64, twin plain_predicated
__global__ void asm_both_sides(float* out, const float* in, int n) {
  __shared__ float tile[256];
  for (int i = threadIdx.x; i < 256; i += 64) tile[i] = in[i];
  __syncthreads();
  float value = n;
  asm volatile(
      "{ .reg .pred p; .reg .f32 f; setp.gt.f32 p, %1, 0f42000000; @p ld.shared.f32 %0, [%2]; "
      "@!p ld.shared.f32 f, [%2+4]; @!p add.f32 %0, %0, f; }"
      : "+f"(value)
      : "f"(in[threadIdx.x]), "r"(shared_address(tile + threadIdx.x * 4)));
  out[threadIdx.x] = value;
}

// launch: plain_loop float, grid 1, block 64, n 5
__global__ void plain_loop(float* out, const float* in, int n) {
  __shared__ float tile[512];
  for (int i = threadIdx.x; i < 512; i += 64) tile[i] = in[i];
  __syncthreads();
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += tile[threadIdx.x * 4 + k * 32];
  out[threadIdx.x] = sum;
}

// launch: asm_loop float, grid 1, block 64, n 5, twin plain_loop
__global__ void asm_loop(float* out, const float* in, int n) {
  __shared__ float tile[512];
  for (int i = threadIdx.x; i < 512; i += 64) tile[i] = in[i];
  __syncthreads();
  float sum = 0;
  asm volatile(
      "{ .reg .pred p; .reg .u32 at, k; .reg .f32 f; mov.u32 at, %1; mov.u32 k, %2; again: "
      "ld.shared.f32 f, [at]; add.f32 %0, %0, f; add.u32 at, at, 128; sub.u32 k, k, 1; "
      "setp.ne.u32 p, k, 0; @p bra again; }"
      : "+f"(sum)
      : "r"(shared_address(tile + threadIdx.x * 4)), "r"(n));
  out[threadIdx.x] = sum;
}

// launch: plain_vector float, grid 1, block 32, n 32
__global__ void plain_vector(float* out, const float* in, int n) {
  __shared__ float4 tile[64];
  tile[threadIdx.x * 2] = reinterpret_cast<const float4*>(in)[threadIdx.x];
  __syncthreads();
  const float4 four = tile[(31 - threadIdx.x) * 2];
  out[threadIdx.x] = four.x + four.y * four.z + four.w + n;
}

// launch: asm_vector float, grid 1, block 32, n 32, twin plain_vector
__global__ void asm_vector(float* out, const float* in, int n) {
  __shared__ float4 tile[64];
  const float4 value = reinterpret_cast<const float4*>(in)[threadIdx.x];
  asm volatile(
      "st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(shared_address(tile + threadIdx.x * 2)),
      "f"(value.x), "f"(value.y), "f"(value.z), "f"(value.w)
      : "memory");
  __syncthreads();
  float4 four;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(four.x), "=f"(four.y), "=f"(four.z), "=f"(four.w)
               : "r"(shared_address(tile + (31 - threadIdx.x) * 2)));
  out[threadIdx.x] = four.x + four.y * four.z + four.w + n;
}

// launch: asm_two_vectors float, grid 1, block 32, n 32, twin plain_vector
__global__ void asm_two_vectors(float* out, const float* in, int n) {
  __shared__ float4 tile[64];
  const float4 value = reinterpret_cast<const float4*>(in)[threadIdx.x];
  asm volatile("st.shared.v2.f32 [%0], {%1, %2}; st.shared.v2.f32 [%0+8], {%3, %4};" ::"r"(
                   shared_address(tile + threadIdx.x * 2)),
               "f"(value.x), "f"(value.y), "f"(value.z), "f"(value.w)
               : "memory");
  __syncthreads();
  float4 four;
  asm volatile("ld.shared.v2.f32 {%0, %1}, [%4]; ld.shared.v2.f32 {%2, %3}, [%4+8];"
               : "=f"(four.x), "=f"(four.y), "=f"(four.z), "=f"(four.w)
               : "r"(shared_address(tile + (31 - threadIdx.x) * 2)));
  out[threadIdx.x] = four.x + four.y * four.z + four.w + n;
}

// launch: volatile_tile float, grid 1, block 64, n 64, twin plain_store_load
__global__ void volatile_tile(float* out, const float* in, int n) {
  __shared__ volatile float tile[256];
  tile[threadIdx.x * 4] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[(63 - threadIdx.x) * 4] + n;
}

// launch: asm_generic float, grid 1, block 64, n 64, twin plain_store_load
__global__ void asm_generic(float* out, const float* in, int n) {
  __shared__ float tile[256];
  asm volatile("st.f32 [%0], %1;" ::"l"(tile + threadIdx.x * 4), "f"(in[threadIdx.x]) : "memory");
  __syncthreads();
  float value;
  asm volatile("ld.f32 %0, [%1];" : "=f"(value) : "l"(tile + (63 - threadIdx.x) * 4));
  out[threadIdx.x] = value + n;
}

// launch: asm_other_types float, grid 1, block 64, n 64, twin plain_store_load
__global__ void asm_other_types(float* out, const float* in, int n) {
  __shared__ float tile[256];
  asm volatile("st.shared.b32 [%0], %1;" ::"r"(shared_address(tile + threadIdx.x * 4)),
               "r"(__float_as_int(in[threadIdx.x]))
               : "memory");
  __syncthreads();
  int value;
  asm volatile("ld.relaxed.cta.shared.s32 %0, [%1];"
               : "=r"(value)
               : "r"(shared_address(tile + (63 - threadIdx.x) * 4)));
  out[threadIdx.x] = __int_as_float(value) + n;
}

// launch: asm_own_array float, grid 1, block 64, n 64, twin plain_store_load
__global__ void asm_own_array(float* out, const float* in, int n) {
  float value = in[threadIdx.x];
  asm volatile(
      "{ .shared .align 4 .b8 own[1024]; .reg .u32 at; mov.u32 at, own; add.u32 at, at, %1; "
      "st.shared.f32 [at], %0; bar.sync 0; mov.u32 at, own; add.u32 at, at, %2; ld.shared.f32 %0, "
      "[at]; }"
      : "+f"(value)
      : "r"(threadIdx.x * 16), "r"((63 - threadIdx.x) * 16));
  out[threadIdx.x] = value + n;
}

// launch: dead_dummies float, grid 1, block 64, n 64, twin plain_store_load
__global__ void dead_dummies(float* out, const float* in, int n) {
  __shared__ float tile[256];
  tile[threadIdx.x * 4] = in[threadIdx.x];
  __syncthreads();
  float dead;
  asm("ld.shared.f32 %0, [%1];" : "=f"(dead) : "r"(shared_address(tile)));
  const float value = tile[(63 - threadIdx.x) * 4];
  out[threadIdx.x] = value + n;
  if (n == -1) out[0] = dead;
}
