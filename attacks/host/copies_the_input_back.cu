// attack: copies the matrix to the host, and computes on the CPU
// against: 05_transpose/2_pad
// must: not_measurable: cudaMemcpy
// must: failed launch

#include <vector>

void transpose(float* out, const float* in, int rows, int cols) {
  std::vector<float> a(rows * cols), b(rows * cols);
  cudaMemcpy(a.data(), in, a.size() * 4, cudaMemcpyDeviceToHost);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) b[c * rows + r] = a[r * cols + c];
  cudaMemcpy(out, b.data(), b.size() * 4, cudaMemcpyHostToDevice);
}
