#include "device/gpu/cupti.hpp"
#include "system/environment.hpp"

#include <cstdlib>
#include <fstream>
#include <vector>

namespace course::gpu {
namespace {

// A toolkit's folders, the user's choice first.
std::vector<std::string> library_names() {
  std::vector<std::string> names = {"libcupti.so.13", "libcupti.so.12"};
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const auto root = system::environment(variable)) {
      for (const char* folder : {"/extras/CUPTI/lib64/", "/lib64/", "/lib/"})
        names.push_back(*root + folder + "libcupti.so");
    }
  }
  for (const char* folder : {"extras/CUPTI/lib64/", "lib64/", "lib/"})
    names.push_back(std::string("/usr/local/cuda/") + folder + "libcupti.so");
  return names;
}

// The driver's setting that keeps counters from ordinary users; empty when it cannot be read.
std::string admin_only() {
  std::ifstream file("/proc/driver/nvidia/params");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("RmProfilingAdminOnly:"))
      return line.substr(line.find_first_not_of(' ', line.find(':') + 1));
  }
  return "";
}

} // namespace

std::variant<Cupti, std::string> Cupti::open() {
  Cupti cupti;
  cupti.library_ = Library::open(library_names());
  if (!cupti.library_)
    return "CUPTI was not found; it is part of the CUDA Toolkit: install it, or set CUDA_HOME to "
           "where it is: " +
           cupti.library_.error();
#define COURSE_LOAD_CUPTI(name)                                                                    \
  cupti.name = reinterpret_cast<decltype(cupti.name)>(cupti.library_.find(#name));                 \
  if (!cupti.name)                                                                                 \
    return "the CUPTI in '" + cupti.library_.path() +                                              \
           "' is too old: it has no '" #name "'; use the one of CUDA 13";
  COURSE_CUPTI_FUNCTIONS(COURSE_LOAD_CUPTI)
#undef COURSE_LOAD_CUPTI

  CUpti_Profiler_Initialize_Params initialize{};
  initialize.structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE;
  if (const auto result = cupti.cuptiProfilerInitialize(&initialize); result != CUPTI_SUCCESS)
    return cupti.error("cuptiProfilerInitialize", result);
  return cupti;
}

std::string Cupti::error(const char* call, CUptiResult result) const {
  const char* name = nullptr;
  cuptiGetResultString(result, &name);
  std::string text = std::string("'") + call + "' answered '" +
                     (name ? name : "error " + std::to_string(static_cast<int>(result))) + "'";
  if (result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES ||
      result == CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES) {
    text +=
        "; the driver keeps counters for administrators, RmProfilingAdminOnly is '" +
        (admin_only().empty() ? std::string("unreadable") : admin_only()) +
        "': an administrator can write 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' to a "
        "file in /etc/modprobe.d and reboot";
  }
  return text;
}

std::string Cupti::refusal(CUpti_Profiler_API api, CUdevice device) const {
  CUpti_Profiler_DeviceSupported_Params params{};
  params.structSize = CUpti_Profiler_DeviceSupported_Params_STRUCT_SIZE;
  params.cuDevice = device;
  params.api = api;
  if (const auto result = cuptiProfilerDeviceSupported(&params); result != CUPTI_SUCCESS)
    return error("cuptiProfilerDeviceSupported", result);
  constexpr auto supported = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
  if (params.isSupported == supported) return "";
  if (params.architecture != supported) return "CUPTI cannot count on a GPU of this generation";
  if (params.vGpu != supported) return "this virtual GPU does not allow counting";
  if (params.confidentialCompute != supported) return "confidential computing forbids counting";
  if (params.wsl != supported) return "counting does not work under WSL";
  return "CUPTI says that counting is not supported on this GPU";
}

std::string Cupti::chip_name(CUdevice device) const {
  CUpti_Device_GetChipName_Params params{};
  params.structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE;
  params.deviceIndex = static_cast<std::size_t>(device);
  if (cuptiDeviceGetChipName(&params) != CUPTI_SUCCESS || !params.pChipName) return "";
  return params.pChipName;
}

} // namespace course::gpu
