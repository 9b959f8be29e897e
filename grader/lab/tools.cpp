#include "lab/tools.hpp"

#include "system/cores.hpp"

#include <algorithm>
#include <chrono>
#include <memory>

namespace course::lab {
namespace {

// A launcher computes a grid and launches: what it may use is a thousand times what it needs.
sandbox::Limits host_limits() {
  sandbox::Limits limits;
  limits.cpu = std::chrono::seconds{2};
  return limits;
}

// A reference does the work of a GPU on one core, for the shape that is timed, too.
sandbox::Limits reference_limits() {
  sandbox::Limits limits;
  limits.cpu = std::chrono::seconds{30};
  limits.wall = std::chrono::seconds{120};
  return limits;
}

} // namespace

Tools make_tools(const Workplace& place, device::Device& device, judge::Means::Note note) {
  Tools tools;
  tools.device = &device;
  tools.follower = dynamic_cast<device::Follower*>(&device);
  tools.emulated = place.host.gpu;
  tools.limits = host_limits();
  tools.reference_limits = reference_limits();
  tools.means = {device.name(), note, place.toolkit ? place.toolkit->version : "", sandbox::rung(),
                 COURSE_VERSION};
  tools.compile = [place](const std::filesystem::path& source) -> Tools::CompileResult {
    if (!place.toolkit) return build::Rejected{build::Rejected::Reason::no_compiler, ""};
    build::Options options;
    options.cache = place.cache;
    options.gpu = place.host.gpu;
    return build::compile(*place.toolkit, source, options);
  };
  tools.record = [place, limits = tools.limits](const build::Compiled& built,
                                                const runtime::Call& call) {
    return runtime::record(place.host, built.library, built.modules, call, limits);
  };
  tools.compute = [place, limits = tools.reference_limits](
                      const build::Compiled& built, const runtime::Call& call,
                      const std::vector<device::Buffer>& memory) {
    return runtime::call_on_host(place.host, built.library, call, memory, limits);
  };
  return tools;
}

std::variant<GpuTools, NoGpu> find_gpu() {
  auto found = gpu::make_device();
  if (auto* why = std::get_if<std::string>(&found)) return NoGpu{std::move(*why)};
  auto ability = gpu::ability();
  if (auto* why = std::get_if<std::string>(&ability)) return NoGpu{std::move(*why)};
  const std::shared_ptr<device::Device> counting =
      std::move(std::get<std::unique_ptr<device::Device>>(found));
  GpuTools tools;
  tools.ability = std::move(std::get<gpu::Ability>(ability));
  if (tools.ability.capability < gpu::kOldest) return NoGpu{"", tools.ability};
  tools.name = counting->name();
  tools.count = [counting](const device::Job& job) { return counting->execute(job); };
  tools.execute = [](const std::vector<device::Job>& jobs) { return gpu::execute_in_turn(jobs); };
  tools.time = [](const gpu::TimedWork& work, const gpu::TimingOptions& options) {
    return gpu::time_pair(work, options);
  };
  tools.at_once = std::clamp(system::cores() / 2, 2u, 8u);
  return tools;
}

Tools with_gpu(Tools tools, GpuTools gpu) {
  tools.means.device = gpu.name;
  tools.means.note = judge::Means::Note::memory_emulated;
  tools.gpu = std::move(gpu);
  return tools;
}

} // namespace course::lab
