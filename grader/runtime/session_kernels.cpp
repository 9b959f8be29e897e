// The part of the session that is about kernels: their attributes, what fits on the device,
// launches.
#include "runtime/session.hpp"

#include "device/message_id.hpp"
#include "device/model/grouped.hpp"
#include "runtime/launch_rules.hpp"
#include "runtime/occupancy_queries.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <utility>

namespace course::runtime {

namespace {

// cudaFuncAttribute
constexpr std::int32_t kMaxDynamicSharedSize = 8;
constexpr std::int32_t kPreferredCarveout = 9;
constexpr std::int32_t kFirstClusterAttribute = 10;
constexpr std::int32_t kNonPortableClusterSize = 14;
constexpr std::int32_t kClusterScheduling = 15;

std::string in_digits(std::int32_t number) {
  return fmt::format("{}{}", number < 0 ? "-" : "",
                     model::grouped(static_cast<std::uint64_t>(std::abs(std::int64_t{number}))));
}

std::string too_much_dynamic(const std::string& kernel, std::int32_t asked, std::int32_t most,
                             std::uint32_t fixed) {
  if (fixed == 0)
    return fmt::format("{}: {} bytes of dynamic shared memory per block; this device allows {}",
                       kernel, in_digits(asked), in_digits(most));
  return fmt::format(
      "{}: {} bytes of dynamic shared memory per block; this device allows {} beside "
      "the kernel's {} static ones",
      kernel, in_digits(asked), in_digits(most), model::grouped(fixed));
}

KernelResources resources(const device::KernelInfo& info, std::uint32_t most_dynamic,
                          std::int32_t carveout) {
  return {info.registers, info.static_shared, most_dynamic, carveout};
}

} // namespace

Session::Payload Session::answer(protocol::SetKernelAttribute& set) {
  Kernel* of = kernel(set.kernel);
  if (!of) return protocol::Nothing{};
  if (set.attribute == kMaxDynamicSharedSize) {
    const auto most = static_cast<std::int32_t>(most_dynamic_shared(gpu(), *of->info));
    if (set.value < 0 || set.value > most) {
      return fail(CudaStatus::invalid_value,
                  too_much_dynamic(of->title, set.value, most, of->info->static_shared));
    }
    of->most_dynamic = static_cast<std::uint32_t>(set.value);
    return protocol::Nothing{};
  }
  if (set.attribute == kPreferredCarveout) {
    if (set.value < -1 || set.value > 100) {
      return fail(
          CudaStatus::invalid_value,
          fmt::format("{}: a carveout of {}; it is a percentage, or -1", of->title, set.value));
    }
    of->carveout = set.value;
    return protocol::Nothing{};
  }
  if (set.attribute == kNonPortableClusterSize) {
    of->large_clusters = set.value != 0;
    return protocol::Nothing{};
  }
  if (set.attribute == kClusterScheduling) return protocol::Nothing{}; // a hint
  if (set.attribute >= kFirstClusterAttribute && set.attribute < kNonPortableClusterSize) {
    refuse("for a required cluster size");
    return fail(CudaStatus::not_supported, "a required cluster size");
  }
  return fail(CudaStatus::invalid_value, fmt::format("there is no attribute {}", set.attribute));
}

Session::Payload Session::answer(protocol::KernelAttributes& ask) {
  const Kernel* of = kernel(ask.kernel);
  if (!of) return protocol::Nothing{};
  protocol::Attributes attributes;
  attributes.shared = of->info->static_shared;
  attributes.local = of->info->local;
  for (const auto& s : executor_.module(of->module).symbols) {
    if (s.constant) attributes.constant += s.size;
  }
  attributes.max_threads = static_cast<std::int32_t>(most_threads(gpu(), *of->info));
  attributes.registers = static_cast<std::int32_t>(of->info->registers);
  attributes.max_dynamic_shared = static_cast<std::int32_t>(of->most_dynamic);
  attributes.carveout = of->carveout;
  return attributes;
}

Session::Payload Session::answer(protocol::ActiveBlocks& ask) {
  const Kernel* of = kernel(ask.kernel);
  if (!of) return protocol::Nothing{};
  if (ask.threads <= 0) {
    return fail(CudaStatus::invalid_value, fmt::format("{} threads per block", ask.threads));
  }
  return protocol::Count{
      active_blocks(gpu().multiprocessor, resources(*of->info, of->most_dynamic, of->carveout),
                    static_cast<std::uint32_t>(ask.threads), ask.dynamic_shared)};
}

Session::Payload Session::answer(protocol::AvailableShared& ask) {
  const Kernel* of = kernel(ask.kernel);
  if (!of) return protocol::Nothing{};
  if (ask.threads > 0 && ask.blocks > 0) {
    const auto bytes = available_shared(
        gpu().multiprocessor, resources(*of->info, of->most_dynamic, of->carveout),
        static_cast<std::uint32_t>(ask.blocks), static_cast<std::uint32_t>(ask.threads));
    if (bytes) return protocol::Count{*bytes};
  }
  return fail(CudaStatus::invalid_value,
              fmt::format("{}: {} blocks of {} threads do not fit on an SM", of->title, ask.blocks,
                          ask.threads));
}

Session::Payload Session::answer(protocol::Launch& plain) {
  return launch(plain, false);
}

Session::Payload Session::answer(protocol::CooperativeLaunch& ask) {
  return launch(ask.launch, true);
}

Session::Payload Session::answer(protocol::ClusterLaunch& ask) {
  const Kernel* of = kernel(ask.launch.kernel);
  if (!of) return protocol::Nothing{};
  if (auto fault = cluster_fault(gpu(), ask.launch.grid, ask.cluster, of->large_clusters))
    return fail(fault->status,
                device::Message(device::MessageId::of_kernel, of->title, fault->why));
  return launch(ask.launch, false, {ask.cluster[0], ask.cluster[1], ask.cluster[2]});
}

Session::Payload Session::launch(protocol::Launch& launch, bool cooperative,
                                 const device::Dim3& cluster) {
  const Kernel* of = kernel(launch.kernel);
  if (!of) return protocol::Nothing{};
  if (launch.arguments.size() != of->info->argument_bytes) {
    malformed(fmt::format("launches '{}' with {} bytes of arguments; it takes {}", of->title,
                          launch.arguments.size(), of->info->argument_bytes));
    return protocol::Nothing{};
  }
  if (auto fault = launch_fault(gpu(), *of->info, of->most_dynamic, launch.grid, launch.block,
                                launch.dynamic_shared)) {
    return fail(fault->status,
                device::Message(device::MessageId::of_kernel, of->title, fault->why));
  }
  if (cooperative) {
    const auto threads = launch.block[0] * launch.block[1] * launch.block[2];
    const auto at_once =
        active_blocks(gpu().multiprocessor, resources(*of->info, of->most_dynamic, of->carveout),
                      threads, launch.dynamic_shared);
    if (auto fault = cooperative_fault(gpu(), launch.grid, at_once))
      return fail(fault->status,
                  device::Message(device::MessageId::of_kernel, of->title, fault->why));
  }
  device::Launch step;
  step.module = of->module;
  step.kernel = of->info->name;
  step.grid = {launch.grid[0], launch.grid[1], launch.grid[2]};
  step.block = {launch.block[0], launch.block[1], launch.block[2]};
  step.dynamic_shared = static_cast<std::uint32_t>(launch.dynamic_shared);
  step.arguments = std::move(launch.arguments);
  step.cooperative = cooperative;
  step.cluster = cluster;
  done(executor_.execute(std::move(step)));
  return protocol::Nothing{};
}

} // namespace course::runtime
