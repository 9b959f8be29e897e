#include "device/emulator/check/saying.hpp"
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/execute/halves.hpp"
#include "device/emulator/execute/lane_access.hpp"
#include "device/texture.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>

namespace course::emulator {
namespace {

using device::Texture;

constexpr std::uint32_t kSlotsOfResults = 4;

// Of a lane; reports an object that is none.
const Texture* texture_of(Warp& warp, const Operation& op, u32 lane, bool surface) {
  const u64 object = lanes_at<const u64>(warp.frame, op.slot[1])[lane];
  const auto* all = warp.block->launch->textures;
  const Texture* texture = nullptr;
  if (all) {
    const auto found = all->find(object);
    if (found != all->end()) texture = &found->second;
  }
  if (texture && texture->surface == surface) return texture;
  warp.block->checker->report(
      device::FindingKind::out_of_bounds, op.access->id, kNone, warp, lane, [&] {
        if (texture) return Message(surface ? Says::texture_as_surface : Says::surface_as_texture);
        return Message(surface ? Says::no_surface : Says::no_texture);
      });
  return nullptr;
}

// ---- elements

using Element = std::array<double, 4>; // of each channel; integers as they are

double channel_value(const Texture& texture, u64 bits) {
  using F = Texture::Format;
  if (texture.format == F::floating) {
    if (texture.bits == 16) return F16::value(static_cast<u16>(bits));
    return double{std::bit_cast<float>(static_cast<u32>(bits))};
  }
  const double most = std::ldexp(1.0, texture.bits) - 1;
  if (texture.format == F::unsigned_integer) {
    const auto number = static_cast<double>(bits);
    return texture.as_fractions ? number / most : number;
  }
  const s64 number = static_cast<s64>(bits << (64 - texture.bits)) >> (64 - texture.bits);
  if (!texture.as_fractions) return static_cast<double>(number);
  return std::max(-1.0, static_cast<double>(number) / std::floor(most / 2));
}

struct At {
  s64 x = 0, y = 0, z = 0;
};

// Reads elements of one texture for one lane, and reports what is wrong with them once.
class Reader {
public:
  Reader(Warp& warp, const Operation& op, u32 lane, const Texture& texture)
      : warp_(warp), op_(op), lane_(lane), texture_(texture) {}

  Element at(const At& where) {
    Element element{};
    const u32 bytes = texture_.element();
    const u64 address = texture_.address + static_cast<u64>(where.z) * texture_.slice +
                        static_cast<u64>(where.y) * texture_.pitch +
                        static_cast<u64>(where.x) * bytes;
    Allocation* memory = memory_of(address, bytes);
    if (!memory) return element;
    warp_.block->launch->memory->set_read_unseen();
    const std::byte* from = memory->bytes.get() + (address - memory->base);
    for (u32 c = 0; c < texture_.channels; ++c) {
      u64 bits = 0;
      std::memcpy(&bits, from + c * (texture_.bits / 8), texture_.bits / 8);
      element[c] = channel_value(texture_, bits);
    }
    return element;
  }

private:
  Allocation* memory_of(u64 address, u32 bytes) {
    if (!known_ || !known_->holds(address, bytes))
      known_ = warp_.block->launch->memory->find(address);
    const bool there = known_ && known_->holds(address, bytes) && !known_->freed;
    if (!there) {
      report(known_ && known_->freed ? device::FindingKind::use_after_free
                                     : device::FindingKind::out_of_bounds,
             [&] {
               return known_ && known_->freed
                          ? Message(Says::texture_freed)
                          : Message(Says::a_texture_reads,
                                    warp_.block->launch->memory->describe(address));
             });
      return nullptr;
    }
    if (warp_.block->checks && !known_->is_written(address - known_->base, bytes))
      report(device::FindingKind::uninitialised, [&] {
        return unwritten(
            Message(Says::a_texture_reads, known_->element(address - known_->base, bytes)));
      });
    return known_;
  }
  template <typename Describe>
  void report(device::FindingKind kind, Describe message) {
    warp_.block->checker->report(kind, op_.access->id, kNone, warp_, lane_, message);
  }

  Warp& warp_;
  const Operation& op_;
  u32 lane_;
  const Texture& texture_;
  Allocation* known_ = nullptr;
};

// ---- coordinates

// The index of an element along one dimension; nothing: beyond the border. Where coordinates are
// not normalised, wrapping and mirroring are clamping.
std::optional<s64> inside(s64 index, u32 size, Texture::Beyond beyond, bool normalised) {
  const auto count = static_cast<s64>(size);
  if (index >= 0 && index < count) return index;
  using B = Texture::Beyond;
  if (beyond == B::border) return std::nullopt;
  if (!normalised || beyond == B::clamp) return index < 0 ? 0 : count - 1;
  if (beyond == B::wrap) return ((index % count) + count) % count;
  const s64 around = ((index % (2 * count)) + 2 * count) % (2 * count);
  return around < count ? around : 2 * count - 1 - around;
}

// Two neighbours along one dimension and the weight of the second.
struct Along {
  s64 first = 0;
  double weight = 0;
};

double scaled(const Texture& texture, float coordinate, u32 size) {
  return texture.normalised ? double{coordinate} * size : double{coordinate};
}

s64 whole(double number) { // as a GPU clamps what is far out
  if (!(number > -1e9)) return -1'000'000'000;
  return number < 1e9 ? static_cast<s64>(std::floor(number)) : 1'000'000'000;
}

Along between(double position) {
  const double centred = position - 0.5;
  const s64 first = whole(centred);
  constexpr double kSteps = 256; // 8 bits behind the point
  const double weight = std::floor((centred - std::floor(centred)) * kSteps + 0.5) / kSteps;
  return {first, weight};
}

u32 bits_of_result(const Texture& texture, double value) {
  const bool integer = texture.format != Texture::Format::floating && !texture.as_fractions;
  if (!integer) return std::bit_cast<u32>(static_cast<float>(value));
  return static_cast<u32>(static_cast<s64>(value));
}

class Lane {
public:
  Lane(Warp& warp, const Operation& op, u32 lane, const Texture& texture)
      : reader_(warp, op, lane, texture), texture_(texture) {
    for (u32 i = 0; i < coordinates_.size(); ++i)
      coordinates_[i] = lanes_at<const u32>(warp.frame, op.slot[2])[i * kLanes + lane];
  }

  Element fetch(const Fetch& fetch) {
    const bool layers =
        fetch.geometry == Geometry::layers_of_one || fetch.geometry == Geometry::layers_of_two;
    const u32 first = layers ? 1 : 0;
    if (layers) {
      const u32 count = std::max(1u, texture_.depth);
      layer_ = std::min(coordinates_[0], count - 1);
    }
    if (fetch.by_index) return by_index(static_cast<s32>(coordinates_[first]));
    const int dimensions =
        fetch.geometry == Geometry::three                                              ? 3
        : fetch.geometry == Geometry::two || fetch.geometry == Geometry::layers_of_two ? 2
                                                                                       : 1;
    const std::array<u32, 3> sizes{texture_.width, std::max(1u, texture_.height),
                                   std::max(1u, texture_.depth)};
    std::array<double, 3> position{};
    for (int d = 0; d < dimensions; ++d) {
      const auto i = static_cast<std::size_t>(d);
      position[i] = scaled(texture_, std::bit_cast<float>(coordinates_[first + i]), sizes[i]);
    }
    if (fetch.gathers) return gathered(position, fetch.channel);
    if (!texture_.linear) {
      At at{whole(position[0]), dimensions > 1 ? whole(position[1]) : 0,
            dimensions > 2 ? whole(position[2]) : 0};
      return element(at, dimensions);
    }
    return filtered(position, dimensions);
  }

private:
  Element by_index(s64 index) {
    if (texture_.is_memory && (index < 0 || index >= static_cast<s64>(texture_.width))) return {};
    return element({index, 0, 0}, 1);
  }

  Element element(const At& where, int dimensions) {
    const auto x = inside(where.x, texture_.width, texture_.beyond[0], texture_.normalised);
    const auto y = dimensions < 2 ? std::optional<s64>(0)
                                  : inside(where.y, std::max(1u, texture_.height),
                                           texture_.beyond[1], texture_.normalised);
    const auto z = dimensions < 3 ? std::optional<s64>(layer_)
                                  : inside(where.z, std::max(1u, texture_.depth),
                                           texture_.beyond[2], texture_.normalised);
    if (x && y && z) return reader_.at({*x, *y, *z});
    Element border{};
    for (std::size_t c = 0; c < border.size(); ++c) border[c] = double{texture_.border[c]};
    return border;
  }

  Element filtered(const std::array<double, 3>& position, int dimensions) {
    std::array<Along, 3> along{};
    for (int d = 0; d < dimensions; ++d)
      along[static_cast<std::size_t>(d)] = between(position[static_cast<std::size_t>(d)]);
    Element sum{};
    for (int corner = 0; corner < 1 << dimensions; ++corner) {
      double weight = 1;
      std::array<s64, 3> at{};
      for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
        const bool second = corner >> d & 1;
        weight *= second ? along[d].weight : 1 - along[d].weight;
        at[d] = along[d].first + (second ? 1 : 0);
      }
      if (weight == 0) continue;
      const Element each = element({at[0], at[1], at[2]}, dimensions);
      for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += weight * each[c];
    }
    return sum;
  }

  // Of the four elements that a filter would use, counter-clockwise from the lower left.
  Element gathered(const std::array<double, 3>& position, u32 channel) {
    const s64 x = between(position[0]).first, y = between(position[1]).first;
    const At corners[] = {{x, y + 1, 0}, {x + 1, y + 1, 0}, {x + 1, y, 0}, {x, y, 0}};
    Element all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = element(corners[i], 2)[channel];
    return all;
  }

  Reader reader_;
  const Texture& texture_;
  std::array<u32, 4> coordinates_{};
  s64 layer_ = 0;
};

// A request of a texture. What it costs is not known.
void count_fetch(Warp& warp, const Operation& op) {
  AccessCounter& counter = counter_of(*warp.block, op.access->id);
  ++counter.requests;
  counter.doubtful = true;
}

} // namespace

void fetch_texture(Warp& warp, const Operation& op, std::uint32_t mask) {
  count_fetch(warp, op);
  Fetch fetch;
  fetch.geometry = static_cast<Geometry>(op.immediate & 7);
  fetch.by_index = op.immediate & 8;
  fetch.gathers = op.immediate & 16;
  fetch.channel = static_cast<std::uint8_t>(op.immediate >> 5);
  u32* to = lanes_at<u32>(warp.frame, op.slot[0]);
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(left));
    const Texture* texture = texture_of(warp, op, lane, false);
    const Element element = texture ? Lane(warp, op, lane, *texture).fetch(fetch) : Element{};
    for (u32 c = 0; c < kSlotsOfResults; ++c)
      to[c * kLanes + lane] = texture ? bits_of_result(*texture, element[c]) : 0xffffffff;
  }
}

void point_at_surface(Warp& warp, const Operation& op, std::uint32_t mask) {
  const auto geometry = static_cast<Geometry>(op.immediate & 7);
  const auto outside = static_cast<Outside>(op.immediate >> 3 & 3);
  const s64 bytes = op.immediate >> 5;
  u64* address = lanes_at<u64>(warp.frame, op.slot[0]);
  const u32* coordinates = lanes_at<const u32>(warp.frame, op.slot[2]);
  u32 going = 0;
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(left));
    const Texture* texture = texture_of(warp, op, lane, true);
    if (!texture) continue;
    const auto coordinate = [&](u32 i) {
      return s64{static_cast<s32>(coordinates[i * kLanes + lane])};
    };
    const bool layers = geometry == Geometry::layers_of_one || geometry == Geometry::layers_of_two;
    const u32 first = layers ? 1 : 0;
    s64 x = coordinate(first), y = 0, z = layers ? coordinate(0) : 0;
    if (geometry != Geometry::one && geometry != Geometry::layers_of_one) y = coordinate(first + 1);
    if (geometry == Geometry::three) z = coordinate(2);
    const s64 row = s64{texture->width} * texture->element();
    const s64 rows = std::max(1u, texture->height), slices = std::max(1u, texture->depth);
    const bool in = x >= 0 && x <= row - bytes && y >= 0 && y < rows && z >= 0 && z < slices;
    if (!in && outside == Outside::trap)
      warp.block->checker->report(
          device::FindingKind::out_of_bounds, op.access->id, kNone, warp, lane, [&] {
            return slices > 1 ? Message(Says::outside_surface_slices, x, y, z, rows, row)
                              : Message(Says::outside_surface, x, y, rows, row);
          });
    if (!in && outside != Outside::clamp) continue;
    x = std::clamp<s64>(x, 0, row - bytes);
    y = std::clamp<s64>(y, 0, rows - 1);
    z = std::clamp<s64>(z, 0, slices - 1);
    address[lane] = texture->address + static_cast<u64>(z) * texture->slice +
                    static_cast<u64>(y) * texture->pitch + static_cast<u64>(x);
    going |= 1u << lane;
  }
  u32& predicate = predicate_at(warp.frame, op.slot[3]);
  predicate = (predicate & ~mask) | going;
}

void clear_lanes(Warp& warp, const Operation& op, std::uint32_t mask) {
  for (u32 left = mask; left; left &= left - 1)
    std::memset(warp.frame + op.slot[0] +
                    static_cast<std::size_t>(std::countr_zero(left)) * op.immediate,
                0, op.immediate);
}

} // namespace course::emulator
