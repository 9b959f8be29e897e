// Launches kernels of a module once, one after the other, as the pairs of
// grader/device/emulator/findings want it: bench/racecheck.py runs it under compute-sanitizer.
//
//   racecheck MODULE.cubin BLOCKS THREADS DYNAMIC_SHARED KERNEL…
//
// `out` and `in` have 1,024 words; `out` begins as zeros, `in` as 1, 2, 3 … Prints "completed" when
// all have run to their ends.
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <numeric>
#include <vector>

namespace {

constexpr std::size_t kWords = 1024;

void check(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  const char* text = nullptr;
  cuGetErrorString(result, &text);
  std::fprintf(stderr, "%s: %s\n", what, text ? text : "unknown error");
  std::exit(1);
}

CUdeviceptr buffer(const std::vector<int>& contents) {
  CUdeviceptr made = 0;
  check(cuMemAlloc(&made, contents.size() * sizeof(int)), "cuMemAlloc");
  check(cuMemcpyHtoD(made, contents.data(), contents.size() * sizeof(int)), "cuMemcpyHtoD");
  return made;
}

} // namespace

int main(int count, char** words) {
  if (count < 6) {
    std::fprintf(stderr, "racecheck MODULE.cubin BLOCKS THREADS DYNAMIC_SHARED KERNEL...\n");
    return 2;
  }
  const auto number = [&](int i) { return static_cast<unsigned>(std::atoi(words[i])); };
  CUdevice device;
  CUcontext context;
  CUmodule module;
  check(cuInit(0), "cuInit");
  check(cuDeviceGet(&device, 0), "cuDeviceGet");
  check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  check(cuModuleLoad(&module, words[1]), words[1]);
  std::vector<int> numbers(kWords);
  CUdeviceptr out = buffer(numbers);
  std::iota(numbers.begin(), numbers.end(), 1);
  CUdeviceptr in = buffer(numbers);
  for (int i = 5; i < count; ++i) {
    CUfunction kernel;
    check(cuModuleGetFunction(&kernel, module, words[i]), words[i]);
    void* arguments[] = {&out, &in};
    check(cuLaunchKernel(kernel, number(2), 1, 1, number(3), 1, 1, number(4), nullptr, arguments,
                         nullptr),
          words[i]);
  }
  check(cuCtxSynchronize(), words[5]);
  std::printf("completed\n");
}
