#include "device/emulator/count/request_log.hpp"

#include "device/emulator/count/access_counter.hpp"
#include "device/emulator/state/block.hpp"
#include "device/emulator/state/launch.hpp"

namespace course::emulator {

bool RequestLog::watches(const MemoryOperand& access, const Warp& warp) const {
  if (warp.index != watch_.warp || !(warp.block->index == watch_.block)) return false;
  const Program& program = *warp.block->launch->program;
  const ptx::SourceLine source = program.sites()[access.id].source;
  return source.line == watch_.line && program.file_of(source) == watch_.file;
}

device::RequestSample& RequestLog::add(const MemoryOperand& access, const Warp& warp) {
  const Launch& launch = *warp.block->launch;
  auto& kept = kept_.emplace_back();
  kept.launch = launch.number;
  kept.kernel = launch.entry->shown;
  kept.kind = kind_of(access);
  kept.request.block = warp.block->index;
  kept.request.warp = warp.index;
  return kept.request;
}

} // namespace course::emulator
