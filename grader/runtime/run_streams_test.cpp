// `course run` on programs whose blocks or streams wait for each other, as textbooks have them, and
// on their twins in which something is missing.
#include "system/shell.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <unistd.h>

namespace course::runtime {
namespace {

namespace fs = std::filesystem;
using system::Ran;

// The sum of 1 … 100,000 in one launch: a part for each block, the barrier of the grid, and the sum
// of the parts.
constexpr const char* kSum = R"(
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>
namespace cg = cooperative_groups;
constexpr int kThreads = 256;

__global__ void sum(int* out, int* parts, const int* in, int n) {
  __shared__ int part[kThreads];
  cg::grid_group grid = cg::this_grid();
  int mine = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) mine += in[i];
  part[threadIdx.x] = mine;
  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    __syncthreads();
    if (threadIdx.x < apart) part[threadIdx.x] += part[threadIdx.x + apart];
  }
  if (threadIdx.x == 0) parts[blockIdx.x] = part[0];
#if defined(BLOCK_ONLY)
  __syncthreads();
#elif defined(NOT_ALL)
  if (blockIdx.x > 0) grid.sync();
#else
  grid.sync();
#endif
  if (grid.thread_rank() != 0) return;
  int all = 0;
  for (int b = 0; b < gridDim.x; ++b) all += parts[b];
  *out = all;
}

int main() {
  int n = 100000, device = 0, can = 0, processors = 0, each = 0;
  std::vector<int> numbers(n);
  for (int i = 0; i < n; ++i) numbers[i] = i + 1;
  cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, sum, kThreads, 0);
  int *in, *parts, *out, result = 0;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&parts, (processors * each + 1) * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  void* arguments[] = {&out, &parts, &in, &n};
#ifdef PLAIN
  sum<<<processors, kThreads>>>(out, parts, in, n);
#else
  cudaError_t large = cudaLaunchCooperativeKernel(sum, dim3(processors * each + 1), dim3(kThreads),
                                                  arguments, 0, nullptr);
  printf("can %d, too large: %s\n", can, cudaGetErrorName(large));
  cudaGetLastError();
  cudaLaunchCooperativeKernel(sum, dim3(processors), dim3(kThreads), arguments, 0, nullptr);
#endif
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum %d, %s\n", result, cudaGetErrorName(cudaGetLastError()));
}
)";

// One stream scales what the other has copied to the device; the results come back in pieces.
constexpr const char* kStreams = R"(
#include <cstdio>
__global__ void scale(float* out, const float* in, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = by * in[i];
}
__global__ void shift(float* data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}
int main() {
  constexpr int kCount = 4096, kBytes = kCount * sizeof(float);
  float *host, *in, *out;
  cudaMallocHost(&host, kBytes);
  cudaMalloc(&in, kBytes);
  cudaMalloc(&out, kBytes);
  for (int i = 0; i < kCount; ++i) host[i] = i;
  cudaStream_t copies, work;
  cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking);
  cudaEvent_t there, done;
  cudaEventCreateWithFlags(&there, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  cudaMemcpyAsync(in, host, kBytes, cudaMemcpyHostToDevice, copies);
  cudaEventRecord(there, copies);
#ifndef NO_EVENT_BEFORE
  cudaStreamWaitEvent(work, there, 0);
#endif
  scale<<<kCount / 256, 256, 0, work>>>(out, in, 2);
  cudaEventRecord(done, work);
#ifndef NO_EVENT_BETWEEN
  cudaStreamWaitEvent(copies, done, 0);
#endif
  shift<<<kCount / 256, 256, 0, copies>>>(out);
  cudaMemcpyAsync(host, out, kBytes, cudaMemcpyDeviceToHost, copies);
  cudaStreamSynchronize(copies);
  printf("%g\n", host[5]);
#ifdef NO_EVENT_BEFORE
  cudaDeviceSynchronize();
#endif
}
)";

struct Folder {
  fs::path path = fs::temp_directory_path() / ("run_streams_" + std::to_string(getpid()));
  bool has_nvcc = false;

  Folder() {
    fs::create_directory(path);
    std::ofstream(path / "sum.cu") << kSum;
    std::ofstream(path / "streams.cu") << kStreams;
    has_nvcc = in_it("nvcc --version >/dev/null").code == 0;
    if (!has_nvcc) std::puts("no nvcc on this machine"); // CTest then counts it as skipped
  }
  ~Folder() { fs::remove_all(path); }

  Ran in_it(const std::string& command) const {
    return system::run_in_shell("cd " + path.string() + " && PATH=$PATH:/usr/local/cuda/bin && (" +
                                command + ") 2>&1");
  }
  std::string run(const std::string& program, const std::string& flags) const {
    const auto text =
        in_it("nvcc -cudart shared -arch=sm_90 -lineinfo " + flags + " -o program " + program +
              ".cu && " COURSE_BINARY_DIR "/bin/course run --color never ./program")
            .text;
    return std::regex_replace(text, std::regex("\\s+"), " "); // lines are as long as the terminal
  }
};

const Folder& folder() {
  static const Folder made;
  return made;
}

bool contains(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found) MESSAGE(text);
  return found;
}

} // namespace

TEST_CASE("a sum in two phases of one cooperative launch is right, and nothing is found") {
  if (!folder().has_nvcc) return;
  const auto text = folder().run("sum", "");
  CHECK(contains(text, "can 1, too large: cudaErrorCooperativeLaunchTooLarge"));
  CHECK(contains(text, "sum 705082704, cudaSuccess"));
  CHECK(text.find("race") == text.npos);
}

TEST_CASE("its twins race, wait for ever, or have no grid to wait for") {
  if (!folder().has_nvcc) return;
  const auto race = folder().run("sum", "-DBLOCK_ONLY");
  CHECK(contains(race, "race"));
  CHECK(contains(race, "sum.cu:18 and 28 race"));
  CHECK(contains(race, "this_grid().sync() between the two would"));
  const auto waits = folder().run("sum", "-DNOT_ALL");
  CHECK(contains(waits, "131 of the grid's 132 blocks wait at this barrier of the grid for ever"));
  CHECK(contains(waits, "sum.cu:22 barrier"));
  const auto plain = folder().run("sum", "-DPLAIN");
  CHECK(contains(plain, "launch it by cudaLaunchCooperativeKernel"));
  CHECK(contains(plain, "sum.cu:24 trap"));
}

TEST_CASE("two streams with their events are in order") {
  if (!folder().has_nvcc) return;
  const auto text = folder().run("streams", "");
  CHECK(contains(text, "11 "));
  CHECK(text.find("race") == text.npos);
}

TEST_CASE("a launch that waits for no event races with the copy, or the launch, before it") {
  if (!folder().has_nvcc) return;
  const auto before = folder().run("streams", "-DNO_EVENT_BEFORE");
  CHECK(contains(before, "which a copy in another stream writes"));
  const auto between = folder().run("streams", "-DNO_EVENT_BETWEEN");
  CHECK(contains(between, "streams.cu:8 and 5"));
  CHECK(contains(between, "which scale in another stream writes"));
}

TEST_CASE("work of two streams on the same memory is a race in every pair, and ordered none") {
  if (!folder().has_nvcc) return;
  struct Compiled {
    std::string flags;
    int pairs;
  };
  for (const Compiled& all : {Compiled{"", 36}, Compiled{"--default-stream per-thread ", 11}}) {
    REQUIRE(folder()
                .in_it("nvcc -cudart shared -arch=sm_90 -lineinfo " + all.flags +
                       "-o pairs " COURSE_STREAM_PAIRS)
                .code == 0);
    std::stringstream names(folder().in_it("./pairs").text);
    int pairs = 0;
    for (std::string name; names >> name; ++pairs) {
      CAPTURE(all.flags);
      CAPTURE(name);
      const auto findings = [&](const std::string& which) {
        const auto ran = folder().in_it(COURSE_BINARY_DIR
                                        "/bin/course run -q --color never --annotations ./pairs " +
                                        name + " " + which);
        CHECK(ran.code == 0);
        return ran.text;
      };
      CHECK(contains(findings("wrong"), "race"));
      CHECK(findings("mended") == "");
    }
    CHECK(pairs == all.pairs);
  }
}

} // namespace course::runtime
