#include "device/model/matrix_descriptor.hpp"

namespace course::model {
namespace {

constexpr std::uint32_t kGroup = 8; // lines that lie one behind the other

std::uint32_t field(std::uint64_t bits, unsigned from) {
  return static_cast<std::uint32_t>(bits >> from & 0x3fff) * 16;
}

} // namespace

MatrixDescriptor matrix_descriptor(std::uint64_t bits) {
  constexpr Swizzle kLayouts[] = {Swizzle::none, Swizzle::bytes_128, Swizzle::bytes_64,
                                  Swizzle::bytes_32};
  MatrixDescriptor made;
  made.start = field(bits, 0);
  made.leading = field(bits, 16);
  made.stride = field(bits, 32);
  made.base_offset = static_cast<std::uint32_t>(bits >> 49 & 7);
  made.swizzle = kLayouts[bits >> 62];
  return made;
}

std::uint32_t MatrixDescriptor::span() const {
  return swizzle_span(swizzle);
}

std::uint32_t chunk_at(const MatrixDescriptor& of, Major major, std::uint32_t across,
                       std::uint32_t along) {
  const std::uint32_t span = of.span();
  std::uint32_t at = of.start;
  if (major == Major::k) {
    at += across / kGroup * of.stride + across % kGroup * span;
    at += along * (of.swizzle == Swizzle::none ? of.leading : kProductChunk);
  } else if (of.swizzle == Swizzle::none) {
    at += across * of.stride + along / kGroup * of.leading + along % kGroup * span;
  } else {
    const std::uint32_t byte = across * kProductChunk;
    at += byte / span * of.leading + byte % span;
    at += along / kGroup * of.stride + along % kGroup * span;
  }
  return swizzled(at, of.swizzle, of.base_offset);
}

bool fits_span(const MatrixDescriptor& of, Major major) {
  return major == Major::mn || of.swizzle == Swizzle::none ||
         of.start % of.span() + kProductDepth <= of.span();
}

std::uint32_t product_wavefronts(bool a_in_shared, std::uint32_t columns, std::uint32_t warp) {
  constexpr std::uint32_t kWavefront = 128, kRows = 16; // bytes; rows of A of each warp
  const std::uint32_t a = a_in_shared ? kRows * kProductDepth : 0;
  const std::uint32_t b = warp % 4 == 0 ? columns * kProductDepth : 0;
  return (a + b) / kWavefront;
}

} // namespace course::model
