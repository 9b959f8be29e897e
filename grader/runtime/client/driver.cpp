// The driver API, as programs use it that load modules by themselves: each call does what a call of
// the runtime does, and errors are the driver's. There is one device, and a context is a name.
// Over 400 lines, as there are many calls of a few lines each.
#include "runtime/client/registry.hpp"
#include "runtime/client/streams.hpp"
#include "runtime/client/work.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <fstream>
#include <iterator>
#include <vector>

// The type that the API names and hides.
struct CUctx_st {
  bool primary = false;
};

using namespace course::client;

namespace {

std::atomic<bool> initialised{false};
thread_local std::vector<CUcontext> contexts; // the last is current

CUctx_st& primary() {
  static CUctx_st context{true};
  return context;
}

// Errors have one number in both APIs, but for some of the runtime's own.
CUresult result(cudaError_t status) {
  switch (status) {
  case cudaErrorInvalidDeviceFunction:
  case cudaErrorInvalidSymbol:
    return CUDA_ERROR_NOT_FOUND;
  case cudaErrorInvalidFilterSetting:
  case cudaErrorInvalidPitchValue:
  case cudaErrorInvalidConfiguration:
  case cudaErrorInvalidMemcpyDirection:
    return CUDA_ERROR_INVALID_VALUE;
  default:
    return static_cast<CUresult>(status);
  }
}

// What a call needs before it can do anything.
CUresult ready(bool needs_context = true) {
  if (take_use_of_runtime()) {
    initialised = true;
    if (contexts.empty()) contexts.push_back(&primary());
  }
  if (!initialised) {
    fail("cuInit", cudaErrorInitializationError, "the driver API is used before cuInit(0)");
    return CUDA_ERROR_NOT_INITIALIZED;
  }
  if (!needs_context || !contexts.empty()) return CUDA_SUCCESS;
  fail("cuCtxCreate", cudaErrorDeviceUninitialized,
       "this thread has no context: cuCtxCreate, or cuDevicePrimaryCtxRetain and cuCtxSetCurrent");
  return CUDA_ERROR_INVALID_CONTEXT;
}

void* pointer(CUdeviceptr address) {
  return reinterpret_cast<void*>(address);
}
const Module& module_of(CUmodule module) {
  return *reinterpret_cast<const Module*>(module);
}

// Does a call of the runtime under the name of the driver's.
template <class Call>
CUresult as(const char* name, Call call, bool needs_context = true) {
  const CalledAs called(name);
  if (const auto missing = ready(needs_context)) return missing;
  return result(call());
}
// One about a device, a pool of its, a stream or an event, which know where they are: CCCL calls
// these where no context is current.
template <class Call>
CUresult without_context(const char* name, Call call) {
  return as(name, call, false);
}
// One about a stream, unless it is a context's default one.
template <class Call>
CUresult of_stream(const char* name, CUstream stream, Call call) {
  return as(name, call, !stream || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD);
}

CUresult load(const char* name, CUmodule* out, const void* image) {
  return as(name, [&] {
    if (!out || !image) return fail(name, cudaErrorInvalidValue, kNoPlace);
    cudaError_t status = cudaSuccess;
    *out = reinterpret_cast<CUmodule>(load_module(name, image, status));
    return status;
  });
}

cudaError_t fill(void* to, unsigned value, unsigned element, std::size_t count, cudaStream_t stream,
                 const char* name) {
  const FillWork work{to, count * element, value, element, count, 1};
  if (const auto kept = captured(name, stream, work)) return *kept;
  const OnStream on(stream);
  return do_fill(name, work);
}

// Arguments as one block, which `extra` points to.
cudaError_t launch_block(const char* name, CUfunction function, dim3 grid, dim3 block,
                         unsigned shared, cudaStream_t stream, void** extra) {
  const void* bytes = nullptr;
  std::size_t size = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) bytes = extra[1];
    if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE) size = *static_cast<std::size_t*>(extra[1]);
  }
  cudaError_t status = cudaSuccess;
  const Kernel* kernel = find_kernel(name, function, status);
  if (!kernel) return status;
  KernelWork work{
      function, grid, block, shared, course::runtime::Bytes(kernel->info.argument_bytes), false};
  if (bytes) std::memcpy(work.arguments.data(), bytes, std::min(size, work.arguments.size()));
  if (const auto kept = captured(name, stream, work)) return *kept;
  const OnStream on(stream);
  return do_kernel(name, work);
}

} // namespace

extern "C" {

CUresult cuInit(unsigned flags) {
  const CalledAs called("cuInit");
  if (flags) return result(fail("cuInit", cudaErrorInvalidValue, "no such flag"));
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) return CUDA_ERROR_NO_DEVICE;
  initialised = true;
  return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int* version) {
  return result(cudaDriverGetVersion(version));
}

// NVIDIA's own libraries (NVRTC) look for tables that nobody documents, and do without.
CUresult cuGetExportTable(const void** table, const CUuuid*) {
  if (table) *table = nullptr;
  return CUDA_ERROR_NOT_FOUND;
}

CUresult cuGetErrorName(CUresult error, const char** text) {
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  switch (error) {
#define COURSE_DRIVER_ERROR(name)                                                                  \
  case name:                                                                                       \
    *text = #name;                                                                                 \
    return CUDA_SUCCESS;
    COURSE_DRIVER_ERROR(CUDA_SUCCESS)
    COURSE_DRIVER_ERROR(CUDA_ERROR_INVALID_VALUE)
    COURSE_DRIVER_ERROR(CUDA_ERROR_OUT_OF_MEMORY)
    COURSE_DRIVER_ERROR(CUDA_ERROR_NOT_INITIALIZED)
    COURSE_DRIVER_ERROR(CUDA_ERROR_NO_DEVICE)
    COURSE_DRIVER_ERROR(CUDA_ERROR_INVALID_DEVICE)
    COURSE_DRIVER_ERROR(CUDA_ERROR_INVALID_IMAGE)
    COURSE_DRIVER_ERROR(CUDA_ERROR_INVALID_CONTEXT)
    COURSE_DRIVER_ERROR(CUDA_ERROR_FILE_NOT_FOUND)
    COURSE_DRIVER_ERROR(CUDA_ERROR_INVALID_HANDLE)
    COURSE_DRIVER_ERROR(CUDA_ERROR_NOT_FOUND)
    COURSE_DRIVER_ERROR(CUDA_ERROR_NOT_READY)
    COURSE_DRIVER_ERROR(CUDA_ERROR_ILLEGAL_ADDRESS)
    COURSE_DRIVER_ERROR(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)
    COURSE_DRIVER_ERROR(CUDA_ERROR_ASSERT)
    COURSE_DRIVER_ERROR(CUDA_ERROR_MISALIGNED_ADDRESS)
    COURSE_DRIVER_ERROR(CUDA_ERROR_LAUNCH_FAILED)
    COURSE_DRIVER_ERROR(CUDA_ERROR_NOT_SUPPORTED)
#undef COURSE_DRIVER_ERROR
  default:
    *text = "CUDA_ERROR_UNKNOWN";
    return CUDA_SUCCESS;
  }
}

CUresult cuGetErrorString(CUresult error, const char** text) {
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  *text = cudaGetErrorString(static_cast<cudaError_t>(error));
  return CUDA_SUCCESS;
}

// ---- the device and its contexts

CUresult cuDeviceGetCount(int* count) {
  if (const auto missing = ready(false)) return missing;
  return result(cudaGetDeviceCount(count));
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  if (const auto missing = ready(false)) return missing;
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  if (ordinal != 0) return CUDA_ERROR_INVALID_DEVICE;
  *device = 0;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char* name, int size, CUdevice device) {
  if (const auto missing = ready(false)) return missing;
  if (!name || size <= 0 || device != 0) return CUDA_ERROR_INVALID_VALUE;
  std::snprintf(name, static_cast<std::size_t>(size), "%s", described().product().c_str());
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  const CalledAs called("cuDeviceGetAttribute");
  if (const auto missing = ready(false)) return missing;
  return result(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device));
}

CUresult cuDeviceGetPCIBusId(char* text, int size, CUdevice device) {
  return without_context("cuDeviceGetPCIBusId",
                         [&] { return cudaDeviceGetPCIBusId(text, size, device); });
}
CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* text) {
  return without_context("cuDeviceGetByPCIBusId",
                         [&] { return cudaDeviceGetByPCIBusId(device, text); });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  const auto status =
      cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  if (status != CUDA_SUCCESS) return status;
  return cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  const CalledAs called("cuDeviceTotalMem");
  if (const auto missing = ready(false)) return missing;
  if (!bytes || device != 0) return CUDA_ERROR_INVALID_VALUE;
  return result(cudaMemGetInfo(nullptr, bytes));
}

CUresult cuCtxCreate_v2(CUcontext* out, unsigned, CUdevice device) {
  if (const auto missing = ready(false)) return missing;
  if (!out || device != 0) return out ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
  *out = new CUctx_st; // small, and ends with the process
  contexts.push_back(*out);
  return CUDA_SUCCESS;
}

CUresult cuCtxCreate_v4(CUcontext* out, CUctxCreateParams*, unsigned flags, CUdevice device) {
  return cuCtxCreate_v2(out, flags, device);
}

CUresult cuCtxDestroy(CUcontext context) {
  if (const auto missing = ready(false)) return missing;
  if (!context) return CUDA_ERROR_INVALID_CONTEXT;
  std::erase(contexts, context);
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* out, CUdevice device) {
  if (const auto missing = ready(false)) return missing;
  if (!out || device != 0) return CUDA_ERROR_INVALID_VALUE;
  *out = &primary();
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease(CUdevice) {
  return ready(false);
}
CUresult cuDevicePrimaryCtxReset(CUdevice) {
  return ready(false);
}

CUresult cuCtxSetCurrent(CUcontext context) {
  if (const auto missing = ready(false)) return missing;
  if (!contexts.empty()) contexts.pop_back();
  if (context) contexts.push_back(context);
  return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext* out) {
  if (const auto missing = ready(false)) return missing;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  *out = contexts.empty() ? nullptr : contexts.back();
  return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent(CUcontext context) {
  if (const auto missing = ready(false)) return missing;
  if (!context) return CUDA_ERROR_INVALID_CONTEXT;
  contexts.push_back(context);
  return CUDA_SUCCESS;
}
CUresult cuCtxPopCurrent(CUcontext* out) {
  if (const auto missing = ready()) return missing;
  if (out) *out = contexts.back();
  contexts.pop_back();
  return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice* device) {
  if (const auto missing = ready()) return missing;
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuCtxSynchronize() {
  return as("cuCtxSynchronize", [] { return cudaDeviceSynchronize(); });
}

// ---- modules

CUresult cuModuleLoadData(CUmodule* out, const void* image) {
  return load("cuModuleLoadData", out, image);
}
CUresult cuModuleLoadDataEx(CUmodule* out, const void* image, unsigned, CUjit_option*, void**) {
  return load("cuModuleLoadDataEx", out, image);
}
CUresult cuModuleLoadFatBinary(CUmodule* out, const void* image) {
  return load("cuModuleLoadFatBinary", out, image);
}

CUresult cuModuleLoad(CUmodule* out, const char* path) {
  constexpr const char* kCall = "cuModuleLoad";
  const CalledAs called(kCall);
  if (const auto missing = ready()) return missing;
  std::ifstream file(path ? path : "", std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  if (!file.is_open() || bytes.size() < sizeof(std::uint64_t) * 8) {
    fail(kCall, cudaErrorFileNotFound, "there is no such file of device code");
    return CUDA_ERROR_FILE_NOT_FOUND;
  }
  return load(kCall, out, bytes.c_str());
}

CUresult cuModuleUnload(CUmodule module) {
  return module ? ready() : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuModuleGetFunction(CUfunction* out, CUmodule module, const char* name) {
  return as("cuModuleGetFunction", [&] {
    if (!out || !module || !name)
      return fail("cuModuleGetFunction", cudaErrorInvalidValue, kNoPlace);
    Kernel* kernel = kernel_in(module_of(module), name);
    cudaError_t status = cudaSuccess;
    if (!find_kernel("cuModuleGetFunction", kernel, status)) return status;
    *out = reinterpret_cast<CUfunction>(kernel);
    return status;
  });
}

CUresult cuModuleGetGlobal(CUdeviceptr* address, size_t* bytes, CUmodule module, const char* name) {
  constexpr const char* kCall = "cuModuleGetGlobal";
  return as(kCall, [&] {
    if (!module || !name) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
    Variable* variable = variable_in(module_of(module), name);
    cudaError_t status = cudaSuccess;
    if (!find_variable(kCall, variable, status)) return status;
    if (bytes) *bytes = variable->info.size;
    void* at = nullptr;
    if (address) status = cudaGetSymbolAddress(&at, variable);
    if (address) *address = reinterpret_cast<CUdeviceptr>(at);
    return status;
  });
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return as("cuFuncGetAttribute", [&] {
    cudaFuncAttributes all{};
    const auto status = cudaFuncGetAttributes(&all, function);
    if (status != cudaSuccess || !value) return status;
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = all.maxThreadsPerBlock;
      break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = static_cast<int>(all.sharedSizeBytes);
      break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      *value = static_cast<int>(all.constSizeBytes);
      break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = static_cast<int>(all.localSizeBytes);
      break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *value = all.numRegs;
      break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      *value = all.ptxVersion;
      break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      *value = all.binaryVersion;
      break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = all.maxDynamicSharedSizeBytes;
      break;
    default:
      return fail("cuFuncGetAttribute", cudaErrorInvalidValue, "there is no such attribute");
    }
    return status;
  });
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return as("cuFuncSetAttribute", [&] {
    return cudaFuncSetAttribute(function, static_cast<cudaFuncAttribute>(attribute), value);
  });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* count, CUfunction function, int threads,
                                                     size_t shared) {
  return as("cuOccupancyMaxActiveBlocksPerMultiprocessor", [&] {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(count, function, threads, shared);
  });
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        CUstream stream, void** arguments, void** extra) {
  constexpr const char* kCall = "cuLaunchKernel";
  return as(kCall, [&] {
    const dim3 grid(grid_x, grid_y, grid_z), block(block_x, block_y, block_z);
    if (extra) return launch_block(kCall, function, grid, block, shared, stream, extra);
    return cudaLaunchKernel(function, grid, block, arguments, shared, stream);
  });
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared, CUstream stream,
                                   void** arguments) {
  return as("cuLaunchCooperativeKernel", [&] {
    return cudaLaunchCooperativeKernel(function, dim3(grid_x, grid_y, grid_z),
                                       dim3(block_x, block_y, block_z), arguments, shared, stream);
  });
}

// ---- memory

CUresult cuMemAlloc(CUdeviceptr* out, size_t bytes) {
  return as("cuMemAlloc", [&] {
    if (bytes == 0) return fail("cuMemAlloc", cudaErrorInvalidValue, "no bytes");
    return cudaMalloc(reinterpret_cast<void**>(out), bytes);
  });
}
CUresult cuMemAllocManaged(CUdeviceptr* out, size_t bytes, unsigned flags) {
  return as("cuMemAllocManaged",
            [&] { return cudaMallocManaged(reinterpret_cast<void**>(out), bytes, flags); });
}
CUresult cuMemAllocPitch(CUdeviceptr* out, size_t* pitch, size_t width, size_t height, unsigned) {
  return as("cuMemAllocPitch",
            [&] { return cudaMallocPitch(reinterpret_cast<void**>(out), pitch, width, height); });
}
CUresult cuMemFree(CUdeviceptr address) {
  return as("cuMemFree", [&] { return cudaFree(pointer(address)); });
}
CUresult cuMemAllocHost(void** out, size_t bytes) {
  return as("cuMemAllocHost", [&] { return cudaMallocHost(out, bytes); });
}
CUresult cuMemHostAlloc(void** out, size_t bytes, unsigned flags) {
  return as("cuMemHostAlloc", [&] { return cudaHostAlloc(out, bytes, flags); });
}
CUresult cuMemHostGetFlags(unsigned* flags, void* memory) {
  return as("cuMemHostGetFlags", [&] { return cudaHostGetFlags(flags, memory); });
}
CUresult cuMemFreeHost(void* memory) {
  return as("cuMemFreeHost", [&] { return cudaFreeHost(memory); });
}
CUresult cuMemGetInfo(size_t* free_bytes, size_t* total) {
  return as("cuMemGetInfo", [&] { return cudaMemGetInfo(free_bytes, total); });
}
CUresult cuMemAllocAsync(CUdeviceptr* out, size_t bytes, CUstream stream) {
  return of_stream("cuMemAllocAsync", stream,
                   [&] { return cudaMallocAsync(reinterpret_cast<void**>(out), bytes, stream); });
}
CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  return of_stream("cuMemFreeAsync", stream,
                   [&] { return cudaFreeAsync(pointer(address), stream); });
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
  return as("cuMemcpyHtoD",
            [&] { return cudaMemcpy(pointer(to), from, bytes, cudaMemcpyHostToDevice); });
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
  return as("cuMemcpyDtoH",
            [&] { return cudaMemcpy(to, pointer(from), bytes, cudaMemcpyDeviceToHost); });
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return as("cuMemcpyDtoD", [&] {
    return cudaMemcpy(pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice);
  });
}
CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return as("cuMemcpy",
            [&] { return cudaMemcpy(pointer(to), pointer(from), bytes, cudaMemcpyDefault); });
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  return as("cuMemcpyHtoDAsync", [&] {
    return cudaMemcpyAsync(pointer(to), from, bytes, cudaMemcpyHostToDevice, stream);
  });
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return as("cuMemcpyDtoHAsync", [&] {
    return cudaMemcpyAsync(to, pointer(from), bytes, cudaMemcpyDeviceToHost, stream);
  });
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return as("cuMemcpyDtoDAsync", [&] {
    return cudaMemcpyAsync(pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice, stream);
  });
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return as("cuMemcpyAsync", [&] {
    return cudaMemcpyAsync(pointer(to), pointer(from), bytes, cudaMemcpyDefault, stream);
  });
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
  return as("cuMemsetD8",
            [&] { return fill(pointer(to), value, 1, count, nullptr, "cuMemsetD8"); });
}
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) {
  return as("cuMemsetD16",
            [&] { return fill(pointer(to), value, 2, count, nullptr, "cuMemsetD16"); });
}
CUresult cuMemsetD32(CUdeviceptr to, unsigned value, size_t count) {
  return as("cuMemsetD32",
            [&] { return fill(pointer(to), value, 4, count, nullptr, "cuMemsetD32"); });
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return as("cuMemsetD8Async",
            [&] { return fill(pointer(to), value, 1, count, stream, "cuMemsetD8Async"); });
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
  return as("cuMemsetD32Async",
            [&] { return fill(pointer(to), value, 4, count, stream, "cuMemsetD32Async"); });
}

// cuGetProcAddress_v2, by which libraries find all others, cuInit among them.
CUresult cuGetProcAddress(const char* name, void** function, int version, cuuint64_t,
                          CUdriverProcAddressQueryResult* found) {
  const CalledAs called("cuGetProcAddress");
  cudaDriverEntryPointQueryResult query = cudaDriverEntryPointSymbolNotFound;
  const auto status =
      cudaGetDriverEntryPointByVersion(name, function, static_cast<unsigned>(version), 0, &query);
  if (found) *found = static_cast<CUdriverProcAddressQueryResult>(query);
  return result(status);
}

// As programs have it that ask the runtime for it by name.
CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                void* address, const cuuint64_t* size, const cuuint64_t* stride,
                                const cuuint32_t* box, const cuuint32_t* element_stride,
                                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  void* encode = nullptr;
  if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 13000, 0, nullptr) !=
      cudaSuccess)
    return CUDA_ERROR_NOT_SUPPORTED;
  return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(encode)(
      map, type, rank, address, size, stride, box, element_stride, interleave, swizzle, promotion,
      fill);
}

// ---- streams and events

CUresult cuStreamCreate(CUstream* out, unsigned flags) {
  return as("cuStreamCreate", [&] { return cudaStreamCreateWithFlags(out, flags); });
}
CUresult cuStreamCreateWithPriority(CUstream* out, unsigned flags, int priority) {
  return as("cuStreamCreateWithPriority",
            [&] { return cudaStreamCreateWithPriority(out, flags, priority); });
}
CUresult cuStreamDestroy(CUstream stream) {
  return of_stream("cuStreamDestroy", stream, [&] { return cudaStreamDestroy(stream); });
}
CUresult cuStreamSynchronize(CUstream stream) {
  return of_stream("cuStreamSynchronize", stream, [&] { return cudaStreamSynchronize(stream); });
}
CUresult cuStreamGetCtx(CUstream stream, CUcontext* out) {
  return of_stream("cuStreamGetCtx", stream, [&] {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (!out) return cudaErrorInvalidValue;
    *out = contexts.empty() ? &primary() : contexts.back();
    return cudaSuccess;
  });
}
CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext* out, CUgreenCtx* green) {
  if (green) *green = nullptr;
  return cuStreamGetCtx(stream, out);
}
CUresult cuStreamGetDevice(CUstream stream, CUdevice* device) {
  return of_stream("cuStreamGetDevice", stream,
                   [&] { return cudaStreamGetDevice(stream, device); });
}
CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
  return of_stream("cuStreamGetId", stream, [&] { return cudaStreamGetId(stream, id); });
}
CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return of_stream("cuStreamGetPriority", stream,
                   [&] { return cudaStreamGetPriority(stream, priority); });
}
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  return of_stream("cuStreamIsCapturing", stream, [&] {
    return cudaStreamIsCapturing(stream, reinterpret_cast<cudaStreamCaptureStatus*>(status));
  });
}
CUresult cuStreamQuery(CUstream stream) {
  return of_stream("cuStreamQuery", stream, [&] { return cudaStreamQuery(stream); });
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return of_stream("cuStreamWaitEvent", stream,
                   [&] { return cudaStreamWaitEvent(stream, event, flags); });
}
CUresult cuEventCreate(CUevent* out, unsigned flags) {
  return as("cuEventCreate", [&] { return cudaEventCreateWithFlags(out, flags); });
}
CUresult cuEventDestroy(CUevent event) {
  return without_context("cuEventDestroy", [&] { return cudaEventDestroy(event); });
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  return of_stream("cuEventRecord", stream, [&] { return cudaEventRecord(event, stream); });
}
CUresult cuEventSynchronize(CUevent event) {
  return without_context("cuEventSynchronize", [&] { return cudaEventSynchronize(event); });
}
CUresult cuEventQuery(CUevent event) {
  return without_context("cuEventQuery", [&] { return cudaEventQuery(event); });
}
CUresult cuEventElapsedTime(float* milliseconds, CUevent begin, CUevent end) {
  return without_context("cuEventElapsedTime",
                         [&] { return cudaEventElapsedTime(milliseconds, begin, end); });
}

// ---- pools of memory, whose types the runtime has under other names

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  return without_context("cuDeviceGetDefaultMemPool",
                         [&] { return cudaDeviceGetDefaultMemPool(pool, device); });
}
CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
  return without_context("cuDeviceGetMemPool", [&] { return cudaDeviceGetMemPool(pool, device); });
}
CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  return without_context("cuDeviceSetMemPool", [&] { return cudaDeviceSetMemPool(device, pool); });
}
CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* where,
                                CUmemAllocationType type) {
  return without_context("cuMemGetDefaultMemPool", [&] {
    return cudaMemGetDefaultMemPool(pool, reinterpret_cast<cudaMemLocation*>(where),
                                    static_cast<cudaMemAllocationType>(type));
  });
}
CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
  return without_context("cuMemPoolCreate", [&] {
    return cudaMemPoolCreate(pool, reinterpret_cast<const cudaMemPoolProps*>(properties));
  });
}
CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  return without_context("cuMemPoolDestroy", [&] { return cudaMemPoolDestroy(pool); });
}
CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes) {
  return without_context("cuMemPoolTrimTo", [&] { return cudaMemPoolTrimTo(pool, bytes); });
}
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute which, void* value) {
  return without_context("cuMemPoolSetAttribute", [&] {
    return cudaMemPoolSetAttribute(pool, static_cast<cudaMemPoolAttr>(which), value);
  });
}
CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute which, void* value) {
  return without_context("cuMemPoolGetAttribute", [&] {
    return cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(which), value);
  });
}
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* access, size_t count) {
  return without_context("cuMemPoolSetAccess", [&] {
    return cudaMemPoolSetAccess(pool, reinterpret_cast<const cudaMemAccessDesc*>(access), count);
  });
}
CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* where) {
  return without_context("cuMemPoolGetAccess", [&] {
    return cudaMemPoolGetAccess(reinterpret_cast<cudaMemAccessFlags*>(flags), pool,
                                reinterpret_cast<cudaMemLocation*>(where));
  });
}
CUresult cuMemAllocFromPoolAsync(CUdeviceptr* out, size_t bytes, CUmemoryPool pool,
                                 CUstream stream) {
  return of_stream("cuMemAllocFromPoolAsync", stream, [&] {
    return cudaMallocFromPoolAsync(reinterpret_cast<void**>(out), bytes, pool, stream);
  });
}

} // extern "C"
