#include "device/gpu/modules.hpp"

#include "device/code/ptx/targets.hpp"
#include "device/gpu/gpu.hpp"
#include "device/gpu/stand_in.hpp"
#include "device/gpu/tensor_maps.hpp"

#include <array>
#include <cstring>
#include <utility>

namespace course::gpu {
namespace {

bool is_for_another_gpu(CUresult result) {
  return result == CUDA_ERROR_NO_BINARY_FOR_GPU || result == CUDA_ERROR_INVALID_IMAGE ||
         result == CUDA_ERROR_INVALID_SOURCE || result == CUDA_ERROR_DEVICE_NOT_LICENSED;
}

// Machine code here is for the GPU that is emulated. What drivers of others answer to it differs.
bool takes_machine_code(const Driver& driver) {
  return driver.capability() == emulated_capability() && !stand_in_capability();
}

// PTX to machine code for this GPU, by the driver's own compiler.
std::variant<device::Bytes, std::string> compile(const Driver& driver, const std::string& ptx) {
  std::array<char, 4096> log{};
  CUjit_option options[] = {CU_JIT_GENERATE_LINE_INFO, CU_JIT_ERROR_LOG_BUFFER,
                            CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {reinterpret_cast<void*>(std::uintptr_t{1}), log.data(),
                    reinterpret_cast<void*>(log.size() - 1)};
  CUlinkState link = nullptr;
  CUresult result = driver.cuLinkCreate(3, options, values, &link);
  if (result != CUDA_SUCCESS) return "PTX cannot be compiled here: " + driver.error(result);
  void* image = nullptr;
  std::size_t size = 0;
  // The length includes the terminating zero.
  result = driver.cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(ptx.c_str()),
                                ptx.size() + 1, "module.ptx", 0, nullptr, nullptr);
  if (result == CUDA_SUCCESS) result = driver.cuLinkComplete(link, &image, &size);
  std::variant<device::Bytes, std::string> answer;
  if (result == CUDA_SUCCESS) {
    const auto* first = static_cast<const std::byte*>(image);
    answer = device::Bytes(first, first + size);
  } else {
    const std::string said(log.data(), strnlen(log.data(), log.size()));
    answer = "the driver could not compile the PTX: " + driver.error(result) +
             (said.empty() ? "" : ": " + said.substr(0, said.find('\n')));
  }
  driver.cuLinkDestroy(link);
  return answer;
}

} // namespace

Modules::Modules(Modules&& other) noexcept
    : driver_(other.driver_), loaded_(std::exchange(other.loaded_, {})) {}

Modules::~Modules() {
  for (const auto& module : loaded_) driver_->cuModuleUnload(module.handle);
}

std::variant<Modules, std::string> Modules::load(const Driver& driver,
                                                 const std::vector<device::Module>& modules) {
  Modules result(driver);
  for (const auto& module : modules) {
    Loaded loaded;
    CUresult status = CUDA_ERROR_NO_BINARY_FOR_GPU;
    if (!module.cubin.empty() && takes_machine_code(driver)) {
      loaded.image = module.cubin;
      status = driver.cuModuleLoadDataEx(&loaded.handle, loaded.image.data(), 0, nullptr, nullptr);
    }
    if (is_for_another_gpu(status)) {
      if (module.ptx.empty()) return "there is no device code for this GPU";
      auto compiled = compile(driver, ptx::for_gpu(module.ptx, driver.capability(),
                                                   ptx::version_of_driver(driver.version())));
      if (const auto* why = std::get_if<std::string>(&compiled)) return *why;
      loaded.image = std::move(std::get<device::Bytes>(compiled));
      status = driver.cuModuleLoadDataEx(&loaded.handle, loaded.image.data(), 0, nullptr, nullptr);
    }
    if (status != CUDA_SUCCESS) return "device code could not be loaded: " + driver.error(status);
    loaded.parameter_offsets = aligned_parameters(module.ptx);
    result.loaded_.push_back(std::move(loaded));
  }
  return result;
}

std::variant<CUfunction, std::string> Modules::function(std::uint32_t module,
                                                        const std::string& kernel) const {
  if (module >= loaded_.size())
    return "it launches a kernel of a module that was not compiled with it";
  CUfunction function = nullptr;
  const CUresult result =
      driver_->cuModuleGetFunction(&function, loaded_[module].handle, kernel.c_str());
  if (result != CUDA_SUCCESS)
    return "it launches " + kernel + ", which its module does not have: " + driver_->error(result);
  return function;
}

const std::vector<std::uint32_t>* Modules::parameter_offsets(std::uint32_t module,
                                                             const std::string& kernel) const {
  const auto& all = loaded_.at(module).parameter_offsets;
  const auto found = all.find(kernel);
  return found == all.end() ? nullptr : &found->second;
}

std::variant<Modules::Symbol, std::string> Modules::symbol(std::uint32_t module,
                                                           const std::string& name) const {
  if (module >= loaded_.size())
    return "it writes a symbol of a module that was not compiled with it";
  Symbol symbol;
  const CUresult result = driver_->cuModuleGetGlobal(&symbol.address, &symbol.size,
                                                     loaded_[module].handle, name.c_str());
  if (result != CUDA_SUCCESS)
    return "it writes the symbol " + name +
           ", which its module does not have: " + driver_->error(result);
  return symbol;
}

} // namespace course::gpu
