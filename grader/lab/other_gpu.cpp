#include "lab/other_gpu.hpp"

#include "device/code/ptx/parse.hpp"
#include "device/code/ptx/targets.hpp"

#include <algorithm>

namespace course::lab {
namespace {

using judge::NotOnGpu;

NotOnGpu about(const gpu::Ability& gpu, NotOnGpu::Why why) {
  NotOnGpu found;
  found.why = why;
  found.gpu = gpu.gpu;
  found.has = gpu.capability;
  return found;
}

std::optional<NotOnGpu> lack(const gpu::Ability& gpu, const device::Module& code) {
  const auto parsed = ptx::parse(code.ptx);
  const auto* module = std::get_if<ptx::Module>(&parsed);
  if (!module) return {};
  const auto needs = ptx::needs_of(*module);
  const bool there =
      needs.alone ? needs.capability == gpu.capability : needs.capability <= gpu.capability;
  if (there) return {};
  auto found = about(gpu, NotOnGpu::Why::instruction);
  found.needs = needs.capability;
  found.alone = needs.alone;
  found.instruction = needs.instruction;
  found.line = needs.source.line;
  return found;
}

std::uint64_t dynamic_bytes(const device::Plan& plan) {
  std::uint64_t most = 0;
  for (const auto& step : plan.steps)
    if (const auto* launch = std::get_if<device::Launch>(&step))
      most = std::max<std::uint64_t>(most, launch->dynamic_shared);
  return most;
}

std::uint64_t allocated(const device::Plan& plan) {
  std::uint64_t bytes = 0;
  for (const auto& step : plan.steps)
    if (const auto* allocate = std::get_if<device::Allocate>(&step)) bytes += allocate->size;
  return bytes;
}

} // namespace

std::optional<NotOnGpu> lack(const gpu::Ability& gpu, const device::Job& job,
                             std::uint64_t shared_bytes) {
  if (gpu.is_as_emulated()) return {};
  for (const auto& module : job.modules)
    if (auto found = lack(gpu, module)) return found;
  const auto asks = std::max(shared_bytes, dynamic_bytes(job.plan));
  if (gpu.shared_a_block == 0 || asks <= gpu.shared_a_block) return {};
  auto found = about(gpu, NotOnGpu::Why::shared_memory);
  found.asks = asks;
  found.there = gpu.shared_a_block;
  return found;
}

std::optional<NotOnGpu> lack_of_memory(const gpu::Ability& gpu, const gpu::TimedWork& work) {
  // The driver, a context and what shows a desktop have their part.
  constexpr double kUsable = 0.85;
  std::uint64_t asks = std::max(allocated(work.student.plan), allocated(work.peer.plan));
  for (std::size_t i = 0; i < work.buffers.size(); ++i)
    asks += work.buffers[i].region.size * (i == work.output.buffer ? 3 : 2);
  if (gpu.memory == 0 || static_cast<double>(asks) <= kUsable * static_cast<double>(gpu.memory))
    return {};
  auto found = about(gpu, NotOnGpu::Why::memory);
  found.asks = asks;
  found.there = gpu.memory;
  return found;
}

NotOnGpu refused_by_driver(const gpu::Ability& gpu, const device::Message& said) {
  auto found = about(gpu, NotOnGpu::Why::driver);
  found.said = said;
  return found;
}

} // namespace course::lab
