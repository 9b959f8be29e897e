// The device that programs see: one H200, described by its attributes.
#include "runtime/client/grader.hpp"
#include "runtime/client/streams.hpp"

#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <optional>

using namespace course::client;

namespace {

constexpr const char* kNoDevice = "there is one device, 0";
constexpr int kVersion = 13000; // CUDA 13.0

// Every GPU's attributes have the names of this one's.
constexpr std::string_view name_of(int asked) {
  switch (asked) {
#define COURSE_DEVICE_ATTRIBUTE(name, value)                                                       \
  case name:                                                                                       \
    return #name;
#include "device/model/h200_attributes.def"
#undef COURSE_DEVICE_ATTRIBUTE
  default:
    return {};
  }
}

// Of an attribute that there is: a mistake does not compile.
template <cudaDeviceAttr name>
int value_of() {
  static_assert(!name_of(name).empty());
  return described().attribute(name_of(name)).value_or(0);
}

void describe_blocks(cudaDeviceProp& p) {
  p.sharedMemPerBlock = value_of<cudaDevAttrMaxSharedMemoryPerBlock>();
  p.sharedMemPerBlockOptin = value_of<cudaDevAttrMaxSharedMemoryPerBlockOptin>();
  p.reservedSharedMemPerBlock = value_of<cudaDevAttrReservedSharedMemoryPerBlock>();
  p.regsPerBlock = value_of<cudaDevAttrMaxRegistersPerBlock>();
  p.warpSize = value_of<cudaDevAttrWarpSize>();
  p.maxThreadsPerBlock = value_of<cudaDevAttrMaxThreadsPerBlock>();
  p.maxThreadsDim[0] = value_of<cudaDevAttrMaxBlockDimX>();
  p.maxThreadsDim[1] = value_of<cudaDevAttrMaxBlockDimY>();
  p.maxThreadsDim[2] = value_of<cudaDevAttrMaxBlockDimZ>();
  p.maxGridSize[0] = value_of<cudaDevAttrMaxGridDimX>();
  p.maxGridSize[1] = value_of<cudaDevAttrMaxGridDimY>();
  p.maxGridSize[2] = value_of<cudaDevAttrMaxGridDimZ>();
}

void describe_sms(cudaDeviceProp& p) {
  p.multiProcessorCount = value_of<cudaDevAttrMultiProcessorCount>();
  p.maxThreadsPerMultiProcessor = value_of<cudaDevAttrMaxThreadsPerMultiProcessor>();
  p.maxBlocksPerMultiProcessor = value_of<cudaDevAttrMaxBlocksPerMultiprocessor>();
  p.sharedMemPerMultiprocessor = value_of<cudaDevAttrMaxSharedMemoryPerMultiprocessor>();
  p.regsPerMultiprocessor = value_of<cudaDevAttrMaxRegistersPerMultiprocessor>();
  p.major = value_of<cudaDevAttrComputeCapabilityMajor>();
  p.minor = value_of<cudaDevAttrComputeCapabilityMinor>();
  p.clusterLaunch = value_of<cudaDevAttrClusterLaunch>();
  p.cooperativeLaunch = value_of<cudaDevAttrCooperativeLaunch>();
  p.concurrentKernels = value_of<cudaDevAttrConcurrentKernels>();
  p.computePreemptionSupported = value_of<cudaDevAttrComputePreemptionSupported>();
  p.streamPrioritiesSupported = value_of<cudaDevAttrStreamPrioritiesSupported>();
  p.unifiedFunctionPointers = 1;
}

void describe_memory(cudaDeviceProp& p) {
  p.totalGlobalMem = described().memory;
  p.totalConstMem = value_of<cudaDevAttrTotalConstantMemory>();
  p.memPitch = value_of<cudaDevAttrMaxPitch>();
  p.memoryBusWidth = value_of<cudaDevAttrGlobalMemoryBusWidth>();
  p.l2CacheSize = value_of<cudaDevAttrL2CacheSize>();
  p.persistingL2CacheMaxSize = value_of<cudaDevAttrMaxPersistingL2CacheSize>();
  p.accessPolicyMaxWindowSize = value_of<cudaDevAttrMaxAccessPolicyWindowSize>();
  p.globalL1CacheSupported = value_of<cudaDevAttrGlobalL1CacheSupported>();
  p.localL1CacheSupported = value_of<cudaDevAttrLocalL1CacheSupported>();
  p.ECCEnabled = value_of<cudaDevAttrEccEnabled>();
  p.asyncEngineCount = value_of<cudaDevAttrAsyncEngineCount>();
  p.unifiedAddressing = value_of<cudaDevAttrUnifiedAddressing>();
  p.canMapHostMemory = value_of<cudaDevAttrCanMapHostMemory>();
  p.managedMemory = value_of<cudaDevAttrManagedMemory>();
  p.concurrentManagedAccess = value_of<cudaDevAttrConcurrentManagedAccess>();
  p.canUseHostPointerForRegisteredMem = value_of<cudaDevAttrCanUseHostPointerForRegisteredMem>();
  p.hostRegisterSupported = value_of<cudaDevAttrHostRegisterSupported>();
  p.hostRegisterReadOnlySupported = value_of<cudaDevAttrHostRegisterReadOnlySupported>();
  p.memoryPoolsSupported = value_of<cudaDevAttrMemoryPoolsSupported>();
  p.memoryPoolSupportedHandleTypes = value_of<cudaDevAttrMemoryPoolSupportedHandleTypes>();
  p.deviceNumaId = value_of<cudaDevAttrNumaId>();
}

void describe_textures(cudaDeviceProp& p) {
  p.maxTexture1D = value_of<cudaDevAttrMaxTexture1DWidth>();
  p.maxTexture2D[0] = value_of<cudaDevAttrMaxTexture2DWidth>();
  p.maxTexture2D[1] = value_of<cudaDevAttrMaxTexture2DHeight>();
  p.maxTexture3D[0] = value_of<cudaDevAttrMaxTexture3DWidth>();
  p.maxTexture3D[1] = value_of<cudaDevAttrMaxTexture3DHeight>();
  p.maxTexture3D[2] = value_of<cudaDevAttrMaxTexture3DDepth>();
  p.textureAlignment = value_of<cudaDevAttrTextureAlignment>();
  p.texturePitchAlignment = value_of<cudaDevAttrTexturePitchAlignment>();
  p.surfaceAlignment = value_of<cudaDevAttrSurfaceAlignment>();
}

// Of a fresh context on an H200, by cudaLimit; cudaLimitDevRuntimeSyncDepth is not supported there.
std::array<std::atomic<std::size_t>, 7> limits{1024, 8650752, 8388608, 0, 2048, 64, 11796480};

bool is_limit(int limit) {
  return limit >= 0 && limit < static_cast<int>(limits.size());
}

std::atomic<unsigned> device_flags{8}; // cudaDeviceMapHost, as on an H200
std::atomic<int> cache_config{cudaFuncCachePreferNone};

cudaError_t put(const char* call, int* place, int value) {
  if (!place) return fail(call, cudaErrorInvalidValue, kNoPlace);
  *place = value;
  return cudaSuccess;
}

cudaError_t check_device(const char* call, int device) {
  return device == 0 ? cudaSuccess : fail(call, cudaErrorInvalidDevice, kNoDevice);
}

// Whether there is a grader to be a device for.
cudaError_t check_grader(const char* call) {
  static const cudaError_t found = ask(call, protocol::MemoryInfo{}).status;
  return found == cudaErrorNoDevice ? found : cudaSuccess;
}

} // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  constexpr const char* kCall = "cudaGetDeviceCount";
  const auto status = put(kCall, count, 0);
  if (status != cudaSuccess) return status;
  if (const auto missing = check_grader(kCall)) return missing;
  *count = 1;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
  return put("cudaGetDevice", device, 0);
}

cudaError_t cudaSetDevice(int device) {
  if (const auto missing = check_grader("cudaSetDevice")) return missing;
  return check_device("cudaSetDevice", device);
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return check_device("cudaInitDevice", device);
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
  return put("cudaChooseDevice", device, 0);
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr asked, int device) {
  constexpr const char* kCall = "cudaDeviceGetAttribute";
  if (!value) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  if (const auto wrong = check_device(kCall, device)) return wrong;
  const auto known = described().attribute(name_of(asked));
  if (!known) return fail(kCall, cudaErrorInvalidValue, "no such attribute");
  *value = *known;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  constexpr const char* kCall = "cudaGetDeviceProperties";
  if (!properties) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  if (const auto wrong = check_device(kCall, device)) return wrong;
  std::memset(properties, 0, sizeof *properties);
  std::snprintf(properties->name, sizeof properties->name, "%s", described().product().c_str());
  describe_blocks(*properties);
  describe_sms(*properties);
  describe_memory(*properties);
  describe_textures(*properties);
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
  const auto status = tell("cudaDeviceSynchronize", protocol::Synchronize{});
  if (status == cudaSuccess) host_waited_for_all("cudaDeviceSynchronize");
  return status;
}

cudaError_t cudaDeviceReset() {
  host_waited_for_all("cudaDeviceReset");
  return tell("cudaDeviceReset", protocol::Reset{});
}

cudaError_t cudaDriverGetVersion(int* version) {
  return put("cudaDriverGetVersion", version, kVersion);
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  return put("cudaRuntimeGetVersion", version, kVersion);
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual) {
    return fail("cudaDeviceSetCacheConfig", cudaErrorInvalidValue, "no such cache configuration");
  }
  cache_config = config;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  if (!config) return fail("cudaDeviceGetCacheConfig", cudaErrorInvalidValue, kNoPlace);
  *config = static_cast<cudaFuncCache>(cache_config.load());
  return cudaSuccess;
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  if (config < cudaSharedMemBankSizeDefault || config > cudaSharedMemBankSizeEightByte) {
    return fail("cudaDeviceSetSharedMemConfig", cudaErrorInvalidValue, "no such bank size");
  }
  return cudaSuccess; // and banks keep their four bytes, as on the device
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  if (!config) return fail("cudaDeviceGetSharedMemConfig", cudaErrorInvalidValue, kNoPlace);
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  constexpr const char* kCall = "cudaDeviceGetLimit";
  if (!value) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  if (!is_limit(limit)) return fail(kCall, cudaErrorInvalidValue, "no such limit");
  if (limit == cudaLimitDevRuntimeSyncDepth) return fail(kCall, cudaErrorUnsupportedLimit);
  *value = limits[limit];
  return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  constexpr const char* kCall = "cudaDeviceSetLimit";
  if (!is_limit(limit)) return fail(kCall, cudaErrorInvalidValue, "no such limit");
  if (limit == cudaLimitDevRuntimeSyncDepth) return fail(kCall, cudaErrorUnsupportedLimit);
  limits[limit] = value;
  if (limit == cudaLimitMallocHeapSize) return tell(kCall, protocol::HeapLimit{value});
  return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  if (!flags) return fail("cudaGetDeviceFlags", cudaErrorInvalidValue, kNoPlace);
  *flags = device_flags;
  return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  if (flags & ~static_cast<unsigned>(cudaDeviceMask)) {
    return fail("cudaSetDeviceFlags", cudaErrorInvalidValue, "no such flag");
  }
  device_flags = flags | cudaDeviceMapHost;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int size, int device) {
  constexpr const char* kCall = "cudaDeviceGetPCIBusId";
  if (!text || size <= 0) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  if (const auto wrong = check_device(kCall, device)) return wrong;
  std::snprintf(text, static_cast<std::size_t>(size), "0000:00:00.0");
  return cudaSuccess;
}

// The domain and the function may be left out, as of the text above.
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  constexpr const char* kCall = "cudaDeviceGetByPCIBusId";
  if (!device || !text) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  unsigned domain = 0, bus = 0, slot = 0, function = 0;
  if (std::sscanf(text, "%x:%x:%x.%x", &domain, &bus, &slot, &function) < 3 &&
      (domain = 0, std::sscanf(text, "%x:%x.%x", &bus, &slot, &function) < 2))
    return fail(kCall, cudaErrorInvalidValue, "this is not the place of a device on the bus");
  if (domain | bus | slot | function) return fail(kCall, cudaErrorInvalidDevice, kNoDevice);
  *device = 0;
  return cudaSuccess;
}

// No cache is emulated.
cudaError_t cudaCtxResetPersistingL2Cache() {
  return context_error("cudaCtxResetPersistingL2Cache");
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  constexpr const char* kCall = "cudaDeviceCanAccessPeer";
  if (const auto status = put(kCall, can, 0)) return status;
  return check_device(kCall, device | peer);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return cudaSuccess;
}

cudaError_t cudaProfilerStart() {
  return cudaSuccess;
}
cudaError_t cudaProfilerStop() {
  return cudaSuccess;
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

} // extern "C"
