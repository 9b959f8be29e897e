#include "device/emulator/count/request_log.hpp"

#include "device/emulator/count/access_counter.hpp"
#include "device/emulator/state/block.hpp"
#include "device/emulator/state/launch.hpp"

#include <cstring>

namespace course::emulator {
namespace {

const ptx::SourceLine& source_of(const MemoryOperand& access, const Warp& warp) {
  return warp.block->launch->program->sites()[access.id].source;
}

WarpTrace::Place place_of(const MemoryOperand& access, const Warp& warp) {
  const Launch& launch = *warp.block->launch;
  const auto& source = source_of(access, warp);
  return {launch.entry->shown, launch.program->file_of(source), source.line};
}

// The last modifier is the type.
std::string type_of(const MemoryOperand& access, const Warp& warp) {
  const Code* code = warp.block->launch->program->sites()[access.id].code;
  if (!code || !code->function || access.instruction >= code->function->body.size()) return "";
  const auto& modifiers = code->function->body[access.instruction].modifiers;
  return modifiers.empty() ? "" : modifiers.back();
}

} // namespace

bool RequestLog::watches(const MemoryOperand& access, const Warp& warp) const {
  if (warp.index != watch_.warp || !(warp.block->index == watch_.block)) return false;
  const auto& source = source_of(access, warp);
  if (trace_) return source.line != 0;
  return source.line == watch_.line && warp.block->launch->program->file_of(source) == watch_.file;
}

bool RequestLog::has_room(const MemoryOperand& access, const Warp& warp) {
  if (trace_) return ++trace_->in_all[place_of(access, warp)] <= trace_->each;
  return ++seen_ <= watch_.most;
}

device::WatchedRequest& RequestLog::add(const MemoryOperand& access, const Warp& warp) {
  const Launch& launch = *warp.block->launch;
  if (trace_) {
    auto& traced = trace_->requests.emplace_back();
    traced.file = std::get<1>(place_of(access, warp));
    traced.line = source_of(access, warp).line;
    traced.type = type_of(access, warp);
    traced.components = access.components;
  }
  auto& kept = trace_ ? trace_->requests.back().watched : kept_.emplace_back();
  kept.launch = launch.number;
  kept.kernel = launch.entry->shown;
  kept.kind = kind_of(access);
  kept.request.block = warp.block->index;
  kept.request.warp = warp.index;
  return kept;
}

// Of a request that is counted later, memory has changed by then; one that the GPU makes otherwise
// moves other bytes.
bool RequestLog::knows_values(const MemoryOperand& access) const {
  return trace_ && access.direction != Direction::atomic && !access.asynchronous &&
         access.deferral.until == Deferral::Until::now && access.begins.size() == 1 &&
         access.begins[0] == 0 && !access.one_lane && access.element <= sizeof(std::uint64_t);
}

void RequestLog::add_values(TracedRequest& traced, const MemoryOperand& access, const Warp& warp,
                            int lane, const std::byte* in_memory) {
  const bool stores = access.direction == Direction::store;
  for (std::size_t c = 0; c < access.components; ++c) {
    const auto* from = stores ? warp.frame + access.value[c] + std::size_t(lane) * access.element
                              : in_memory + c * access.element;
    std::uint64_t value = 0;
    std::memcpy(&value, from, access.element);
    traced.values.push_back(value);
  }
}

RequestLog::Mark RequestLog::mark() const {
  if (trace_) return {trace_->requests.size(), 0, trace_->in_all};
  return {kept_.size(), seen_, {}};
}

void RequestLog::rewind(const Mark& mark) {
  if (trace_) {
    trace_->requests.resize(mark.kept);
    trace_->in_all = mark.in_all;
    return;
  }
  kept_.resize(mark.kept);
  seen_ = mark.seen;
}

} // namespace course::emulator
