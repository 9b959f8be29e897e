// References of many kinds, for host_call_test.cpp: right, wrong, and without end.
#include <cuda_bf16.h>
#include <vector>

void turned(float* out, const float* in, int rows, int cols) {
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col) out[col * rows + row] = in[row * cols + col];
}

void doubled_halves(short* out, const __nv_bfloat16* in, int n) {
  for (int i = 0; i < n; ++i) out[i] = static_cast<short>(2 * __bfloat162float(in[i]));
}

void does_nothing(float*, const float*, int, int) {}

void writes_elsewhere(float*, const float*, int, int) {
  *reinterpret_cast<volatile int*>(8) = 1;
}

void has_no_end(float* out, const float*, int, int) {
  for (volatile float* first = out;;) *first = 0;
}

void takes_memory(float* out, const float*, int, int) {
  std::vector<std::vector<char>> all;
  for (;;) all.emplace_back(16 << 20, 'x');
  out[0] = all[0][0];
}

__global__ void turning(float* out) {
  out[threadIdx.x] = 0;
}

void launches(float* out, const float*, int, int) {
  turning<<<1, 32>>>(out);
}
