// attack: uploads what it thinks is the answer, and launches an empty kernel
// against: 05_transpose/2_pad
// must: failed output

#include <vector>

__global__ void nothing() {}

void transpose(float* out, const float* in, int rows, int cols) {
  std::vector<float> guess(rows * cols);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) guess[c * rows + r] = r * cols + c + 1;
  cudaMemcpy(out, guess.data(), guess.size() * 4, cudaMemcpyHostToDevice);
  nothing<<<1, 1>>>();
}
