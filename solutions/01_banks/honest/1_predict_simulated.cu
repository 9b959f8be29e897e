// honest: lets a loop over lanes and banks find the predictions

#include <cuda_runtime.h>

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

// Passes that a group of lanes needs: the most words that any bank has to give.
int passes(const std::function<int(int)>& byte, int width, int from, int to) {
  std::vector<std::set<int>> wanted(32);
  for (int lane = from; lane < to; ++lane)
    for (int b = 0; b < width; ++b)
      wanted[(byte(lane) + b) / 4 % 32].insert((byte(lane) + b) / 4);
  std::size_t most = 0;
  for (const auto& words : wanted) most = std::max(most, words.size());
  return static_cast<int>(most);
}

int conflicts(const std::function<int(int)>& byte, int width) {
  const int lanes = std::min(32, 128 / width);
  int sum = 0;
  for (int from = 0; from < 32; from += lanes)
    sum += passes(byte, width, from, from + lanes) - 1;
  return sum;
}

void predict(int* out) {
  std::vector<int> rows;
  for (const int words : {1, 2, 3, 4, 32, 33})
    rows.push_back(conflicts([=](int lane) { return 4 * words * lane; }, 4));
  rows.push_back(conflicts([](int) { return 20; }, 4));
  rows.push_back(conflicts([](int lane) { return lane % 2 * 128; }, 4));
  rows.push_back(conflicts([](int lane) { return lane; }, 1));
  for (const int width : {8, 16})
    rows.push_back(conflicts([=](int lane) { return width * lane; }, width));
  for (const int bytes : {8, 12})
    rows.push_back(conflicts([=](int lane) { return bytes * lane; }, 4));
  cudaMemcpy(out, rows.data(), rows.size() * sizeof(int), cudaMemcpyDefault);
}
