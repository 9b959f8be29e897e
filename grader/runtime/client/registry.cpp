#include "runtime/client/registry.hpp"

#include "device/code/fatbin/fatbin_image.hpp"
#include "runtime/client/managed.hpp"

#include <algorithm>
#include <cstdlib>
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
  // Of version 2, linked code: the containers that it was linked from, and a null pointer.
  const std::byte* const* parts = nullptr;
};
struct FatBinaryHeader {
  std::uint32_t magic = 0;
  std::uint16_t version = 0, header_size = 0;
  std::uint64_t size = 0; // of what follows the header
};
constexpr std::uint32_t kWrapperMagic = 0x466243b1;
constexpr std::uint32_t kHeaderMagic = 0xba55ed50;

// Adds a container to the image. False: it is none, or there is no room.
bool append(runtime::Bytes& image, const std::byte* container) {
  FatBinaryHeader header;
  std::memcpy(&header, container, sizeof header);
  const auto room = protocol::kMostData - image.size();
  if (header.magic != kHeaderMagic || header.header_size > room ||
      header.size > room - header.header_size)
    return false;
  image.insert(image.end(), container, container + header.header_size + header.size);
  return true;
}

runtime::Bytes image_of(const void* fat_binary) {
  constexpr std::uint32_t kLinked = 2;
  FatBinaryWrapper wrapper;
  std::memcpy(&wrapper, fat_binary, sizeof wrapper);
  runtime::Bytes image;
  if (wrapper.magic != kWrapperMagic || !wrapper.data || !append(image, wrapper.data)) return {};
  if (wrapper.version != kLinked || !wrapper.parts) return image;
  for (auto part = wrapper.parts; *part; ++part)
    if (!append(image, *part)) return {};
  return image;
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

// The architecture that PTX is for: `.target sm_90`.
std::uint32_t target_of(const std::string& ptx) {
  const auto at = ptx.find(".target");
  const auto digits = at == ptx.npos ? at : ptx.find_first_of("0123456789", at);
  return digits == ptx.npos ? 0
                            : static_cast<std::uint32_t>(std::strtoul(&ptx[digits], nullptr, 10));
}

// Machine code says itself how long it is: behind its last table.
std::size_t size_of_elf(const std::byte* image) {
  std::uint64_t sections = 0;
  std::uint16_t each = 0, count = 0;
  std::memcpy(&sections, image + 40, sizeof sections);
  std::memcpy(&each, image + 58, sizeof each);
  std::memcpy(&count, image + 60, sizeof count);
  return sections + std::size_t{each} * count;
}

// As a container, whatever it is. Empty: it is no device code.
runtime::Bytes container_of(const void* image) {
  constexpr std::uint32_t kElfMagic = 0x464c457f, kHopper = 90;
  std::uint32_t magic = 0;
  std::memcpy(&magic, image, sizeof magic);
  if (magic == kWrapperMagic) return image_of(image);
  if (magic == kHeaderMagic) {
    runtime::Bytes bytes;
    return append(bytes, static_cast<const std::byte*>(image)) ? bytes : runtime::Bytes{};
  }
  if (magic == kElfMagic) {
    const auto size = size_of_elf(static_cast<const std::byte*>(image));
    if (size > protocol::kMostData / 2) return {};
    return code::fatbin_container(code::fatbin_entry(
        code::kElfKind, kHopper, std::string(static_cast<const char*>(image), size)));
  }
  const std::string ptx(static_cast<const char*>(image));
  if (ptx.find(".version") == ptx.npos || ptx.size() > protocol::kMostData / 2) return {};
  return code::fatbin_container(code::fatbin_entry(code::kPtxKind, target_of(ptx), ptx));
}

} // namespace

Module* load_module(const char* call, const void* image, cudaError_t& status) {
  Module module;
  auto bytes = container_of(image);
  if (bytes.empty()) {
    status = fail(call, cudaErrorInvalidKernelImage, "this is no PTX, and no fat binary");
    return nullptr;
  }
  status = ask<protocol::Identifier>(call, protocol::LoadModule{std::move(bytes)},
                                     [&](auto& answer) { module.id = answer.id; });
  if (status != cudaSuccess) return nullptr;
  const std::lock_guard lock(registry().mutex);
  return &registry().modules.emplace_back(module);
}

Kernel* kernel_in(const Module& module, const std::string& name) {
  const std::lock_guard lock(registry().mutex);
  for (auto& known : registry().kernels)
    if (known.module == &module && known.name == name) return &known;
  auto& kernel = registry().kernels.emplace_back();
  kernel.module = &module;
  kernel.name = name;
  registry().kernel_of[&kernel] = &kernel;
  return &kernel;
}

Variable* variable_in(const Module& module, const std::string& name) {
  const std::lock_guard lock(registry().mutex);
  auto& variable = registry().variables.emplace_back();
  variable.module = &module;
  variable.name = name;
  registry().variable_of[&variable] = &variable;
  return &variable;
}

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
