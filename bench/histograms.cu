// What ways of counting cost: times of whole histograms, and cycles of an addition alone.
//
//   nvcc -O3 -std=c++17 -arch=native histograms.cu -o histograms && ./histograms OUT
//
// Writes two tables into the folder OUT. histograms.csv: 2^26 ints into so many bins; `way` says
// how, `copies` how many a block keeps; microseconds, the median of 15 runs on a cold L2, and
// whether all counts were right. shared_atomics.csv: 32 warps of one block add without waiting;
// cycles of the multiprocessor for each request of a warp.
#include "bins.cuh"
#include "contest/contest.cuh"

#include <type_traits>

namespace {

constexpr std::size_t kElements = std::size_t{1} << 26;
constexpr int kLanes = 32;
constexpr unsigned kAll = 0xffffffff;

// ---- ways to add one element to the block's copies, of which there are 2^log in `size` words

// The word of a bin: copies of a lane side by side, or copies of a warp one behind another.
__device__ int by_lane(int bin, int log) {
  return (bin << log) + (threadIdx.x & ((1 << log) - 1));
}
__device__ int by_warp(int bin, int log, int bins) {
  return (threadIdx.x / kLanes & ((1 << log) - 1)) * bins + bin;
}

struct Counted { // the result is not used: ATOMS.POPC.INC
  using Count = int;
  static __device__ void add(int* word, int, int*) { atomicAdd(word, 1); }
};
struct Used { // the result is: ATOMS.ADD
  using Count = int;
  static __device__ void add(int* word, int, int* sink) {
    if (atomicAdd(word, 1) < 0) *sink = 1;
  }
};
struct Matched { // one lane of each bin adds for all
  using Count = int;
  static __device__ void add(int* word, int bin, int*) {
    const unsigned peers = __match_any_sync(kAll, bin);
    if (threadIdx.x % kLanes == __ffs(peers) - 1) atomicAdd(word, __popc(peers));
  }
};
struct MatchedUsed {
  using Count = int;
  static __device__ void add(int* word, int bin, int* sink) {
    const unsigned peers = __match_any_sync(kAll, bin);
    if (threadIdx.x % kLanes == __ffs(peers) - 1 && atomicAdd(word, __popc(peers)) < 0) *sink = 1;
  }
};
struct Floats {
  using Count = float;
  static __device__ void add(float* word, int, int*) { atomicAdd(word, 1.0f); }
};
struct MatchedFloats {
  using Count = float;
  static __device__ void add(float* word, int bin, int*) {
    const unsigned peers = __match_any_sync(kAll, bin);
    if (threadIdx.x % kLanes == __ffs(peers) - 1)
      atomicAdd(word, static_cast<float>(__popc(peers)));
  }
};

enum class Layout { lane, warp };

// Every thread loads kAtOnce times 16 bytes before it counts. n is a multiple of what a grid takes
// at a time, or the rest is taken one load at a time.
template <class Way, Layout kLayout, int kAtOnce>
__global__ void count(typename Way::Count* out, const int* in, int n, int bins, int log,
                      int* sink) {
  extern __shared__ int words[];
  auto* const copies = reinterpret_cast<typename Way::Count*>(words);
  for (int w = threadIdx.x; w < bins << log; w += blockDim.x) words[w] = 0;
  __syncthreads();
  const int4* const fours = reinterpret_cast<const int4*>(in);
  const auto one = [&](int bin) {
    const int word = kLayout == Layout::lane ? by_lane(bin, log) : by_warp(bin, log, bins);
    Way::add(copies + word, bin, sink);
  };
  const int all = gridDim.x * blockDim.x;
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int rounds = n / 4 / (all * kAtOnce) * kAtOnce;
  int i = first;
  for (int r = 0; r < rounds; r += kAtOnce) {
    int4 v[kAtOnce];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) v[k] = fours[i + k * all];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) one(v[k].x), one(v[k].y), one(v[k].z), one(v[k].w);
    i += kAtOnce * all;
  }
  // Whole warps: n is a power of two, and a warp takes 128 elements.
  for (; i < n / 4; i += all) {
    const int4 v = fours[i];
    one(v.x), one(v.y), one(v.z), one(v.w);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += blockDim.x) {
    typename Way::Count sum = 0;
    for (int c = 0; c < 1 << log; ++c) {
      const int copy = (c + threadIdx.x) & ((1 << log) - 1);
      sum += kLayout == Layout::lane ? copies[(b << log) + copy] : copies[copy * bins + b];
    }
    if (sum != 0) atomicAdd(out + b, sum);
  }
}

__global__ void count_in_global(int* out, const int* in, int n) {
  const int4* const fours = reinterpret_cast<const int4*>(in);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
    const int4 v = fours[i];
    atomicAdd(out + v.x, 1), atomicAdd(out + v.y, 1);
    atomicAdd(out + v.z, 1), atomicAdd(out + v.w, 1);
  }
}

// ---- timing

int* in;
int* out;
int* sink;
float4* scratch;
constexpr std::size_t kScratch = 128u << 20;
std::FILE* table;
std::vector<double> expected;

template <class Count, class Run>
void time(const char* way, int bins, int copies, Data data, const std::string& shape, Run run) {
  std::vector<float> times;
  cudaEvent_t before, after;
  contest::must(cudaEventCreate(&before), "event");
  contest::must(cudaEventCreate(&after), "event");
  bool right = true;
  for (int round = -2; round < 15; ++round) {
    contest::read_all<<<528, 512>>>(scratch, kScratch / sizeof(float4), nullptr);
    cudaEventRecord(before);
    cudaMemsetAsync(out, 0, bins * sizeof(int));
    run();
    cudaEventRecord(after);
    contest::must(cudaEventSynchronize(after), way);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, before, after);
    if (round >= 0) times.push_back(milliseconds * 1000);
    if (round == -2) {
      std::vector<Count> counts(bins);
      cudaMemcpy(counts.data(), out, bins * sizeof(int), cudaMemcpyDeviceToHost);
      if (expected.empty()) expected.assign(counts.begin(), counts.end());
      // Sums of floats beyond 2^24 need not be exact.
      const double room = std::is_same<Count, float>::value ? 1e-5 : 0;
      for (int b = 0; b < bins; ++b)
        right = right && std::abs(counts[b] - expected[b]) <= room * expected[b];
    }
  }
  std::sort(times.begin(), times.end());
  std::fprintf(table, "%s,%d,%d,%s,%s,%.2f,%s\n", way, bins, copies, name_of(data), shape.c_str(),
               times[times.size() / 2], right ? "right" : "wrong");
  std::fflush(table);
  cudaEventDestroy(before);
  cudaEventDestroy(after);
}

template <class Way, Layout kLayout, int kAtOnce>
void way(const char* name, int bins, int log, Data data, int threads = 1024, int blocks_a_sm = 2) {
  const auto kernel = count<Way, kLayout, kAtOnce>;
  const auto bytes = static_cast<std::size_t>(bins) * sizeof(int) << log;
  if (bytes > 232'448) return;
  contest::must(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(bytes)),
                name);
  int resident = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, bytes);
  const int blocks = 132 * std::min(resident, blocks_a_sm);
  if (blocks == 0) return;
  const auto shape =
      std::to_string(blocks) + " x " + std::to_string(threads) + " x " + std::to_string(kAtOnce);
  time<typename Way::Count>(name, bins, 1 << log, data, shape, [&] {
    kernel<<<blocks, threads, bytes>>>(reinterpret_cast<typename Way::Count*>(out), in,
                                       static_cast<int>(kElements), bins, log, sink);
  });
}

void ways(int bins, Data data) {
  fill_bins<<<1024, 256>>>(in, kElements, data, static_cast<unsigned>(bins));
  expected.clear();
  time<int>("global", bins, 0, data, "1056 x 256 x 1",
            [&] { count_in_global<<<1056, 256>>>(out, in, static_cast<int>(kElements)); });
  for (int log = 0; log <= 5; ++log) {
    way<Counted, Layout::lane, 4>("lane", bins, log, data);
    if (log > 0) way<Counted, Layout::warp, 4>("warp", bins, log, data);
  }
  way<Used, Layout::lane, 4>("used", bins, 0, data);
  way<Matched, Layout::lane, 4>("match", bins, 0, data);
  way<MatchedUsed, Layout::lane, 4>("match used", bins, 0, data);
  way<Floats, Layout::lane, 4>("float", bins, 0, data);
  way<MatchedFloats, Layout::lane, 4>("match float", bins, 0, data);
  if (bins > 256) return;
  way<Used, Layout::lane, 4>("used", bins, 5, data);
  way<Used, Layout::warp, 4>("used a warp", bins, 5, data);
  way<Floats, Layout::lane, 4>("float", bins, 5, data);
  way<Floats, Layout::warp, 4>("float a warp", bins, 5, data);
  for (const int threads : {256, 512, 1024}) {
    const int most = 2048 / threads;
    for (const int log : {0, 5}) {
      for (int blocks = std::max(1, most / 2); blocks <= most; blocks *= 2) {
        way<Counted, Layout::lane, 1>("tuned", bins, log, data, threads, blocks);
        way<Counted, Layout::lane, 2>("tuned", bins, log, data, threads, blocks);
        way<Counted, Layout::lane, 4>("tuned", bins, log, data, threads, blocks);
        way<Counted, Layout::lane, 8>("tuned", bins, log, data, threads, blocks);
      }
    }
  }
}

// ---- cycles of an addition alone

constexpr int kAdds = 1024;

template <class Add>
__global__ void additions(long long* cycles, const int* words, Add add) {
  __shared__ int memory[kLanes * kLanes];
  for (int i = threadIdx.x; i < kLanes * kLanes; i += blockDim.x) memory[i] = 0;
  const int word = words[threadIdx.x % kLanes];
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 16
  for (int i = 0; i < kAdds; ++i) add(memory + word, i);
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
}

struct Inc {
  __device__ void operator()(int* word, int) const { atomicAdd(word, 1); }
};
struct AddAny {
  __device__ void operator()(int* word, int i) const { atomicAdd(word, i | 1); }
};
struct AddFloat {
  __device__ void operator()(int* word, int) const {
    atomicAdd(reinterpret_cast<float*>(word), 1.0f);
  }
};
struct Store {
  __device__ void operator()(int* word, int i) const { *static_cast<volatile int*>(word) = i; }
};

template <class Add>
void cycles_of(std::FILE* to, const char* instruction, Add add) {
  long long* cycles = contest::memory<long long>(1);
  int* words = contest::memory<int>(kLanes);
  const auto pattern = [&](const char* name, int (*word)(int)) {
    int host[kLanes];
    for (int l = 0; l < kLanes; ++l) host[l] = word(l);
    cudaMemcpy(words, host, sizeof host, cudaMemcpyHostToDevice);
    double best = 1e30;
    for (int run = 0; run < 5; ++run) {
      additions<<<1, 1024>>>(cycles, words, add);
      long long taken = 0;
      contest::must(cudaMemcpy(&taken, cycles, sizeof taken, cudaMemcpyDeviceToHost), instruction);
      best = std::min(best, static_cast<double>(taken) / (kAdds * 32.0));
    }
    std::fprintf(to, "%s,%s,%.3f\n", instruction, name, best);
  };
  pattern("a word each, in 32 banks", [](int l) { return l; });
  pattern("2 words a bank", [](int l) { return l % 16 + l / 16 * 32; });
  pattern("4 words a bank", [](int l) { return l % 8 + l / 8 * 32; });
  pattern("32 words of one bank", [](int l) { return 32 * l; });
  pattern("2 lanes a word", [](int l) { return l / 2; });
  pattern("8 lanes a word", [](int l) { return l / 8; });
  pattern("one word", [](int) { return 0; });
  cudaFree(cycles);
  cudaFree(words);
}

} // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  in = contest::memory<int>(kElements);
  out = contest::memory<int>(1 << 20);
  sink = contest::memory<int>(1);
  scratch = contest::memory<float4>(kScratch / sizeof(float4));
  cudaMemset(scratch, 0, kScratch);
  std::FILE* alone = std::fopen((folder + "/shared_atomics.csv").c_str(), "w");
  std::fprintf(alone, "instruction,lanes,cycles\n");
  cycles_of(alone, "add 1", Inc{});
  cycles_of(alone, "add", AddAny{});
  cycles_of(alone, "add float", AddFloat{});
  cycles_of(alone, "store", Store{});
  std::fclose(alone);
  table = std::fopen((folder + "/histograms.csv").c_str(), "w");
  std::fprintf(table, "way,bins,copies,data,shape,time_us,counts\n");
  for (const int bins : {256, 4096, 50'000})
    for (const auto data : {Data::uniform, Data::skewed, Data::constant}) ways(bins, data);
  std::fclose(table);
}
