// What ldmatrix costs by the distance of rows, and how many operations mma.sync does when nothing
// else is to be done.
//
//   nvcc -O3 -std=c++17 -arch=native matrix_units.cu -o matrix_units && ./matrix_units OUT
//
// Writes two tables into the folder OUT. ldmatrix.csv: 16 warps of one block read without waiting;
// cycles of the multiprocessor for each request of a warp, in which lane l names a row so many
// bytes behind lane l - 1's. mma_rate.csv: as many warps a multiprocessor, each with eight products
// in turn, on all multiprocessors; million million operations a second, the median of 15 launches.
#include "contest/contest.cuh"

namespace {

constexpr int kWarps = 16, kThreads = 32 * kWarps;
constexpr int kTurns = 32, kTiles = 8; // requests of each warp, to one tile after the other
constexpr int kTileBytes = 1024, kTurnBytes = 8 * 1024;
constexpr int kSharedBytes = 64 * 1024;

struct X1 {
  static constexpr const char* name = "ldmatrix.x1";
  static __device__ unsigned read(unsigned at) {
    unsigned a;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(at));
    return a;
  }
};
struct X2 {
  static constexpr const char* name = "ldmatrix.x2";
  static __device__ unsigned read(unsigned at) {
    unsigned a, b;
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
                 : "=r"(a), "=r"(b)
                 : "r"(at));
    return a ^ b;
  }
};
struct X4 {
  static constexpr const char* name = "ldmatrix.x4";
  static __device__ unsigned read(unsigned at) {
    unsigned a, b, c, d;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "r"(at));
    return a ^ b ^ c ^ d;
  }
};
struct X4Turned {
  static constexpr const char* name = "ldmatrix.x4.trans";
  static __device__ unsigned read(unsigned at) {
    unsigned a, b, c, d;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "r"(at));
    return a ^ b ^ c ^ d;
  }
};

template <class Request>
__global__ void __launch_bounds__(kThreads) request(long long* cycles, int pitch) {
  extern __shared__ uint4 memory[];
  const unsigned lane = threadIdx.x % 32;
  const unsigned first = static_cast<unsigned>(__cvta_generic_to_shared(memory)) + lane * pitch;
  for (int i = threadIdx.x; i < kSharedBytes / 16; i += kThreads) memory[i] = uint4{};
  __syncthreads();
  const long long before = clock64();
  // A request is left out when nobody looks at what it got, or when it is the same as the one
  // before.
  unsigned seen = 0;
  for (int turn = 0; turn < kTurns; ++turn)
#pragma unroll
    for (int tile = 0; tile < kTiles; ++tile)
      seen |= Request::read(first + tile * kTileBytes + turn % 4 * kTurnBytes);
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - before;
  if (seen != 0) *cycles = -1;
}

template <class Request>
void measure_requests(FILE* table) {
  auto* cycles = contest::memory<long long>(1);
  contest::must(cudaFuncSetAttribute(request<Request>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     kSharedBytes),
                "opt in");
  for (const int pitch : {16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 192, 256, 272}) {
    long long took = 0;
    for (int warm = 0; warm < 2; ++warm)
      request<Request><<<1, kThreads, kSharedBytes>>>(cycles, pitch);
    contest::must(cudaMemcpy(&took, cycles, sizeof took, cudaMemcpyDeviceToHost), Request::name);
    std::fprintf(table, "%s,%d,%.2f\n", Request::name, pitch,
                 static_cast<double>(took) / (kTurns * kTiles * kWarps));
  }
  cudaFree(cycles);
}

constexpr int kProducts = 8, kRounds = 4096; // of a warp

__global__ void multiply(float* sink) {
  float c[kProducts][4] = {};
  const unsigned a = threadIdx.x, b = threadIdx.x + 1;
  for (int turn = 0; turn < kRounds; ++turn)
#pragma unroll
    for (auto& d : c)
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                   "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                   : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                   : "r"(a), "r"(b), "r"(a), "r"(b), "r"(b), "r"(a));
  float sum = 0;
  for (const auto& d : c) sum += d[0] + d[1] + d[2] + d[3];
  if (sum == 1.0f) *sink = sum;
}

void measure_rate(FILE* table, int warps) {
  int sms = 0;
  contest::must(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0), "attribute");
  auto* sink = contest::memory<float>(1);
  cudaEvent_t before, after;
  contest::must(cudaEventCreate(&before), "event");
  contest::must(cudaEventCreate(&after), "event");
  std::vector<double> seconds;
  for (int run = -2; run < 15; ++run) {
    cudaEventRecord(before);
    multiply<<<sms, 32 * warps>>>(sink);
    cudaEventRecord(after);
    contest::must(cudaEventSynchronize(after), "multiply");
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, before, after);
    if (run >= 0) seconds.push_back(milliseconds * 1e-3);
  }
  std::sort(seconds.begin(), seconds.end());
  const double operations = 2.0 * 16 * 8 * 16 * kProducts * kRounds * warps * sms;
  std::fprintf(table, "mma.sync.m16n8k16 bf16,%d,%.1f\n", warps,
               operations / seconds[seconds.size() / 2] * 1e-12);
  cudaFree(sink);
}

} // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  const std::string folder = arguments[1];
  FILE* cycles = std::fopen((folder + "/ldmatrix.csv").c_str(), "w");
  FILE* rates = std::fopen((folder + "/mma_rate.csv").c_str(), "w");
  if (!cycles || !rates) return 1;
  std::fprintf(cycles, "request,row_bytes,cycles\n");
  measure_requests<X1>(cycles);
  measure_requests<X2>(cycles);
  measure_requests<X4>(cycles);
  measure_requests<X4Turned>(cycles);
  std::fprintf(rates, "instruction,warps,tflops\n");
  for (const int warps : {4, 8, 16}) measure_rate(rates, warps);
  std::fclose(cycles);
  std::fclose(rates);
}
