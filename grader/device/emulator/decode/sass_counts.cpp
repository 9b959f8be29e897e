#include "device/emulator/decode/sass_counts.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace course::emulator {
namespace {

bool fits(const MemoryOperand& access, sass::Memory memory) {
  switch (memory) {
  case sass::Memory::generic:
    return true;
  case sass::Memory::shared:
    return access.space == ptx::Space::shared;
  case sass::Memory::global:
    return access.space == ptx::Space::global;
  case sass::Memory::local:
    return access.space == ptx::Space::local;
  case sass::Memory::constant:
    return access.space == ptx::Space::constant || access.space == ptx::Space::param;
  case sass::Memory::none:
    return access.space == ptx::Space::reg;
  }
  return false;
}

model::RequestKind kind_of(sass::Atomic atomic, model::RequestKind unknown) {
  switch (atomic) {
  case sass::Atomic::popc_inc:
    return model::RequestKind::shared_atomic_increment;
  case sass::Atomic::cas:
    return model::RequestKind::shared_atomic_cas;
  case sass::Atomic::cast_spin:
    return model::RequestKind::shared_atomic_loop;
  case sass::Atomic::none:
  case sass::Atomic::other:
    return unknown;
  default:
    return model::RequestKind::shared_atomic;
  }
}

bool is_guarded_fill(const sass::Match& match) {
  return match.status == sass::Match::Status::found && match.access.guarded && match.access.fills;
}

// One of the accesses of a tile. The SASS has each of them, or one for as many as are neighbours.
void apply_to_tile(MemoryOperand& access, const sass::Match& match, Proof proof) {
  const auto& tile = access.of_tile;
  const std::uint32_t together = match.access.width / access.element;
  const bool fitting = fits(access, match.access.memory) && together > 0 &&
                       match.access.width % access.element == 0 && together <= tile.neighbours &&
                       match.begins.size() * together == tile.parts;
  if (match.status != sass::Match::Status::found || !fitting) return;
  access.proof = proof;
  access.counted_width = tile.place % together == 0 ? match.access.width : 0;
}

void apply(MemoryOperand& access, const sass::Match& match, Proof proof, bool are_pairs) {
  using Status = sass::Match::Status;
  if (match.status == Status::merged_away) {
    // A constant may have become an operand of arithmetic, which reads it all the same.
    if (access.space == ptx::Space::constant) return;
    access.counted_width = 0;
    access.proof = Proof::exact;
    return;
  }
  // A copy is an access on both of its sides.
  const bool fitting =
      match.access.operation == sass::Operation::copy || fits(access, match.access.memory);
  if (match.status != Status::found || !fitting) return;
  access.proof = proof;
  if (access.space == ptx::Space::reg) {
    access.proof = Proof::exact; // the lanes of an exchange are those that it names
  } else if (access.direction == Direction::atomic) {
    access.kind = kind_of(match.access.atomic, access.kind);
    access.one_lane = match.access.warp_aggregated;
  } else if (match.access.operation == sass::Operation::copy) {
    access.any_count = match.access.any_count; // its width is in its name
    access.may_fill = match.access.may_fill || (are_pairs && match.access.guarded);
  } else if (match.access.matrices) {
    // So is theirs, and all lanes take part, though only some name a row.
    if (proof == Proof::whole_warps) access.proof = Proof::exact;
  } else if (match.access.width) {
    access.counted_width = match.access.width;
    access.begins = match.begins;
  }
}

} // namespace

void count_by_sass(Code& code, const std::vector<sass::Match>& matches,
                   const std::vector<Proof>& proofs, Arrangement arrangement) {
  std::map<std::uint32_t, Deferral> deferrals; // by instruction
  for (const Sunk& sunk : arrangement.sunk)
    deferrals[sunk.instruction] = {Deferral::Until::place, sunk.to, {}, 0};
  for (std::uint32_t i = 0; i < arrangement.loops.size(); ++i)
    for (const Unrolled::Use& use : arrangement.loops[i].uses)
      deferrals[use.instruction] = {Deferral::Until::chunk, i, use.executed, use.merged};
  const bool are_pairs = std::ranges::any_of(matches, is_guarded_fill);
  for (MemoryOperand& access : code.accesses) {
    if (access.instruction < matches.size()) {
      const sass::Match& match = matches[access.instruction];
      if (access.of_tile.parts > 0)
        apply_to_tile(access, match, proofs[access.instruction]);
      else
        apply(access, match, proofs[access.instruction], are_pairs);
    }
    const auto found = deferrals.find(access.instruction);
    if (found != deferrals.end()) access.deferral = found->second;
  }
  code.loops = std::move(arrangement.loops);
}

} // namespace course::emulator
