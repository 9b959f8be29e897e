// Tensor maps: what is accepted, how they are kept, and what later reads of a swizzled tile cost.
#include "device/model/measured_rows.hpp"
#include "device/model/shared.hpp"
#include "device/model/tensor_map.hpp"

#include <algorithm>

namespace course::model {
namespace {

TensorMap plain(std::uint32_t inner_bytes, std::uint8_t element = 4) {
  TensorMap map;
  map.address = 0x1000;
  map.rank = 2;
  map.element = element;
  map.size = {1024, 128};
  map.stride = {element, 4096};
  map.box = {inner_bytes / element, 8};
  return map;
}

} // namespace

TEST_CASE("a map that rounds to TF32 loads what an H100 did") {
  const std::uint32_t seen[][2] = {
      {0x3f80'1fff, 0x3f80'2000}, {0x3f80'1000, 0x3f80'0000}, {0x3f80'3000, 0x3f80'4000},
      {0x3f80'0fff, 0x3f80'0000}, {0xbf80'1001, 0xbf80'2000}, {0x0000'0001, 0x0000'0000},
      {0x8040'0000, 0x8040'0000}, {0x7f80'0001, 0x7fff'e000}, {0x7fc0'1234, 0x7fff'e000},
      {0x7f7f'ffff, 0x7f80'0000}, {0x0080'0001, 0x0080'0000}};
  for (const auto& [from, to] : seen) CHECK(rounded_to_tf32(from) == to);
  TensorMap map = plain(64);
  CHECK_FALSE(decoded(encoded(map))->rounds_to_tf32);
  map.rounds_to_tf32 = true;
  CHECK(decoded(encoded(map)) == map);
}

TEST_CASE("the model accepts the boxes that the driver encoded, and no others") {
  const auto rows = rows_of("grader/device/model/data/tensor_maps.csv");
  CHECK(rows.size() > 100);
  for (const Row& row : rows) {
    CAPTURE(row.at("type"));
    CAPTURE(row.at("swizzle"));
    CAPTURE(row.at("inner_bytes"));
    const std::string& type = row.at("type");
    const auto element = static_cast<std::uint8_t>(type.ends_with("64")   ? 8
                                                   : type.ends_with("16") ? 2
                                                   : type.ends_with("32") ? 4
                                                                          : 1);
    TensorMap map = plain(static_cast<std::uint32_t>(std::stoul(row.at("inner_bytes"))), element);
    map.swizzle = swizzle_named(row.at("swizzle")).value();
    CHECK(is_accepted(map) == (row.at("accepted") == "yes"));
  }
}

TEST_CASE("a map that the driver refuses says which rule it breaks, and by how much") {
  TensorMap map = plain(256, 2);
  CHECK(broken_rule(map).empty());
  map.swizzle = Swizzle::bytes_128;
  CHECK(broken_rule(map) == "the box's row, 256 bytes, is longer than its swizzle, 128");
  map = plain(24, 4);
  CHECK(broken_rule(map) == "the box's row, 24 bytes, is no multiple of 16");
  map = plain(64, 4);
  map.address += 8;
  CHECK(broken_rule(map) == "the tensor's address is no multiple of 16 bytes");
}

TEST_CASE("a map survives its 128 bytes, and other bytes are none") {
  TensorMap map = plain(64, 2);
  map.swizzle = Swizzle::bytes_64;
  map.fills_with_nan = true;
  map.size[0] = 1ull << 32;
  CHECK(decoded(encoded(map)) == map);
  CHECK_FALSE(decoded({}));
  map.floating = false; // integers have no NaN
  CHECK_FALSE(is_accepted(map));
}

TEST_CASE("reads of a tile that a map has swizzled cost what was counted") {
  const auto rows = rows_of("grader/device/model/data/tensor_tile_reads.csv");
  CHECK(rows.size() > 40);
  for (const Row& row : rows) {
    const int inner = std::stoi(row.at("inner_bytes")), width = std::stoi(row.at("read_width"));
    const std::string& pattern = row.at("pattern");
    CAPTURE(row.at("swizzle"));
    CAPTURE(inner);
    CAPTURE(width);
    CAPTURE(pattern);
    Request request;
    request.width = width;
    for (int lane = 0; lane < kLanes; ++lane) {
      const int in_row = inner / width;
      int r = 0, byte = 0;
      if (pattern == "along rows") {
        r = lane / in_row;
        byte = lane % in_row * width;
      } else if (pattern == "down a column first") {
        r = lane;
      } else if (pattern == "down a column third chunk or last") {
        r = lane;
        byte = (inner > 48 ? 48 : inner - 16) + 16 - width;
      } else if (pattern == "4 lanes a row by 8 rows") {
        r = lane / 4;
        byte = lane % 4 * width % inner;
      } else if (pattern == "8 lanes a row by 4 rows") {
        r = lane / 8;
        byte = lane % 8 * width % inner;
      } else {
        REQUIRE(pattern == "every second row of a column");
        r = 2 * lane;
      }
      request.offset[static_cast<std::size_t>(lane)] =
          swizzled(static_cast<std::uint32_t>(1024 + r * inner + byte),
                   swizzle_named(row.at("swizzle")).value());
    }
    CHECK(shared_passes(request).wavefronts == std::stoi(row.at("wavefronts_counted")));
  }
}

} // namespace course::model
