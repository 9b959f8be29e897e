// Histograms against CUB: DeviceHistogram, of ints, for elements in any order, skewed and alike.
#include "../bins.cuh"
#include "contest.cuh"

#include <cub/cub.cuh>

namespace private_ {
#include "../../solutions/09_histograms/1_private.cu"
}
namespace many_bins {
#include "../../solutions/09_histograms/4_many_bins.cu"
}
namespace full_speed {
#include "../../solutions/09_histograms/5_full_speed.cu"
}
namespace whole_array {
#include "../../solutions/04_reduction/4_whole_array.cu"
}

void compare(const int* in, std::size_t n, Data data, int bins) {
  using contest::Role;
  const int count = static_cast<int>(n);
  contest::Contest<int> all("histogram of " + std::to_string(bins) + " bins, " + name_of(data),
                            std::to_string(n >> 20) + " Mi", 4.0 * n, 0, bins);
  int* out = all.out;
  std::size_t bytes = 0;
  const auto library = [&](void* storage, std::size_t& of) {
    return cub::DeviceHistogram::HistogramEven(storage, of, in, out, bins + 1, 0, bins, count);
  };
  contest::must(library(nullptr, bytes), "CUB");
  void* storage = contest::memory<char>(bytes);
  int* sum = contest::memory<int>(1);
  all.add("CUB DeviceHistogram", Role::library, [&] { library(storage, bytes); });
  all.add("reading them: 04_reduction/4_whole_array", Role::ceiling,
          [&] { whole_array::sum(sum, in, count); });
  if (bins == 256) {
    all.add("09_histograms/1_private", Role::solution,
            [&] { private_::histogram(out, in, count); });
    all.add("09_histograms/5_full_speed", Role::solution,
            [&] { full_speed::histogram(out, in, count); });
  } else {
    all.add("09_histograms/4_many_bins", Role::solution,
            [&] { many_bins::histogram(out, in, count, bins); });
  }
  all.hold(21);
  cudaFree(storage);
  cudaFree(sum);
}

int main() {
  for (const int log : {22, 26, 28}) {
    const std::size_t n = std::size_t{1} << log;
    int* in = contest::memory<int>(n);
    for (const int bins : {256, 4096, 50'000, 100'000}) {
      if (bins != 256 && log == 22) continue;
      for (const auto data : kData) {
        fill_bins<<<1024, 256>>>(in, n, data, static_cast<unsigned>(bins));
        compare(in, n, data, bins);
      }
    }
    cudaFree(in);
  }
}
