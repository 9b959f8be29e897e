#include "device/model/matrix.hpp"

#include <doctest/doctest.h>

#include "device/model/shared.hpp"

namespace course::model {
namespace {

Request rows(int pitch_bytes, int width) {
  Request request{RequestKind::ldmatrix, width};
  for (int lane = 0; lane < kLanes; ++lane) request.offset[lane] = lane * pitch_bytes;
  return request;
}

} // namespace

TEST_CASE("rows of 16 bytes side by side take one pass a matrix") {
  CHECK(shared_passes(rows(16, 4)) == Passes{1, 1, 1});
  CHECK(shared_passes(rows(16, 8)) == Passes{2, 2, 1});
  CHECK(shared_passes(rows(16, 16)) == Passes{4, 4, 1});
}

TEST_CASE("rows 128 bytes apart take a pass each, and 16 bytes of padding free them") {
  CHECK(shared_passes(rows(128, 16)) == Passes{32, 4, 8});
  CHECK(shared_passes(rows(144, 16)) == Passes{4, 4, 1});
}

TEST_CASE("stmatrix costs what ldmatrix costs, repeated rows included") {
  Request request = rows(0, 16);
  CHECK(shared_passes(request) == Passes{4, 4, 1});
  request.access = RequestKind::stmatrix;
  CHECK(shared_passes(request) == Passes{4, 4, 1});
}

TEST_CASE("the offsets of lanes beyond the last matrix are ignored") {
  Request request = rows(16, 4);
  for (int lane = 8; lane < kLanes; ++lane) request.offset[lane] = lane * 128;
  CHECK(shared_passes(request) == Passes{1, 1, 1});
}

TEST_CASE("a matrix is a group of eight lanes with four words each") {
  const Groups groups = groups_of(rows(16, 8));
  CHECK(groups.count == 2);
  CHECK(groups.lanes[0] == 0xff);
  CHECK(groups.lanes[1] == 0xff00);
  CHECK(words_a_lane(rows(16, 8)) == 4);
}

} // namespace course::model
