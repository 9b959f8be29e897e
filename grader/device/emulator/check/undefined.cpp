#include "device/emulator/check/undefined.hpp"

#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/check/undefined_letters.hpp"
#include "device/emulator/state/lanes.hpp"
#include "device/emulator/state/launch.hpp"

#include <algorithm>
#include <cstring>

namespace course::emulator {
namespace {

constexpr std::size_t kMostOrigins = 1u << 18; // of a block; then each read is judged by itself

} // namespace

// ---- values

void Undefined::begin_block() {
  origins_.clear();
  open_.clear();
  shared_.clear();
  warps_.resize(block_.warps.size());
  for (Values& values : warps_) values.clear();
}

namespace {

u32 position(const Warp& warp, Slot slot) {
  return static_cast<u32>(warp.frame - warp.registers[0].bytes) + slot;
}

} // namespace

Undefined::Value* Undefined::find(const Warp& warp, Slot slot) {
  Value* const found = warps_[warp.index].find(position(warp, slot));
  return found && found->lanes ? found : nullptr;
}

Undefined::Value& Undefined::value(const Warp& warp, Slot slot) {
  return warps_[warp.index][position(warp, slot)];
}

void Undefined::clear(const Warp& warp, Slot slot, u32 lanes) {
  if (Value* there = find(warp, slot)) there->lanes &= ~lanes;
}

void Undefined::Value::set(u32 those, const std::array<u64, kLanes>& undefined,
                           const std::array<u32, kLanes>& from) {
  u32 some = 0;
  for (u32 lane = 0; lane < kLanes; ++lane) some |= (undefined[lane] != 0 ? 1u : 0u) << lane;
  if (lanes & ~those) {
    for_lanes(those, [&](u32 lane) { set(lane, undefined[lane], from[lane]); });
  } else { // nobody looks at what others have there
    bits = undefined;
    origin = from;
    lanes = some & those;
  }
}

// ---- memory

void Undefined::set_read(Origin& origin, Warp& warp, const MemoryOperand& access, u32 lane,
                         u64 at) {
  origin.width = static_cast<std::uint8_t>(access.width());
  origin.lane = lane;
  origin.warp = &warp;
  origin.access = &access;
  origin.site = access.id;
  origin.at = at;
}

u32 Undefined::add(const Origin& origin) {
  const auto number = static_cast<u32>(origins_.size());
  if (origin.state == Origin::State::open) open_.push_back(number);
  origins_.push_back(origin);
  follow(number);
  return number;
}

// By the million: made where it stays.
u32 Undefined::add_read(Warp& warp, const MemoryOperand& access, u32 lane, u64 at) {
  const auto number = static_cast<u32>(origins_.size());
  set_read(origins_.emplace_back(), warp, access, lane, at);
  follow(number);
  return number;
}

// No more than so many.
void Undefined::follow(u32 origin) {
  if (origin >= kMostOrigins) matters(origin, Use::other, {});
}

void Undefined::bring(Warp& warp, const MemoryOperand& access, u32 lane, u32 origin,
                      const std::uint8_t* undefined) {
  if (access.element > 8) return matters(origin, Use::other, {});
  for (u32 c = 0; c < access.components; ++c) {
    u64 bits = 0;
    std::memcpy(&bits, undefined + std::size_t{c} * access.element, access.element);
    if (bits) value(warp, access.value[c]).set(lane, bits, origin);
  }
  warp.watched = true;
}

void Undefined::load_shared(Warp& warp, const MemoryOperand& access, u32 lanes,
                            const LaneOffsets& at) {
  const Shadow& shadow = block_.checker->shadow;
  const u32 reserved = block_.shared.layout().reserved_bytes();
  for_lanes(lanes, [&](u32 lane) {
    std::array<std::uint8_t, 64> undefined{};
    std::optional<u32> origin;
    Origin made;
    set_read(made, warp, access, lane, at.of[lane]);
    for (u32 b = access.width(); b-- > 0;) {
      const u32 offset = at.of[lane] + b;
      if (!shadow.writer_at(offset) && offset >= reserved &&
          !block_.checker->remote.has_written(offset)) {
        undefined[b] = 0xff;
        if (access.element <= 8)
          warp.frame[access.value[b / access.element] + lane * access.element +
                     b % access.element] = std::byte{0xff};
        made.granule_at = offset;
        made.state = Origin::State::open;
      } else if (const auto kept = shared_.find(offset); kept != shared_.end()) {
        undefined[b] = kept->second.bits;
        origin = kept->second.origin;
      }
    }
    if (made.state == Origin::State::open) origin = add(made);
    if (origin) bring(warp, access, lane, *origin, undefined.data());
  });
}

void Undefined::load_local(Warp& warp, const MemoryOperand& access, u32 lane, u32 offset,
                           const std::uint8_t* defined) {
  std::array<std::uint8_t, 64> undefined{};
  for (u32 b = 0; b < access.width(); ++b) undefined[b] = static_cast<std::uint8_t>(~defined[b]);
  bring(warp, access, lane, add_read(warp, access, lane, offset), undefined.data());
}

namespace {

// The bits of at most 8 bytes that nothing has written.
u64 unwritten_bits(const Allocation& memory, u64 offset, u32 bytes) {
  const u64 first = offset % 64;
  if (first + bytes <= 64) { // most: all or nothing
    const u64 written = __atomic_load_n(&memory.written[offset / 64], __ATOMIC_RELAXED) >> first;
    const u64 all = bytes == 8 ? ~u64{0} : (u64{1} << (8 * bytes)) - 1;
    if ((written & ((u64{1} << bytes) - 1)) == 0) return all;
  }
  u64 bits = 0;
  for (u32 b = 0; b < bytes; ++b)
    bits |= memory.is_written(offset + b, 1) ? 0 : u64{0xff} << (8 * b);
  return bits;
}

} // namespace

void Undefined::load_global(Warp& warp, const MemoryOperand& access, u32 lanes,
                            const Allocation& memory, const LaneAddresses& at) {
  warp.watched = warp.watched || access.element <= 8;
  for_lanes(lanes, [&](u32 lane) {
    const u32 origin = add_read(warp, access, lane, at.of[lane]);
    if (access.element > 8) return matters(origin, Use::other, {});
    const u64 offset = at.of[lane] - memory.base;
    for (u32 c = 0; c < access.components; ++c)
      if (const u64 bits = unwritten_bits(memory, offset + u64{c} * access.element, access.element))
        value(warp, access.value[c]).set(lane, bits, origin);
  });
}

void Undefined::store_shared(Warp& warp, const MemoryOperand& access, u32 lanes,
                             const LaneOffsets& at) {
  for (u32 c = 0; c < access.components; ++c) {
    const Value* there = find(warp, access.value[c]);
    if (!there) continue;
    for_lanes(there->lanes & lanes, [&](u32 lane) {
      for (u32 b = 0; b < access.element; ++b)
        if (const auto bits = static_cast<std::uint8_t>(there->bits[lane] >> (8 * b)))
          shared_[at.of[lane] + c * access.element + b] = {bits, there->origin[lane]};
    });
  }
  block_.checker->keeps_undefined = keeps_shared();
}

void Undefined::store_local(Warp& warp, const MemoryOperand& access, u32 lane,
                            std::uint8_t* defined) {
  for (u32 c = 0; c < access.components; ++c) {
    const Value* there = find(warp, access.value[c]);
    if (!there || !(there->lanes >> lane & 1)) continue;
    const u64 bits = ~there->bits[lane];
    std::memcpy(defined + std::size_t{c} * access.element, &bits, std::min<u32>(access.element, 8));
  }
}

void Undefined::store_global(Warp& warp, const MemoryOperand& access, u32 lanes,
                             const LaneAddresses& at) {
  for (u32 c = 0; c < access.components; ++c) {
    const Value* there = find(warp, access.value[c]);
    if (!there) continue;
    for_lanes(there->lanes & lanes, [&](u32 lane) {
      const Origin& origin = origins_[there->origin[lane]];
      for (u32 b = 0; b < access.element && b < 8; ++b) {
        const u64 bits = there->bits[lane] >> (8 * b) & 0xff;
        const u64 address = at.of[lane] + c * access.element + b;
        const bool its_own = bits != 0xff && origin.access &&
                             origin.access->space == ptx::Space::global && address >= origin.at &&
                             address - origin.at < origin.width;
        if (bits && !its_own)
          return matters(there->origin[lane], Use::store,
                         block_.launch->program->sites()[access.id].source);
      }
    });
  }
}

void Undefined::overwrite(const MemoryOperand& access, u32 lanes, const LaneOffsets& at) {
  for_lanes(lanes, [&](u32 lane) {
    for (u32 b = 0; b < access.width(); ++b) shared_.erase(at.of[lane] + b);
  });
  block_.checker->keeps_undefined = keeps_shared();
}

u32 Undefined::reads(const MemoryOperand& access, u32 lanes, const LaneOffsets& at) const {
  u32 found = 0;
  for_lanes(lanes, [&](u32 lane) {
    for (u32 b = 0; b < access.width(); ++b)
      if (shared_.contains(at.of[lane] + b)) found |= 1u << lane;
  });
  return found;
}

void Undefined::read_by_others(u32 offset, u32 bytes) {
  for (u32 b = 0; b < bytes; ++b)
    if (const auto kept = shared_.find(offset + b); kept != shared_.end())
      matters(kept->second.origin, Use::other, {});
}

// ---- registers

// To say so of one lane is enough.
void Undefined::begin_function(Warp& warp, const Code& code, u32 begin, u32 lanes) {
  for (const Code::Cleared& cleared : code.cleared) {
    const u32 width = cleared.bytes / kLanes; // 0: a predicate
    if (width > 8) continue;
    Origin origin;
    origin.lane = lowest(lanes);
    origin.warp = &warp;
    origin.site = cleared.site;
    const u32 number = add(origin);
    const u64 bits = width == 0 ? 1 : ~u64{0} >> (64 - 8 * width);
    Value& value = warps_[warp.index][begin + cleared.slot];
    for_lanes(lanes, [&](u32 lane) { value.set(lane, bits, number); });
  }
}

// ---- calls

void Undefined::load_parameter(Warp& warp, const MemoryOperand& access, u32 lanes) {
  for (u32 c = 0; c < access.components; ++c) {
    for (u32 b = 0; b < access.element && b < 8; ++b) {
      const auto byte = static_cast<Slot>(access.area + access.offset + c * access.element + b);
      const Value* there = find(warp, byte);
      if (!there || !(there->lanes & lanes)) continue;
      const Value from = *there;
      Value& result = value(warp, access.value[c]);
      for_lanes(from.lanes & lanes, [&](u32 lane) {
        const u64 before = result.lanes >> lane & 1 ? result.bits[lane] : 0;
        result.set(lane, before | from.bits[lane] << (8 * b), from.origin[lane]);
      });
    }
  }
}

void Undefined::store_parameter(Warp& warp, const MemoryOperand& access, u32 lanes) {
  for (u32 c = 0; c < access.components; ++c) {
    const Value* there = find(warp, access.value[c]);
    const Value from = there ? *there : Value{};
    for (u32 b = 0; b < access.element && b < 8; ++b) {
      const auto byte = static_cast<Slot>(access.area + access.offset + c * access.element + b);
      clear(warp, byte, lanes);
      if (!(from.lanes & lanes)) continue;
      Value& result = value(warp, byte);
      for_lanes(from.lanes & lanes, [&](u32 lane) {
        result.set(lane, from.bits[lane] >> (8 * b) & 0xff, from.origin[lane]);
      });
    }
  }
}

void Undefined::call(Warp& warp, const Activation& caller, const Activation& callee,
                     const CallUse& use) {
  Values& values = warps_[warp.index];
  const u32 from = static_cast<u32>(caller.frame * sizeof(Warp::Line));
  const u32 to = static_cast<u32>(callee.frame * sizeof(Warp::Line));
  values.erase_if([&](const auto& each) {
    return each.first >= to && each.first - to < callee.code->frame_bytes;
  });
  for (std::size_t i = 0; i < use.arguments.size(); ++i) {
    const CallUse::Copy &mine = use.arguments[i], &theirs = callee.code->argument_areas[i];
    for (u32 b = 0; b < std::min(mine.bytes, theirs.bytes); ++b) {
      const Value* there = values.find(from + mine.area + b);
      if (!there || !(there->lanes & callee.lanes)) continue;
      Value copy = *there;
      copy.lanes &= callee.lanes;
      values[to + theirs.area + b] = copy;
    }
  }
}

void Undefined::leave(Warp& warp, const Activation& callee, const Activation& caller,
                      const CallUse& use, u32 lanes) {
  Values& values = warps_[warp.index];
  const u32 from = static_cast<u32>(callee.frame * sizeof(Warp::Line));
  const u32 to = static_cast<u32>(caller.frame * sizeof(Warp::Line));
  for (std::size_t i = 0; i < use.results.size(); ++i) {
    const CallUse::Copy &mine = callee.code->result_areas[i], &theirs = use.results[i];
    for (u32 b = 0; b < std::min(mine.bytes, theirs.bytes); ++b) {
      const Value* there = values.find(from + mine.area + b);
      const Value copy = there ? *there : Value{};
      if (!(copy.lanes & lanes) && !values.find(to + theirs.area + b)) continue;
      Value& result = values[to + theirs.area + b];
      result.lanes &= ~lanes;
      for_lanes(copy.lanes & lanes,
                [&](u32 lane) { result.set(lane, copy.bits[lane], copy.origin[lane]); });
    }
  }
}

// ---- what it comes to

void Undefined::matters(const Value& value, u32 lanes, Use use, const Code& code,
                        const Operation& op) {
  const auto at = code.instruction[static_cast<std::size_t>(&op - code.operations.data())];
  for_lanes(lanes,
            [&](u32 lane) { matters(value.origin[lane], use, code.function->body[at].source); });
}

void Undefined::matters(u32 number, Use use, ptx::SourceLine where) {
  Origin& origin = origins_[number];
  if (origin.state == Origin::State::settled || origin.used) return;
  origin.used = use;
  origin.used_at = where;
  if (origin.state == Origin::State::real) report(origin);
}

void Undefined::judge() {
  for (const u32 number : open_) {
    Origin& origin = origins_[number];
    if (!block_.checker->shadow.is_unwritten(origin.granule_at, *origin.warp, origin.lane)) {
      origin.state = Origin::State::settled;
      continue;
    }
    origin.state = Origin::State::real;
    if (origin.used) report(origin);
  }
  open_.clear();
}

void Undefined::report(Origin& origin) {
  origin.state = Origin::State::settled;
  block_.checker->report(
      origin.access ? device::FindingKind::uninitialised : device::FindingKind::unset, origin.site,
      kNone, *origin.warp, origin.lane, [&] {
        const auto said = [&] {
          if (!origin.access) return Message(Says::unset);
          const MemoryOperand& access = *origin.access;
          if (access.space == ptx::Space::local) return Message(Says::unwritten_local, origin.at);
          if (access.space == ptx::Space::shared)
            return unwritten(Message(Says::reads, block_.shared.layout().describe(
                                                      static_cast<u32>(origin.at), origin.width)));
          const Allocation* memory = block_.launch->memory->find(origin.at);
          return unwritten(
              Message(Says::reads, memory ? memory->element(origin.at - memory->base, origin.width)
                                          : block_.launch->memory->describe(origin.at)));
        };
        const auto& read_at = block_.launch->program->sites()[origin.site].source;
        const auto& line = origin.used_at;
        if (!line.line || line.file != read_at.file || line.line == read_at.line) return said();
        const Says how = *origin.used == Use::branch    ? Says::undefined_branch
                         : *origin.used == Use::address ? Says::undefined_address
                         : *origin.used == Use::store   ? Says::undefined_stored
                                                        : Says::undefined_used;
        return Message(how, said(), line.line);
      });
}

} // namespace course::emulator
