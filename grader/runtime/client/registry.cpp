#include "runtime/client/registry.hpp"

#include "runtime/client/managed.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <vector>

namespace course::client {

namespace {

// Never destroyed: a library's constructors come before ours, its destructors after.
struct Registry {
  std::mutex mutex;
  std::deque<Module> modules;
  std::deque<Kernel> kernels;
  std::deque<Variable> variables;
  std::map<const void*, Kernel*> kernel_of; // host functions, and handles
  std::map<const void*, Variable*> variable_of;
  struct Managed { // a __managed__ variable, which host code reaches through `pointer`
    const Module* module = nullptr;
    std::string name;
    void** pointer = nullptr;
  };
  std::vector<Managed> managed; // not mapped yet
};

Registry& registry() {
  static auto& made = *new Registry;
  return made;
}

template <class T>
T* lookup(const std::map<const void*, T*>& map, const void* key) {
  const std::lock_guard lock(registry().mutex);
  const auto found = map.find(key);
  return found == map.end() ? nullptr : found->second;
}

// The container that nvcc put in the program: a wrapper that points to a header and what follows.
struct FatBinaryWrapper {
  std::uint32_t magic = 0, version = 0;
  const std::byte* data = nullptr;
  const void* extra = nullptr;
};
struct FatBinaryHeader {
  std::uint32_t magic = 0;
  std::uint16_t version = 0, header_size = 0;
  std::uint64_t size = 0; // of what follows the header
};
constexpr std::uint32_t kWrapperMagic = 0x466243b1;
constexpr std::uint32_t kHeaderMagic = 0xba55ed50;

runtime::Bytes image_of(const void* fat_binary) {
  FatBinaryWrapper wrapper;
  std::memcpy(&wrapper, fat_binary, sizeof wrapper);
  if (wrapper.magic != kWrapperMagic || !wrapper.data) return {};
  FatBinaryHeader header;
  std::memcpy(&header, wrapper.data, sizeof header);
  if (header.magic != kHeaderMagic || header.size > protocol::kMostData - header.header_size) {
    return {};
  }
  return {wrapper.data, wrapper.data + header.header_size + header.size};
}

// Gives host code a __managed__ variable. Where that cannot be, its pointer stays null, and what
// failed was told.
void map_variable(const Registry::Managed& managed) {
  constexpr const char* kCall = "__cudaRegisterManagedVar";
  if (managed.module->status != cudaSuccess) return;
  protocol::Symbol info;
  if (ask<protocol::Symbol>(kCall, protocol::FindSymbol{managed.module->id, managed.name},
                            [&](const auto& found) { info = found; }))
    return;
  protocol::Shared shared;
  if (ask<protocol::Shared>(kCall, protocol::ShareSymbol{info.id},
                            [&](const auto& answer) { shared = answer; }))
    return;
  if (!map_shared(shared, info.size)) {
    fail(kCall, cudaErrorMemoryAllocation, "the program has something at this address");
    return;
  }
  *managed.pointer = reinterpret_cast<void*>(shared.address);
  const std::lock_guard lock(registry().mutex);
  auto& variable = registry().variables.emplace_back();
  variable.module = managed.module;
  variable.name = managed.name;
  registry().variable_of[*managed.pointer] = &variable;
}

} // namespace

Kernel* registered_kernel(const void* function) {
  return lookup(registry().kernel_of, function);
}

Kernel* find_kernel(const char* call, const void* function, cudaError_t& status) {
  if (!function) {
    status = fail(call, cudaErrorInvalidDeviceFunction, "a null pointer for a kernel");
    return nullptr;
  }
  Kernel* kernel = registered_kernel(function);
  if (!kernel) {
    status = fail(call, cudaErrorInvalidResourceHandle, "this is not a __global__ function");
    return nullptr;
  }
  bool told = false;
  std::call_once(kernel->asked, [&] {
    kernel->status = kernel->module->status;
    if (kernel->status != cudaSuccess) return;
    told = true;
    kernel->status =
        ask<protocol::Kernel>(call, protocol::FindKernel{kernel->module->id, kernel->name},
                              [&](protocol::Kernel& info) { kernel->info = std::move(info); });
  });
  if (kernel->status == cudaSuccess) return kernel;
  status = told ? kernel->status : fail(call, kernel->status);
  return nullptr;
}

bool is_variable(const void* symbol) {
  return lookup(registry().variable_of, symbol) != nullptr;
}

Variable* find_variable(const char* call, const void* symbol, cudaError_t& status) {
  Variable* variable = lookup(registry().variable_of, symbol);
  if (!variable) {
    status = fail(call, cudaErrorInvalidSymbol, "this is no __constant__ or __device__ variable");
    return nullptr;
  }
  bool told = false;
  std::call_once(variable->asked, [&] {
    variable->status = variable->module->status;
    if (variable->status != cudaSuccess) return;
    told = true;
    variable->status =
        ask<protocol::Symbol>(call, protocol::FindSymbol{variable->module->id, variable->name},
                              [&](protocol::Symbol& info) { variable->info = info; });
  });
  if (variable->status == cudaSuccess) return variable;
  status = told ? variable->status : fail(call, variable->status);
  return nullptr;
}

} // namespace course::client

using namespace course::client;

extern "C" {

void** __cudaRegisterFatBinary(void* fat_binary) {
  constexpr const char* kCall = "__cudaRegisterFatBinary";
  Module module;
  if (auto image = image_of(fat_binary); image.empty()) {
    module.status = fail(kCall, cudaErrorInvalidKernelImage, "this is no fat binary");
  } else {
    module.status = ask<protocol::Identifier>(kCall, protocol::LoadModule{std::move(image)},
                                              [&](auto& answer) { module.id = answer.id; });
  }
  const std::lock_guard lock(registry().mutex);
  return reinterpret_cast<void**>(&registry().modules.emplace_back(module));
}

void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}

// Host code calls it before it touches a __managed__ variable for the first time.
char __cudaInitModule(void** module) {
  std::vector<Registry::Managed> wanted;
  {
    const std::lock_guard lock(registry().mutex);
    auto& all = registry().managed;
    const auto of_others = std::stable_partition(all.begin(), all.end(), [&](const auto& each) {
      return each.module != reinterpret_cast<const Module*>(module);
    });
    wanted.assign(of_others, all.end());
    all.erase(of_others, all.end());
  }
  for (const auto& each : wanted) map_variable(each);
  return 1;
}

void __cudaRegisterManagedVar(void** module, void** pointer, char*, const char* name, int, size_t,
                              int, int) {
  const std::lock_guard lock(registry().mutex);
  registry().managed.push_back({reinterpret_cast<const Module*>(module), name, pointer});
}

void __cudaRegisterFunction(void** module, const char* host_function, char*, const char* name, int,
                            uint3*, uint3*, dim3*, dim3*, int*) {
  const std::lock_guard lock(registry().mutex);
  auto& kernel = registry().kernels.emplace_back();
  kernel.module = reinterpret_cast<const Module*>(module);
  kernel.name = name;
  registry().kernel_of[host_function] = &kernel;
  registry().kernel_of[&kernel] = &kernel;
}

void __cudaRegisterVar(void** module, char* host_variable, char*, const char* name, int, size_t,
                       int, int) {
  const std::lock_guard lock(registry().mutex);
  auto& variable = registry().variables.emplace_back();
  variable.module = reinterpret_cast<const Module*>(module);
  variable.name = name;
  registry().variable_of[host_variable] = &variable;
}

} // extern "C"
