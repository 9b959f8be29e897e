#include "device/emulator/execute/wgmma.hpp"

#include "device/emulator/check/products.hpp"
#include "device/emulator/execute/lane_access.hpp"

#include <algorithm>

namespace course::emulator {

std::size_t frame_of(const Warp& warp) {
  return static_cast<std::size_t>(warp.frame - warp.registers.front().bytes);
}

void Products::clear() {
  warpgroups_ = parked = 0;
  warps_.clear();
  groups_.clear();
}

WarpProducts& Products::of(const Warp& warp) {
  if (warps_.empty()) {
    Block& block = *warp.block;
    const auto count = static_cast<std::uint32_t>(block.warps.size());
    warps_.resize(count);
    warpgroups_ = (count + kWarpsTogether - 1) / kWarpsTogether;
    groups_.resize(warpgroups_);
    readers_.assign((block.shared.layout().guarded_bytes() / kChunk + 1) * warpgroups_, 0);
    ++block.landing.copies; // from now on whoever writes is asked whether it is still read
  }
  return warps_[warp.index];
}

ProductGroup& Products::group(const Warp& warp, std::uint32_t number) {
  auto& groups = groups_[warp.index / kWarpsTogether];
  if (groups.size() <= number) groups.resize(number + 1);
  return groups[number];
}

void Products::note_read(const Warp& warp, std::uint32_t offset, std::uint32_t group) {
  const std::size_t at = std::size_t{offset} / kChunk * warpgroups_ + warp.index / kWarpsTogether;
  if (at < readers_.size()) readers_[at] = group + 1;
}

void Products::note_tile(const std::vector<std::uint32_t>& chunks, model::Swizzle swizzle) {
  for (const std::uint32_t chunk : chunks) {
    if (tiles_.size() <= chunk / kChunk)
      tiles_.resize(std::max<std::size_t>(2 * tiles_.size(), chunk / kChunk + 1));
    tiles_[chunk / kChunk] = swizzle;
  }
}

model::Swizzle Products::tile_at(std::uint32_t offset) const {
  return offset / kChunk < tiles_.size() ? tiles_[offset / kChunk] : model::Swizzle::none;
}

void start_product(Warp& warp, const Operation& op, std::uint32_t mask) {
  Block& block = *warp.block;
  const Access& access = *op.access;
  const WarpgroupProduct& product = *access.product;
  WarpProducts& mine = block.products.of(warp);
  const Descriptors descriptors = descriptors_of(warp, product, lowest(mask));
  const ProductChunks chunks = chunks_of(warp, product, descriptors);
  ProductGroup& group = block.products.group(warp, mine.committed);
  if (mine.in_group == group.products.size()) group.products.push_back({&access, descriptors});
  if (block.checks)
    check_product(warp, access, mask, group.products[mine.in_group], descriptors, chunks);
  ++mine.in_group;
  count_product(block.counter(access.id), access, warp,
                model::product_wavefronts(!product.a_in_registers, product.columns, warp.index));
  multiply(warp, product, chunks);
  mine.in_flight.push_back({mine.committed, frame_of(warp), &access, {}});
  for (const u32 chunk : chunks.of_a) block.products.note_read(warp, chunk, mine.committed);
  for (const u32 chunk : chunks.of_b) block.products.note_read(warp, chunk, mine.committed);
}

void fence_products(Warp& warp, const Operation& op, std::uint32_t mask) {
  need_whole_warp(warp, op, mask);
  WarpProducts& mine = warp.block->products.of(warp);
  mine.fenced = true;
  mine.touched.clear();
}

void commit_products(Warp& warp, const Operation& op, std::uint32_t mask) {
  need_whole_warp(warp, op, mask);
  WarpProducts& mine = warp.block->products.of(warp);
  Block& block = *warp.block;
  ProductGroup& group = block.products.group(warp, mine.committed);
  if (block.checks) {
    block.shared.shadow().next_step(warp);
    group.passed.add(passed_by(warp, mask));
  }
  ++mine.committed;
  mine.in_group = 0;
}

void end_products(Warp& warp, std::uint32_t before, std::uint32_t site) {
  Block& block = *warp.block;
  WarpProducts& mine = block.products.of(warp);
  std::erase_if(mine.in_flight, [&](const auto& one) { return one.group < before; });
  if (!block.checks) return;
  Shadow& shadow = block.shared.shadow();
  const Record now = record(warp.stamp, site, warp.index);
  for (std::uint32_t number = before; number-- > 0;) {
    ProductGroup& group = block.products.group(warp, number);
    Record& waited = group.waited[warp.index % kWarpsTogether];
    if (waited) break; // and so it has for those before
    waited = now;
    take_over(warp, warp.live, group.passed);
  }
  shadow.next_step(warp); // whatever it tells others from now on, it has waited
}

} // namespace course::emulator
