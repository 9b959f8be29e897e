// attack: copies to the device until somebody stops it
// against: 05_transpose/2_pad
// must: not_measurable: asked for more
// must: timed_out

#include <vector>

void transpose(float* out, const float* in, int rows, int cols) {
  std::vector<char> words(16 << 20, 'x');
  float* mine = nullptr;
  cudaMalloc(&mine, words.size());
  for (;;) cudaMemcpy(mine, words.data(), words.size(), cudaMemcpyHostToDevice);
}
