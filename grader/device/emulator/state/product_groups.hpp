// Products of warpgroups (wgmma) under way: what is kept of them until somebody has waited for them
// (execute/wgmma.hpp).
#pragma once

#include "device/emulator/decode/operation.hpp"
#include "device/emulator/state/knowledge.hpp"
#include "device/model/tensor_map.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace course::emulator {

struct MemoryOperand;
struct Block;
struct Warp;
struct WarpgroupProduct;

inline constexpr std::uint32_t kWarpsTogether = 4;

// Of one product: where its operands are (device/model/matrix_descriptor.hpp).
struct Descriptors {
  std::uint64_t a = 0, b = 0; // of A 0, where it is in registers
  bool operator==(const Descriptors&) const = default;
};

// The products of a warpgroup between two commits.
struct ProductGroup {
  // What the first of the four warps multiplied, one product after the other, which the others
  // have to do as well.
  struct Product {
    const MemoryOperand* access = nullptr;
    Descriptors descriptors;
  };
  std::vector<Product> products;
  std::array<Record, kWarpsTogether> waited{}; // for it; 0: not yet
  Passed passed; // what the four did before they committed it, to who has waited for it
};

// Of one warp.
struct WarpProducts {
  std::uint32_t committed = 0; // groups
  std::uint32_t in_group = 0;  // products since
  bool fenced = false;         // a wgmma.fence has been executed
  struct InFlight {            // started, and not waited for
    std::uint32_t group = 0;
    std::size_t frame = 0; // where its function's registers are
    const MemoryOperand* access = nullptr;
    std::vector<Slot> copies; // registers that hold its results too
  };
  std::vector<InFlight> in_flight;
  struct Touched { // an ordinary access to a register, since the last fence
    Slot slot = 0;
    std::uint32_t site = 0;
    std::size_t frame = 0;
  };
  std::vector<Touched> touched;
};
std::size_t frame_of(const Warp&); // that runs now

// Those of one block.
class Products {
public:
  void clear();
  bool used() const { return !warps_.empty(); }
  WarpProducts& of(const Warp&);
  // The group with this number of the warp's warpgroup.
  ProductGroup& group(const Warp&, std::uint32_t number);

  // For each chunk of shared memory: the last group of each warpgroup that reads it.
  void note_read(const Warp&, std::uint32_t offset, std::uint32_t group);
  // f(warpgroup, group) for those that have read the chunk at an offset, until it returns true.
  template <typename F>
  bool any_reader(std::uint32_t offset, F&& f) {
    const std::size_t first = std::size_t{offset} / kChunk * warpgroups_;
    if (first + warpgroups_ > readers_.size()) return false;
    for (std::uint32_t w = 0; w < warpgroups_; ++w)
      if (const std::uint32_t number = readers_[first + w])
        if (f(w, groups_[w][number - 1])) return true;
    return false;
  }

  // Chunks that a copy by a tensor map brought, and its swizzle.
  void note_tile(const std::vector<std::uint32_t>& chunks, model::Swizzle);
  // Of the copy that last wrote the chunk, if it was one.
  model::Swizzle tile_at(std::uint32_t offset) const;

  std::uint32_t parked = 0; // splits that wait

private:
  static constexpr std::uint32_t kChunk = 16;
  std::uint32_t warpgroups_ = 0;
  std::vector<WarpProducts> warps_;
  std::vector<std::vector<ProductGroup>> groups_; // of each warpgroup, by number
  std::vector<std::uint32_t> readers_;            // numbers plus 1
  std::vector<model::Swizzle> tiles_;             // by chunk
};

// Where the chunks of both operands that the warp needs are in shared memory;
// those of A first, if it is there.
struct ProductChunks {
  std::vector<std::uint32_t> of_a, of_b;
};
Descriptors descriptors_of(const Warp&, const WarpgroupProduct&, std::uint32_t lane);
ProductChunks chunks_of(const Warp&, const WarpgroupProduct&, const Descriptors&);

} // namespace course::emulator
