#include "device/emulator/execute/wgmma.hpp"

#include "device/emulator/check/products.hpp"
#include "device/emulator/execute/lane_access.hpp"

#include <algorithm>

namespace course::emulator {

void start_product(Warp& warp, const Operation& op, std::uint32_t mask) {
  Block& block = *warp.block;
  const MemoryOperand& access = *op.access;
  const WarpgroupProduct& product = *access.product;
  WarpProducts& mine = block.products.of(warp);
  const Descriptors descriptors = descriptors_of(warp, product, lowest(mask));
  const ProductChunks chunks = chunks_of(warp, product, descriptors);
  ProductGroup& group = block.products.group(warp, mine.committed);
  if (mine.in_group == group.products.size()) group.products.push_back({&access, descriptors});
  if (block.checks)
    check_product(warp, access, mask, group.products[mine.in_group], descriptors, chunks);
  ++mine.in_group;
  count_product(counter_of(block, access.id), access, warp,
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
    block.checker->shadow.next_step(warp);
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
  Shadow& shadow = block.checker->shadow;
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
