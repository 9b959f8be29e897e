// Attacks on the mapping from machine code to lines: comments, line ends and directives. What
// shifts the lines of one kernel shifts those of all behind it, so they have a file of their own;
// their plain twins are in attacked.cu. ../kernels.hpp says how "launch:" is read.

// launch: comment_of_two_lines float, grid 1, block 64, n 64, twin plain_store_load
__global__ void comment_of_two_lines(float* out, const float* in, int n) {
  __shared__ float tile[256];
  asm volatile("/*\n*/");
  tile[threadIdx.x * 4] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[(63 - threadIdx.x) * 4] + n;
}

// launch: comment_of_many_lines float, grid 1, block 64, n 64, twin plain_store_load
__global__ void comment_of_many_lines(float* out, const float* in, int n) {
  __shared__ float tile[256];
  tile[threadIdx.x * 4] = in[threadIdx.x];
  asm volatile("/*\n\n\n\n\n\n\n\n\n\n\n\n\n\n*/ // here\n");
  __syncthreads();
  asm volatile("/* * / \n\\\n; */ /**/");
  out[threadIdx.x] = tile[(63 - threadIdx.x) * 4] + n;
}

// launch: comment_in_instruction float, grid 1, block 64, n 64, twin plain_store_load
__global__ void comment_in_instruction(float* out, const float* in, int n) {
  __shared__ float tile[256];
  tile[threadIdx.x * 4] = in[threadIdx.x];
  __syncthreads();
  float value;
  const unsigned at =
      static_cast<unsigned>(__cvta_generic_to_shared(tile + (63 - threadIdx.x) * 4));
  asm volatile("ld.shared /*\n\n*/ .f32 // x\n %0, /*\n*/ [%1];"
               : "=f"(value)
               : "r"(at)
               : "memory");
  out[threadIdx.x] = value + n;
}

// launch: carriage_returns float, grid 1, block 64, n 64, twin plain_store_load
__global__ void carriage_returns(float* out, const float* in, int n) {
  __shared__ float tile[256];
  asm volatile("\r\r\n\n\r");
  tile[threadIdx.x * 4] = in[threadIdx.x];
  asm volatile("// a\r\n");
  __syncthreads();
  out[threadIdx.x] = tile[(63 - threadIdx.x) * 4] + n;
}

// launch: form_feeds float, grid 1, block 64, n 64, twin plain_store_load
__global__ void form_feeds(float* out, const float* in, int n) {
  __shared__ float tile[256];
  asm volatile("\f\n\f");
  tile[threadIdx.x * 4] = in[threadIdx.x];
  asm volatile("/*\f\n\f*/");
  __syncthreads();
  out[threadIdx.x] = tile[(63 - threadIdx.x) * 4] + n;
}

// launch: own_loc float, grid 1, block 64, n 64, twin plain_store_load
__global__ void own_loc(float* out, const float* in, int n) {
  __shared__ float tile[256];
  asm volatile(".loc 1 1 0");
  tile[threadIdx.x * 4] = in[threadIdx.x];
  asm volatile(".loc 1 999999 0\n.loc 1 3 7");
  __syncthreads();
  asm volatile(".loc 1 1 0");
  out[threadIdx.x] = tile[(63 - threadIdx.x) * 4] + n;
}

// launch: line_breaks float, grid 1, block 64, n 64, twin plain_store_load
__global__ void line_breaks(float* out, const float* in, int n) {
  __shared__ float tile[256];
  asm volatile("\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n");
  tile[threadIdx.x * 4] = in[threadIdx.x];
  asm volatile("// \\\n\n");
  __syncthreads();
  out[threadIdx.x] = tile[(63 - threadIdx.x) * 4] + n;
}

// launch: quotes_in_comments float, grid 1, block 64, n 64, twin plain_store_load
__global__ void quotes_in_comments(float* out, const float* in, int n) {
  __shared__ float tile[256];
  asm volatile("// \"/*\n");
  tile[threadIdx.x * 4] = in[threadIdx.x];
  asm volatile("/* \"\n */");
  __syncthreads();
  out[threadIdx.x] = tile[(63 - threadIdx.x) * 4] + n;
}

// launch: line_directive float, grid 1, block 64, n 64, twin plain_store_load
__global__ void line_directive(float* out, const float* in, int n) {
  __shared__ float tile[256];
#line 1
  tile[threadIdx.x * 4] = in[threadIdx.x];
  __syncthreads();
#line 1
  out[threadIdx.x] = tile[(63 - threadIdx.x) * 4] + n;
}
#line 100 "attacked_lines.cu"

// launch: line_directive_other_file float, grid 1, block 64, n 64, twin plain_store_load
__global__ void line_directive_other_file(float* out, const float* in, int n) {
  __shared__ float tile[256];
#line 1 "no/such/file.h"
  tile[threadIdx.x * 4] = in[threadIdx.x];
  __syncthreads();
#line 4000000 ""
  out[threadIdx.x] = tile[(63 - threadIdx.x) * 4] + n;
}
#line 111 "attacked_lines.cu"
