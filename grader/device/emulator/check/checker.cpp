#include "device/emulator/check/checker.hpp"

#include "device/emulator/check/copies_in_flight.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/check/undefined.hpp"
#include "device/emulator/state/launch.hpp"

#include <algorithm>

namespace course::emulator {

Undefined& Checker::undefined_values() {
  if (!undefined) {
    undefined = std::make_shared<Undefined>(block);
    undefined->begin_block();
  }
  return *undefined;
}

void Checker::shared_access(Warp& warp, const MemoryOperand& access, std::uint32_t mask,
                            const LaneOffsets& at) {
  for (const ObserverOf& each : observers) each->shared_access(warp, access, mask, at);
}

void Checker::global_access(Warp& warp, const MemoryOperand& access, std::uint32_t mask,
                            const Allocation& memory, const LaneAddresses& at) {
  for (const ObserverOf& each : observers) each->global_access(warp, access, mask, memory, at);
}

void Checker::begin_block(bool keeps_order) {
  errors = 0;
  keeps_undefined = false;
  if (undefined) undefined->begin_block();
  remote.clear();
  order.begin(block.checks && keeps_order);
  if (block.checks) shadow.begin_block(block.warps);
  for (const ObserverOf& each : observers) each->begin_block(block);
}

void Checker::block_barrier() {
  if (undefined) undefined->judge();
  shadow.block_barrier(block.warps);
  order.barrier();
  for (const ObserverOf& each : observers) each->block_barrier(block);
}

void Checker::warp_barrier(Warp& warp, std::uint32_t lanes, bool whole) {
  shadow.warp_barrier(warp, lanes, whole);
  order.meet(warp.index, lanes);
  for (const ObserverOf& each : observers) each->warp_barrier(warp, lanes);
}

void Checker::end_block() {
  if (block.checks && !block.ended) end_bulk_copies(block);
  if (undefined) undefined->judge();
  if (!block.checks) return;
  shadow.end_block();
  if (block.ended) return;
  for (const ObserverOf& each : observers) each->end_block(block);
}

// Lines of the calls that led a lane to a site, inlined or not, the inner first. What another file
// calls is left out: a line's number alone would not say where it is.
std::vector<std::uint32_t> Checker::calls_to(const Site& site, const Warp& warp,
                                             std::uint32_t lane) const {
  const ptx::Module& module = block.launch->program->module();
  std::vector<std::uint32_t> lines;
  const auto add = [&](const ptx::SourceLine& at) {
    if (at.line != 0 && at.file == site.source.file) lines.push_back(at.line);
  };
  const auto add_inlined = [&](const Code& code, std::uint32_t operation) {
    if (operation >= code.instruction.size()) return;
    const std::uint32_t instruction = code.instruction[operation];
    if (instruction >= code.function->body.size()) return;
    for (auto call = code.function->body[instruction].call; call; call = module.calls[call].outer)
      add(module.calls[call].at);
  };
  add_inlined(*site.code, site.operation);
  const auto here = [&](const Activation& a) { return a.code == site.code && a.lanes >> lane & 1; };
  auto activation = std::find_if(warp.activations.rbegin(), warp.activations.rend(), here);
  constexpr std::size_t kMost = 8; // a recursion has thousands
  std::uint32_t inner = activation == warp.activations.rend()
                            ? kNone
                            : static_cast<std::uint32_t>(warp.activations.rend() - activation - 1);
  while (inner != kNone && warp.activations[inner].caller != kNone && lines.size() < kMost) {
    const Activation& caller = warp.activations[warp.activations[inner].caller];
    const std::uint32_t call = warp.activations[inner].return_to - 1;
    if (call < caller.code->instruction.size()) {
      const std::uint32_t instruction = caller.code->instruction[call];
      if (instruction < caller.code->function->body.size())
        add(caller.code->function->body[instruction].source);
    }
    add_inlined(*caller.code, call);
    inner = warp.activations[inner].caller;
  }
  return lines;
}

void Checker::describe(const Findings::Place& place, const Warp& warp, std::uint32_t lane,
                       device::Message message, device::Meeting meeting,
                       std::optional<std::uint32_t> other_line) {
  const Program& program = *block.launch->program;
  const Site& site = program.sites()[place.site];
  device::Finding finding;
  finding.kind = place.kind;
  finding.meeting = meeting;
  finding.message = std::move(message);
  finding.kernel = block.launch->entry->shown;
  finding.file = program.file_of(site.source);
  finding.line = site.source.line;
  if (other_line)
    finding.other_line = *other_line;
  else if (place.other_site < kInPadding)
    finding.other_line = program.sites()[place.other_site].source.line;
  finding.survived = place.other_site == kInPadding;
  finding.called_from = calls_to(site, warp, lane);
  finding.block = block.index;
  finding.thread = block.thread(warp, lane);
  findings.describe(place, block.linear, std::move(finding));
}

bool Checker::counts_to_end(const Findings::Place& place) const {
  if (!block.launch->lenient) return !device::is_note(place.kind);
  return is_fault(place.kind) && place.other_site != kInPadding;
}

// Enough is known, and this is what is said of it.
void Checker::end_at(const Findings::Place& place) {
  findings.make_fatal(place, [](device::Message message) {
    return Message(Says::enough_of_it, std::move(message), Count{kMostErrors});
  });
  block.ended = true;
}

void Checker::fail(device::FindingKind kind, const ptx::SourceLine& source, const Warp& warp,
                   std::uint32_t lane, device::Message message, const ptx::SourceLine& other,
                   const Site* site) {
  device::Finding finding;
  finding.kind = kind;
  finding.message = std::move(message);
  finding.kernel = block.launch->entry->shown;
  finding.file = block.launch->program->file_of(source);
  finding.line = source.line;
  finding.other_line = other.line;
  if (site) finding.called_from = calls_to(*site, warp, lane);
  finding.block = block.index;
  finding.thread = block.thread(warp, lane);
  finding.fatal = true;
  // Sites below every access's: a fatal finding never meets another of its place.
  findings.describe({kind, kNone, kNone}, block.linear, std::move(finding));
  block.ended = true;
}

} // namespace course::emulator
