// The stand-in for libcudart as programs see it: the CUDA API of this library, in a process with a
// session on descriptor 3. Statuses are those that an H200 gave with CUDA 13.0 (driver 580).
//
// Each test forks: the child is the program, the parent the grader. Long: one case a call.
#include "device/emulator/emulator.hpp"
#include "device/spelled.hpp"
#include "runtime/live_executor.hpp"
#include "runtime/recorder.hpp"
#include "runtime/serve.hpp"
#include "runtime/session_program.hpp"

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <set>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern "C" {
void** __cudaRegisterFatBinary(void*);
void __cudaRegisterFatBinaryEnd(void**);
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*,
                            dim3*, int*);
void __cudaRegisterVar(void**, char*, char*, const char*, int, size_t, int, int);
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t, cudaStream_t);
cudaError_t __cudaPopCallConfiguration(dim3*, dim3*, size_t*, void*);
cudaError_t __cudaGetKernel(cudaKernel_t*, const void*);
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, size_t, cudaStream_t);
cudaError_t cudaMemcpyAsync_ptsz(void*, const void*, size_t, cudaMemcpyKind, cudaStream_t);
}

extern "C" int cublasCreate_v2(void**);
extern "C" int cublasSgemm_v2(); // refused before it looks at what it is given
extern "C" int cublasSsyrk_v2();

namespace course::runtime {

namespace {

// In the child: what went wrong, counted and printed.
int wrong = 0;
void expect(bool holds, const char* what, int line) {
  if (holds) return;
  std::fprintf(stderr, "client_test.cpp:%d: %s does not hold\n", line, what);
  ++wrong;
}
#define EXPECT(...) expect((__VA_ARGS__), #__VA_ARGS__, __LINE__)
#define EXPECT_STATUS(call, status)                                                                \
  do {                                                                                             \
    const auto got = (call);                                                                       \
    if (got != (status))                                                                           \
      std::fprintf(stderr, "client_test.cpp:%d: %s gave %s\n", __LINE__, #call,                    \
                   cudaGetErrorName(got)),                                                         \
          ++wrong;                                                                                 \
  } while (0)

template <class Body>
int run_child(int channel, Body body) {
  if (channel >= 0)
    dup2(channel, 3);
  else
    close(3);
  body();
  std::fflush(nullptr);
  return wrong == 0 ? 0 : 1;
}

template <class Body>
pid_t in_child(int channel, Body body) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) _exit(run_child(channel, body));
  return child;
}

int exit_code(pid_t child) {
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

// Runs `body` as a program with `session` behind its CUDA calls.
template <class Body>
void serve_to(Session& session, Body body) {
  int ends[2];
  REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
  const pid_t child = in_child(ends[1], body);
  close(ends[1]);
  serve(session, ends[0]);
  CHECK(exit_code(child) == 0);
  close(ends[0]);
}

template <class Body>
void as_program(Program& program, Body body) {
  serve_to(program.session, body);
}

// What nvcc makes of program_info()'s kernels and variables, written by hand.
struct FatBinary {
  struct {
    std::uint32_t magic = 0xba55ed50;
    std::uint16_t version = 1, header_size = 16;
    std::uint64_t size = 24;
    char text[25] = ".version 9.0 of the test";
  } data;
  struct {
    std::uint32_t magic = 0x466243b1, version = 1;
    const void* data = nullptr;
    const void* extra = nullptr;
  } wrapper;
};

void transpose_stub() {}
void fill_stub() {}
void no_stub() {}
float coefficients[16];
int counter[8];

const void* const kTranspose = reinterpret_cast<const void*>(&transpose_stub);
const void* const kFill = reinterpret_cast<const void*>(&fill_stub);
const void* const kNoKernel = reinterpret_cast<const void*>(&no_stub);

void register_kernel(void** module, const void* stub, const char* name) {
  __cudaRegisterFunction(module, static_cast<const char*>(stub), nullptr, name, -1, nullptr,
                         nullptr, nullptr, nullptr, nullptr);
}

void register_program() {
  static FatBinary binary;
  binary.wrapper.data = &binary.data;
  void** module = __cudaRegisterFatBinary(&binary.wrapper);
  register_kernel(module, kTranspose, "_Z9transposePfPKfii");
  register_kernel(module, kFill, "_Z4fillPf");
  __cudaRegisterVar(module, reinterpret_cast<char*>(coefficients), nullptr, "coefficients", 0, 64,
                    1, 0);
  __cudaRegisterVar(module, reinterpret_cast<char*>(counter), nullptr, "counter", 0, 32, 0, 0);
  __cudaRegisterFatBinaryEnd(module);
}

cudaError_t fill(void* to, dim3 grid, dim3 block, std::size_t shared = 0) {
  void* arguments[] = {&to};
  return cudaLaunchKernel(kFill, grid, block, arguments, shared, nullptr);
}

template <class T>
void* device_pointer(T* out) {
  return reinterpret_cast<void*>(out);
}
void* const kOut = reinterpret_cast<void*>(kFirstAddress); // 1,024 bytes, of program_call()

} // namespace

TEST_CASE("a launch by <<<>>> arrives with its configuration and arguments") {
  Program program;
  as_program(program, [] {
    register_program();
    // What the compiler makes of transpose<<<dim3(4, 2), dim3(32, 8), 512>>>(…).
    EXPECT(__cudaPushCallConfiguration(dim3(4, 2), dim3(32, 8), 512, nullptr) == 0);
    cudaKernel_t handle = nullptr;
    EXPECT_STATUS(__cudaGetKernel(&handle, kTranspose), cudaSuccess);
    dim3 grid, block;
    std::size_t shared = 0;
    cudaStream_t stream = nullptr;
    EXPECT_STATUS(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
    std::uint64_t out = 0x1111, in = 0x2222;
    int rows = 3, cols = -4;
    void* arguments[] = {&out, &in, &rows, &cols};
    EXPECT_STATUS(__cudaLaunchKernel(handle, grid, block, arguments, shared, stream), cudaSuccess);
    EXPECT_STATUS(cudaGetLastError(), cudaSuccess);
  });
  const auto plan = program.recorder.take_plan();
  REQUIRE(plan.steps.size() == 1);
  const auto& launch = std::get<device::Launch>(plan.steps[0]);
  CHECK(launch.kernel == "_Z9transposePfPKfii");
  CHECK(launch.grid == device::Dim3{4, 2, 1});
  CHECK(launch.block == device::Dim3{32, 8, 1});
  CHECK(launch.dynamic_shared == 512);
  const std::int32_t words[6] = {0x1111, 0, 0x2222, 0, 3, -4};
  REQUIRE(launch.arguments.size() == sizeof words);
  CHECK(std::memcmp(launch.arguments.data(), words, sizeof words) == 0);
}

TEST_CASE("errors of launches are returned and kept until they are asked for") {
  Program program;
  as_program(program, [] {
    register_program();
    EXPECT_STATUS(fill(kOut, dim3(1), dim3(2048)), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_STATUS(cudaMemset(kOut, 0, 4), cudaSuccess);
    EXPECT_STATUS(cudaPeekAtLastError(), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaGetLastError(), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaGetLastError(), cudaSuccess);
    EXPECT_STATUS(fill(kOut, dim3(1), dim3(32), 60'000), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaFuncSetAttribute(kFill, cudaFuncAttributeMaxDynamicSharedMemorySize, 60'000),
                  cudaSuccess);
    EXPECT_STATUS(fill(kOut, dim3(1), dim3(32), 60'000), cudaSuccess);
    EXPECT_STATUS(fill(kOut, dim3(0), dim3(32)), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaLaunchKernel(kFill, dim3(1), dim3(1), nullptr, 0, nullptr),
                  cudaErrorInvalidValue);
    void* arguments[] = {nullptr};
    EXPECT_STATUS(cudaLaunchKernel(kNoKernel, dim3(1), dim3(1), arguments, 0, nullptr),
                  cudaErrorInvalidResourceHandle);
    EXPECT_STATUS(cudaLaunchKernel(static_cast<const void*>(nullptr), dim3(1), dim3(1), arguments,
                                   0, nullptr),
                  cudaErrorInvalidDeviceFunction);
    cudaKernel_t handle = nullptr;
    EXPECT_STATUS(__cudaGetKernel(&handle, kNoKernel), cudaErrorInvalidDeviceFunction);
  });
  CHECK(program.session.errors().size() == 7);
  CHECK(program.session.errors().back().why == "this is not a __global__ function");
}

TEST_CASE("each thread has its own last error") {
  Program program;
  as_program(program, [] {
    EXPECT_STATUS(cudaFree(reinterpret_cast<void*>(0x1234)), cudaErrorInvalidValue);
    std::thread([] { EXPECT_STATUS(cudaGetLastError(), cudaSuccess); }).join();
    EXPECT_STATUS(cudaGetLastError(), cudaErrorInvalidValue);
  });
}

TEST_CASE("a launch with attributes is a launch, perhaps a cooperative one, or one in clusters") {
  Program program;
  as_program(program, [] {
    register_program();
    void* to = kOut;
    void* arguments[] = {&to};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(4);
    config.blockDim = dim3(32);
    EXPECT_STATUS(cudaLaunchKernelExC(&config, kFill, arguments), cudaSuccess);
    cudaLaunchAttribute attribute = {};
    config.attrs = &attribute;
    config.numAttrs = 1;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {1, 1, 1};
    EXPECT_STATUS(cudaLaunchKernelExC(&config, kFill, arguments), cudaSuccess);
    attribute.val.clusterDim.x = 2;
    EXPECT_STATUS(cudaLaunchKernelExC(&config, kFill, arguments), cudaSuccess);
    attribute.val.clusterDim.x = 3; // of 4 blocks
    EXPECT_STATUS(cudaLaunchKernelExC(&config, kFill, arguments), cudaErrorInvalidClusterSize);
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    EXPECT_STATUS(cudaLaunchKernelExC(&config, kFill, arguments), cudaSuccess);
    EXPECT_STATUS(cudaLaunchKernelExC(nullptr, kFill, arguments), cudaErrorInvalidValue);
  });
  CHECK(program.session.unsupported().empty());
  const auto plan = program.recorder.take_plan();
  REQUIRE(plan.steps.size() == 4);
  CHECK_FALSE(std::get<device::Launch>(plan.steps[1]).cooperative);
  CHECK(std::get<device::Launch>(plan.steps[1]).cluster.count() == 0); // as the kernel says
  CHECK(std::get<device::Launch>(plan.steps[2]).cluster == device::Dim3{2, 1, 1});
  CHECK(std::get<device::Launch>(plan.steps[3]).cooperative);
}

TEST_CASE("an attribute of a launch that is not executed is refused by name, and a hint is none") {
  Program program;
  as_program(program, [] {
    register_program();
    void* to = kOut;
    void* arguments[] = {&to};
    cudaLaunchAttribute attribute = {};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(4);
    config.blockDim = dim3(32);
    config.attrs = &attribute;
    config.numAttrs = 1;
    for (const auto hint : {cudaLaunchAttributePriority, cudaLaunchAttributeAccessPolicyWindow,
                            cudaLaunchAttributeProgrammaticStreamSerialization}) {
      attribute.id = hint;
      EXPECT_STATUS(cudaLaunchKernelExC(&config, kFill, arguments), cudaSuccess);
    }
    attribute.id = cudaLaunchAttributeProgrammaticEvent;
    EXPECT_STATUS(cudaLaunchKernelExC(&config, kFill, arguments), cudaErrorNotSupported);
    attribute.id = static_cast<cudaLaunchAttributeID>(99);
    EXPECT_STATUS(cudaLaunchKernelExC(&config, kFill, arguments), cudaErrorNotSupported);
  });
  CHECK(program.session.unsupported() ==
        std::vector<std::string>{"cudaLaunchKernelExC with cudaLaunchAttributeProgrammaticEvent",
                                 "cudaLaunchKernelExC with attribute 99"});
  CHECK(program.recorder.take_plan().steps.size() == 3);
}

#pragma GCC diagnostic push // one that programs still call is deprecated
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
TEST_CASE("tensor maps are made by a function of the driver, and its others are not there") {
  Program program;
  as_program(program, [] {
    using Encode = int (*)(void*, int, unsigned, void*, const std::uint64_t*, const std::uint64_t*,
                           const unsigned*, const unsigned*, int, int, int, int);
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found;
    EXPECT_STATUS(
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, 0, &found),
        cudaSuccess);
    EXPECT(found == cudaDriverEntryPointSuccess);
    alignas(64) char map[128] = {};
    const std::uint64_t size[] = {64, 64}, stride[] = {256};
    const unsigned box[] = {16, 8}, step[] = {1, 1}, steps_of_two[] = {2, 1};
    const auto encode = [&](const unsigned* steps, int swizzle, int fill, int type) {
      return reinterpret_cast<Encode>(function)(map, type, 2, kOut, size, stride, box, steps, 0,
                                                swizzle, 0, fill);
    };
    EXPECT(encode(step, 2, 0, 7) == 0); // float32, rows of 64 bytes, swizzle of 64
    EXPECT(encode(step, 1, 0, 7) == 1); // rows longer than the swizzle
    EXPECT(encode(step, 2, 1, 2) == 1); // integers have no NaN
    EXPECT_STATUS(cudaPeekAtLastError(), cudaSuccess);
    EXPECT(encode(steps_of_two, 2, 0, 7) == 801);                              // not available
    for (const int type : {10, 11, 12}) EXPECT(encode(step, 2, 0, type) == 0); // FTZ, TF32
    EXPECT(encode(step, 2, 0, 13) == 801);                                     // of four bits
    void* without_version = nullptr;
    EXPECT_STATUS(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &without_version, 0, &found),
                  cudaSuccess);
    EXPECT(without_version == function && found == cudaDriverEntryPointSuccess);
    EXPECT_STATUS(cudaGetDriverEntryPoint("cuTensorMapEncodeIm2col", &without_version, 0, &found),
                  cudaErrorNotSupported);
    EXPECT_STATUS(cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 12000, 0, &found),
                  cudaErrorNotSupported);
    EXPECT(found == cudaDriverEntryPointSymbolNotFound && function == nullptr);
  });
  CHECK(program.session.unsupported() ==
        std::vector<std::string>{"cuTensorMapEncodeTiled with strides between elements",
                                 "cuTensorMapEncodeTiled with this type, swizzle or interleave",
                                 "cudaGetDriverEntryPoint of 'cuTensorMapEncodeIm2col'",
                                 "cudaGetDriverEntryPointByVersion of 'cuMemAlloc'"});
  std::vector<std::string> why;
  for (const auto& error : program.session.errors()) why.push_back(device::spelled(error.why));
  REQUIRE(why.size() >= 2);
  CHECK(why[0] == "the box's row, 64 bytes, is longer than its swizzle, 32");
  CHECK(why[1] == "whole numbers have no NaN to fill with");
}
#pragma GCC diagnostic pop

TEST_CASE("memory comes with addresses of the device, and is checked when it is freed") {
  Program program;
  as_program(program, [] {
    void* p = reinterpret_cast<void*>(7);
    EXPECT_STATUS(cudaMalloc(&p, 0), cudaSuccess);
    EXPECT(p == nullptr);
    EXPECT_STATUS(cudaMalloc(static_cast<void**>(nullptr), 10), cudaErrorInvalidValue);
    p = reinterpret_cast<void*>(7);
    EXPECT_STATUS(cudaMalloc(&p, std::size_t{1} << 40), cudaErrorMemoryAllocation);
    EXPECT(p == nullptr);
    EXPECT_STATUS(cudaMalloc(&p, 1000), cudaSuccess);
    EXPECT(reinterpret_cast<std::uint64_t>(p) > kFirstAddress);
    EXPECT_STATUS(cudaFree(nullptr), cudaSuccess);
    EXPECT_STATUS(cudaFree(static_cast<char*>(p) + 4), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaFree(&p), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaFree(kOut), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaFree(p), cudaSuccess);
    EXPECT_STATUS(cudaFree(p), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaMallocAsync(&p, 100, nullptr), cudaSuccess);
    EXPECT_STATUS(cudaFreeAsync(p, nullptr), cudaSuccess);
    EXPECT_STATUS(cudaFreeAsync(nullptr, nullptr), cudaSuccess);
    std::size_t pitch = 7;
    EXPECT_STATUS(cudaMallocPitch(&p, &pitch, 513, 10), cudaSuccess);
    EXPECT(pitch == 1024);
    EXPECT_STATUS(cudaMallocPitch(&p, &pitch, 0, 10), cudaSuccess);
    EXPECT(pitch == 0 && p == nullptr);
    EXPECT_STATUS(cudaMallocPitch(&p, &pitch, ~std::size_t{0} - 5, 10), cudaErrorMemoryAllocation);
    EXPECT_STATUS(cudaMallocPitch(&p, nullptr, 10, 10), cudaErrorInvalidValue);
    std::size_t left = 0, total = 0;
    EXPECT_STATUS(cudaMemGetInfo(&left, &total), cudaSuccess);
    EXPECT(total == 150'109'880'320 && left < total);
    EXPECT_STATUS(cudaMemGetInfo(nullptr, nullptr), cudaSuccess);
  });
}

TEST_CASE("copies go the way that their pointers say, and their kind is checked") {
  Program program;
  as_program(program, [] {
    char host[64] = {1, 2, 3};
    void *d = nullptr, *q = nullptr;
    EXPECT_STATUS(cudaMalloc(&d, 1000), cudaSuccess);
    EXPECT_STATUS(cudaMalloc(&q, 1000), cudaSuccess);
    EXPECT_STATUS(cudaMemcpy(d, host, 4, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_STATUS(cudaMemcpy(d, host, 4, cudaMemcpyDefault), cudaSuccess);
    EXPECT_STATUS(cudaMemcpy(d, host, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaMemcpy(d, host, 4, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaMemcpy(host, d, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaMemcpy(host, d, 4, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaMemcpy(d, q, 4, cudaMemcpyDeviceToDevice), cudaSuccess);
    EXPECT_STATUS(cudaMemcpy(d, q, 4, cudaMemcpyHostToHost), cudaSuccess);
    EXPECT_STATUS(cudaMemcpy(d, q, 4, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_STATUS(cudaMemcpy(d, q, 4, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_STATUS(cudaMemcpy(host + 32, host, 4, cudaMemcpyHostToHost), cudaSuccess);
    EXPECT(host[34] == 3);
    EXPECT_STATUS(cudaMemcpy(host, host + 32, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaMemcpy(host, host + 32, 4, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
    const auto bogus = static_cast<cudaMemcpyKind>(7);
    EXPECT_STATUS(cudaMemcpy(d, host, 4, bogus), cudaErrorInvalidMemcpyDirection);
    EXPECT_STATUS(cudaMemcpyAsync(d, host, 4, bogus, nullptr), cudaErrorInvalidMemcpyDirection);
    EXPECT_STATUS(cudaMemcpy(d, host, 0, bogus), cudaSuccess);
    EXPECT_STATUS(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_STATUS(cudaMemcpy(nullptr, host, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaMemcpy(d, nullptr, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaMemcpy(static_cast<char*>(d) + 990, host, 12, cudaMemcpyHostToDevice),
                  cudaErrorInvalidValue);
    EXPECT_STATUS(cudaMemcpyAsync_ptsz(d, host, 4, cudaMemcpyHostToDevice, nullptr), cudaSuccess);
    EXPECT_STATUS(cudaMemcpy(host, d, 4, cudaMemcpyDeviceToHost), cudaErrorNotSupported);
    EXPECT_STATUS(cudaMemset(d, 300, 1000), cudaSuccess);
    EXPECT_STATUS(cudaMemset(d, 0, 1001), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaMemset(host, 0, 4), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaMemset(nullptr, 0, 4), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaMemset(nullptr, 0, 0), cudaSuccess);
  });
  CHECK(program.session.unsupported() == std::vector<std::string>{"cudaMemcpy"});
  const auto plan = program.recorder.take_plan();
  const auto& first = std::get<device::Upload>(plan.steps.at(2));
  CHECK(first.bytes == Bytes{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{0}});
  CHECK(std::get<device::Fill>(plan.steps.back()).value == std::byte{300 & 0xff});
}

TEST_CASE("rows are copied and filled by their pitches") {
  Program program;
  as_program(program, [] {
    std::array<unsigned char, 256> host{};
    for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<unsigned char>(i);
    EXPECT_STATUS(cudaMemcpy2D(kOut, 64, host.data(), 32, 16, 4, cudaMemcpyHostToDevice),
                  cudaSuccess);
    EXPECT_STATUS(cudaMemcpy2D(kOut, 16, host.data(), 32, 32, 4, cudaMemcpyHostToDevice),
                  cudaErrorInvalidPitchValue);
    EXPECT_STATUS(cudaMemcpy2D(kOut, 64, host.data(), 32, 0, 4, cudaMemcpyHostToDevice),
                  cudaSuccess);
    EXPECT_STATUS(cudaMemcpy2D(nullptr, 64, host.data(), 32, 32, 4, cudaMemcpyHostToDevice),
                  cudaErrorInvalidValue);
    EXPECT_STATUS(cudaMemset2D(kOut, 64, 1, 32, 4), cudaSuccess);
    EXPECT_STATUS(cudaMemset2D(kOut, 16, 1, 32, 4), cudaErrorInvalidValue);
  });
  const auto plan = program.recorder.take_plan();
  REQUIRE(plan.steps.size() == 8);
  const auto& third = std::get<device::Upload>(plan.steps[2]);
  CHECK(third.to == kFirstAddress + 128);
  CHECK(third.bytes.size() == 16);
  CHECK(third.bytes[1] == std::byte{65});
}

TEST_CASE("a large copy arrives whole, in pieces") {
  constexpr std::size_t kSize = (40 << 20) + 12;
  Program program;
  as_program(program, [] {
    std::vector<unsigned char> host(kSize);
    for (std::size_t i = 0; i < kSize; ++i) host[i] = static_cast<unsigned char>(i * 31 >> 8);
    void* d = nullptr;
    EXPECT_STATUS(cudaMalloc(&d, kSize), cudaSuccess);
    EXPECT_STATUS(cudaMemcpy(d, host.data(), kSize, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_STATUS(cudaMemcpy(static_cast<char*>(d) + 1, host.data(), kSize, cudaMemcpyHostToDevice),
                  cudaErrorInvalidValue);
  });
  const auto plan = program.recorder.take_plan();
  REQUIRE(plan.steps.size() == 4); // an allocation and three pieces; nothing of the one that fails
  std::size_t at = 0, different = 0;
  const auto start = std::get<device::Allocate>(plan.steps[0]).address;
  for (std::size_t s = 1; s < plan.steps.size(); ++s) {
    const auto& piece = std::get<device::Upload>(plan.steps[s]);
    CHECK(piece.to == start + at);
    for (const auto b : piece.bytes) {
      different += b != static_cast<std::byte>(at * 31 >> 8);
      ++at;
    }
  }
  CHECK(at == kSize);
  CHECK(different == 0);
}

TEST_CASE("a plain copy to a variable's name is told what copies to it") {
  Program program;
  as_program(program, [] {
    register_program();
    float host[4] = {};
    EXPECT_STATUS(cudaMemcpy(host, host, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaMemcpy(host, coefficients, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaMemcpy(coefficients, host, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  });
  const auto errors = program.session.errors();
  REQUIRE(errors.size() == 3);
  CHECK(errors[0].why == "the destination is not device memory");
  CHECK(device::spelled(errors[1].why).ends_with("which cudaMemcpyFromSymbol copies from"));
  CHECK(device::spelled(errors[2].why).ends_with("which cudaMemcpyToSymbol copies to"));
}

TEST_CASE("symbols are known by their stand-ins and held to their sizes") {
  Program program;
  as_program(program, [] {
    register_program();
    const float host[32] = {};
    const auto to = [&](const void* symbol, std::size_t size, std::size_t offset = 0,
                        cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
      return cudaMemcpyToSymbol(symbol, host, size, offset, kind);
    };
    EXPECT_STATUS(to(coefficients, 64), cudaSuccess);
    EXPECT_STATUS(to(coefficients, 65), cudaErrorInvalidValue);
    EXPECT_STATUS(to(coefficients, 32, 40), cudaErrorInvalidValue);
    EXPECT_STATUS(to(coefficients, 32, 32), cudaSuccess);
    EXPECT_STATUS(to(coefficients, 0), cudaSuccess);
    EXPECT_STATUS(to(coefficients, 4, ~std::size_t{0}), cudaErrorInvalidValue);
    EXPECT_STATUS(to(coefficients, 4, 0, cudaMemcpyDefault), cudaSuccess);
    EXPECT_STATUS(to(coefficients, 4, 0, cudaMemcpyDeviceToHost), cudaErrorInvalidMemcpyDirection);
    EXPECT_STATUS(to(coefficients, 4, 0, cudaMemcpyHostToHost), cudaErrorInvalidMemcpyDirection);
    EXPECT_STATUS(cudaMemcpyToSymbol(coefficients, nullptr, 4, 0, cudaMemcpyHostToDevice),
                  cudaErrorInvalidValue);
    EXPECT_STATUS(to(host, 4), cudaErrorInvalidSymbol);
    EXPECT_STATUS(to(nullptr, 4), cudaErrorInvalidSymbol);
    EXPECT_STATUS(to(coefficients + 1, 4), cudaErrorInvalidSymbol);
    EXPECT_STATUS(cudaMemcpyToSymbol(coefficients, kOut, 4, 0, cudaMemcpyDeviceToDevice),
                  cudaErrorNotSupported);
    float back[16];
    EXPECT_STATUS(cudaMemcpyFromSymbol(back, coefficients, 65, 0, cudaMemcpyDeviceToHost),
                  cudaErrorInvalidValue);
    EXPECT_STATUS(cudaMemcpyFromSymbol(back, coefficients, 4, 0, cudaMemcpyHostToDevice),
                  cudaErrorInvalidMemcpyDirection);
    EXPECT_STATUS(cudaMemcpyFromSymbol(back, coefficients, 64, 0, cudaMemcpyDeviceToHost),
                  cudaErrorNotSupported);
    std::size_t size = 0;
    EXPECT_STATUS(cudaGetSymbolSize(&size, counter), cudaSuccess);
    EXPECT(size == 32);
    EXPECT_STATUS(cudaGetSymbolSize(&size, host), cudaErrorInvalidSymbol);
    void* address = nullptr;
    EXPECT_STATUS(cudaGetSymbolAddress(&address, host), cudaErrorInvalidSymbol);
    EXPECT_STATUS(cudaGetSymbolAddress(&address, counter), cudaSuccess);
    EXPECT_STATUS(cudaMemcpy(address, back, 32, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_STATUS(cudaMemcpy(address, back, 33, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaMemcpy(kOut, address, 4, cudaMemcpyDeviceToDevice), cudaErrorNotSupported);
  });
  CHECK(program.session.unsupported() ==
        std::vector<std::string>{"cudaMemcpyToSymbol from device memory", "cudaMemcpyFromSymbol",
                                 "cudaMemcpy"});
  const auto plan = program.recorder.take_plan();
  REQUIRE(plan.steps.size() == 4);
  CHECK(std::get<device::SymbolUpload>(plan.steps[3]).bytes.size() == 32);
}

TEST_CASE("a kernel answers for itself") {
  Program program;
  as_program(program, [] {
    register_program();
    cudaFuncAttributes a;
    EXPECT_STATUS(cudaFuncGetAttributes(&a, kFill), cudaSuccess);
    EXPECT(a.sharedSizeBytes == 4096 && a.constSizeBytes == 64 && a.maxThreadsPerBlock == 256);
    EXPECT(a.numRegs == 40 && a.ptxVersion == 90 && a.binaryVersion == 90);
    EXPECT(a.maxDynamicSharedSizeBytes == 49152 - 4096 && a.preferredShmemCarveout == -1);
    EXPECT_STATUS(cudaFuncGetAttributes(nullptr, kFill), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaFuncGetAttributes(&a, kNoKernel), cudaErrorInvalidResourceHandle);
    EXPECT_STATUS(cudaFuncGetAttributes(&a, nullptr), cudaErrorInvalidDeviceFunction);
    EXPECT_STATUS(cudaFuncSetCacheConfig(kFill, cudaFuncCachePreferShared), cudaSuccess);
    EXPECT_STATUS(cudaFuncSetCacheConfig(kFill, static_cast<cudaFuncCache>(9)),
                  cudaErrorInvalidValue);
    const char* name = nullptr;
    EXPECT_STATUS(cudaFuncGetName(&name, kFill), cudaSuccess);
    EXPECT(name && std::strcmp(name, "_Z4fillPf") == 0);
    std::size_t offset = 0, size = 0;
    EXPECT_STATUS(cudaFuncGetParamInfo(kTranspose, 3, &offset, &size), cudaSuccess);
    EXPECT(offset == 20 && size == 4);
    EXPECT_STATUS(cudaFuncGetParamInfo(kTranspose, 4, &offset, &size), cudaErrorInvalidValue);
    int blocks = 0;
    EXPECT_STATUS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kTranspose, 1024, 0),
                  cudaSuccess);
    EXPECT(blocks == 2);
    EXPECT_STATUS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kTranspose, 0, 0),
                  cudaErrorInvalidValue);
    EXPECT_STATUS(
        cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, kTranspose, 32, 0, 2),
        cudaErrorInvalidValue);
    std::size_t bytes = 0;
    EXPECT_STATUS(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kTranspose, 8, 256),
                  cudaSuccess);
    EXPECT(bytes == 29184 - 4224);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(16);
    config.blockDim = dim3(256);
    int most = 0;
    EXPECT_STATUS(cudaOccupancyMaxPotentialClusterSize(&most, kFill, &config), cudaSuccess);
    EXPECT(most == 8);
    EXPECT_STATUS(cudaFuncSetAttribute(kFill, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
                  cudaSuccess);
    EXPECT_STATUS(cudaOccupancyMaxPotentialClusterSize(&most, kFill, &config), cudaSuccess);
    EXPECT(most == 16);
    EXPECT_STATUS(cudaFuncGetAttributes(&a, kFill), cudaSuccess);
    EXPECT(a.nonPortableClusterSizeAllowed == 1);
    config.dynamicSmemBytes = 1 << 20;
    EXPECT_STATUS(cudaOccupancyMaxPotentialClusterSize(&most, kFill, &config), cudaSuccess);
    EXPECT(most == 0);
    EXPECT_STATUS(cudaOccupancyMaxPotentialClusterSize(nullptr, kFill, &config),
                  cudaErrorInvalidValue);
  });
}

TEST_CASE("a launcher has no cuBLAS, which would do its work on the host") {
  Program program;
  as_program(program, [] {
    void* handle = nullptr;
    EXPECT(cublasCreate_v2(&handle) == 15); // CUBLAS_STATUS_NOT_SUPPORTED
    EXPECT(handle == nullptr);
    EXPECT(cublasSgemm_v2() == 15);
    EXPECT(cublasSsyrk_v2() == 15);
  });
  CHECK(program.session.unsupported() ==
        std::vector<std::string>{"cublasCreate", "cublasSgemm", "cublasSsyrk"});
}

TEST_CASE("the device is one H200") {
  Program program;
  as_program(program, [] {
    int n = 7;
    EXPECT_STATUS(cudaGetDeviceCount(&n), cudaSuccess);
    EXPECT(n == 1);
    EXPECT_STATUS(cudaGetDevice(&n), cudaSuccess);
    EXPECT(n == 0);
    EXPECT_STATUS(cudaSetDevice(0), cudaSuccess);
    EXPECT_STATUS(cudaSetDevice(1), cudaErrorInvalidDevice);
    EXPECT_STATUS(cudaSetDevice(-1), cudaErrorInvalidDevice);
    cudaDeviceProp p;
    EXPECT_STATUS(cudaGetDeviceProperties(&p, 0), cudaSuccess);
    EXPECT(std::strcmp(p.name, "NVIDIA H200") == 0);
    EXPECT(p.major == 9 && p.minor == 0 && p.multiProcessorCount == 132 && p.warpSize == 32);
    EXPECT(p.sharedMemPerBlock == 49152 && p.sharedMemPerBlockOptin == 232448);
    EXPECT(p.sharedMemPerMultiprocessor == 233472 && p.reservedSharedMemPerBlock == 1024);
    EXPECT(p.maxThreadsDim[2] == 64 && p.maxGridSize[1] == 65535 && p.totalConstMem == 65536);
    EXPECT(p.l2CacheSize == 60 << 20 && p.maxThreadsPerMultiProcessor == 2048);
    EXPECT_STATUS(cudaGetDeviceProperties(&p, 1), cudaErrorInvalidDevice);
    EXPECT_STATUS(cudaGetDeviceProperties(nullptr, 0), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaDeviceGetAttribute(&n, cudaDevAttrClockRate, 0), cudaSuccess);
    EXPECT(n == 1'980'000);
    EXPECT_STATUS(cudaDeviceGetAttribute(&n, static_cast<cudaDeviceAttr>(0), 0),
                  cudaErrorInvalidValue);
    EXPECT_STATUS(cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 5), cudaErrorInvalidDevice);
    EXPECT_STATUS(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaRuntimeGetVersion(&n), cudaSuccess);
    EXPECT(n == 13000);
    std::size_t limit = 0;
    EXPECT_STATUS(cudaDeviceGetLimit(&limit, cudaLimitStackSize), cudaSuccess);
    EXPECT(limit == 1024);
    EXPECT_STATUS(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimeSyncDepth),
                  cudaErrorUnsupportedLimit);
    EXPECT_STATUS(cudaDeviceSetLimit(static_cast<cudaLimit>(77), 1), cudaErrorInvalidValue);
    char place[16];
    EXPECT_STATUS(cudaDeviceGetPCIBusId(place, sizeof place, 0), cudaSuccess);
    for (const char* text : {static_cast<const char*>(place), "00:00.0", "0:0:0"}) {
      n = 7;
      EXPECT_STATUS(cudaDeviceGetByPCIBusId(&n, text), cudaSuccess);
      EXPECT(n == 0);
    }
    EXPECT_STATUS(cudaDeviceGetByPCIBusId(&n, "0000:65:00.0"), cudaErrorInvalidDevice);
    EXPECT_STATUS(cudaDeviceGetByPCIBusId(&n, "the first"), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaDeviceReset(), cudaSuccess);
  });
}

TEST_CASE("the grader hears which stream work is of, and what waits for what") {
  Program program;
  as_program(program, [] {
    register_program();
    void* to = kOut;
    void* arguments[] = {&to};
    cudaEvent_t event = nullptr;
    EXPECT_STATUS(cudaEventCreate(&event), cudaSuccess);
    EXPECT_STATUS(cudaEventRecord(event, nullptr), cudaSuccess); // nobody needs to know yet
    EXPECT_STATUS(cudaDeviceSynchronize(), cudaSuccess);
    cudaStream_t one = nullptr, two = nullptr;
    EXPECT_STATUS(cudaStreamCreate(&one), cudaSuccess);
    EXPECT_STATUS(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking), cudaSuccess);
    EXPECT_STATUS(cudaLaunchKernel(kFill, dim3(1), dim3(32), arguments, 0, one), cudaSuccess);
    EXPECT_STATUS(cudaEventRecord(event, one), cudaSuccess);
    EXPECT_STATUS(cudaStreamWaitEvent(two, event, 0), cudaSuccess);
    EXPECT_STATUS(cudaMemsetAsync(to, 1, 4, two), cudaSuccess);
    EXPECT_STATUS(cudaMemset(to, 1, 4), cudaSuccess);
    EXPECT_STATUS(cudaStreamSynchronize(two), cudaSuccess);
    EXPECT_STATUS(cudaEventSynchronize(event), cudaSuccess);
    EXPECT_STATUS(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_STATUS(cudaLaunchHostFunc(
                      one, [](void*) {}, nullptr),
                  cudaSuccess);
  });
  std::vector<std::string> told;
  for (const auto& step : program.recorder.take_plan().steps) {
    const auto* call = std::get_if<device::StreamCall>(&step);
    if (!call)
      told.push_back(std::holds_alternative<device::Launch>(step) ? "launch" : "fill");
    else
      told.push_back(std::to_string(static_cast<int>(call->what)) + ":" +
                     std::to_string(call->stream) + "," + std::to_string(call->event));
  }
  CHECK(told == std::vector<std::string>{"0:1,0", "1:2,0", "2:1,0", "launch", "3:1,1", "4:2,1",
                                         "2:2,0", "fill", "2:0,0", "fill", "5:2,0", "6:0,1",
                                         "7:0,0", "5:1,0"});
}

TEST_CASE("who asks whether work is done hears once that it is not, and has not waited") {
  Program program;
  as_program(program, [] {
    register_program();
    void* to = kOut;
    cudaStream_t one = nullptr, two = nullptr;
    cudaEvent_t event = nullptr;
    EXPECT_STATUS(cudaStreamCreate(&one), cudaSuccess);
    EXPECT_STATUS(cudaStreamCreate(&two), cudaSuccess);
    EXPECT_STATUS(cudaEventCreate(&event), cudaSuccess);
    EXPECT_STATUS(cudaEventQuery(event), cudaSuccess);
    EXPECT_STATUS(cudaMemsetAsync(to, 1, 4, one), cudaSuccess);
    EXPECT_STATUS(cudaEventRecord(event, one), cudaSuccess);
    EXPECT_STATUS(cudaStreamQuery(two), cudaSuccess); // which is a wait
    EXPECT_STATUS(cudaMemsetAsync(to, 1, 4, one), cudaSuccess);
    EXPECT_STATUS(cudaEventRecord(event, one), cudaSuccess);
    EXPECT_STATUS(cudaEventQuery(event), cudaErrorNotReady);
    EXPECT_STATUS(cudaStreamQuery(one), cudaErrorNotReady);
    EXPECT_STATUS(cudaGetLastError(), cudaSuccess);
    EXPECT_STATUS(cudaEventQuery(event), cudaSuccess);
    EXPECT_STATUS(cudaStreamQuery(one), cudaSuccess);
    EXPECT_STATUS(cudaMemsetAsync(to, 1, 4, one), cudaSuccess);
    EXPECT_STATUS(cudaEventRecord(event, one), cudaSuccess);
    EXPECT_STATUS(cudaStreamSynchronize(one), cudaSuccess);
    EXPECT_STATUS(cudaEventQuery(event), cudaSuccess);
    EXPECT_STATUS(cudaStreamQuery(one), cudaSuccess);
    EXPECT_STATUS(cudaEventQuery(nullptr), cudaErrorInvalidResourceHandle);
  });
  std::string waits; // one that heard no is none of them
  for (const auto& step : program.recorder.take_plan().steps)
    if (const auto* call = std::get_if<device::StreamCall>(&step))
      waits += std::to_string(static_cast<int>(call->what));
  CHECK(waits == "0062353653565");
}

TEST_CASE("streams and events are in order, and time is refused") {
  Program program;
  as_program(program, [] {
    cudaStream_t stream = nullptr;
    EXPECT_STATUS(cudaStreamCreate(&stream), cudaSuccess);
    EXPECT_STATUS(cudaStreamCreate(nullptr), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaStreamCreateWithFlags(&stream, 99), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaStreamQuery(stream), cudaSuccess);
    cudaStreamAttrValue window{}, kept{};
    window.accessPolicyWindow.num_bytes = 4096;
    EXPECT_STATUS(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window),
                  cudaSuccess);
    EXPECT_STATUS(cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &kept),
                  cudaSuccess);
    EXPECT(kept.accessPolicyWindow.num_bytes == 4096);
    EXPECT_STATUS(cudaStreamGetAttribute(nullptr, cudaStreamAttributeAccessPolicyWindow, &kept),
                  cudaSuccess);
    EXPECT(kept.accessPolicyWindow.num_bytes == 0);
    EXPECT_STATUS(cudaStreamGetAttribute(stream, cudaStreamAttributePriority, &kept), cudaSuccess);
    EXPECT(kept.priority == 0);
    EXPECT_STATUS(cudaStreamSetAttribute(stream, cudaLaunchAttributeClusterDimension, &window),
                  cudaErrorInvalidValue);
    EXPECT_STATUS(cudaCtxResetPersistingL2Cache(), cudaSuccess);
    EXPECT_STATUS(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
    cudaEvent_t event = nullptr, untimed = nullptr;
    EXPECT_STATUS(cudaEventCreate(&event), cudaSuccess);
    EXPECT_STATUS(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming), cudaSuccess);
    EXPECT_STATUS(cudaEventCreateWithFlags(&untimed, 99), cudaErrorInvalidValue);
    float ms = -1;
    EXPECT_STATUS(cudaEventElapsedTime(&ms, event, event), cudaErrorInvalidResourceHandle);
    EXPECT_STATUS(cudaEventRecord(event, stream), cudaSuccess);
    EXPECT_STATUS(cudaEventRecord(untimed, nullptr), cudaSuccess);
    EXPECT_STATUS(cudaEventSynchronize(event), cudaSuccess);
    EXPECT_STATUS(cudaEventQuery(event), cudaSuccess);
    EXPECT_STATUS(cudaStreamWaitEvent(stream, event, 0), cudaSuccess);
    EXPECT_STATUS(cudaEventElapsedTime(&ms, event, untimed), cudaErrorInvalidResourceHandle);
    EXPECT_STATUS(cudaEventElapsedTime(nullptr, event, event), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaEventElapsedTime(&ms, event, event), cudaErrorNotSupported);
    EXPECT(ms == -1);
    int ran = 0;
    EXPECT_STATUS(cudaLaunchHostFunc(
                      stream, [](void* count) { ++*static_cast<int*>(count); }, &ran),
                  cudaSuccess);
    EXPECT(ran == 1);
    EXPECT_STATUS(cudaEventDestroy(event), cudaSuccess);
    EXPECT_STATUS(cudaEventDestroy(event), cudaErrorInvalidResourceHandle);
    EXPECT_STATUS(cudaEventRecord(nullptr, nullptr), cudaErrorInvalidResourceHandle);
    EXPECT_STATUS(cudaStreamDestroy(stream), cudaSuccess);
    EXPECT_STATUS(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
    EXPECT_STATUS(cudaStreamDestroy(nullptr), cudaErrorInvalidResourceHandle);
    EXPECT_STATUS(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  });
  CHECK(program.session.unsupported() == std::vector<std::string>{"cudaEventElapsedTime"});
}

TEST_CASE("page-locked memory is memory, and pointers are told apart") {
  Program program;
  as_program(program, [] {
    void* h = reinterpret_cast<void*>(7);
    EXPECT_STATUS(cudaMallocHost(&h, 0), cudaSuccess);
    EXPECT(h == nullptr);
    EXPECT_STATUS(cudaMallocHost(static_cast<void**>(nullptr), 100), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaHostAlloc(&h, 100, 77777), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaMallocHost(&h, 100), cudaSuccess);
    std::memset(h, 1, 100);
    cudaPointerAttributes a;
    const auto type = [&](const void* p) {
      EXPECT_STATUS(cudaPointerGetAttributes(&a, p), cudaSuccess);
      return a.type;
    };
    EXPECT(type(h) == cudaMemoryTypeHost);
    EXPECT(type(static_cast<char*>(h) + 99) == cudaMemoryTypeHost);
    EXPECT(type(kOut) == cudaMemoryTypeDevice && a.devicePointer == kOut && !a.hostPointer);
    EXPECT(type(static_cast<char*>(kOut) + 1024) == cudaMemoryTypeUnregistered && a.device == -2);
    EXPECT(type(&a) == cudaMemoryTypeUnregistered && a.hostPointer == &a);
    EXPECT(type(nullptr) == cudaMemoryTypeUnregistered);
    EXPECT_STATUS(cudaPointerGetAttributes(nullptr, h), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaFree(h), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaFreeHost(nullptr), cudaSuccess);
    EXPECT_STATUS(cudaFreeHost(&a), cudaErrorInvalidValue);
    unsigned flags = 77;
    EXPECT_STATUS(cudaHostGetFlags(&flags, static_cast<char*>(h) + 99), cudaSuccess);
    EXPECT(flags == cudaHostAllocMapped);
    EXPECT_STATUS(cudaFreeHost(h), cudaSuccess);
    EXPECT_STATUS(cudaHostGetFlags(&flags, h), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaHostAlloc(&h, 64, cudaHostAllocPortable | cudaHostAllocWriteCombined),
                  cudaSuccess);
    EXPECT_STATUS(cudaHostGetFlags(&flags, h), cudaSuccess);
    EXPECT(flags == (cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined));
    EXPECT_STATUS(cudaHostGetFlags(nullptr, h), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaFreeHost(h), cudaSuccess);
    char own[64];
    EXPECT_STATUS(cudaHostRegister(own, 64, 0), cudaSuccess);
    EXPECT(type(own + 63) == cudaMemoryTypeHost);
    EXPECT_STATUS(cudaHostGetFlags(&flags, own + 63), cudaSuccess);
    EXPECT(flags == cudaHostRegisterMapped);
    EXPECT_STATUS(cudaHostRegister(own, 64, 0), cudaErrorHostMemoryAlreadyRegistered);
    EXPECT_STATUS(cudaHostUnregister(own), cudaSuccess);
    EXPECT_STATUS(cudaHostUnregister(own), cudaErrorHostMemoryNotRegistered);
    EXPECT_STATUS(cudaHostGetFlags(&flags, own), cudaErrorInvalidValue);
  });
}

TEST_CASE("mapped host memory is at one address for the program and for kernels") {
  const auto device = emulator::make_live({});
  LiveExecutor executor(*device);
  Session session(executor, std::nullopt);
  serve_to(session, [] {
    void *mapped = nullptr, *plain = nullptr, *there = nullptr;
    EXPECT_STATUS(cudaHostAlloc(&mapped, 4096, cudaHostAllocMapped), cudaSuccess);
    std::memset(mapped, 7, 4096);
    EXPECT_STATUS(cudaHostGetDevicePointer(&there, mapped, 0), cudaSuccess);
    EXPECT(there == mapped);
    cudaPointerAttributes of;
    EXPECT_STATUS(cudaPointerGetAttributes(&of, mapped), cudaSuccess);
    EXPECT(of.type == cudaMemoryTypeHost && of.devicePointer == mapped);
    EXPECT_STATUS(cudaMemset(there, 3, 4), cudaSuccess); // by the device
    EXPECT_STATUS(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT(static_cast<char*>(mapped)[3] == 3 && static_cast<char*>(mapped)[4] == 7);
    EXPECT_STATUS(cudaHostGetDevicePointer(&there, mapped, 1), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaHostGetDevicePointer(nullptr, mapped, 0), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaHostGetDevicePointer(&there, &there, 0), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaMallocHost(&plain, 100), cudaSuccess);
    EXPECT_STATUS(cudaHostGetDevicePointer(&there, plain, 0), cudaErrorNotSupported);
    EXPECT_STATUS(cudaFreeHost(plain), cudaSuccess);
    EXPECT_STATUS(cudaFreeHost(mapped), cudaSuccess);
    EXPECT_STATUS(cudaFreeHost(mapped), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaHostAlloc(&mapped, 64, cudaHostAllocMapped), cudaSuccess);
    EXPECT_STATUS(cudaFree(mapped), cudaSuccess); // the wrong call
    EXPECT_STATUS(cudaFreeHost(mapped), cudaErrorInvalidValue);
  });
  REQUIRE(session.unsupported().size() == 1);
  CHECK(session.unsupported()[0] == "cudaHostGetDevicePointer in a function that is graded");
}

TEST_CASE("a call that is not there is refused by its name") {
  Program program;
  as_program(program, [] {
    cudaIpcMemHandle_t handle;
    EXPECT_STATUS(cudaIpcGetMemHandle(&handle, kOut), cudaErrorNotSupported);
    EXPECT_STATUS(cudaGetLastError(), cudaErrorNotSupported);
  });
  CHECK(program.session.unsupported() ==
        std::vector<std::string>{"cudaIpcGetMemHandle between processes that have a device each"});
}

TEST_CASE("an allocation in a stream that is captured is refused by its name, and is no mistake") {
  Program program;
  as_program(program, [] {
    cudaStream_t stream = nullptr;
    EXPECT_STATUS(cudaStreamCreate(&stream), cudaSuccess);
    EXPECT_STATUS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    void* memory = nullptr;
    EXPECT_STATUS(cudaMallocAsync(&memory, 64, stream), cudaErrorNotSupported);
  });
  CHECK(program.session.unsupported() ==
        std::vector<std::string>{"cudaMallocAsync while its stream is captured"});
}

TEST_CASE("a graph is written in the language of Graphviz") {
  Program program;
  as_program(program, [] {
    register_program();
    cudaGraph_t graph = nullptr, inner = nullptr;
    cudaGraphNode_t filled = nullptr, launched = nullptr, whole = nullptr;
    EXPECT_STATUS(cudaGraphCreate(&graph, 0), cudaSuccess);
    EXPECT_STATUS(cudaGraphCreate(&inner, 0), cudaSuccess);
    EXPECT_STATUS(cudaGraphAddEmptyNode(&whole, inner, nullptr, 0), cudaSuccess);
    cudaMemsetParams fill = {};
    fill.dst = kOut;
    fill.elementSize = 4;
    fill.width = 16;
    fill.height = 1;
    EXPECT_STATUS(cudaGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill), cudaSuccess);
    void* to = kOut;
    void* arguments[] = {&to};
    cudaKernelNodeParams kernel = {};
    kernel.func = const_cast<void*>(kFill);
    kernel.gridDim = dim3(2);
    kernel.blockDim = dim3(32);
    kernel.kernelParams = arguments;
    EXPECT_STATUS(cudaGraphAddKernelNode(&launched, graph, &filled, 1, &kernel), cudaSuccess);
    EXPECT_STATUS(cudaGraphAddChildGraphNode(&whole, graph, &launched, 1, inner), cudaSuccess);
    char name[] = "/tmp/course_graph_XXXXXX";
    close(mkstemp(name));
    EXPECT_STATUS(cudaGraphDebugDotPrint(graph, name, cudaGraphDebugDotFlagsVerbose), cudaSuccess);
    std::ifstream file(name);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::remove(name);
    const std::string picture = R"dot(digraph {
subgraph cluster_1 {
label="graph_1" graph[style="dashed"];
"graph_1_node_0"[style="solid" shape="rectangle" label="0
MEMSET
(64 bytes)"];
"graph_1_node_1"[style="bold" shape="octagon" label="1
fill(float*)
<<<(2,1,1), (32,1,1), 0>>>"];
"graph_1_node_2"[style="solid" shape="rectangle" label="2
GRAPH"];
"graph_1_node_0" -> "graph_1_node_1";
"graph_1_node_1" -> "graph_1_node_2";
}
subgraph cluster_2 {
label="graph_2" graph[style="dashed"];
"graph_2_node_0"[style="solid" shape="rectangle" label="0
EMPTY"];
}
}
)dot";
    EXPECT(text == picture);
    EXPECT_STATUS(cudaGraphDebugDotPrint(graph, "/nowhere/at all", 0), cudaErrorOperatingSystem);
    EXPECT_STATUS(cudaGraphDebugDotPrint(graph, nullptr, 0), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaGraphDestroy(graph), cudaSuccess);
    EXPECT_STATUS(cudaGraphDebugDotPrint(graph, name, 0), cudaErrorInvalidValue);
  });
}

namespace {

// Whether this process may read there: the kernel says it, where a look would end the process.
bool is_readable(const void* at) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  const bool readable = write(ends[1], at, 1) == 1;
  close(ends[0]);
  close(ends[1]);
  return readable;
}

} // namespace

TEST_CASE(
    "what a graded function writes to managed memory is sent before the device may touch it") {
  Program program;
  as_program(program, [] {
    register_program();
    void *first = nullptr, *two = nullptr, *no = nullptr;
    EXPECT_STATUS(cudaMallocManaged(&first, 3 * 4096 + 100, cudaMemAttachGlobal), cudaSuccess);
    EXPECT_STATUS(cudaHostAlloc(&two, 10, cudaHostAllocMapped), cudaSuccess);
    EXPECT_STATUS(cudaMallocManaged(&no, 10, 77), cudaErrorInvalidValue);
    auto* const one = static_cast<std::byte*>(first);
    std::memset(one + 4096, 7, 4096); // of four pages one and the last are written
    std::memset(one + 3 * 4096, 8, 100);
    EXPECT_STATUS(cudaMemset(kOut, 0, 4), cudaSuccess); // touches neither
    std::memset(two, 9, 10);
    EXPECT(is_readable(one) && is_readable(two));
    EXPECT_STATUS(cudaMemset(two, 1, 4), cudaSuccess);
    EXPECT(is_readable(one) && !is_readable(two));
    void* to = kOut;
    void* arguments[] = {&to};
    EXPECT_STATUS(cudaLaunchKernel(kFill, dim3(1), dim3(32), arguments, 0, nullptr), cudaSuccess);
    EXPECT(!is_readable(one));
    EXPECT_STATUS(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_STATUS(cudaFree(first), cudaSuccess);
    EXPECT_STATUS(cudaFreeHost(two), cudaSuccess);
  });
  CHECK(program.session.unsupported().empty());
  std::vector<std::pair<std::uint64_t, std::size_t>> sent; // first byte, bytes
  for (const auto& step : program.recorder.take_plan().steps)
    if (const auto* upload = std::get_if<device::Upload>(&step))
      sent.emplace_back(std::to_integer<std::uint64_t>(upload->bytes[0]), upload->bytes.size());
  CHECK(sent == std::vector<std::pair<std::uint64_t, std::size_t>>{{9, 10}, {7, 4096}, {8, 100}});
}

TEST_CASE("what a captured stream is given is done when its graph is launched") {
  Program program;
  as_program(program, [] {
    cudaStream_t stream = nullptr;
    EXPECT_STATUS(cudaStreamCreate(&stream), cudaSuccess);
    EXPECT_STATUS(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal),
                  cudaErrorStreamCaptureUnsupported);
    EXPECT_STATUS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    EXPECT_STATUS(cudaStreamIsCapturing(stream, &status), cudaSuccess);
    EXPECT_STATUS(status == cudaStreamCaptureStatusActive ? cudaSuccess : cudaErrorUnknown,
                  cudaSuccess);
    EXPECT_STATUS(cudaMemsetAsync(kOut, 1, 64, stream), cudaSuccess);
    cudaGraph_t graph = nullptr;
    EXPECT_STATUS(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    cudaGraphExec_t ready = nullptr;
    EXPECT_STATUS(cudaGraphInstantiate(&ready, graph, 0), cudaSuccess);
    EXPECT_STATUS(cudaGraphDestroy(graph), cudaSuccess);
    EXPECT_STATUS(cudaGraphDestroy(graph), cudaErrorInvalidValue);
    EXPECT_STATUS(cudaGraphLaunch(ready, stream), cudaSuccess);
    EXPECT_STATUS(cudaGraphLaunch(ready, stream), cudaSuccess);
    EXPECT_STATUS(cudaGraphExecDestroy(ready), cudaSuccess);
    EXPECT_STATUS(cudaGraphLaunch(ready, stream), cudaErrorInvalidValue);
  });
  std::size_t fills = 0;
  for (const auto& step : program.recorder.take_plan().steps)
    fills += std::holds_alternative<device::Fill>(step) ? 1 : 0;
  CHECK(fills == 2);
}

TEST_CASE("nodes of a graph that wait for each other in a circle are refused") {
  Program program;
  as_program(program, [] {
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t first = nullptr, second = nullptr;
    EXPECT_STATUS(cudaGraphCreate(&graph, 0), cudaSuccess);
    EXPECT_STATUS(cudaGraphAddEmptyNode(&first, graph, nullptr, 0), cudaSuccess);
    EXPECT_STATUS(cudaGraphAddEmptyNode(&second, graph, &first, 1), cudaSuccess);
    EXPECT_STATUS(cudaGraphAddDependencies(graph, &second, &first, nullptr, 1), cudaSuccess);
    cudaGraphExec_t ready = nullptr;
    EXPECT_STATUS(cudaGraphInstantiate(&ready, graph, 0), cudaErrorInvalidValue);
  });
}

TEST_CASE("code that the grader does not know fails at the launch, and the reason is kept") {
  Program program;
  program.modules[0].ptx = "other code";
  as_program(program, [] {
    register_program();
    cudaGetLastError();
    EXPECT_STATUS(fill(kOut, dim3(1), dim3(32)), cudaErrorInvalidKernelImage);
    EXPECT_STATUS(cudaGetLastError(), cudaErrorInvalidKernelImage);
  });
  CHECK(program.session.errors().at(0).why == "device code that nvcc did not make of this file");
}

TEST_CASE("after a kernel has failed every call says so, and the process's own do not") {
  LostContext executor;
  Session session(executor, program_call());
  serve_to(session, [] {
    register_program();
    void* p = nullptr;
    EXPECT_STATUS(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    EXPECT_STATUS(cudaGetLastError(), cudaErrorIllegalAddress);
    EXPECT_STATUS(cudaGetLastError(), cudaSuccess);
    EXPECT_STATUS(cudaMalloc(&p, 10), cudaErrorIllegalAddress);
    EXPECT_STATUS(cudaFree(nullptr), cudaErrorIllegalAddress);
    cudaEvent_t event = nullptr;
    EXPECT_STATUS(cudaEventCreate(&event), cudaErrorIllegalAddress);
    EXPECT_STATUS(fill(kOut, dim3(1), dim3(32)), cudaErrorIllegalAddress);
    int device = 7;
    EXPECT_STATUS(cudaGetDevice(&device), cudaSuccess);
    EXPECT_STATUS(cudaGetDeviceCount(&device), cudaSuccess);
    EXPECT_STATUS(cudaSetDevice(0), cudaSuccess);
  });
}

TEST_CASE("a program started by hand is told how to start it, and finds no device") {
  int out[2];
  REQUIRE(pipe(out) == 0);
  const pid_t child = in_child(-1, [&] {
    dup2(out[1], 2);
    int count = 7;
    void* p = nullptr;
    const bool right = cudaGetDeviceCount(&count) == cudaErrorNoDevice && count == 0 &&
                       cudaMalloc(&p, 10) == cudaErrorNoDevice &&
                       cudaGetLastError() == cudaErrorNoDevice;
    register_program();
    wrong = right && fill(p, dim3(1), dim3(1)) == cudaErrorNoDevice ? 0 : 1;
  });
  close(out[1]);
  std::string said;
  char buffer[512];
  for (ssize_t got; (got = read(out[0], buffer, sizeof buffer)) > 0;) {
    said.append(buffer, static_cast<std::size_t>(got));
  }
  close(out[0]);
  CHECK(exit_code(child) == 0);
  CHECK(said == "course: this program uses the course's CUDA runtime, which has no GPU of its own; "
                "start it with `course run PROGRAM`\n");
}

TEST_CASE("every function of NVIDIA's library is there, with its version") {
  void* library = dlopen(COURSE_BINARY_DIR "/lib/course/libcudart.so.13", RTLD_NOW);
  REQUIRE(library);
  std::size_t count = 0;
#define COURSE_CUDA_FUNCTION(name)                                                                 \
  CHECK_MESSAGE(dlvsym(library, #name, "libcudart.so.13") != nullptr, #name);                      \
  ++count;
#include "runtime/client/functions.def"
#undef COURSE_CUDA_FUNCTION
  CHECK(count == 422);
}

TEST_CASE("errors have the names and texts of CUDA") {
  CHECK(cudaGetErrorName(cudaErrorInvalidValue) == std::string("cudaErrorInvalidValue"));
  CHECK(cudaGetErrorString(cudaErrorMemoryAllocation) == std::string("out of memory"));
  CHECK(cudaGetErrorString(static_cast<cudaError_t>(12345)) ==
        std::string("unrecognized error code"));
}

} // namespace course::runtime
