// NVIDIA's driver API, opened at run time.
#pragma once

#include "device/gpu/library.hpp"

#include <cuda.h>

#include <string>
#include <variant>

namespace course::gpu {

// The functions this room calls, by their names in cuda.h; that header's macros give the versions.
#define COURSE_DRIVER_FUNCTIONS(X)                                                                 \
  X(cuInit)                                                                                        \
  X(cuDriverGetVersion)                                                                            \
  X(cuDeviceGet)                                                                                   \
  X(cuDeviceGetCount)                                                                              \
  X(cuDeviceGetName)                                                                               \
  X(cuDeviceGetAttribute)                                                                          \
  X(cuDeviceGetPCIBusId)                                                                           \
  X(cuDeviceTotalMem)                                                                              \
  X(cuDevicePrimaryCtxRetain)                                                                      \
  X(cuCtxSetCurrent)                                                                               \
  X(cuCtxSynchronize)                                                                              \
  X(cuCtxResetPersistingL2Cache)                                                                   \
  X(cuGetErrorName)                                                                                \
  X(cuGetErrorString)                                                                              \
  X(cuMemGetInfo)                                                                                  \
  X(cuMemAlloc)                                                                                    \
  X(cuMemFree)                                                                                     \
  X(cuMemAddressReserve)                                                                           \
  X(cuMemAddressFree)                                                                              \
  X(cuMemCreate)                                                                                   \
  X(cuMemRelease)                                                                                  \
  X(cuMemMap)                                                                                      \
  X(cuMemUnmap)                                                                                    \
  X(cuMemSetAccess)                                                                                \
  X(cuMemGetAllocationGranularity)                                                                 \
  X(cuMemcpyHtoD)                                                                                  \
  X(cuMemcpyDtoH)                                                                                  \
  X(cuMemcpyDtoDAsync)                                                                             \
  X(cuMemcpyHtoDAsync)                                                                             \
  X(cuMemsetD8Async)                                                                               \
  X(cuModuleLoadDataEx)                                                                            \
  X(cuModuleUnload)                                                                                \
  X(cuModuleGetFunction)                                                                           \
  X(cuModuleGetGlobal)                                                                             \
  X(cuLinkCreate)                                                                                  \
  X(cuLinkAddData)                                                                                 \
  X(cuLinkComplete)                                                                                \
  X(cuLinkDestroy)                                                                                 \
  X(cuFuncGetAttribute)                                                                            \
  X(cuFuncSetAttribute)                                                                            \
  X(cuLaunchKernel)                                                                                \
  X(cuLaunchKernelEx)                                                                              \
  X(cuTensorMapEncodeTiled)                                                                        \
  X(cuEventCreate)                                                                                 \
  X(cuEventRecord)                                                                                 \
  X(cuEventSynchronize)                                                                            \
  X(cuEventElapsedTime)

#define COURSE_DECLARE(name) decltype(&::name) name = nullptr;
struct DriverFunctions {
  COURSE_DRIVER_FUNCTIONS(COURSE_DECLARE)
};

class Driver : public DriverFunctions {
public:
  // The driver, initialised, and its first visible GPU; or one sentence why there is none.
  static std::variant<Driver, std::string> open();
  // Makes that GPU's context current; not done by `open`, because CUPTI must see it made. Empty
  // when done, at once when it was done before.
  std::string make_context();

  CUdevice device() const { return device_; }
  CUcontext context() const { return context_; }
  int attribute(CUdevice_attribute) const; // 0 when the driver does not know it
  int version() const;                     // of CUDA that it serves: 13000 for 13.0
  // 90 for 9.0: the GPU's, or an older one's that it stands in for (stand_in.hpp).
  int capability() const;
  std::string error(CUresult) const; // "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access …)"

private:
  Library library_;
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
};

} // namespace course::gpu
