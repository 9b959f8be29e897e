// Any bytes as a module: what loads is executed, and comes to an end, a finding or a budget's stop.
//
// Each kernel is launched with pointers to one buffer. The job is done twice on one device, which
// must not show anything of the first time in the second.
#include "device/emulator/emulator.hpp"
#include "device/module_info.hpp"
#include "device/spelled.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace course::emulator {
namespace {

using device::Observation;

constexpr device::Address kBuffer = 0x10'0000'0000;
constexpr std::uint64_t kMostVariables = 64 << 20; // bytes: the fuzzer's memory is limited
constexpr std::size_t kMostKernels = 4;

void require(bool holds) {
  if (!holds) __builtin_trap();
}

device::Launch launch(const device::KernelInfo& kernel) {
  device::Launch step;
  step.kernel = kernel.name;
  step.grid = {2, 1, 1};
  step.block = {kernel.max_threads == 0 ? 40 : std::min(kernel.max_threads, 64u), 1, 1};
  step.dynamic_shared = 256;
  step.arguments.resize(kernel.argument_bytes);
  for (std::size_t i = 0; i < kernel.parameter_sizes.size(); ++i) {
    const std::uint64_t value = kernel.parameter_sizes[i] == 8 ? kBuffer : 7;
    std::memcpy(step.arguments.data() + kernel.parameter_offsets[i], &value,
                std::min<std::size_t>(kernel.parameter_sizes[i], sizeof value));
  }
  return step;
}

void look_at(const Observation& seen, const device::Job& job) {
  require(seen.buffers.size() == 1 && seen.buffers[0].size() == job.buffers[0].bytes.size());
  require((seen.status == Observation::Status::completed) == seen.reason.empty());
  for (const auto& line : seen.lines) {
    require(line.wavefronts >= line.ideal);
    require(!name_of(line.kind).empty());
  }
  for (const auto& finding : seen.findings) {
    require(!finding.message.empty() && device::is_whole(finding.message) && finding.count > 0);
    for (const char c : device::spelled(finding.message)) require(c >= ' ' && c <= '~');
  }
}

bool same(const device::LineCounts& a, const device::LineCounts& b) {
  return a.kernel == b.kernel && a.line == b.line && a.kind == b.kind && a.requests == b.requests &&
         a.wavefronts == b.wavefronts && a.ideal == b.ideal && a.sectors == b.sectors &&
         a.replays == b.replays && a.ways == b.ways;
}
bool same(const device::Finding& a, const device::Finding& b) {
  return a.kind == b.kind && a.message == b.message && a.count == b.count && a.fatal == b.fatal;
}
bool same(const Observation& a, const Observation& b) {
  const auto alike = [](const auto& x, const auto& y) { return same(x, y); };
  return a.status == b.status && a.reason == b.reason && a.buffers == b.buffers &&
         a.printed == b.printed && std::ranges::equal(a.lines, b.lines, alike) &&
         std::ranges::equal(a.findings, b.findings, alike);
}

void execute(const device::ModuleInfo& info, device::Module module) {
  Options options;
  options.threads = 1;
  const auto device = make_device(options);
  device::Job job;
  job.modules.push_back(std::move(module));
  job.instruction_budget = 4000;
  job.watch.instructions = true;
  job.buffers.push_back({"data", kBuffer, device::Bytes(2048, std::byte{1}), false});
  for (std::size_t i = 0; i < std::min(info.kernels.size(), kMostKernels); ++i) {
    if (info.kernels[i].argument_bytes > 4096) continue;
    job.plan.steps = {launch(info.kernels[i])};
    const auto seen = device->execute(job);
    look_at(seen, job);
    require(same(seen, device->execute(job)));
  }
}

void run(std::string_view text) {
  device::Module module;
  module.ptx = text;
  const auto info = device::inspect(module);
  std::uint64_t variables = 0;
  for (const auto& symbol : info.symbols) {
    if (symbol.size > kMostVariables - variables) return;
    variables += symbol.size;
  }
  execute(info, std::move(module));
}

} // namespace
} // namespace course::emulator

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  course::emulator::run({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
