// The driver API: a module from PTX that NVRTC makes while the program runs, its kernels and
// variables, memory, launches, streams and events.
//   nvcc -arch=sm_90 -cudart shared -o driver driver.cu -lcuda -lnvrtc
// Its twins, by the argument: 1: a kernel is asked for by another name than it has in the module.
// 2: no context is current.
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <nvrtc.h>
#include <string>
#include <vector>

const char* const kSource = R"(
__constant__ float factors[2];
__device__ int launches;
extern "C" __global__ void scale(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = data[i] * factors[0] + factors[1];
  if (i == 0) atomicAdd(&launches, 1);
}
extern "C" __global__ void reverse(float* data) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
)";

int wrong = 0;
void check(CUresult error, const char* call) {
  if (error == CUDA_SUCCESS) return;
  const char* name = "?";
  cuGetErrorName(error, &name);
  printf("%s: %s\n", call, name);
  ++wrong;
}
#define CHECK(call) check((call), #call)

std::string compiled() {
  nvrtcProgram program;
  nvrtcCreateProgram(&program, kSource, "scale.cu", 0, nullptr, nullptr);
  const char* options[] = {"--gpu-architecture=compute_90", "-lineinfo"};
  if (nvrtcCompileProgram(program, 2, options) != NVRTC_SUCCESS) return {};
  size_t size = 0;
  nvrtcGetPTXSize(program, &size);
  std::string ptx(size, '\0');
  nvrtcGetPTX(program, &ptx[0]);
  nvrtcDestroyProgram(&program);
  return ptx;
}

// Memory of a pool, in the order of a stream.
void take_from_pool(CUstream stream, CUevent event) {
  CUmemLocation where{};
  where.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemoryPool pool = nullptr, common = nullptr;
  cuuint64_t keep = 1 << 20, kept = 0;
  CUdeviceptr memory = 0;
  CHECK(cuMemGetDefaultMemPool(&pool, &where, CU_MEM_ALLOCATION_TYPE_PINNED));
  CHECK(cuDeviceGetDefaultMemPool(&common, 0));
  CHECK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep));
  CHECK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &kept));
  CHECK(cuMemAllocFromPoolAsync(&memory, 4096, pool, stream));
  CHECK(cuMemsetD32Async(memory, 7, 1024, stream));
  CHECK(cuMemFreeAsync(memory, stream));
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuMemPoolTrimTo(pool, 0));
  wrong += pool != common || kept != keep;

  // Streams and pools know their context, current or not.
  CUcontext before = nullptr, of_stream = nullptr;
  CUstreamCaptureStatus capturing = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  CHECK(cuCtxGetCurrent(&before));
  CHECK(cuCtxSetCurrent(nullptr));
  CHECK(cuStreamGetCtx(stream, &of_stream));
  CHECK(cuStreamIsCapturing(stream, &capturing));
  CHECK(cuEventRecord(event, stream));
  CHECK(cuMemAllocFromPoolAsync(&memory, 4096, pool, stream));
  CHECK(cuMemFreeAsync(memory, stream));
  CHECK(cuStreamSynchronize(stream));
  wrong += of_stream != before || capturing != CU_STREAM_CAPTURE_STATUS_NONE;
  // The runtime makes the device's primary context current, and no cuInit is needed after it.
  void* other = nullptr;
  size_t free_bytes = 0, total = 0;
  CHECK(static_cast<CUresult>(cudaMalloc(&other, 64)));
  CHECK(cuMemGetInfo(&free_bytes, &total));
  CHECK(static_cast<CUresult>(cudaFree(other)));
  CHECK(cuCtxSetCurrent(before));
}

int main(int argc, char** argv) {
  const int twin = argc > 1 ? atoi(argv[1]) : 0;
  CUdevice device;
  CUmodule module = nullptr;
  CUfunction scale = nullptr, reverse = nullptr;
  char name[64] = "";
  int major = 0, minor = 0, count = 0;
  void* init = nullptr; // as libraries have it that find all calls by this one
  CHECK(cuGetProcAddress("cuInit", &init, 12000, CU_GET_PROC_ADDRESS_DEFAULT, nullptr));
  CHECK(reinterpret_cast<CUresult (*)(unsigned)>(init)(0));
  CHECK(cuDeviceGetCount(&count));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDeviceGetName(name, sizeof name, device));
  CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  CHECK(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
  CUcontext context = nullptr;
  if (twin != 2) {
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
  }
  const auto ptx = compiled();
  CHECK(cuModuleLoadData(&module, ptx.c_str()));
  if (!module) return 1;
  if (twin == 1) {
    CHECK(cuModuleGetFunction(&scale, module, "scales"));
    return 1;
  }
  CHECK(cuModuleGetFunction(&scale, module, "scale"));
  CHECK(cuModuleGetFunction(&reverse, module, "reverse"));

  int n = 1'000;
  std::vector<float> host(n), back(n);
  for (int i = 0; i < n; ++i) host[i] = float(i);
  CUdeviceptr data = 0, factors = 0, launches = 0;
  size_t bytes = 0;
  const float values[] = {2, 1};
  CHECK(cuMemAlloc(&data, n * sizeof(float)));
  CHECK(cuMemcpyHtoD(data, host.data(), n * sizeof(float)));
  CHECK(cuModuleGetGlobal(&factors, &bytes, module, "factors"));
  CHECK(cuMemcpyHtoD(factors, values, bytes));
  CUstream stream = nullptr;
  CUevent done = nullptr;
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK(cuEventCreate(&done, CU_EVENT_DISABLE_TIMING));
  void* arguments[] = {&data, &n};
  CHECK(cuLaunchKernel(scale, (n + 255) / 256, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  CHECK(cuEventRecord(done, stream));
  CHECK(cuEventSynchronize(done));
  size_t size = sizeof data;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &data, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  CHECK(cuLaunchKernel(reverse, 1, 1, 1, n, 1, 1, n * sizeof(float), nullptr, nullptr, extra));
  CHECK(cuCtxSynchronize());
  CHECK(cuMemcpyDtoH(back.data(), data, n * sizeof(float)));
  take_from_pool(stream, done);
  int launched = 0;
  CHECK(cuModuleGetGlobal(&launches, &bytes, module, "launches"));
  CHECK(cuMemcpyDtoH(&launched, launches, sizeof launched));

  double sum = 0;
  for (int i = 0; i < n; ++i) {
    wrong += back[i] != 2.0f * (n - 1 - i) + 1;
    sum += back[i];
  }
  wrong += launched != 1 || count < 1 || major != 9 || minor != 0;
  printf("driver: sum %.0f, launches %d, wrong %d\n", sum, launched, wrong);
  CHECK(cuMemFree(data));
  CHECK(cuModuleUnload(module));
  CHECK(cuDevicePrimaryCtxRelease(device));
  return wrong != 0;
}
