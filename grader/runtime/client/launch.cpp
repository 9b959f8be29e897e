// Launches: <<<>>> pushes its configuration, the kernel's stub pops it and launches.
#include "runtime/client/managed.hpp"
#include "runtime/client/registry.hpp"
#include "runtime/client/streams.hpp"
#include "runtime/client/work.hpp"

#include <cstring>
#include <optional>
#include <vector>

using namespace course::client;

namespace {

struct Configuration {
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};
thread_local std::vector<Configuration> configurations;

constexpr const char* kLaunch = "cudaLaunchKernel"; // also for the stub's own entry point

// How it is launched.
struct Way {
  bool cooperative = false;
  std::optional<dim3> cluster = std::nullopt;
  bool early = false; // it may begin before what is ahead of it in its stream has ended
  Outcome outcome = Outcome::read;
};

cudaError_t launch(const char* call, const void* function, dim3 grid, dim3 block, void** arguments,
                   std::size_t shared, cudaStream_t stream, const Way& way = {}) {
  cudaError_t status = cudaSuccess;
  auto work = kernel_work(call, function, grid, block, arguments, shared, status);
  if (!work) return status;
  work->cooperative = way.cooperative;
  work->cluster = way.cluster;
  if (const auto kept = captured(call, stream, *work)) return *kept;
  const OnStream on(stream);
  if (way.early) begin_early(call);
  return do_kernel(call, *work, way.outcome);
}

bool is_cooperative(const cudaLaunchConfig_t& config) {
  for (unsigned i = 0; i < config.numAttrs; ++i)
    if (config.attrs[i].id == cudaLaunchAttributeCooperative && config.attrs[i].val.cooperative)
      return true;
  return false;
}

bool begins_early(const cudaLaunchConfig_t& config) {
  for (unsigned i = 0; i < config.numAttrs; ++i)
    if (config.attrs[i].id == cudaLaunchAttributeProgrammaticStreamSerialization &&
        config.attrs[i].val.programmaticStreamSerializationAllowed)
      return true;
  return false;
}

// Blocks of a cluster, where the launch asks for more than one.
std::optional<dim3> cluster_of(const cudaLaunchConfig_t& config) {
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const auto& cluster = config.attrs[i].val.clusterDim;
    if (config.attrs[i].id == cudaLaunchAttributeClusterDimension &&
        (cluster.x != 1 || cluster.y != 1 || cluster.z != 1))
      return dim3(cluster.x, cluster.y, cluster.z);
  }
  return std::nullopt;
}

// The first attribute that changes what a launch does, and which is not executed, in words. Hints
// are none, and a launch that may begin early (programmatic stream serialization) need not: where
// it relies on that, it is told.
std::string missing_attribute(const cudaLaunchConfig_t& config) {
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    switch (config.attrs[i].id) {
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeCooperative:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributeClusterDimension:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    case cudaLaunchAttributeProgrammaticStreamSerialization:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributePreferredClusterDimension:
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
    case cudaLaunchAttributeNvlinkUtilCentricScheduling:
      continue;
    case cudaLaunchAttributeProgrammaticEvent:
      return "with cudaLaunchAttributeProgrammaticEvent";
    case cudaLaunchAttributeMemSyncDomainMap:
      return "with cudaLaunchAttributeMemSyncDomainMap";
    case cudaLaunchAttributeMemSyncDomain:
      return "with cudaLaunchAttributeMemSyncDomain";
    case cudaLaunchAttributeLaunchCompletionEvent:
      return "with cudaLaunchAttributeLaunchCompletionEvent";
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
      return "with cudaLaunchAttributeDeviceUpdatableKernelNode";
    default:
      return "with attribute " + std::to_string(static_cast<int>(config.attrs[i].id));
    }
  }
  return {};
}

} // namespace

std::optional<KernelWork> course::client::kernel_work(const char* call, const void* function,
                                                      dim3 grid, dim3 block, void** arguments,
                                                      std::size_t shared, cudaError_t& status) {
  const Kernel* kernel = find_kernel(call, function, status);
  if (!kernel) return std::nullopt;
  const auto& info = kernel->info;
  if (!arguments && !info.sizes.empty()) {
    status = fail(call, cudaErrorInvalidValue, "a null pointer for the arguments");
    return std::nullopt;
  }
  KernelWork work{function, grid, block, shared, {}, false, std::nullopt};
  work.arguments.resize(info.argument_bytes);
  for (std::size_t i = 0; arguments && i < info.sizes.size(); ++i) {
    std::memcpy(work.arguments.data() + info.offsets[i], arguments[i], info.sizes[i]);
  }
  return work;
}

std::vector<void*> course::client::shown_arguments(KernelWork& work) {
  cudaError_t status = cudaSuccess;
  std::vector<void*> all;
  if (const Kernel* kernel = find_kernel(kLaunch, work.function, status))
    for (const auto offset : kernel->info.offsets) all.push_back(work.arguments.data() + offset);
  return all;
}

cudaError_t course::client::do_kernel(const char* call, const KernelWork& work,
                                      Outcome outcome_is) {
  cudaError_t status = cudaSuccess;
  const Kernel* kernel = find_kernel(call, work.function, status);
  if (!kernel) return status;
  protocol::Launch message;
  message.kernel = kernel->info.id;
  message.grid = {work.grid.x, work.grid.y, work.grid.z};
  message.block = {work.block.x, work.block.y, work.block.z};
  message.dynamic_shared = work.shared;
  message.arguments = work.arguments;
  tell_touches(call);
  if (work.cooperative)
    status = tell(call, protocol::CooperativeLaunch{std::move(message)});
  else if (const auto& cluster = work.cluster)
    status = tell(
        call, protocol::ClusterLaunch{std::move(message), {cluster->x, cluster->y, cluster->z}});
  else if (outcome_is == Outcome::not_read && is_live() && !any_managed())
    post_launch(call, std::move(message)); // what it changes cannot be seen before it is done
  else
    status = tell(call, std::move(message));
  if (status == cudaSuccess) guard_managed(call);
  return status;
}

extern "C" {

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  if (configurations.empty()) return fail(kLaunch, cudaErrorMissingConfiguration);
  const auto top = configurations.back();
  configurations.pop_back();
  *grid = top.grid;
  *block = top.block;
  *shared = top.shared;
  *static_cast<cudaStream_t*>(stream) = top.stream;
  return cudaSuccess;
}

// Errors of the kernel wait for its launch, where the program looks for them.
cudaError_t __cudaGetKernel(cudaKernel_t* handle, const void* function) {
  Kernel* kernel = registered_kernel(function);
  if (!kernel) {
    return fail(kLaunch, cudaErrorInvalidDeviceFunction, "this is not a __global__ function");
  }
  *handle = reinterpret_cast<cudaKernel_t>(kernel);
  return cudaSuccess;
}

cudaError_t cudaGetKernel(cudaKernel_t* handle, const void* function) {
  if (!registered_kernel(function)) {
    return fail("cudaGetKernel", cudaErrorInvalidDeviceFunction,
                "this is not a __global__ function");
  }
  return __cudaGetKernel(handle, function);
}

// What <<<>>> calls.
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared, cudaStream_t stream) {
  return launch(kLaunch, kernel, grid, block, arguments, shared, stream,
                {.outcome = Outcome::not_read});
}
COURSE_ALSO(__cudaLaunchKernel_ptsz, __cudaLaunchKernel);

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared, cudaStream_t stream) {
  return launch(kLaunch, function, grid, block, arguments, shared, stream);
}
COURSE_ALSO(cudaLaunchKernel_ptsz, cudaLaunchKernel);

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  constexpr const char* kCall = "cudaLaunchKernelExC";
  if (!config) return fail(kCall, cudaErrorInvalidValue, "a null pointer for the configuration");
  if (const auto what = missing_attribute(*config); !what.empty())
    return static_cast<cudaError_t>(refuse(kCall, what));
  const auto cluster = cluster_of(*config);
  if (cluster && is_cooperative(*config))
    return static_cast<cudaError_t>(refuse(kCall, "cooperatively, in clusters"));
  return launch(kCall, function, config->gridDim, config->blockDim, arguments,
                config->dynamicSmemBytes, config->stream ? config->stream : default_stream(),
                {is_cooperative(*config), cluster, begins_early(*config)});
}
COURSE_ALSO(cudaLaunchKernelExC_ptsz, cudaLaunchKernelExC);

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, size_t shared, cudaStream_t stream) {
  return launch("cudaLaunchCooperativeKernel", function, grid, block, arguments, shared, stream,
                {.cooperative = true});
}
COURSE_ALSO(cudaLaunchCooperativeKernel_ptsz, cudaLaunchCooperativeKernel);

} // extern "C"
