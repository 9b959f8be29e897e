// Sums and a scan against CUB: DeviceReduce, DeviceScan, and BlockReduce for sums of blocks.
#include "contest.cuh"

#include <cub/cub.cuh>

// What a launcher allocates comes from memory that is there already, as CUB's temporary storage
// does: an allocation takes longer than most kernels here, and says nothing about them.
namespace pool {
char* memory = nullptr;
std::size_t used = 0;
template <class T>
cudaError_t take(T** pointer, std::size_t bytes) {
  *pointer = reinterpret_cast<T*>(memory + used);
  used += (bytes + 255) / 256 * 256;
  return cudaSuccess;
}
inline cudaError_t give_back(void*) {
  used = 0;
  return cudaSuccess;
}
} // namespace pool

#define cudaMalloc pool::take
#define cudaFree pool::give_back
namespace sequential {
#include "../../solutions/04_reduction/1_sequential.cu"
}
namespace unroll {
#include "../../solutions/04_reduction/2_unroll.cu"
}
namespace no_race {
#include "../../solutions/04_reduction/3_no_race.cu"
}
namespace whole_array {
#include "../../solutions/04_reduction/4_whole_array.cu"
}
namespace warp_sum {
#include "../../solutions/07_shuffles/3_warp_sum.cu"
}
namespace block_sum {
#include "../../solutions/07_shuffles/4_block_sum.cu"
}
namespace tiles {
#include "../../solutions/07_shuffles/7_tiles.cu"
}
namespace one_pass {
#include "../../solutions/07_shuffles/honest/7_tiles_look_back.cu"
}
#undef cudaMalloc
#undef cudaFree

template <class T, int kThreads, int kEach>
__global__ void cub_block_sums(T* out, const T* in) {
  using Reduce = cub::BlockReduce<T, kThreads>;
  __shared__ typename Reduce::TempStorage storage;
  T items[kEach];
  cub::LoadDirectStriped<kThreads>(threadIdx.x, in + blockIdx.x * std::size_t{kThreads * kEach},
                                   items);
  const T sum = Reduce(storage).Sum(items);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

template <class T, int kThreads, int kEach, class Sums>
void sums_of_blocks(const char* name, std::size_t n, T* in, Sums sums) {
  using contest::Role;
  const std::size_t blocks = n / (kThreads * kEach);
  contest::Contest<T> all(std::string(name) + ", sums of " + std::to_string(kThreads * kEach),
                          std::to_string(n >> 20) + " Mi", sizeof(T) * (n + blocks) * 1.0, 0,
                          blocks, 1e-5);
  T* out = all.out;
  all.add("CUB BlockReduce", Role::library, [&] {
    cub_block_sums<T, kThreads, kEach><<<static_cast<unsigned>(blocks), kThreads>>>(out, in);
  });
  all.add(name, Role::solution, [&] { sums(out, in, static_cast<int>(n)); });
  all.hold();
}

template <class Call>
void* temporary_storage(Call call, std::size_t& bytes) {
  bytes = 0;
  contest::must(call(nullptr, bytes), "CUB");
  return contest::memory<char>(bytes);
}

int main() {
  using contest::Role;
  pool::memory = contest::memory<char>(64u << 20);
  for (const int log : {22, 26, 28}) {
    const std::size_t n = std::size_t{1} << log;
    const int count = static_cast<int>(n);
    int* in = contest::memory<int>(n);
    float* floats = contest::memory<float>(n);
    contest::random_numbers(in, n);
    contest::random_numbers(floats, n, 1000);
    const auto size = std::to_string(n >> 20) + " Mi";
    {
      contest::Contest<int> all("sum", size, 4.0 * n, 0, 1);
      int* out = all.out;
      std::size_t bytes = 0;
      const auto reduce = [&](void* storage, std::size_t& of) {
        return cub::DeviceReduce::Sum(storage, of, in, out, count);
      };
      void* storage = temporary_storage(reduce, bytes);
      all.add("CUB DeviceReduce", Role::library, [&] { reduce(storage, bytes); });
      all.add("04_reduction/4_whole_array", Role::solution,
              [&] { whole_array::sum(out, in, count); });
      all.hold(21);
      cudaFree(storage);
    }
    {
      contest::Contest<int> all("scan", size, 8.0 * n, 0, n);
      int* out = all.out;
      std::size_t bytes = 0;
      const auto scan = [&](void* storage, std::size_t& of) {
        return cub::DeviceScan::InclusiveSum(storage, of, in, out, count);
      };
      void* storage = temporary_storage(scan, bytes);
      all.add("CUB DeviceScan", Role::library, [&] { scan(storage, bytes); });
      all.add("cudaMemcpy", Role::ceiling,
              [&] { cudaMemcpyAsync(out, in, n * sizeof(int), cudaMemcpyDeviceToDevice); });
      all.add("07_shuffles/7_tiles", Role::solution, [&] { tiles::scan(out, in, count); });
      all.add("scan with look-back", Role::solution, [&] { one_pass::scan(out, in, count); });
      all.hold(21);
      cudaFree(storage);
    }
    sums_of_blocks<float, 256, 1>("04_reduction/1_sequential", n, floats, sequential::sums);
    sums_of_blocks<int, 256, 4>("04_reduction/2_unroll", n, in, unroll::sums);
    sums_of_blocks<int, 256, 4>("04_reduction/3_no_race", n, in, no_race::sums);
    sums_of_blocks<float, 512, 1>("07_shuffles/4_block_sum", n, floats, block_sum::block_sums);
    sums_of_blocks<float, 32, 1>("07_shuffles/3_warp_sum", n, floats, warp_sum::warp_sums);
    cudaFree(in);
    cudaFree(floats);
  }
}
