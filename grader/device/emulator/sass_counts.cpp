#include "device/emulator/sass_counts.hpp"

namespace course::emulator {
namespace {

bool fits(const Access& access, sass::Memory memory) {
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
    return access.space == ptx::Space::constant;
  }
  return false;
}

model::Access kind_of(sass::Atomic atomic, model::Access unknown) {
  switch (atomic) {
  case sass::Atomic::popc_inc:
    return model::Access::shared_atomic_increment;
  case sass::Atomic::cas:
    return model::Access::shared_atomic_cas;
  case sass::Atomic::cast_spin:
    return model::Access::shared_atomic_loop;
  case sass::Atomic::none:
  case sass::Atomic::other:
    return unknown;
  default:
    return model::Access::shared_atomic;
  }
}

void apply(Access& access, const sass::Match& match) {
  using Status = sass::Match::Status;
  if (match.status == Status::merged_away) {
    // A constant may have become an operand of arithmetic, which reads it all the same.
    if (access.space == ptx::Space::constant) return;
    access.counted_width = 0;
    access.width_from_sass = true;
    return;
  }
  if (match.status != Status::found || !fits(access, match.access.memory)) return;
  access.width_from_sass = true;
  if (access.direction == Direction::atomic) {
    access.kind = kind_of(match.access.atomic, access.kind);
    access.one_lane = match.access.warp_aggregated;
  } else if (match.access.matrices || match.access.operation == sass::Operation::copy) {
    // Its width is in its name.
  } else if (match.access.width) {
    access.counted_width = match.access.width;
    access.begins = match.begins;
  }
}

} // namespace

void count_by_sass(Code& code, const sass::Matcher& matcher) {
  const std::vector<sass::Match> matches = matcher.match(*code.function);
  for (Access& access : code.accesses)
    if (access.instruction < matches.size()) apply(access, matches[access.instruction]);
}

} // namespace course::emulator
