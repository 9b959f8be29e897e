// `course run`, `course trace` and `course profile` from end to end, on programs that nvcc made.
// Over 400 lines, as all of it runs one program, which takes nvcc seconds.
#include "cli/exit_codes.hpp"
#include "system/file.hpp"
#include "system/shell.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace course::cli {
namespace {

namespace fs = std::filesystem;
using system::Ran;

// Everything that `course run` supports beside what the demos of the labs use.
constexpr const char* kProgram = R"(
#include <cooperative_groups.h>
#include <cstdio>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>
#define CHECK(call)                                                  \
  if (const cudaError_t error = (call)) {                            \
    std::printf("%s: %s\n", #call, cudaGetErrorName(error));         \
    return 1;                                                        \
  }
__device__ int launches;
__device__ float table[8];
template <int N>
__global__ void scale(float* data, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] *= N;
  if (i < 8) table[i] = i;
  if (i == 0) atomicAdd(&launches, 1);
}
__global__ void turn(float* out, const float* in) {
  namespace cg = cooperative_groups;
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  cg::this_thread_block().sync();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void hello() { printf("kernel\n"); }
__global__ void spin(volatile float* p, bool together) {
  while (p[0] != -1) {
    if (together) __syncthreads();
    p[threadIdx.x + 32] = 1;
  }
}
__global__ void waits(int* p) { // for a flag that is raised without an order
  p[blockIdx.x] = p[1 - blockIdx.x] + 1;
  while (blockIdx.x == 1 && *(volatile int*)(p + 2) == 0) {
  }
}
__global__ void fault(int* p) { p[1 << 28] = 1; }
__global__ void survives(const int* in, int* out) {
  int v = threadIdx.x;
  if (v % 4 == 0) v += __shfl_down_sync(0xffffffff, v, 4);
  out[threadIdx.x] = v + in[1024 + threadIdx.x];
}
__global__ void lose(volatile int* p) { if (threadIdx.x == 0) p[0] = p[0] + 1; }

int main(int argc, char** argv) {
  float* data;
  CHECK(cudaMallocManaged(&data, 1024 * sizeof(float)));
  for (int i = 0; i < 1024; ++i) data[i] = i;
  cudaStream_t stream;
  cudaEvent_t begin, end;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventRecord(begin, stream));
  for (int i = 0; i < 3; ++i) scale<2><<<4, 256, 0, stream>>>(data, 1024);
  CHECK(cudaEventRecord(end, stream));
  CHECK(cudaEventSynchronize(end));
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  std::printf("managed %g, time %d\n", data[1000], milliseconds > 0);
  int counted = 0;
  CHECK(cudaMemcpyFromSymbol(&counted, launches, sizeof counted));
  void* address;
  CHECK(cudaGetSymbolAddress(&address, table));
  float values[8];
  CHECK(cudaMemcpy(values, address, sizeof values, cudaMemcpyDeviceToHost));
  std::printf("launches %d, table %g\n", counted, values[7]);
  float *device, *out;
  std::vector<float> host(1024);
  CHECK(cudaMalloc(&device, 4096));
  CHECK(cudaMalloc(&out, 4096));
  CHECK(cudaMemcpyAsync(device, data, 4096, cudaMemcpyDefault, stream));
  turn<<<1, dim3(32, 32)>>>(out, device);
  CHECK(cudaMemcpy2D(host.data(), 128, out, 128, 128, 32, cudaMemcpyDeviceToHost));
  std::printf("turned %d\n", host[1] == data[32]);
  std::printf("before\n");
  hello<<<1, 1>>>();
  std::printf("launched\n");
  CHECK(cudaDeviceSynchronize());
  char line[64] = "";
  if (std::fgets(line, sizeof line, stdin)) std::printf("read %s", line);
  std::fprintf(stderr, "to standard error\n");
  if (argc > 1 && !std::strcmp(argv[1], "fault")) {
    fault<<<1, 1>>>(reinterpret_cast<int*>(device));
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  }
  if (argc > 1 && !std::strcmp(argv[1], "waits")) {
    CHECK(cudaMemset(device, 0, 16));
    waits<<<2, 1>>>(reinterpret_cast<int*>(device));
    cudaDeviceSynchronize();
  }
  if (argc > 1 && !std::strcmp(argv[1], "copies")) { // to memory that the host reads
    const bool waits = argc > 2;
    int* pinned = nullptr;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaHostAlloc(&pinned, 4096, cudaHostAllocMapped));
    pinned[7] = 0;
    CHECK(cudaMemset(device, 1, 4096));
    CHECK(cudaMemcpyAsync(pinned, device, 4096, cudaMemcpyDeviceToHost, stream));
    if (waits) CHECK(cudaStreamSynchronize(stream));
    std::printf("%d\n", pinned[7]);
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpyAsync(device, pinned, 4096, cudaMemcpyHostToDevice, stream));
    std::printf("%d\n", pinned[7]); // reading beside a copy that reads is fine
    if (waits) CHECK(cudaStreamSynchronize(stream));
    pinned[8] = 2;
    CHECK(cudaMemcpy(pinned, device, 4096, cudaMemcpyDefault)); // which waits
    std::printf("%d\n", pinned[7]);
    CHECK(cudaFreeHost(pinned));
  }
  if (argc > 1 && !std::strcmp(argv[1], "lose")) {
    int sum = 0;
    CHECK(cudaMemset(device, 0, 4));
    lose<<<8, 64>>>(reinterpret_cast<int*>(device));
    CHECK(cudaMemcpy(&sum, device, 4, cudaMemcpyDeviceToHost));
    std::printf("sum %d\n", sum);
    return sum != 8;
  }
  if (argc > 1 && !std::strcmp(argv[1], "survives")) {
    int* pinned;
    CHECK(cudaMallocHost(&pinned, 128));
    survives<<<1, 32>>>(reinterpret_cast<int*>(device), pinned);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    std::printf("%d\n", pinned[4]);
  }
  if (argc > 1 && !std::strcmp(argv[1], "export")) {
    cudaIpcMemHandle_t handle;
    std::printf("%s\n", cudaGetErrorName(cudaIpcGetMemHandle(&handle, device)));
  }
  if (argc > 1 && !std::strcmp(argv[1], "forever"))
    for (;;) scale<2><<<4, 256>>>(data, 1024);
  if (argc > 1 && !std::strcmp(argv[1], "spin")) {
    spin<<<8, 64>>>(device, argc > 2);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  }
  // Descriptor 3 is the connection to the grader.
  if (argc > 2 && !std::strcmp(argv[1], "then")) {
    const char* what = argv[2];
    if (!std::strcmp(what, "closes")) close(3);
    if (!std::strcmp(what, "replaces")) dup2(open("/dev/zero", O_RDWR), 3);
    for (int i = 0; i < 100000 && !std::strcmp(what, "babbles"); ++i)
      send(3, "\033[2J, pwned", 11, MSG_NOSIGNAL);
    if (!std::strcmp(what, "leaves") && fork() == 0)
      for (setsid();;) pause();
    if (!std::strcmp(what, "dies")) raise(SIGKILL);
    scale<2><<<4, 256>>>(device, 1024);
    std::printf("at the end: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  }
  return argc > 2 ? argc : 0;
}
)";

const std::string kCourse = COURSE_BINARY_DIR "/bin/course";

// The program above, compiled once.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("run_test_" + std::to_string(getpid()));
  bool has_nvcc = false;

  Folder() {
    fs::create_directory(path);
    std::ofstream(path / "all.cu") << kProgram;
    has_nvcc = compile("all", "-cudart shared -arch=sm_90 -lineinfo").code == 0;
    if (!has_nvcc) std::puts("no nvcc on this machine"); // CTest then counts it as skipped
  }
  ~Folder() { fs::remove_all(path); }

  Ran compile(const std::string& name, const std::string& flags) const {
    return system::run_in_shell("cd " + path.string() + " && PATH=$PATH:/usr/local/cuda/bin nvcc " +
                                flags + " -o " + name + " all.cu 2>&1");
  }
  // `program`: with its arguments and redirections.
  Ran run(const std::string& program, const std::string& options = "") const {
    return system::run_in_shell("cd " + path.string() + " && " + kCourse + " run " + options + " " +
                                program);
  }
};

const Folder& folder() {
  static const Folder made;
  return made;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

nlohmann::json json_of(const fs::path& file) {
  return nlohmann::json::parse(std::ifstream(file));
}

constexpr const char* kOutput = "managed 8000, time 1\n"
                                "launches 3, table 7\n"
                                "turned 1\n"
                                "before\n"
                                "launched\n"
                                "kernel\n";

// Of the first place in the program that begins so.
int line_of(const std::string& part) {
  const std::string text = kProgram;
  return 1 + static_cast<int>(std::count(
                 text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find(part)), '\n'));
}

} // namespace

TEST_CASE("a program's input, output and exit code are its own") {
  if (!folder().has_nvcc) return;
  const auto ran = folder().run("./all a b 2>errors", "--color never");
  CHECK(ran.text == kOutput);
  CHECK(ran.code == 3);
  const auto piped = system::run_in_shell("cd " + folder().path.string() + " && echo hello | " +
                                          kCourse + " run -q ./all 2>&1");
  CHECK(contains(piped.text, "read hello\n"));
  CHECK(contains(piped.text, "to standard error\n"));
  CHECK_FALSE(contains(piped.text, "emulated H200"));
}

TEST_CASE("the counts of each launch are a table and JSON") {
  if (!folder().has_nvcc) return;
  const auto ran = folder().run("./all </dev/null 2>&1 >/dev/null", "--json counts.json");
  CHECK(ran.code == 0);
  CHECK(contains(ran.text, "5 launches"));
  CHECK(contains(ran.text, "scale<2>\n  grid 4, block 256; 3 launches"));
  CHECK(contains(ran.text, "the times it was"));
  const auto json = json_of(folder().path / "counts.json");
  REQUIRE(json["launches"].size() == 3);
  CHECK(json["launches"][0]["count"] == 3);
  const auto& turn = json["launches"][1];
  CHECK(turn["kernel"] == "turn");
  CHECK(turn["shared_load_requests"] == 32);
  CHECK(turn["wavefronts"] == 32 + 32 * 32);
  CHECK(turn["conflicts"] == 32 * 31);
  CHECK(turn["sectors_load"] == 128);
  CHECK(json["findings"].empty());

  folder().run("./all </dev/null >/dev/null 2>&1", "--banks 3.x-4byte --json older.json");
  CHECK(json_of(folder().path / "older.json")["launches"][1]["conflicts"] == 32 * 15);
}

TEST_CASE("each launch is counted by itself, and kernels are chosen by name") {
  if (!folder().has_nvcc) return;
  const auto ran = folder().run("./all </dev/null 2>&1 >/dev/null",
                                "--launches --kernel scale --json counts.json --color never");
  CHECK(contains(ran.text, "1  scale<2>  4     256"));
  CHECK(contains(ran.text, "3  scale<2>  4     256"));
  CHECK_FALSE(contains(ran.text, "turn"));
  const auto json = json_of(folder().path / "counts.json");
  REQUIRE(json["each_launch"].size() == 5);
  std::uint64_t instructions = 0, sectors = 0;
  for (int i = 0; i < 3; ++i) {
    const auto& one = json["each_launch"][i];
    CHECK(one["launch"] == 0);
    CHECK(one["sectors_atomic"] == 1);
    instructions += one["instructions"].get<std::uint64_t>();
    sectors += one["sectors"].get<std::uint64_t>();
  }
  CHECK(instructions == json["launches"][0]["instructions"]);
  CHECK(sectors == json["launches"][0]["sectors"]);
  CHECK(json["each_launch"][3]["conflicts"] == json["launches"][1]["conflicts"]);
}

TEST_CASE("the sources are a page with the counts beside each line") {
  if (!folder().has_nvcc) return;
  folder().run("./all </dev/null >/dev/null 2>&1", "--html all.html");
  const auto page = system::content_of(folder().path / "all.html").value_or("");
  CHECK(contains(page, "all.cu</h2>"));
  CHECK(contains(page, "title=\"992 conflicts\">992</span>"));
  CHECK(contains(page, "__shared__ float tile[32][32];"));
  CHECK(contains(page, " instructions\">"));
  CHECK_FALSE(contains(page, "<script"));
}

TEST_CASE("what is wrong is SARIF for editors, with paths from where the run began") {
  if (!folder().has_nvcc) return;
  folder().run("./all fault </dev/null >/dev/null 2>&1", "--sarif all.sarif");
  const auto results = json_of(folder().path / "all.sarif")["runs"][0]["results"];
  REQUIRE(results.size() == 2);
  CHECK(results[0]["ruleId"] == "out-of-bounds");
  CHECK(results[1]["ruleId"] == "bank-conflicts");
  for (const auto& result : results)
    CHECK(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "all.cu");
}

TEST_CASE("nvcc is told where headers are, and macros") {
  if (!folder().has_nvcc) return;
  fs::create_directory(folder().path / "headers");
  std::ofstream(folder().path / "headers" / "mine.cuh")
      << "__global__ void k(int* p) { *p = IT; }\n";
  std::ofstream(folder().path / "user.cu")
      << "#include <mine.cuh>\nint main() { int* p; cudaMalloc(&p, 4); k<<<1, 1>>>(p); int i; "
         "cudaMemcpy(&i, p, 4, cudaMemcpyDefault); return i; }\n";
  CHECK(folder().run("user.cu 2>&1", "-I headers -DIT=5").code == 5);
  CHECK(folder().run("user.cu 2>&1", "-DIT=5").code == kDidNotCompile);
  CHECK(folder().run("./all 2>&1", "-I headers").code == kUsage);
}

TEST_CASE("what a program lacks is named: PyTorch's headers, and a main") {
  if (!folder().has_nvcc) return;
  std::ofstream(folder().path / "extension.cu") << "#include <torch/extension.h>\n";
  const auto ran = folder().run("extension.cu 2>&1");
  CHECK(ran.code == kDidNotCompile);
  CHECK(contains(ran.text, "examples/torch"));
  std::ofstream(folder().path / "exercise.cu") << "void transpose() {}\n";
  CHECK(contains(folder().run("exercise.cu 2>&1").text, "it has no main"));
}

TEST_CASE("a fault and a call that is not there are told by name") {
  if (!folder().has_nvcc) return;
  auto ran = folder().run("./all fault </dev/null 2>&1");
  CHECK(contains(ran.text, "cudaErrorIllegalAddress\n"));
  CHECK(contains(ran.text, "out of bounds in fault"));
  ran = folder().run("./all export </dev/null 2>&1");
  CHECK(contains(ran.text, "cudaErrorNotSupported\n"));
  CHECK(contains(ran.text, "cudaIpcGetMemHandle"));
  CHECK(contains(ran.text, "between processes that have a device each"));
}

TEST_CASE("a program that cannot be run is refused with what to do") {
  if (!folder().has_nvcc) return;
  CHECK(folder().compile("static", "-arch=sm_90").code == 0);
  auto ran = folder().run("./static 2>&1");
  CHECK(ran.code == kUsage);
  CHECK(contains(ran.text, "nvcc -cudart shared"));
  ran = folder().run("./none 2>&1");
  CHECK(ran.code == kUsage);
  CHECK(contains(ran.text, "there is no such file"));
  CHECK(folder().run("2>&1").code == kUsage);
  CHECK(contains(folder().run("./all 2>&1", "--device gpu").text, "on a GPU a program runs"));
}

TEST_CASE("what the playground runs finds nothing of this machine, and is told what it lacks") {
  if (!folder().has_nvcc) return;
  const auto& path = folder().path;
  const auto played = [&](const std::string& program) {
    std::ofstream(path / "played.cu") << program;
    return system::run_in_shell("cd " + path.string() + " && " + kCourse +
                                " play --json played.json played.cu");
  };
  std::ofstream(path / "secret") << "a secret";
  const auto ran = played("#include <cstdio>\n"
                          "__global__ void k(int* p) { p[threadIdx.x] = 1; }\n"
                          "int main() {\n"
                          "  std::printf(\"%d\\n\", std::fopen(\"" +
                          (path / "secret").string() +
                          "\", \"r\") != nullptr);\n"
                          "  int* p;\n"
                          "  cudaMalloc(&p, 128);\n"
                          "  k<<<1, 32>>>(p);\n"
                          "  return cudaDeviceSynchronize();\n"
                          "}\n");
  CHECK(ran.code == kPassed);
  CHECK(contains(ran.text, "1 launch"));
  const auto json = json_of(path / "played.json");
  CHECK(json["out"] == "0\n");
  CHECK(json["exit_code"] == 0);
  CHECK(json["view"]["files"][0]["path"] == "program.cu");
  CHECK(json["view"]["files"][0]["words"][0]["line"] == 2);
  const auto half = played("__global__ void k() {}\n");
  CHECK(half.code == kDidNotCompile);
  CHECK(contains(half.text, "a whole program is needed"));
}

TEST_CASE("the playground keeps one warp's requests, with what its lanes move") {
  if (!folder().has_nvcc) return;
  const auto& path = folder().path;
  std::ofstream(path / "traced.cu") << R"(__global__ void k(float* out) {
  __shared__ float words[64];
  words[threadIdx.x] = threadIdx.x;
  words[threadIdx.x + 32] = threadIdx.x + 32;
  __syncwarp();
  out[blockIdx.x * 32 + threadIdx.x] = words[threadIdx.x * 2];
  atomicAdd(out, 1.0f);
}
int main() {
  float* out;
  cudaMalloc(&out, 256);
  cudaMemset(out, 0, 256);
  k<<<2, 32>>>(out);
  return cudaDeviceSynchronize();
}
)";
  const auto traced = [&](const std::string& options) {
    const auto ran = system::run_in_shell("cd " + path.string() + " && " + kCourse +
                                          " play --json traced.json " + options + " traced.cu");
    REQUIRE(ran.code == kPassed);
    return json_of(path / "traced.json")["trace"];
  };
  const auto second = traced("--block 1,0,0");
  const auto& all = second["requests"];
  REQUIRE(all.size() == 5);
  CHECK(all[0]["line"] == 3);
  CHECK(all[0]["lanes"][31]["value"] == "31"); // that is stored
  CHECK(all[2]["line"] == 6);
  CHECK(all[2]["memory"] == "shared");
  CHECK(all[2]["cost"] == "2 wavefronts where 1 would do: 2-way");
  CHECK(all[2]["lanes"][17]["at"].get<int>() - all[2]["lanes"][0]["at"].get<int>() == 17 * 8);
  CHECK(all[2]["lanes"][17]["value"] == "34"); // that is loaded
  CHECK(all[3]["memory"] == "global");
  CHECK(all[3]["lanes"][17]["value"] == "34");
  CHECK_FALSE(all[4]["lanes"][0].contains("value")); // of an atomic
  CHECK(traced("--warp 1")["requests"].empty());
  CHECK(traced("")["requests"].size() == 5);
}

TEST_CASE("device code of several files is linked, as nvcc -rdc=true links it") {
  if (!folder().has_nvcc) return;
  std::ofstream(folder().path / "uses.cu") << R"(
#include <cstdio>
__device__ int twice(int);
extern __device__ int calls;
template <class T> __device__ __noinline__ T one_more(T x) { return x + 1; }
static __device__ int mine = 3;
__global__ void k(int* out) {
  out[threadIdx.x] = twice(threadIdx.x) + one_more(mine);
  atomicAdd(&calls, 1);
  if (threadIdx.x == 0) printf("in k\n");
}
int main() {
  int *out, back[4], counted;
  cudaMalloc(&out, sizeof back);
  k<<<1, 4>>>(out);
  cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&counted, calls, sizeof counted);
  printf("%d %d, calls %d\n", back[0], back[3], counted);
}
)";
  std::ofstream(folder().path / "defines.cu") << R"(
#include <cstdio>
__device__ int calls;
template <class T> __device__ __noinline__ T one_more(T x) { return x + 1; }
static __device__ int mine = 5;
__device__ int twice(int x) {
  if (x == 100) printf("never\n");
  return 2 * x + one_more(mine) - 6;
}
)";
  const auto built =
      system::run_in_shell("cd " + folder().path.string() +
                           " && PATH=$PATH:/usr/local/cuda/bin nvcc -rdc=true -lineinfo "
                           "-arch=sm_90 -cudart shared -o linked uses.cu defines.cu 2>&1");
  REQUIRE(built.code == 0);
  const auto ran = folder().run("./linked 2>&1");
  INFO(ran.text);
  CHECK(ran.code == 0);
  CHECK(contains(ran.text, "in k\n4 10, calls 4\n"));
  CHECK(contains(ran.text, "uses.cu:8"));
}

TEST_CASE("errors of launches that nobody waits for are those of launches that wait") {
  if (!folder().has_nvcc) return;
  std::ofstream(folder().path / "posted.cu") << R"(
#include <cstdio>
#include <cstdlib>
#include <future>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
__global__ void add(int* sum, int each) { atomicAdd(sum, each); }
int* sum;
bool waits; // cudaLaunchKernel has a status
void launch(int blocks, int threads, int each = 1) {
  void* arguments[] = {&sum, &each};
  if (waits) cudaLaunchKernel(reinterpret_cast<const void*>(add), blocks, threads, arguments, 0, 0);
  else add<<<blocks, threads>>>(sum, each);
}
void say(const char* what, cudaError_t error) { printf("%s: %s\n", what, cudaGetErrorName(error)); }
int main(int argc, char**) {
  waits = argc > 1;
  cudaMalloc(&sum, 4);
  cudaMemset(sum, 0, 4);
  for (int i = 0; i < 200; ++i) launch(1, i == 100 ? 2048 : 1);
  say("peeked", cudaPeekAtLastError());
  say("got", cudaGetLastError());
  say("and then", cudaGetLastError());
  std::promise<void> launched, read;
  std::thread other([&] {
    launch(0, 1);
    launched.set_value();
    read.get_future().wait();
    say("of the thread", cudaGetLastError());
  });
  launched.get_future().wait();
  say("waited", cudaDeviceSynchronize());
  say("not of the thread", cudaGetLastError());
  read.set_value();
  other.join();
  std::thread([] { launch(1, 2048); }).join(); // and is gone when the reply comes
  launch(1, 1);
  fflush(stdout);
  if (fork() == 0) exit(0);
  wait(nullptr);
  int back = 0;
  say("copied", cudaMemcpy(&back, sum, 4, cudaMemcpyDeviceToHost));
  printf("%d\n", back);
  int* const all = sum;
  sum = nullptr;
  launch(1, 1);
  sum = all;
  launch(1, 1);
  say("after a fault", cudaGetLastError());
  launch(1, 1);
}
)";
  const auto built = system::run_in_shell("cd " + folder().path.string() +
                                          " && PATH=$PATH:/usr/local/cuda/bin nvcc -arch=sm_90 "
                                          "-cudart shared -o posted posted.cu 2>&1");
  INFO(built.text);
  REQUIRE(built.code == 0);
  const auto posted = folder().run("./posted", "-q"), waited = folder().run("./posted waits", "-q");
  CHECK(posted.text == waited.text);
  CHECK(posted.code == waited.code);
  CHECK(contains(posted.text, "peeked: cudaErrorInvalidValue\ngot: cudaErrorInvalidValue\n"
                              "and then: cudaSuccess\n"));
  CHECK(contains(posted.text, "copied: cudaSuccess\n200\n"
                              "after a fault: cudaErrorIllegalAddress\n"));
}

TEST_CASE("Ctrl-C ends the program and leaves nothing") {
  if (!folder().has_nvcc) return;
  const auto name = folder().path.filename().string();
  const auto ran =
      system::run_in_shell("cd " + folder().path.string() +
                           " && mkdir -p tmp && TMPDIR=$PWD/tmp timeout -s INT 2 " + kCourse +
                           " run ./all forever </dev/null >/dev/null 2>&1; echo $?; ls tmp; "
                           "ls -l /proc/[0-9]*/exe 2>/dev/null | grep -c '" +
                           name + "/all$'");
  CHECK(ran.text == "124\n0\n"); // timeout's own code; nothing in tmp, no process
}

// Seconds of processor time of a process and of all below it.
double processor_seconds(pid_t process) {
  const auto folder = "/proc/" + std::to_string(process);
  const auto text = system::content_of(folder + "/stat").value_or("");
  std::istringstream fields(text.substr(std::min(text.rfind(')'), text.size() - 1) + 1));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  double user = 0, kernel = 0;
  fields >> user >> kernel;
  double seconds = (user + kernel) / static_cast<double>(sysconf(_SC_CLK_TCK));
  std::error_code gone;
  for (const auto& task : fs::directory_iterator(folder + "/task", gone)) {
    std::ifstream children(task.path() / "children");
    for (pid_t child = 0; children >> child;) seconds += processor_seconds(child);
  }
  return seconds;
}

// What a command prints that gets a signal after it has computed for so many seconds.
Ran stopped(const std::string& command, int signal, double seconds) {
  const auto file = folder().path / "printed";
  const pid_t shell = fork();
  if (shell == 0) {
    const auto all = "exec " + command + " >'" + file.string() + "' 2>&1 </dev/null";
    execl("/bin/sh", "sh", "-c", all.c_str(), nullptr);
    _exit(127);
  }
  while (processor_seconds(shell) < seconds) usleep(20'000);
  kill(shell, signal);
  int status = 0;
  waitpid(shell, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          system::content_of(file).value_or("")};
}

// What the program gives that a limit of time ends, by the first limit that lets it come so far:
// how far it comes in a second is the machine's affair.
struct Limited {
  Ran ran;
  std::string limit; // "--limit 3s"
  nlohmann::json json;
};
Limited limited(const std::string& arguments, const std::function<bool(const Limited&)>& is_far) {
  for (int seconds = 3;; seconds *= 2) {
    Limited at;
    at.limit = "--limit " + std::to_string(seconds) + "s";
    at.ran =
        folder().run("./all " + arguments + " </dev/null 2>&1", at.limit + " --json limited.json");
    at.json = json_of(folder().path / "limited.json");
    if (seconds > 100 || is_far(at)) return at;
  }
}

// What everybody reads of a run that was stopped.
void check_stopped(const Ran& ran, const nlohmann::json& json, const std::string& by, int code) {
  INFO(ran.text);
  CHECK(ran.code == code);
  // Its own lines are whole, though it could not end.
  CHECK(contains(ran.text, kOutput));
  CHECK(contains(ran.text, "Not complete: " + by + " stopped it."));
  CHECK(json["complete"] == false);
  CHECK(json["stopped_by"] == by);
  CHECK(json["exit_code"] == code);
}

bool is_in_spin(const nlohmann::json& json) {
  const auto& launches = json["launches"];
  return !launches.empty() && launches.back()["kernel"] == "spin" &&
         launches.back()["instructions"] > 100'000;
}

void check_spin(const Ran& ran, const nlohmann::json& json) {
  CHECK(is_in_spin(json));
  CHECK(contains(ran.text, "in spin"));
  CHECK(contains(ran.text, "was here when the run was stopped"));
}

TEST_CASE("a run that a signal stops shows what was executed until then, and says so") {
  if (!folder().has_nvcc) return;
  struct Way {
    const char *arguments, *by;
    int signal;
  };
  for (const auto& way :
       {Way{"spin", "Ctrl-C", SIGINT}, Way{"spin together", "SIGTERM", SIGTERM}}) {
    INFO(way.arguments << " " << way.by);
    const auto file = folder().path / "stopped.json", program = folder().path / "all";
    fs::remove(file);
    const auto ran = stopped(kCourse + " run --json " + file.string() + " " + program.string() +
                                 " " + way.arguments,
                             way.signal, 2);
    const auto json = json_of(file);
    check_stopped(ran, json, way.by, 128 + way.signal);
    check_spin(ran, json);
  }
}

TEST_CASE("a run that its limit stops shows what was executed until then, and says so") {
  if (!folder().has_nvcc) return;
  const auto spin = limited("spin", [](const auto& at) { return is_in_spin(at.json); });
  check_stopped(spin.ran, spin.json, spin.limit, kTimedOut);
  check_spin(spin.ran, spin.json);
  const auto forever =
      limited("forever", [](const auto& at) { return contains(at.ran.text, kOutput); });
  check_stopped(forever.ran, forever.json, forever.limit, kTimedOut);
  CHECK(folder().run("./all </dev/null 2>&1", "--limit never").code == kUsage);
  folder().run("./all </dev/null >/dev/null 2>&1", "--json whole.json");
  CHECK(json_of(folder().path / "whole.json")["complete"] == true);
}

TEST_CASE("a launch that was stopped has the races of its beginning") {
  if (!folder().has_nvcc) return;
  const auto waits =
      limited("waits", [](const auto& at) { return at.json["findings"].size() > 1; });
  CHECK(waits.ran.code == kTimedOut);
  CHECK(contains(waits.ran.text, "Found wrong: race at 1 line"));
  std::set<std::string> kinds;
  for (const auto& finding : waits.json["findings"])
    kinds.insert(finding["kind"].get<std::string>());
  CHECK(kinds == std::set<std::string>{"budget", "race"});
}

TEST_CASE("host code that does not wait for a copy races with it") {
  if (!folder().has_nvcc) return;
  const auto mended = folder().run("./all copies waits </dev/null 2>&1");
  CHECK(!contains(mended.text, "which host code"));
  const auto wrong = folder().run("./all copies </dev/null 2>&1");
  INFO(wrong.text);
  CHECK(contains(wrong.text, "host code reads before"));
  CHECK(contains(wrong.text, "2 times in")); // it writes, too
}

TEST_CASE("of a sample the output says so, and of a run without checks") {
  if (!folder().has_nvcc) return;
  auto ran = folder().run("./all </dev/null 2>&1 >/dev/null",
                          "--sample 2 --json sample.json --html sample.html --color never");
  CHECK(contains(ran.text, "A sample: 8 of 14 blocks were executed (57%)."));
  CHECK(contains(ran.text, "2 of 4 blocks") == false); // three launches in one row
  CHECK(contains(ran.text, "6 of 12 blocks"));
  auto json = json_of(folder().path / "sample.json");
  CHECK(json["sample"]["blocks_executed"] == 8);
  CHECK(json["launches"][0]["blocks_executed"] == 6);
  CHECK_FALSE(json["launches"][1].contains("blocks_executed")); // it has one block
  CHECK(contains(system::content_of(folder().path / "sample.html").value_or(""),
                 "<p>A sample: 8 of 14 blocks were executed"));
  ran = folder().run("./all </dev/null 2>&1", "--sample 4 --json whole.json");
  CHECK(contains(ran.text, kOutput)); // all blocks are executed, and nothing is said
  CHECK_FALSE(contains(ran.text, "A sample"));
  CHECK_FALSE(json_of(folder().path / "whole.json").contains("sample"));
  CHECK(folder().run("./all 2>&1", "--sample 0").code != 0);

  ran = folder().run("./all </dev/null 2>&1", "--no-checks --json unchecked.json --html un.html");
  CHECK(contains(ran.text, kOutput));
  CHECK(contains(ran.text, "Not checked: nobody looked for races"));
  json = json_of(folder().path / "unchecked.json");
  CHECK(json["checked"] == false);
  CHECK(json["launches"] == json_of(folder().path / "whole.json")["launches"]);
  CHECK(contains(system::content_of(folder().path / "un.html").value_or(""), "<p>Not checked"));
}

TEST_CASE("a program is executed in drawn orders as well, and one of them is repeated") {
  if (!folder().has_nvcc) return;
  // It asks for times, and is not compared by what it prints.
  auto ran = folder().run("./all lose </dev/null 2>errors", "--orders 4 --json orders.json");
  CHECK(contains(ran.text, "sum 8\n"));
  CHECK(ran.text.find("sum", ran.text.find("sum 8") + 1) == std::string::npos); // said once
  CHECK(ran.code == 1);
  const auto orders = json_of(folder().path / "orders.json")["orders"];
  CHECK(orders["asked"] == 4);
  CHECK(orders["executed"] == 4);
  REQUIRE_FALSE(orders["otherwise"].empty());
  CHECK(orders["otherwise"][0]["exit_code"] == 1);
  const auto number = orders["otherwise"][0]["order"].dump();
  CHECK(contains(system::content_of(folder().path / "errors").value_or(""),
                 "course run --order " + number + " repeats it."));
  ran = folder().run("./all lose </dev/null 2>&1", "--order " + number + " --json one.json");
  CHECK(ran.code == 1);
  CHECK(contains(ran.text, "Executed in drawn order " + number));
  CHECK(json_of(folder().path / "one.json")["order"].dump() == number);
  ran = folder().run("./all </dev/null 2>&1", "--orders 4"); // nobody can tell who was first
  CHECK(ran.code == 0);
  CHECK(contains(ran.text, "No drawn order was executed"));
}

TEST_CASE("a small kernel is executed in every order that differs, and one of them is repeated") {
  if (!folder().has_nvcc) return;
  std::ofstream(folder().path / "few.cu") << R"(
#include <cstdio>
__global__ void lose(volatile int* p) { if (threadIdx.x == 0) p[0] = p[0] + 1; }
int main() {
  int *out, sum = 0;
  cudaMalloc(&out, 4);
  cudaMemset(out, 0, 4);
  lose<<<2, 32>>>(out);
  cudaMemcpy(&sum, out, 4, cudaMemcpyDeviceToHost);
  printf("sum %d\n", sum);
  return sum == 2 ? 0 : 1;
}
)";
  auto ran = folder().run("few.cu </dev/null 2>errors", "--orders all --json orders.json");
  CHECK(ran.code == 1);
  const auto orders = json_of(folder().path / "orders.json")["orders"];
  CHECK(orders["all"]["complete"] == true);
  CHECK(orders["all"]["orders"] == 4);
  CHECK(orders["executed"] == 2); // as many as there are sums
  REQUIRE(orders["otherwise"].size() == 1);
  CHECK(orders["otherwise"][0]["events"].size() == 4);
  const std::string choices = orders["otherwise"][0]["choices"];
  for (const char* none : {"--orders 2.5", "--orders 99999999999999999999", "--order 1e3"})
    CHECK(contains(folder().run("few.cu </dev/null 2>&1", none).text, "is neither"));
  ran = folder().run("few.cu </dev/null 2>&1", "--order " + choices);
  CHECK(ran.code == 1);
  CHECK(contains(ran.text, "sum 1"));
  CHECK(contains(ran.text, "Executed in the order " + choices));
}

TEST_CASE("launches of a graph are sampled, and a cooperative one is refused by its name") {
  if (!folder().has_nvcc) return;
  std::ofstream(folder().path / "graph.cu") << R"(
#include <cooperative_groups.h>
#include <cstdio>
__global__ void mark(int* out) { atomicAdd(out, 1); }
__global__ void together(int* out) {
  cooperative_groups::this_grid().sync();
  atomicAdd(out, 1);
}
int main() {
  int *out, count = 0;
  cudaMalloc(&out, 4);
  cudaMemset(out, 0, 4);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphExec_t made;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  mark<<<64, 1, 0, stream>>>(out);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&made, graph, 0);
  for (int i = 0; i < 2; ++i) cudaGraphLaunch(made, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy(&count, out, 4, cudaMemcpyDeviceToHost);
  void* arguments[] = {&out};
  const auto error =
      cudaLaunchCooperativeKernel((void*)together, dim3(4), dim3(32), arguments, 0, nullptr);
  printf("%d marks, %s\n", count, cudaGetErrorName(error));
}
)";
  const auto ran = folder().run("graph.cu 2>&1", "--sample 3 --color never");
  INFO(ran.text);
  CHECK(contains(ran.text, "6 marks, cudaErrorNotSupported"));
  CHECK(contains(ran.text, "6 of 128 blocks"));
  CHECK(contains(ran.text, "cudaErrorNotSupported: together: it is launched\n  cooperatively"));
}

TEST_CASE("a run that is killed leaves nothing behind") {
  if (!folder().has_nvcc) return;
  const auto name = folder().path.filename().string();
  const auto ran = system::run_in_shell(
      "cd " + folder().path.string() +
      " && mkdir -p killed && TMPDIR=$PWD/killed timeout -s KILL 2 " + kCourse +
      " run ./all forever </dev/null >/dev/null 2>&1; "
      "until [ -z \"$(ls killed)\" ]; do sleep 0.1; done; "
      "ls -l /proc/[0-9]*/exe 2>/dev/null | grep -c '" +
      name + "/all$'");
  CHECK(ran.text == "0\n");
}

TEST_CASE("on a terminal a line says how far it is, below the program's own lines") {
  if (!folder().has_nvcc) return;
  const auto in_terminal = [](const std::string& what) {
    return system::run_in_shell("cd " + folder().path.string() + " && TERM=xterm script -qc '" +
                                what + "' /dev/null </dev/null");
  };
  const std::string line = "; block 0 of 8\033[K";
  std::string command, shown;
  for (int seconds = 3; seconds < 100 && !contains(shown, line); seconds *= 2) { // as `limited`
    command = kCourse + " run --color never --limit " + std::to_string(seconds) + "s ./all spin";
    shown = in_terminal(command).text;
  }
  CHECK(contains(shown, line));
  CHECK(contains(shown, " warp instructions, "));
  CHECK(contains(shown, "\r\033[K\r\n")); // and it is gone before the table
  CHECK(contains(shown, "before\r\nlaunched\r\nkernel\r\n"));
  CHECK_FALSE(contains(in_terminal(command + " 2>errors").text, "block 0 of 8"));
  CHECK_FALSE(contains(system::content_of(folder().path / "errors").value_or(""), "block 0 of 8"));
  CHECK_FALSE(contains(in_terminal("TERM=dumb " + command).text, "block 0 of 8"));
}

TEST_CASE("what a program does to its connection, or leaves, is its own loss") {
  if (!folder().has_nvcc) return;
  const auto name = folder().path.filename().string();
  for (const char* what : {"closes", "babbles", "replaces", "leaves"}) {
    INFO(what);
    const auto ran = folder().run(std::string("./all then ") + what + " </dev/null 2>&1");
    INFO(ran.text);
    CHECK(ran.code == 3);
    const bool well = contains(ran.text, "at the end: cudaSuccess");
    CHECK(well == (std::string(what) == "leaves"));
    CHECK_FALSE(contains(ran.text, "\x1b"));
    const auto left =
        system::run_in_shell("ls -l /proc/[0-9]*/exe 2>/dev/null | grep -c '" + name + "/all$'");
    CHECK(left.text == "0\n");
  }
  CHECK(folder().run("./all then dies </dev/null 2>&1").code == 128 + 9);
}

TEST_CASE("a line is traced and a file profiled") {
  if (!folder().has_nvcc) return;
  auto ran = system::run_in_shell(kCourse + " trace 05_transpose/2_pad --solution --line 1 2>&1");
  CHECK(ran.code == kUsage);
  const auto lines = ran.text.find("There are some at lines ");
  REQUIRE(lines != std::string::npos);
  // The last is the read of the tile.
  const auto last = ran.text.substr(ran.text.rfind(' ') + 1, 2);
  const auto svg = folder().path / "pad.svg";
  ran = system::run_in_shell(kCourse + " trace 05_transpose/2_pad --solution --line " + last +
                             " --svg " + svg.string() + " 2>&1");
  CHECK(ran.code == kPassed);
  CHECK(contains(ran.text, "step 1 shared load 4: 1 wavefront, no conflict"));
  CHECK(contains(system::content_of(svg).value_or(""), "</svg>"));
  ran = system::run_in_shell(kCourse + " profile 05_transpose/2_pad --solution 2>&1");
  CHECK(ran.code == kPassed);
  CHECK(contains(ran.text, "not measured"));
  CHECK(contains(ran.text, "\n  >"));
}

TEST_CASE("what a GPU survives is found and goes on, and --stop-at-first fails at it") {
  if (!folder().has_nvcc) return;
  auto ran = folder().run("./all survives 2>survived", "--color never");
  CHECK(ran.code == 0);
  CHECK(contains(ran.text, "cudaSuccess\n12\n"));
  const auto said = system::content_of(folder().path / "survived").value_or("");
  CHECK(contains(said, "memory of cudaMalloc no. 1 (4,096 bytes); a GPU goes on"));
  CHECK(contains(said, "exchange of lanes in survives"));
  ran = folder().run("./all survives 2>/dev/null", "--stop-at-first");
  CHECK(contains(ran.text, "cudaErrorLaunchFailure"));
}

TEST_CASE("--expect is the list of what may be found, and --annotations are for GitHub") {
  if (!folder().has_nvcc) return;
  const auto exchange = std::to_string(line_of("  if (v % 4 == 0)"));
  const auto behind = std::to_string(line_of("  out[threadIdx.x] = v + in"));
  const auto with = [&](const std::string& known) {
    std::ofstream(folder().path / "known") << known;
    return folder()
        .run("./all survives 2>&1 >/dev/null | grep -v 'to standard error'", "-q --expect known")
        .text;
  };
  const auto code = [&] { return folder().run("./all survives 2>&1", "-q --expect known").code; };
  CHECK(with("shuffle all.cu:" + exchange + "\nout-of-bounds all.cu:" + behind + "\n") == "");
  CHECK(code() == 0);
  CHECK(with("shuffle all.cu:" + exchange) ==
        "course run: not expected: out-of-bounds all.cu:" + behind + "\n");
  CHECK(code() == kFound);
  CHECK(contains(with("race all.cu:1"), "expected, and not found: race all.cu:1\n"));
  CHECK(with("race") ==
        "course run: known: line 1: a kind of finding and its line, as in: race main.cu:12\n");
  CHECK(code() == kUsage);
  const auto ran = folder().run("./all survives 2>&1 >/dev/null", "-q --annotations");
  CHECK(
      contains(ran.text, "::error file=all.cu,line=" + behind + ",title=out-of-bounds::survives"));
}

} // namespace course::cli
