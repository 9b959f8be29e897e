// The reductions of the documents and those between them, one change at a time: where the tree
// lies, in which order it is climbed, how many elements a thread brings, and whether the lanes at
// work are neighbours.
#include "experiment.cuh"

namespace {

constexpr unsigned kAll = 0xffffffff;

// The sum of every block, kThreads * kEach elements each, is what is compared.
template <int kEach>
__global__ void plain(int* out, const int* in, int threads) {
  if (threadIdx.x != 0) return;
  int sum = 0;
  for (int i = 0; i < threads * kEach; ++i) sum += in[blockIdx.x * threads * kEach + i];
  out[blockIdx.x] = sum;
}

template <class Words>
__device__ void shrinking(Words part) {
  for (int apart = blockDim.x / 2; apart > 0; apart /= 2) {
    __syncthreads();
    if (threadIdx.x < apart) part[threadIdx.x] += part[threadIdx.x + apart];
  }
}

// As the documents have it: the last warp without barriers, 32 lanes to the end. A race since
// compute capability 7.0; here because its traffic was printed.
__device__ void documents_tree(volatile int* part) {
  const int t = threadIdx.x;
  __syncthreads();
  for (int apart = blockDim.x / 2; apart > 32; apart /= 2) {
    if (t < apart) part[t] += part[t + apart];
    __syncthreads();
  }
  if (t >= 32) return;
#pragma unroll
  for (int apart = 32; apart > 0; apart /= 2) part[t] += part[t + apart];
}

template <int kEach>
__device__ int of_thread(const int* in) {
  const int first = blockIdx.x * blockDim.x * kEach + threadIdx.x;
  int sum = 0;
#pragma unroll
  for (int e = 0; e < kEach; ++e) sum += in[first + e * blockDim.x];
  return sum;
}

template <int kEach, bool kDocuments>
__global__ void in_global(int* out, int* in) { // overwrites its input
  int* const part = in + blockIdx.x * blockDim.x * kEach;
  if (kEach > 1) part[threadIdx.x] = of_thread<kEach>(in);
  if (kDocuments)
    documents_tree(part);
  else
    shrinking(part);
  if (threadIdx.x == 0) out[blockIdx.x] = *static_cast<volatile int*>(part);
}

template <int kEach, bool kDocuments>
__global__ void in_shared(int* out, const int* in) {
  __shared__ int part[256];
  part[threadIdx.x] = of_thread<kEach>(in);
  if (kDocuments)
    documents_tree(part);
  else
    shrinking(part);
  if (threadIdx.x == 0) out[blockIdx.x] = *static_cast<volatile int*>(part);
}

// Which pairs? Those whose lanes are apart, those whose words are apart, and neighbours.
enum Order { kDivergent, kInterleaved, kSequential };
template <Order kOrder>
__global__ void ordered(int* out, const int* in) {
  __shared__ int part[256];
  const int t = threadIdx.x, threads = blockDim.x;
  part[t] = in[blockIdx.x * threads + t];
  __syncthreads();
  if (kOrder == kSequential) {
    for (int apart = threads / 2; apart > 0; apart /= 2) {
      if (t < apart) part[t] += part[t + apart];
      __syncthreads();
    }
  } else {
    for (int apart = 1; apart < threads; apart *= 2) {
      if (kOrder == kDivergent) {
        if (t % (2 * apart) == 0) part[t] += part[t + apart];
      } else {
        const int at = 2 * apart * t;
        if (at < threads) part[at] += part[at + apart];
      }
      __syncthreads();
    }
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

__device__ int warp_sum(int value) {
#pragma unroll
  for (int apart = 16; apart > 0; apart /= 2) value += __shfl_down_sync(kAll, value, apart);
  return value;
}

template <int kEach>
__global__ void by_shuffles(int* out, const int* in) {
  __shared__ int of_warp[8];
  const int t = threadIdx.x, warps = blockDim.x / 32;
  const int sum = warp_sum(of_thread<kEach>(in));
  if (t % 32 == 0) of_warp[t / 32] = sum;
  __syncthreads();
  if (t >= 32) return;
  const int whole = warp_sum(t < warps ? of_warp[t] : 0);
  if (t == 0) out[blockIdx.x] = whole;
}

using Sums = experiment::Experiment<int>;

template <int kEach, class Kernel>
void add(Sums& all, const char* way, Kernel kernel, int* in, int count, int threads) {
  int* const out = all.out;
  all.add(way, [=] { kernel<<<count / threads / kEach, threads>>>(out, in); });
}

// All sums of blocks of one size.
template <int kEach>
void compare(int count, int threads, int rounds) {
  int* const in = contest::memory<int>(count);
  contest::random_numbers(in, count, 200);
  Sums all("sum by blocks of " + std::to_string(threads) + " each " + std::to_string(kEach), count,
           in, count, count / threads / kEach);
  int* const out = all.out;
  all.reference([=] { plain<kEach><<<count / threads / kEach, 32>>>(out, in, threads); });
  add<kEach>(all, "in shared memory", in_shared<kEach, false>, in, count, threads);
  add<kEach>(all, "in shared memory documents' tail", in_shared<kEach, true>, in, count, threads);
  add<kEach>(all, "in global memory", in_global<kEach, false>, in, count, threads);
  add<kEach>(all, "in global memory documents' tail", in_global<kEach, true>, in, count, threads);
  add<kEach>(all, "by shuffles", by_shuffles<kEach>, in, count, threads);
  if (kEach == 1) {
    add<1>(all, "sequential", ordered<kSequential>, in, count, threads);
    add<1>(all, "interleaved", ordered<kInterleaved>, in, count, threads);
    add<1>(all, "divergent", ordered<kDivergent>, in, count, threads);
  }
  all.hold(rounds);
  cudaFree(in);
}

} // namespace

int main(int count, char** arguments) {
  const bool small = experiment::begin(count, arguments);
  const int rounds = 61, numbers = small ? 1 << 12 : 1 << 22;
  compare<1>(numbers, 128, rounds);
  compare<4>(numbers, 128, rounds);
  compare<1>(numbers, 256, rounds);
  compare<1>(small ? 1 << 12 : 1 << 25, 256, rounds);
  return experiment::end();
}
