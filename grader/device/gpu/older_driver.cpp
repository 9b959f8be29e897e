// A libcuda.so.1 for tests, that answers as the driver of an older GPU does: machine code for sm_90
// is for another GPU, and PTX is compiled where the target and the version that it names are not
// later than the GPU and the driver. Source: CUDA C++ Programming Guide, "PTX Compatibility".
// Launches succeed and do nothing.
//
// FAKE_CAPABILITY (75 for 7.5) and FAKE_DRIVER (13000 for CUDA 13.0) are given by the build.
#include <cuda.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

// The number behind a directive: 90 for "9.0", for "sm_90" and for "sm_90a".
int named(const std::string& ptx, const char* directive) {
  const auto at = ptx.find(directive);
  int number = 0;
  for (auto i = at == ptx.npos ? ptx.size() : at + std::strlen(directive);
       i < ptx.size() && ptx[i] != '\n'; ++i)
    if (ptx[i] >= '0' && ptx[i] <= '9') number = 10 * number + ptx[i] - '0';
  return number;
}

constexpr int kKnown = FAKE_DRIVER >= 13000 ? 90 : 80 + FAKE_DRIVER % 1000 / 10;
const char kImage[] = "an image of the driver's own";
std::string said;
char* log_buffer = nullptr;

CUresult done() {
  return CUDA_SUCCESS;
}

} // namespace

extern "C" {

CUresult cuInit(unsigned) {
  return done();
}
CUresult cuDriverGetVersion(int* version) {
  return *version = FAKE_DRIVER, done();
}
CUresult cuDeviceGet(CUdevice* device, int) {
  return *device = 0, done();
}
CUresult cuDeviceGetCount(int* count) {
  return *count = 1, done();
}
CUresult cuDeviceGetName(char* name, int size, CUdevice) {
  std::strncpy(name, "a fake GPU", static_cast<std::size_t>(size));
  return done();
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice) {
  switch (which) {
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
    *value = FAKE_CAPABILITY / 10;
    break;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
    *value = FAKE_CAPABILITY % 10;
    break;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
    *value = 64 << 10;
    break;
  case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
    *value = 1 << 20;
    break;
  default:
    *value = 16;
  }
  return done();
}
CUresult cuDeviceGetPCIBusId(char* id, int size, CUdevice) {
  std::strncpy(id, "0000:01:00.0", static_cast<std::size_t>(size));
  return done();
}
CUresult cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice) {
  return *bytes = 8ull << 30, done();
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  *context = reinterpret_cast<CUcontext>(1);
  return done();
}
CUresult cuCtxSetCurrent(CUcontext) {
  return done();
}
CUresult cuCtxSynchronize() {
  return done();
}
CUresult cuCtxResetPersistingL2Cache() {
  return done();
}
CUresult cuGetErrorName(CUresult result, const char** name) {
  *name = result == CUDA_ERROR_NO_BINARY_FOR_GPU         ? "CUDA_ERROR_NO_BINARY_FOR_GPU"
          : result == CUDA_ERROR_INVALID_PTX             ? "CUDA_ERROR_INVALID_PTX"
          : result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION ? "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"
          : result == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES ? "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"
                                                         : "CUDA_ERROR_UNKNOWN";
  return done();
}
CUresult cuGetErrorString(CUresult, const char** text) {
  return *text = "as a fake says", done();
}
CUresult cuMemGetInfo_v2(std::size_t* free, std::size_t* all) {
  *free = *all = 8ull << 30;
  return done();
}
CUresult cuMemAlloc_v2(CUdeviceptr* at, std::size_t size) {
  *at = reinterpret_cast<CUdeviceptr>(std::calloc(1, std::max<std::size_t>(size, 1)));
  return done();
}
CUresult cuMemFree_v2(CUdeviceptr at) {
  return std::free(reinterpret_cast<void*>(at)), done();
}
CUresult cuMemAddressReserve(CUdeviceptr* at, std::size_t size, std::size_t, CUdeviceptr wanted,
                             unsigned long long) {
  void* got = mmap(reinterpret_cast<void*>(wanted), size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  *at = reinterpret_cast<CUdeviceptr>(got);
  return got == MAP_FAILED ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}
CUresult cuMemAddressFree(CUdeviceptr at, std::size_t size) {
  return munmap(reinterpret_cast<void*>(at), size), done();
}
CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, std::size_t, const CUmemAllocationProp*,
                     unsigned long long) {
  return *handle = 1, done();
}
CUresult cuMemRelease(CUmemGenericAllocationHandle) {
  return done();
}
CUresult cuMemMap(CUdeviceptr, std::size_t, std::size_t, CUmemGenericAllocationHandle,
                  unsigned long long) {
  return done();
}
CUresult cuMemUnmap(CUdeviceptr, std::size_t) {
  return done();
}
CUresult cuMemSetAccess(CUdeviceptr, std::size_t, const CUmemAccessDesc*, std::size_t) {
  return done();
}
CUresult cuMemGetAllocationGranularity(std::size_t* bytes, const CUmemAllocationProp*,
                                       CUmemAllocationGranularity_flags) {
  return *bytes = 2 << 20, done();
}
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, std::size_t size) {
  return std::memcpy(reinterpret_cast<void*>(to), from, size), done();
}
CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, std::size_t size) {
  return std::memcpy(to, reinterpret_cast<void*>(from), size), done();
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, std::size_t size, CUstream) {
  return std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), size), done();
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, std::size_t size, CUstream) {
  return std::memcpy(reinterpret_cast<void*>(to), from, size), done();
}
CUresult cuMemsetD8Async(CUdeviceptr at, unsigned char value, std::size_t size, CUstream) {
  return std::memset(reinterpret_cast<void*>(at), value, size), done();
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned, CUjit_option*, void**) {
  if (std::memcmp(image, kImage, sizeof kImage) != 0) return CUDA_ERROR_NO_BINARY_FOR_GPU;
  *module = reinterpret_cast<CUmodule>(1);
  return done();
}
CUresult cuModuleUnload(CUmodule) {
  return done();
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule, const char* name) {
  static char plain, greedy; // which takes more registers than there are
  *function = reinterpret_cast<CUfunction>(std::strcmp(name, "greedy") == 0 ? &greedy : &plain);
  said = name;
  return done();
}
CUresult cuModuleGetGlobal_v2(CUdeviceptr*, std::size_t*, CUmodule, const char*) {
  return CUDA_ERROR_NOT_FOUND;
}
CUresult cuLinkCreate_v2(unsigned count, CUjit_option* options, void** values, CUlinkState* state) {
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER) log_buffer = static_cast<char*>(values[i]);
  *state = reinterpret_cast<CUlinkState>(1);
  return done();
}
CUresult cuLinkAddData_v2(CUlinkState, CUjitInputType, void* data, std::size_t size, const char*,
                          unsigned, CUjit_option*, void**) {
  const std::string ptx(static_cast<const char*>(data), size);
  if (named(ptx, ".version ") > kKnown) return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
  if (named(ptx, ".target sm_") > FAKE_CAPABILITY) return CUDA_ERROR_INVALID_PTX;
  if (ptx.find("cp.async") != ptx.npos && FAKE_CAPABILITY < 80) {
    std::strcpy(log_buffer, "Feature 'cp.async' requires .target sm_80 or higher");
    return CUDA_ERROR_INVALID_PTX;
  }
  return done();
}
CUresult cuLinkComplete(CUlinkState, void** image, std::size_t* size) {
  *image = const_cast<char*>(kImage);
  *size = sizeof kImage;
  return done();
}
CUresult cuLinkDestroy(CUlinkState) {
  return done();
}
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute, CUfunction) {
  return *value = 0, done();
}
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int) {
  return done();
}
CUresult cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                        unsigned, CUstream, void**, void**) {
  return done();
}
CUresult cuLaunchKernelEx(const CUlaunchConfig*, CUfunction, void**, void**) {
  return said == "greedy" ? CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES : CUDA_SUCCESS;
}
CUresult cuTensorMapEncodeTiled(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*,
                                const cuuint64_t*, const cuuint64_t*, const cuuint32_t*,
                                const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                                CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuEventCreate(CUevent* event, unsigned) {
  *event = reinterpret_cast<CUevent>(1);
  return done();
}
CUresult cuEventRecord(CUevent, CUstream) {
  return done();
}
CUresult cuEventSynchronize(CUevent) {
  return done();
}
CUresult cuEventElapsedTime_v2(float* milliseconds, CUevent, CUevent) {
  return *milliseconds = 1, done();
}
#undef cuEventElapsedTime
CUresult cuEventElapsedTime(float* milliseconds, CUevent before, CUevent after) {
  return cuEventElapsedTime_v2(milliseconds, before, after);
}
} // extern "C"
