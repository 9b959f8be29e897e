// Step by step, as the definition has it.
#include <cstddef>
#include <vector>

void transform(short* out, const short* in, int rows) {
  constexpr std::size_t kSize = 4096;
  for (int row = 0; row < rows; ++row) {
    std::vector<int> v(in + row * kSize, in + (row + 1) * kSize);
    for (std::size_t bit = 1; bit < kSize; bit *= 2)
      for (std::size_t i = 0; i < kSize; ++i)
        if ((i & bit) == 0) {
          const int sum = v[i] + v[i | bit];
          v[i | bit] = v[i] - v[i | bit];
          v[i] = sum;
        }
    for (std::size_t i = 0; i < kSize; ++i)
      out[row * kSize + i] = static_cast<short>(v[i]);
  }
}
