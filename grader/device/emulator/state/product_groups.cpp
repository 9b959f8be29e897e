#include "device/emulator/state/product_groups.hpp"

#include "device/emulator/decode/warpgroup_product.hpp"
#include "device/emulator/state/block.hpp"
#include "device/emulator/state/lanes.hpp"
#include "device/model/matrix_descriptor.hpp"

#include <algorithm>

namespace course::emulator {
namespace {

constexpr u32 kRows = 16; // of A, that a warp has
constexpr u32 kEight = 8; // lines of a chunk across

// A descriptor has 18 bits of an address, which are all that a GPU's shared memory needs. With the
// gaps between arrays it may need one more here: that of what is in an array.
model::MatrixDescriptor descriptor_in(const Layout& layout, u64 bits) {
  constexpr u32 kBeyond = 1u << 18;
  auto made = model::matrix_descriptor(bits);
  const auto is_inside = [&](u32 at) {
    return layout.inside(layout.array_at(at), at, model::kProductChunk);
  };
  if (layout.guarded_bytes() > kBeyond && !is_inside(made.start) && is_inside(made.start + kBeyond))
    made.start += kBeyond;
  return made;
}

} // namespace

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

Descriptors descriptors_of(const Warp& warp, const WarpgroupProduct& product, u32 lane) {
  const auto at = [&](Slot slot) { return lanes_at<const u64>(warp.frame, slot)[lane]; };
  return {product.a_in_registers ? 0 : at(product.a_descriptor), at(product.b_descriptor)};
}

ProductChunks chunks_of(const Warp& warp, const WarpgroupProduct& product,
                        const Descriptors& descriptors) {
  const u32 depth = product.depth();
  const u32 share = warp.index % kWarpsTogether * kRows; // its first row
  const auto gather = [&](u64 bits, model::Major major, u32 first, u32 lines) {
    const auto descriptor = descriptor_in(warp.block->shared.layout(), bits);
    const bool by_k = major == model::Major::k;
    const u32 from = by_k ? first : first / kEight, to = from + (by_k ? lines : lines / kEight);
    std::vector<u32> chunks;
    chunks.reserve((to - from) * (by_k ? 2 : depth));
    for (u32 x = from; x < to; ++x)
      for (u32 y = 0; y < (by_k ? 2 : depth); ++y)
        chunks.push_back(model::chunk_at(descriptor, major, x, y));
    return chunks;
  };
  ProductChunks made;
  if (!product.a_in_registers) made.of_a = gather(descriptors.a, product.a_major, share, kRows);
  made.of_b = gather(descriptors.b, product.b_major, 0, product.columns);
  return made;
}

} // namespace course::emulator
