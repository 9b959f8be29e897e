#include "device/gpu/nvml.hpp"

#include "device/gpu/library.hpp"
#include "language/translate.hpp"

#include <algorithm>

namespace course::gpu {
namespace {

// The few declarations used here, as NVIDIA's NVML API reference has them; the CUDA Toolkit's
// packages do not always bring nvml.h.
using Result = int;
using Device = void*;
struct ProcessInfo {
  unsigned int pid;
  unsigned long long used_memory;
  unsigned int gpu_instance, compute_instance;
};
constexpr Result kSuccess = 0;
constexpr unsigned kSmClock = 1, kMemoryClock = 2;

struct Reason {
  unsigned long long bit;
  const char* name;
};
constexpr Reason kReasons[] = {
    {0x2, language::marked("clocks set by an application")},
    {0x4, language::marked("power cap")},
    {0x8, language::marked("hardware slowdown")},
    {0x10, language::marked("sync boost")},
    {0x20, language::marked("temperature, by the driver")},
    {0x40, language::marked("temperature, by the hardware")},
    {0x80, language::marked("power brake")},
    {0x100, language::marked("display clocks")},
};

class Nvml {
public:
  Nvml()
      : library_(
            Library::open({"libnvidia-ml.so.1", "/usr/local/nvidia/lib64/libnvidia-ml.so.1"})) {
    if (!library_) return;
    const auto initialise = find<Result (*)()>("nvmlInit_v2");
    ready_ = initialise && initialise() == kSuccess;
  }
  ~Nvml() {
    if (const auto shut_down = find<Result (*)()>("nvmlShutdown"); ready_ && shut_down) shut_down();
  }
  bool ready() const { return ready_; }
  const std::string& error() const { return library_.error(); }

  Device device(const std::string& pci) const {
    Device device = nullptr;
    const auto get = find<Result (*)(const char*, Device*)>("nvmlDeviceGetHandleByPciBusId_v2");
    return get && get(pci.c_str(), &device) == kSuccess ? device : nullptr;
  }
  std::uint32_t clock(const char* function, Device device, unsigned which) const {
    unsigned value = 0;
    const auto get = find<Result (*)(Device, unsigned, unsigned*)>(function);
    return get && get(device, which, &value) == kSuccess ? value : 0;
  }
  std::vector<std::string> throttled(Device device) const {
    unsigned long long bits = 0;
    const auto get =
        find<Result (*)(Device, unsigned long long*)>("nvmlDeviceGetCurrentClocksThrottleReasons");
    std::vector<std::string> names;
    if (!get || get(device, &bits) != kSuccess) return names;
    for (const auto& reason : kReasons) {
      if (bits & reason.bit) names.push_back(reason.name);
    }
    return names;
  }
  std::uint32_t others(Device device, const std::vector<std::uint32_t>& own) const {
    std::vector<ProcessInfo> processes(256);
    unsigned count = static_cast<unsigned>(processes.size());
    const auto get = find<Result (*)(Device, unsigned*, ProcessInfo*)>(
        "nvmlDeviceGetComputeRunningProcesses_v3");
    if (!get || get(device, &count, processes.data()) != kSuccess) return 0;
    count = std::min(count, 256u);
    return static_cast<std::uint32_t>(
        std::count_if(processes.begin(), processes.begin() + count, [&](const ProcessInfo& info) {
          return std::find(own.begin(), own.end(), info.pid) == own.end();
        }));
  }

private:
  template <class Function>
  Function find(const char* name) const {
    return reinterpret_cast<Function>(library_.find(name));
  }
  Library library_;
  bool ready_ = false;
};

} // namespace

Conditions conditions(const std::string& pci, const std::vector<std::uint32_t>& own) {
  Conditions result;
  const Nvml nvml;
  if (!nvml.ready()) {
    result.unavailable = "NVIDIA's management library could not be used: " + nvml.error();
    return result;
  }
  const Device device = nvml.device(pci);
  if (!device) {
    result.unavailable = "NVIDIA's management library does not know the GPU at '" + pci + "'";
    return result;
  }
  result.sm_clock = nvml.clock("nvmlDeviceGetClockInfo", device, kSmClock);
  result.memory_clock = nvml.clock("nvmlDeviceGetClockInfo", device, kMemoryClock);
  result.highest_sm_clock = nvml.clock("nvmlDeviceGetMaxClockInfo", device, kSmClock);
  result.throttled = nvml.throttled(device);
  result.other_processes = nvml.others(device, own);
  return result;
}

} // namespace course::gpu
