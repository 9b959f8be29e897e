#include "device/gpu/patterns/generate.hpp"

#include <algorithm>
#include <random>

namespace course::gpu::patterns {
namespace {

using Offsets = std::array<std::uint32_t, 32>;

class Draw {
public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  // 0 … bound - 1. The standard's distributions differ between libraries; this does not.
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }

  std::uint32_t mask() {
    const auto choice = below(10);
    if (choice < 5) return 0xffffffff;
    if (choice < 8) return std::max(1u, static_cast<std::uint32_t>(random_()));
    std::uint32_t mask = 0;
    for (std::uint32_t lanes = 2 + below(3); lanes > 0; --lanes) mask |= 1u << below(32);
    return mask;
  }

  Offsets offsets(std::uint32_t width) {
    const std::uint32_t elements = kWindowBytes / width;
    Offsets result{};
    switch (below(9)) {
    case 0: { // a stride
      const std::uint32_t stride = below(elements / 32) + (below(4) ? 0 : 1);
      const std::uint32_t start = below(elements - std::min(elements - 1, 31 * stride));
      fill(result, [&](std::uint32_t lane) { return start + lane * stride; });
      break;
    }
    case 1: // anywhere
      fill(result, [&](std::uint32_t) { return below(elements); });
      break;
    case 2: { // near each other
      const std::uint32_t range = 8u << below(6);
      const std::uint32_t start = below(elements - std::min(elements - 1, range));
      fill(result, [&](std::uint32_t) { return start + below(range); });
      break;
    }
    case 3: { // few distinct addresses
      Offsets distinct{};
      fill(distinct, [&](std::uint32_t) { return below(elements); });
      const std::uint32_t few = 1 + below(8);
      fill(result, [&](std::uint32_t) { return distinct[below(few)]; });
      break;
    }
    case 4: { // a permutation of neighbours
      fill(result, [&](std::uint32_t lane) { return lane; });
      for (std::uint32_t i = 31; i > 0; --i) std::swap(result[i], result[below(i + 1)]);
      break;
    }
    case 5: { // groups of lanes that share an address
      const std::uint32_t shift = 1 + below(4), stride = 1 + below(40);
      fill(result, [&](std::uint32_t lane) { return (lane >> shift) * stride; });
      break;
    }
    case 6: { // a swizzled column
      const std::uint32_t row = 32, bits = below(32);
      fill(result, [&](std::uint32_t lane) { return lane * row + (lane & bits); });
      break;
    }
    case 7: { // each four lanes share addresses in their own way, most in the same way
      constexpr std::uint32_t kShares[][4] = {{0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 1, 0},
                                              {0, 0, 0, 0}, {0, 0, 0, 1}, {0, 1, 2, 3}};
      const std::uint32_t usual = below(4), start = below(elements / 2), range = 16u << below(5);
      for (std::uint32_t quad = 0; quad < 32; quad += 4) {
        const auto& share = kShares[below(6) ? usual : below(6)];
        Offsets address{};
        fill(address, [&](std::uint32_t) { return start + below(range); });
        for (std::uint32_t lane = 0; lane < 4; ++lane) result[quad + lane] = address[share[lane]];
      }
      break;
    }
    default: { // many in one bank, at different words
      const std::uint32_t banks = 1 + below(4), step = std::max(1u, 128 / width);
      fill(result, [&](std::uint32_t) { return below(elements / step) * step + below(banks); });
    }
    }
    for (auto& offset : result) offset = offset % elements * width;
    return result;
  }

private:
  template <class Of>
  void fill(Offsets& offsets, Of of) {
    for (std::uint32_t lane = 0; lane < 32; ++lane) offsets[lane] = of(lane);
  }
  std::mt19937_64 random_;
};

} // namespace

std::vector<Pattern> generate(const Kind& kind, std::size_t count, std::uint64_t seed) {
  // Kinds draw from streams of their own, so that asking for one more changes no other.
  std::uint64_t stream = seed;
  for (const char letter : kind.name)
    stream = stream * 1099511628211u + static_cast<unsigned char>(letter);
  Draw draw(stream);
  std::vector<Pattern> patterns;
  for (std::size_t i = 0; i < count; ++i) {
    Pattern pattern;
    pattern.access = kind.name;
    pattern.active = kind.all_lanes ? 0xffffffff : draw.mask();
    pattern.lane = draw.offsets(kind.alignment);
    if (kind.copies) pattern.global = draw.offsets(kind.alignment);
    patterns.push_back(pattern);
  }
  return patterns;
}

} // namespace course::gpu::patterns
