#include "device/gpu/plan_steps.hpp"

#include "device/code/inspect/display_name.hpp"
#include "device/gpu/gpu.hpp"
#include "device/gpu/tensor_maps.hpp"
#include "device/message_id.hpp"

#include <array>
#include <cstring>
#include <vector>

namespace course::gpu {
namespace {

using device::FindingKind;
using device::Observation;

using Says = device::MessageId;

struct Fault {
  CUresult error;
  FindingKind kind;
  device::MessageId what;
};
// Errors that a kernel leaves behind, and what they mean to its author.
constexpr Fault kFaults[] = {
    {CUDA_ERROR_ILLEGAL_ADDRESS, FindingKind::out_of_bounds, Says::gpu_illegal_address},
    {CUDA_ERROR_INVALID_ADDRESS_SPACE, FindingKind::out_of_bounds, Says::gpu_wrong_space},
    {CUDA_ERROR_MISALIGNED_ADDRESS, FindingKind::misaligned, Says::gpu_misaligned},
    {CUDA_ERROR_ASSERT, FindingKind::trap, Says::gpu_assert},
    {CUDA_ERROR_ILLEGAL_INSTRUCTION, FindingKind::trap, Says::gpu_illegal_instruction},
    {CUDA_ERROR_LAUNCH_FAILED, FindingKind::trap, Says::gpu_launch_failed},
    {CUDA_ERROR_HARDWARE_STACK_ERROR, FindingKind::trap, Says::gpu_stack},
    {CUDA_ERROR_INVALID_PC, FindingKind::trap, Says::gpu_no_code},
    {CUDA_ERROR_LAUNCH_TIMEOUT, FindingKind::budget, Says::gpu_watchdog},
};

std::optional<Failure> failed(const std::string& reason) {
  return Failure{Observation::Status::failed, reason, {}};
}

std::optional<Failure> check(const Driver& driver, CUresult result, const std::string& what) {
  if (result == CUDA_SUCCESS) return {};
  return failed(what + ": " + driver.error(result));
}

class Enqueue {
public:
  Enqueue(const Driver& driver, const Modules& modules, DeviceMemory& memory)
      : driver_(driver), modules_(modules), memory_(memory) {}

  std::optional<Failure> operator()(const device::Allocate& step) {
    if (const auto error = memory_.map({step.address, step.size})) return failed(*error);
    return check(driver_,
                 step.size == 0 ? CUDA_SUCCESS
                                : driver_.cuMemsetD8Async(step.address,
                                                          static_cast<unsigned char>(kFreshPoison),
                                                          step.size, nullptr),
                 "new memory could not be filled");
  }
  std::optional<Failure> operator()(const device::Free& step) {
    if (auto failure = finish(driver_, nullptr)) return failure; // kernels may still be using it
    if (const auto error = memory_.unmap(step.address)) return failed(*error);
    return {};
  }
  std::optional<Failure> operator()(const device::Fill& step) {
    if (step.size == 0) return {};
    return check(driver_,
                 driver_.cuMemsetD8Async(step.address, static_cast<unsigned char>(step.value),
                                         step.size, nullptr),
                 "a fill of " + std::to_string(step.size) + " bytes was refused");
  }
  std::optional<Failure> operator()(const device::Copy& step) {
    if (step.size == 0) return {};
    return check(driver_, driver_.cuMemcpyDtoDAsync(step.to, step.from, step.size, nullptr),
                 "a copy of " + std::to_string(step.size) + " bytes was refused");
  }
  std::optional<Failure> operator()(const device::Upload& step) {
    if (step.bytes.empty()) return {};
    return check(driver_,
                 driver_.cuMemcpyHtoDAsync(step.to, step.bytes.data(), step.bytes.size(), nullptr),
                 "an upload of " + std::to_string(step.bytes.size()) + " bytes was refused");
  }
  std::optional<Failure> operator()(const device::SymbolUpload& step) {
    auto found = modules_.symbol(step.module, step.symbol);
    if (const auto* why = std::get_if<std::string>(&found)) return failed(*why);
    const auto symbol = std::get<Modules::Symbol>(found);
    if (step.offset > symbol.size || step.bytes.size() > symbol.size - step.offset)
      return failed("it writes past the end of the symbol " + step.symbol);
    if (step.bytes.empty()) return {};
    return check(driver_,
                 driver_.cuMemcpyHtoDAsync(symbol.address + step.offset, step.bytes.data(),
                                           step.bytes.size(), nullptr),
                 "the symbol " + step.symbol + " could not be written");
  }
  std::optional<Failure> operator()(const device::Launch& step) {
    auto found = modules_.function(step.module, step.kernel);
    if (const auto* why = std::get_if<std::string>(&found)) return failed(*why);
    const auto function = std::get<CUfunction>(found);
    const std::string name = code::display_name(step.kernel);
    if (step.cooperative)
      return Failure{device::Observation::Status::unsupported,
                     "the cooperative launch of " + name + ": only the emulated device has those",
                     {}};
    // Allowed above 48 KiB only after asking; asking for less does no harm.
    if (step.dynamic_shared > 0) {
      if (auto failure = check(
              driver_,
              driver_.cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                         static_cast<int>(step.dynamic_shared)),
              name + " cannot have " + std::to_string(step.dynamic_shared) +
                  " bytes of dynamic shared memory"))
        return failure;
    }
    auto arguments = step.arguments;
    if (auto failure = place_symbols(step, arguments)) return failure;
    if (auto failure = encode_maps(arguments)) return failure;
    const CUresult result = launch(function, step, arguments);
    auto failure = check(driver_, result, "the launch of " + name + " was refused");
    if (failure && is_for_another_gpu(result)) failure->status = Observation::Status::unsupported;
    return failure;
  }
  // All steps are in one stream here, and so in the order that they have.
  std::optional<Failure> operator()(const device::StreamCall&) { return {}; }

private:
  // A launch that an H200 has room for, and this one has not: what its driver makes of the PTX may
  // take more registers.
  bool is_for_another_gpu(CUresult result) const {
    return driver_.capability() != emulated_capability() &&
           (result == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES ||
            result == CUDA_ERROR_INVALID_CLUSTER_SIZE || result == CUDA_ERROR_NOT_SUPPORTED);
  }

  std::optional<Failure> place_symbols(const device::Launch& step, device::Bytes& arguments) {
    for (const auto& [at, module, name, offset] : step.symbols) {
      auto found = modules_.symbol(module, name);
      if (const auto* why = std::get_if<std::string>(&found)) return failed(*why);
      const CUdeviceptr address = std::get<Modules::Symbol>(found).address + offset;
      if (at > arguments.size() || sizeof address > arguments.size() - at)
        return failed("the address of " + name + " is not among the arguments");
      std::memcpy(arguments.data() + at, &address, sizeof address);
    }
    return {};
  }

  std::optional<Failure> encode_maps(device::Bytes& arguments) {
    for (const auto& [offset, map] : tensor_arguments(arguments)) {
      constexpr std::array<cuuint32_t, model::kMostDimensions> kNextElements{1, 1, 1, 1, 1};
      alignas(64) CUtensorMap encoded;
      const CUresult result = driver_.cuTensorMapEncodeTiled(
          &encoded, static_cast<CUtensorMapDataType>(tensor_data_type(map)), map.rank,
          reinterpret_cast<void*>(map.address), map.size.data(), map.stride.data() + 1,
          map.box.data(), kNextElements.data(), CU_TENSOR_MAP_INTERLEAVE_NONE,
          static_cast<CUtensorMapSwizzle>(map.swizzle),
          static_cast<CUtensorMapL2promotion>(map.promotion),
          map.fills_with_nan ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
                             : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
      if (auto failure = check(driver_, result, "a tensor map was refused")) return failure;
      std::memcpy(arguments.data() + offset, &encoded, sizeof encoded);
    }
    return {};
  }

  CUresult launch(CUfunction function, const device::Launch& step, device::Bytes& arguments) {
    constexpr std::uint64_t kPortable = 8; // blocks of a cluster (programming guide)
    if (step.cluster.count() > kPortable)
      driver_.cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
    std::size_t size = arguments.size();
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, arguments.data(), CU_LAUNCH_PARAM_BUFFER_SIZE,
                     &size, CU_LAUNCH_PARAM_END};
    CUlaunchAttribute cluster{};
    cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    cluster.value.clusterDim.x = step.cluster.x;
    cluster.value.clusterDim.y = step.cluster.y;
    cluster.value.clusterDim.z = step.cluster.z;
    CUlaunchConfig config{};
    config.gridDimX = step.grid.x;
    config.gridDimY = step.grid.y;
    config.gridDimZ = step.grid.z;
    config.blockDimX = step.block.x;
    config.blockDimY = step.block.y;
    config.blockDimZ = step.block.z;
    config.sharedMemBytes = step.dynamic_shared;
    config.attrs = &cluster;
    config.numAttrs = step.cluster.count() > 0 ? 1 : 0; // 0: as the kernel says
    if (const auto* offsets = modules_.parameter_offsets(step.module, step.kernel)) {
      if (offsets->back() != size) return CUDA_ERROR_INVALID_VALUE;
      std::vector<void*> each;
      for (std::size_t i = 0; i + 1 < offsets->size(); ++i)
        each.push_back(arguments.data() + (*offsets)[i]);
      return driver_.cuLaunchKernelEx(&config, function, each.data(), nullptr);
    }
    return driver_.cuLaunchKernelEx(&config, function, nullptr, size == 0 ? nullptr : extra);
  }

  const Driver& driver_;
  const Modules& modules_;
  DeviceMemory& memory_;
};

} // namespace

std::optional<Failure> enqueue(const Driver& driver, const Modules& modules, DeviceMemory& memory,
                               const device::Step& step) {
  return std::visit(Enqueue(driver, modules, memory), step);
}

std::optional<Failure> finish(const Driver& driver, const device::Launch* launch) {
  const CUresult result = driver.cuCtxSynchronize();
  if (result == CUDA_SUCCESS) return {};
  const std::string name = launch ? code::display_name(launch->kernel) : "a step of the plan";
  Failure failure;
  failure.reason = name + " ended with " + driver.error(result);
  for (const auto& fault : kFaults) {
    if (fault.error != result || !launch) continue;
    device::Finding finding;
    finding.kind = fault.kind;
    finding.kernel = name;
    finding.message = device::Message(fault.what, name, driver.error(result));
    finding.fatal = true;
    failure.finding = finding;
  }
  return failure;
}

std::uint64_t shared_bytes(const Driver& driver, const Modules& modules,
                           const device::Launch& launch) {
  const auto found = modules.function(launch.module, launch.kernel);
  int statically = 0;
  if (const auto* function = std::get_if<CUfunction>(&found))
    driver.cuFuncGetAttribute(&statically, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, *function);
  return static_cast<std::uint64_t>(statically) + launch.dynamic_shared;
}

} // namespace course::gpu
