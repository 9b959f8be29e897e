// Products of warpgroups (wgmma): four warps together multiply matrices that the hardware reads in
// shared memory by itself.
//
// Each warp computes its 16 rows of D when it comes to the instruction, and D is written at once.
// What a GPU does later is kept beside: until a warp waits for the group of a product, its
// registers are nobody's (check/products.hpp), and until one of the four has waited, what it reads
// in shared memory may not be written. A wait ends when all four warps have come as far as the
// products that it is for, which no GPU begins earlier (product_wait.cpp). wgmma reads by the async
// proxy, as bulk copies do.
//
// Floating point is added up as a matrix unit does (unit_sums.hpp).
#pragma once

#include "device/emulator/check/order.hpp"
#include "device/emulator/check/race.hpp"
#include "device/emulator/decode/operation.hpp"
#include "device/model/tensor_map.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace course::emulator {

struct Block;
struct Warp;

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
    const Access* access = nullptr;
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
    const Access* access = nullptr;
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

// Operations. The access of a product says what it multiplies; `immediate` of the others is their
// site.
void start_product(Warp&, const Operation&, std::uint32_t mask);
void fence_products(Warp&, const Operation&, std::uint32_t mask);
void commit_products(Warp&, const Operation&, std::uint32_t mask);

// The products of the warp's groups before this one are done: their registers may be used.
void end_products(Warp&, std::uint32_t before, std::uint32_t site);

// wgmma_product.cpp: where the chunks of both operands that the warp needs are in shared memory;
// those of A first, if it is there.
struct WarpgroupProduct;
struct ProductChunks {
  std::vector<std::uint32_t> of_a, of_b;
};
Descriptors descriptors_of(const Warp&, const WarpgroupProduct&, std::uint32_t lane);
ProductChunks chunks_of(const Warp&, const WarpgroupProduct&, const Descriptors&);
// D = A B + D of the warp's rows. What lies outside of shared memory is zero.
void multiply(Warp&, const WarpgroupProduct&, const ProductChunks&);

} // namespace course::emulator
