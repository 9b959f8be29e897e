// Bins for histograms to count: in any order, skewed, or all alike.
#pragma once

#include <cstddef>

// Skewed: one of them for half of the elements, the next for half of the others, and so on.
enum class Data { uniform, skewed, constant };
constexpr Data kData[] = {Data::uniform, Data::skewed, Data::constant};
inline const char* name_of(Data data) {
  return data == Data::uniform ? "uniform" : data == Data::skewed ? "skewed" : "constant";
}

// Element i of `to` is a bin below `bins` that follows from i alone. For any grid of one dimension.
__global__ void fill_bins(int* to, std::size_t count, Data data, unsigned bins) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x) {
    auto x = (i + 1) * 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    x ^= x >> 31;
    const auto place = data == Data::uniform  ? static_cast<unsigned>(x >> 32)
                       : data == Data::skewed ? static_cast<unsigned>(__clzll(x | 1)) * 37
                                              : 5u;
    to[i] = static_cast<int>(place % bins);
  }
}
