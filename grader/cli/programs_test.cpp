// What programs use of CUDA, as textbooks have it (programs/), under `course run`; and the twin of
// each that uses it wrongly, with the words that its user gets. Each program compares its results
// with plain C++ and ends with 0; all of them end so on an H200 too.
#include "build/own_program.hpp"
#include "system/shell.hpp"
#include "system/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

namespace course::cli {
namespace {

using system::Ran;

// Those whose twins differ in their kernels: nvcc makes each.
bool has_other_kernels(const std::string& program) {
  return program == "tiles" || program == "wgmma";
}

std::vector<std::string> libraries_of(const std::string& program) {
  if (program == "blas") return {"cublas", "cublasLt"};
  if (program == "random") return {"curand"};
  if (program == "driver") return {"cuda", "nvrtc"};
  return {};
}

// Why this machine cannot make it; empty where it can. CTest counts the first as skipped.
std::string lack(const std::string& program) {
  const auto toolkit = build::find_toolkit();
  if (!toolkit) return "no nvcc on this machine";
  const char* header = program == "blas"     ? "cublasLt.h"
                       : program == "random" ? "curand.h"
                                             : "cuda_runtime.h";
  if (std::filesystem::exists(toolkit->root / "include" / header)) return "";
  return std::string("skipped: this machine has no ") + header;
}

// Each is made once, for all twins that an argument asks for.
std::filesystem::path made(const std::string& program, int wrong) {
  static const system::TemporaryFolder folder("programs_test");
  static std::map<std::string, std::filesystem::path> all;
  const std::string name = has_other_kernels(program) ? program + std::to_string(wrong) : program;
  const auto [at, is_new] = all.try_emplace(name);
  if (!is_new) return at->second;
  const auto toolkit = *build::find_toolkit();
  std::vector<std::string> flags{"-DWRONG=" + std::to_string(wrong), "-Xlinker", "-rpath",
                                 "-Xlinker", toolkit.root / "lib64"};
  for (const auto& library : libraries_of(program)) flags.push_back("-l" + library);
  std::filesystem::create_directory(folder.path() / name);
  const auto file =
      build::build_program(toolkit, model::default_gpu(), COURSE_PROGRAMS "/" + program + ".cu",
                           folder.path() / name, flags);
  REQUIRE_MESSAGE(file, "nvcc refuses ", program);
  return at->second = *file;
}

// Each twin runs once, whatever is asked of what it said. The right one with libraries is made by
// `course run` itself.
const Ran& run(const std::string& program, int wrong = 0) {
  static std::map<std::pair<std::string, int>, Ran> all;
  const auto [at, is_new] = all.try_emplace({program, wrong});
  Ran& ran = at->second;
  if (!is_new) return ran;
  if (const auto why = lack(program); !why.empty()) {
    std::puts(why.c_str());
    ran.code = 7;
    return ran;
  }
  std::string words = COURSE_BINARY_DIR "/bin/course run --color never";
  if (wrong == 0 && (program == "blas" || program == "random")) {
    for (const auto& library : libraries_of(program)) words += " -l " + library;
    words += " " COURSE_PROGRAMS "/" + program + ".cu";
  } else {
    words += " " + made(program, wrong).string();
    if (!has_other_kernels(program)) words += " " + std::to_string(wrong);
  }
  return ran = system::run_in_shell(words + " 2>&1");
}

// Long lines of a table are broken: without breaks.
std::string joined(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c != '\n' && c != ' ')
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  return out;
}

void check_right(const std::string& program, const std::string& says) {
  const auto& ran = run(program);
  if (ran.code == 7) return;
  INFO(ran.text);
  CHECK(ran.code == 0);
  CHECK(ran.text.find(says) != std::string::npos);
  CHECK(ran.text.find("is not supported") == std::string::npos);
  CHECK(ran.text.find("race in") == std::string::npos);
}

void check_wrong(const std::string& program, int wrong, const std::string& says) {
  const auto& ran = run(program, wrong);
  if (ran.code == 7) return;
  INFO(ran.text);
  CHECK(joined(ran.text).find(says) != std::string::npos);
}

} // namespace

TEST_CASE("managed memory is one for host code and kernels") {
  check_right("managed", "managed: total 6363196, calls 2, wrong 0\n");
}
TEST_CASE("host code that does not wait for a kernel races with it over managed memory") {
  check_wrong("managed", 1, "race in weigh");
  check_wrong("managed", 1, "which host code reads before it has waited for the kernel");
  check_wrong("managed", 2, "reads weights[0] (byte 0), which host code writes before");
  check_wrong("managed", 1, "memory of cudaMallocManaged no. 1 (managed.cu:62)[5000]");
}

TEST_CASE("host code that has seen a kernel's flag is behind what it fenced for the system") {
  check_wrong("managed", 4, "race in hands_over");
  check_wrong("managed", 4, "changes memory of cudaMallocManaged no. 1 (managed.cu:62)[0]");
  check_wrong("managed", 5, "race in hands_over");
  // Where both are in one page, each look counts.
  check_wrong("managed", 6, "race in writes_note");
  check_wrong("managed", 6, "changes note[4] (byte 16)");
  check_wrong("managed", 7, "race in writes_note");
}

TEST_CASE("what host code does too early is called by its line, where it calls a library as well") {
  check_wrong("managed", 1, "cudaDeviceSynchronize() first (host code: managed.cu:82)");
  check_wrong("managed", 2, "cudaDeviceSynchronize() first (host code: managed.cu:83)");
  check_wrong("managed", 3, "cudaDeviceSynchronize() first (host code: managed.cu:86)");
}

TEST_CASE("memory that a program registers is the device's as well, and called by that call") {
  check_right("registered", "registered: wrong 0\n");
  check_wrong(
      "registered", 1,
      "memory of cudaHostRegister no. 2 (registered.cu:174)[1500] (byte 6000), which host code");
  check_wrong("registered", 2, "which host code reads before it has waited for the kernel");
  check_wrong(
      "registered", 3,
      "just past the end of memory of cudaHostRegister no. 3 (registered.cu:175) (12,000 bytes)");
  check_wrong("registered", 4, "out of bounds in add");
  check_wrong(
      "registered", 9,
      "just past the end of memory of cudaMallocHost/cudaHostAlloc no. 1 (registered.cu:169)");
}

TEST_CASE("memory that is registered to be read only is not written, on its line") {
  for (const int how : {5, 6, 7, 8})
    check_wrong("registered", how, "which kernels may only read (cudaHostRegisterReadOnly)");
}

TEST_CASE("memory is allocated and freed in the order of streams") {
  check_right("stream_memory", "wrong 0\n");
}
TEST_CASE("memory of a stream is used behind its allocation and before its release") {
  check_wrong("stream_memory", 1, "which cudaMallocAsync in another stream allocates");
  check_wrong("stream_memory", 2, "use after free in fill");
  check_wrong("stream_memory", 3, "which cudaFreeAsync in another stream frees");
}

TEST_CASE("variables are filled from pinned, managed and device memory, and read back to there") {
  check_right("symbols", "symbols: wrong 0\n");
  check_wrong("symbols", 1, "in another stream");
}

TEST_CASE("threads of the host use their pinned memory while others launch") {
  check_right("host_threads", "host_threads: wrong 0\n");
  check_wrong("host_threads", 1, "which host code reads before it has waited");
}

TEST_CASE("graphs are captured, built, updated and launched") {
  check_right("graphs", "graphs: sum 12000, nodes 4, wrong 0\n");
}
TEST_CASE("a graph without an edge has a race, and what cannot be captured is told") {
  check_wrong("graphs", 1, "in another stream");
  check_wrong("graphs", 2, "allocates: cudaErrorStreamCaptureUnsupported");
  check_wrong("graphs", 2, "call it before cudaStreamBeginCapture or after cudaStreamEndCapture");
  check_wrong("graphs", 3, "cudaErrorStreamCaptureImplicit");
  check_wrong("graphs", 4, "cudaErrorStreamCaptureUnjoined");
  check_wrong("graphs", 5, "update: cudaErrorGraphExecUpdateFailure");
}

TEST_CASE("cuBLAS is computed, watched, and named where it is called wrongly") {
  check_right("blas", "blas: wrong 0\n");
  check_right("blas", "not counted: cublasDgemm");
  check_wrong("blas", 1, "cublasSgemm: cudaErrorInvalidValue: destination: 8580 bytes from byte 0");
  check_wrong("blas", 2, "race in fill");
  check_wrong("blas", 2, "in another stream");
  check_wrong("blas", 3, "lda is 17, less than the 65 rows of a");
  check_wrong("blas", 4, "cublasSsyrk is not supported");
}

TEST_CASE("cuRAND draws on the host and in kernels, and is watched") {
  check_right("random", "random: wrong 0\n");
  check_wrong("random", 0, "not counted: curandGenerate (3)");
  check_wrong("random", 0, "and not the sequence of a GPU");
  check_wrong("random", 1,
              "curandGenerateUniform: cudaErrorInvalidValue: destination: 65536 bytes");
  check_wrong("random", 2, "race in scale");
  check_wrong("random", 3, "they are drawn in pairs: an odd number");
  check_wrong("random", 4, "curandGeneratePoisson is not supported");
}

TEST_CASE("kernels allocate and free, and their heap may be full") {
  check_right("device_heap", "device heap: wrong 0, cudaSuccess\n");
}
TEST_CASE("memory of a kernel's malloc is freed once, and used while it is there") {
  check_wrong("device_heap", 1, "frees memory of malloc in a kernel that was freed already");
  check_wrong("device_heap", 2, "use after free in lists");
  check_wrong("device_heap", 3, "is just past the end of memory of malloc in a kernel (32 bytes)");
  check_wrong("device_heap", 4, "[7] (byte 28), which nothing has written");
}

TEST_CASE("wmma multiplies in each of its types and shapes") {
  check_right("tiles", "tiles: checksum -126375, wrong 0, cudaSuccess\n");
}
TEST_CASE("a matrix needs its whole warp, and memory to lie in") {
  check_wrong("tiles", 1, "waited for lanes 16-31, which the mask names");
  check_wrong("tiles", 2, "is just past the end of tile (768 bytes)");
}

TEST_CASE("warpgroups multiply tiles from a ring of stages, and in each of their types") {
  check_right("wgmma", "wgmma: wrong 0, cudaSuccess\n");
}
TEST_CASE("what products of warpgroups need, and nobody says who leaves it out, is told") {
  check_wrong("wgmma", 1, "no fence.proxy.async is between the two");
  check_wrong("wgmma", 2, "which the wgmma");
  check_wrong("wgmma", 3, "may not have written yet: nothing has waited for it");
  check_wrong("wgmma", 4, "says swizzle 128B, and the tensor map that brought");
  check_wrong("wgmma", 5, "no wgmma.fence is");
}

TEST_CASE("textures and surfaces read and write arrays") {
  check_right("textures", "wrong 0\n");
}
TEST_CASE("textures and surfaces that are used wrongly are told") {
  check_wrong("textures", 1, "misaligned in paint");
  check_wrong("textures", 2, "x counts bytes, not elements");
  check_wrong("textures", 3, "uses a texture object that does not exist, or was destroyed");
  check_wrong("textures", 4, "cudaErrorInvalidFilterSetting: integers are not filtered");
  check_wrong("textures", 5, "which nothing has written");
}

TEST_CASE("the driver API loads modules that NVRTC makes, and launches their kernels") {
  check_right("driver", "driver: sum 1000000, launches 1, wrong 0\n");
  check_wrong("driver", 1, "CUDA_ERROR_NOT_FOUND");
  check_wrong("driver", 2, "CUDA_ERROR_INVALID_CONTEXT");
  check_wrong("driver", 2, "this thread has no context");
}

} // namespace course::cli
