#include "device/emulator/check/products.hpp"

#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/copies_in_flight.hpp"
#include "device/emulator/check/phases.hpp"
#include "device/emulator/check/proxies.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/decode/tiles.hpp"
#include "device/emulator/state/lane_places.hpp"
#include "device/emulator/state/launch.hpp"

#include <algorithm>

namespace course::emulator {
namespace {

using device::FindingKind;

u32 line_of(const Block& block, u32 site) {
  return block.launch->program->sites()[site].source.line;
}

Message the_wgmma(const Block& block, u32 site) {
  const u32 line = line_of(block, site);
  return line ? Message(Says::the_wgmma_on_line, line) : Message(Says::the_wgmma);
}

// The access that last wrote a word, in this block; nullptr: none.
const MemoryOperand* writer_of(Block& block, u32 offset) {
  const Record writer = block.checker->shadow.writer_at(offset);
  return writer ? block.launch->program->sites()[site_of(writer)].access : nullptr;
}

bool is_tensor_copy(const MemoryOperand& access) {
  return access.asynchronous && access.global && access.global->reported &&
         access.global->reported->access == model::RequestKind::tensor_global_load;
}

// Of a descriptor; bytes along k; of the smallest operand.
constexpr u32 kAddressBits = 14, kStep = 32, kLeastOperand = 256;

class ProductCheck {
public:
  ProductCheck(Warp& warp, const MemoryOperand& access, u32 mask)
      : warp_(warp), block_(*warp.block), access_(access), lane_(lowest(mask)), mask_(mask) {}

  template <typename Describe>
  void report(FindingKind kind, Describe&& message, u32 other = kNone) {
    block_.checker->report(kind, access_.id, other, warp_, lane_, message);
  }

  void whole_warpgroup() {
    const u32 first = warp_.index / kWarpsTogether * kWarpsTogether;
    const u32 there = std::min<u32>(kWarpsTogether, static_cast<u32>(block_.warps.size()) - first);
    check_whole_warp(warp_, access_.id, mask_);
    if (there < kWarpsTogether)
      report(FindingKind::wgmma, [&] { return Message(Says::no_warpgroup, first, there); });
  }

  void same_product(const ProductGroup::Product& first, const Descriptors& descriptors) {
    if (first.access == &access_ && first.descriptors == descriptors) return;
    report(
        FindingKind::wgmma,
        [&] {
          if (first.access == &access_) return Message(Says::other_descriptors, warp_.index);
          const u32 line = line_of(block_, first.access->id);
          return line ? Message(Says::other_product_on_line, warp_.index, line)
                      : Message(Says::other_product, warp_.index);
        },
        first.access == &access_ ? kNone : first.access->id);
  }

  void fenced() {
    WarpProducts& mine = block_.products.of(warp_);
    const auto& registers = access_.product->registers;
    const auto frame = frame_of(warp_);
    const auto touched =
        std::find_if(mine.touched.begin(), mine.touched.end(), [&](const auto& one) {
          return one.frame == frame &&
                 std::binary_search(registers.begin(), registers.end(), one.slot);
        });
    if (touched != mine.touched.end())
      report(
          FindingKind::wgmma,
          [&] {
            const u32 line = line_of(block_, touched->site);
            return line ? Message(Says::register_accessed_on_line, line)
                        : Message(Says::register_accessed);
          },
          touched->site);
    else if (!mine.fenced)
      report(FindingKind::wgmma, [] { return Message(Says::no_first_fence); });
  }

  void operand(const char* name, u64 bits, model::Major major, const std::vector<u32>& chunks) {
    const auto descriptor = model::matrix_descriptor(bits);
    if (!model::fits_span(descriptor, major))
      report(FindingKind::wgmma, [&] {
        return Message(Says::descriptor_splits_rows, name, descriptor.start % descriptor.span(),
                       descriptor.span(), model::name_of(descriptor.swizzle));
      });
    for (const u32 chunk : chunks)
      if (!inside(name, bits, chunk)) return;
    if (!block_.checks || !divided(name, bits)) return;
    for (const u32 chunk : chunks) {
      if (written(chunk) && !seen(chunk)) return;
    }
    swizzle(name, descriptor, chunks);
  }

private:
  bool inside(const char* name, u64 bits, u32 chunk) {
    const Layout& layout = block_.shared.layout();
    const auto holds = [&](u32 at) {
      return layout.inside(layout.array_at(at), at, model::kProductChunk);
    };
    if (holds(chunk)) return true;
    // Begins outside of all arrays, and not if its address is taken as it is.
    const u32 undivided = bits & 0xffff;
    const bool forgotten = undivided % model::kProductChunk == 0 && holds(undivided) &&
                           !holds(model::matrix_descriptor(bits).start);
    report(FindingKind::out_of_bounds, [&] {
      if (forgotten)
        return Message(Says::descriptor_undivided, name, layout.describe(undivided, 1));
      return Message(Says::descriptor_leads_out, name,
                     layout.describe(chunk, model::kProductChunk));
    });
    return false;
  }

  // Whether its address is in sixteenths. Taken as it is it leads to some place in shared memory
  // all the same; but bits 14 and 15 are never set, and where an array begins is seldom another's
  // inside.
  bool divided(const char* name, u64 bits) {
    const u32 undivided = bits & 0xffff, start = model::matrix_descriptor(bits).start;
    const Layout& layout = block_.shared.layout();
    // A step along k is 32 bytes further on.
    const auto begins_array = [&](u32 at) {
      for (u32 step = 0; step < 4 * kStep; step += kStep)
        if (at >= step && layout.begins_array(at - step)) return true;
      return false;
    };
    // The gaps between arrays, which no GPU has, may need these bits, too.
    const bool too_large =
        (bits >> kAddressBits & 3) != 0 && layout.guarded_bytes() <= 16u << kAddressBits;
    const bool elsewhere = undivided % model::kProductChunk == 0 && begins_array(undivided) &&
                           layout.inside(layout.array_at(undivided), undivided, kLeastOperand) &&
                           !begins_array(start) &&
                           layout.array_at(undivided) != layout.array_at(start);
    if (!too_large && !elsewhere) return true;
    report(FindingKind::wgmma, [&] {
      return Message(Says::descriptor_undivided, name, layout.describe(undivided, 1));
    });
    return false;
  }

  // In time, and at all.
  bool written(u32 chunk) {
    if (!block_.checker->shadow.read_at_once(warp_, access_, chunk, in_order_)) return false;
    if (!block_.landing.at(chunk, model::kProductChunk)) return true;
    LaneOffsets at;
    at.of.fill(chunk);
    check_in_flight(warp_, access_, 1u << lane_, at);
    return false;
  }

  // By the way that products read: behind a fence, where it was stored by a thread.
  bool seen(u32 chunk) {
    for (u32 at = chunk; at < chunk + model::kProductChunk; at += 4) {
      const auto store = last_store(block_, at);
      if (!store || store->record == seen_) continue;
      const MemoryOperand& access = *block_.launch->program->sites()[site_of(store->record)].access;
      if (!access.asynchronous && !is_fenced(*store)) {
        report(
            FindingKind::proxy,
            [&] {
              return Message(Says::product_misses_store, block_.shared.layout().describe(at, 4),
                             who_stored(block_, *store));
            },
            site_of(store->record));
        return false;
      }
      seen_ = store->record;
    }
    return true;
  }

  bool is_fenced(const StoreRecord& store) {
    const auto knows = [&](u32 lane) {
      return covers(block_.checker->order.of(warp_.index * kLanes + lane).proxied, store.block,
                    store.record);
    };
    if (knows(warp_of(store.record) == warp_.index ? lane_of(store.record) : 0)) return true;
    for (u32 lane = 0; lane < kLanes; ++lane)
      if (knows(lane)) return true;
    return false;
  }

  // What a tensor map brought lies as its swizzle says.
  void swizzle(const char* name, const model::MatrixDescriptor& descriptor,
               const std::vector<u32>& chunks) {
    for (const u32 chunk : chunks) {
      const MemoryOperand* writer = writer_of(block_, chunk);
      if (!writer || !is_tensor_copy(*writer)) continue;
      const auto brought = block_.products.tile_at(chunk);
      if (brought != descriptor.swizzle) {
        report(
            FindingKind::wgmma,
            [&] {
              return Message(Says::descriptor_swizzle, name, model::name_of(descriptor.swizzle),
                             block_.shared.layout().describe(chunk, model::kProductChunk),
                             model::name_of(brought));
            },
            writer->id);
        return;
      }
      const u32 bits = (1u << static_cast<unsigned>(brought)) - 1;
      if ((descriptor.base_offset & bits) != 0) {
        report(FindingKind::wgmma,
               [&] { return Message(Says::descriptor_base_offset, name, descriptor.base_offset); });
        return;
      }
    }
  }

  Warp& warp_;
  Block& block_;
  const MemoryOperand& access_;
  u32 lane_, mask_;
  Record in_order_ = 0, seen_ = 0; // looked at last, and found right
};

} // namespace

void check_whole_warp(Warp& warp, std::uint32_t site, std::uint32_t mask) {
  if (mask == kAllLanes) return;
  warp.block->checker->report(device::FindingKind::shuffle, site, kNone, warp, lowest(mask),
                              [&] { return Message(Says::needs_whole_warp, device::Lanes{mask}); });
}

void check_product(Warp& warp, const MemoryOperand& access, u32 mask,
                   const ProductGroup::Product& first, const Descriptors& descriptors,
                   const ProductChunks& chunks) {
  const WarpgroupProduct& product = *access.product;
  ProductCheck check(warp, access, mask);
  check.whole_warpgroup();
  check.same_product(first, descriptors);
  check.fenced();
  if (!product.a_in_registers) check.operand("A", descriptors.a, product.a_major, chunks.of_a);
  check.operand("B", descriptors.b, product.b_major, chunks.of_b);
}

namespace {

enum class ReaderState { done, not_waited_for, in_no_order };

// Whether a lane may write what the products of a group read. `waited`: a wait for it, if one is.
ReaderState state_of(const Warp& warp, u32 lane, u32 warpgroup, const ProductGroup& group,
                     Record& waited) {
  for (u32 w = 0; w < kWarpsTogether; ++w) {
    const Record record = group.waited[w];
    if (!record) continue;
    waited = record;
    if (warpgroup * kWarpsTogether + w == warp.index) return ReaderState::done;
    // All lanes of that warp have waited: behind any of them is behind it.
    for (u32 other = 0; other < kLanes; ++other)
      if (warp.block->checker->shadow.ordered(record | other, warp, lane)) return ReaderState::done;
  }
  return waited ? ReaderState::in_no_order : ReaderState::not_waited_for;
}

} // namespace

bool check_refill(Warp& warp, const MemoryOperand& access, u32 mask, const LaneOffsets& at) {
  Block& block = *warp.block;
  if (!block.products.used()) return false;
  const u32 width = access.width();
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = lowest(left);
    const u32 first = at.of[lane] / model::kProductChunk;
    const u32 last = (at.of[lane] + width - 1) / model::kProductChunk;
    for (u32 chunk = first; chunk <= last; ++chunk) {
      const bool met = block.products.any_reader(
          chunk * model::kProductChunk, [&](u32 warpgroup, const ProductGroup& group) {
            Record waited = 0;
            const ReaderState reader = state_of(warp, lane, warpgroup, group, waited);
            if (reader == ReaderState::done || group.products.empty()) return false;
            const u32 product = group.products.front().access->id;
            block.checker->report(
                FindingKind::race, access.id, product, warp, lane,
                [&] {
                  Message mine(Says::writes, block.shared.layout().describe(at.of[lane], width));
                  Message theirs = the_wgmma(block, product);
                  if (reader == ReaderState::not_waited_for)
                    return Message(Says::product_may_read, std::move(mine), std::move(theirs),
                                   warpgroup);
                  Message phase = missing_phase(warp, lane, block.linear, waited);
                  if (phase.empty())
                    return Message(Says::product_has_read, std::move(mine), std::move(theirs),
                                   warpgroup);
                  return Message(Says::product_has_read_phase, std::move(mine), std::move(theirs),
                                 warpgroup, std::move(phase));
                },
                device::Meeting::copy_in_flight);
            return true;
          });
      if (met) return true; // the others are like this one
    }
  }
  return false;
}

void touch_registers(Warp& warp, const Operation& op, u32 mask) {
  Block& block = *warp.block;
  if (!block.checks) return;
  WarpProducts& mine = block.products.of(warp);
  const ProductTouch& touch = block.launch->program->sites()[op.immediate].code->touches[op.target];
  const auto holds = [](const std::vector<Slot>& slots, Slot slot) {
    return std::find(slots.begin(), slots.end(), slot) != slots.end();
  };
  const auto report = [&](const WarpProducts::InFlight& product, Says early) {
    block.checker->report(FindingKind::wgmma, op.immediate, product.access->id, warp, lowest(mask),
                          [&] { return Message(early, the_wgmma(block, product.access->id)); });
  };
  const auto frame = frame_of(warp);
  for (auto& product : mine.in_flight) {
    if (product.frame != frame) continue;
    const auto& results = product.access->product->d_slots;
    const auto& all = product.access->product->registers;
    const auto is_result = [&](Slot slot) {
      return holds(results, slot) || holds(product.copies, slot);
    };
    for (const Slot slot : touch.reads)
      if (is_result(slot)) report(product, Says::reads_result_early);
    for (const Slot slot : touch.writes) {
      if (std::binary_search(all.begin(), all.end(), slot))
        report(product, Says::writes_operand_early);
      std::erase(product.copies, slot);
    }
    for (const auto& [to, from] : touch.copies)
      if (is_result(from) && !is_result(to)) product.copies.push_back(to);
  }
  const auto note = [&](Slot slot) {
    const bool known = std::any_of(mine.touched.begin(), mine.touched.end(), [&](const auto& one) {
      return one.slot == slot && one.frame == frame;
    });
    if (!known) mine.touched.push_back({slot, op.immediate, frame});
  };
  for (const Slot slot : touch.reads) note(slot);
  for (const Slot slot : touch.writes)
    if (!touch.of_constant && touch.copies.empty()) note(slot);
  for (const auto& [to, from] : touch.copies) {
    const auto before =
        std::find_if(mine.touched.begin(), mine.touched.end(), [&, source = from](const auto& one) {
          return one.slot == source && one.frame == frame;
        });
    if (before != mine.touched.end()) note(to);
  }
}

} // namespace course::emulator
