#include "device/gpu/driver.hpp"

#include "device/gpu/stand_in.hpp"

namespace course::gpu {

// Two steps, so that the header's macros (cuMemAlloc is cuMemAlloc_v2) are expanded before the
// name becomes text.
#define COURSE_TEXT(name) #name
#define COURSE_SYMBOL(name) COURSE_TEXT(name)

std::variant<Driver, std::string> Driver::open() {
  Driver driver;
  driver.library_ = Library::open(
      {"libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"});
  if (!driver.library_)
    return "no NVIDIA driver: libcuda.so.1 was not found: " + driver.library_.error();

#define COURSE_LOAD(name)                                                                          \
  driver.name =                                                                                    \
      reinterpret_cast<decltype(driver.name)>(driver.library_.find(COURSE_SYMBOL(name)));          \
  if (!driver.name)                                                                                \
    return "the NVIDIA driver is too old: it has no '" COURSE_SYMBOL(                              \
        name) "'; install driver 525 or newer";
  COURSE_DRIVER_FUNCTIONS(COURSE_LOAD)
#undef COURSE_LOAD

  if (const CUresult result = driver.cuInit(0); result != CUDA_SUCCESS)
    return "no GPU: cuInit answered: " + driver.error(result);
  int count = 0;
  if (driver.cuDeviceGetCount(&count) != CUDA_SUCCESS || count == 0)
    return "no GPU: the driver is there and lists none";
  if (const CUresult result = driver.cuDeviceGet(&driver.device_, 0); result != CUDA_SUCCESS)
    return "the GPU cannot be used: cuDeviceGet answered: " + driver.error(result);
  return driver;
}

std::string Driver::make_context() {
  if (context_) return "";
  CUresult result = cuDevicePrimaryCtxRetain(&context_, device_);
  if (result == CUDA_SUCCESS) result = cuCtxSetCurrent(context_);
  if (result == CUDA_SUCCESS) return "";
  context_ = nullptr;
  return "the GPU cannot be used: no context on it: " + error(result);
}

int Driver::attribute(CUdevice_attribute which) const {
  int value = 0;
  return cuDeviceGetAttribute(&value, which, device_) == CUDA_SUCCESS ? value : 0;
}

int Driver::version() const {
  int value = 0;
  return cuDriverGetVersion(&value) == CUDA_SUCCESS ? value : 0;
}

int Driver::capability() const {
  if (const auto stand_in = stand_in_capability()) return *stand_in;
  return 10 * attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
         attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
}

std::string Driver::error(CUresult result) const {
  const char* name = nullptr;
  const char* text = nullptr;
  cuGetErrorName(result, &name);
  cuGetErrorString(result, &text);
  if (!name) return "CUDA error " + std::to_string(static_cast<int>(result));
  return text ? std::string(name) + " (" + text + ")" : name;
}

} // namespace course::gpu
