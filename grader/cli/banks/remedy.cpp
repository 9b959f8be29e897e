#include "cli/banks/remedy.hpp"

#include "language/translate.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <optional>

namespace course::cli {
namespace {

using model::kLanes;
using Index = std::int64_t;
using Layout = std::function<Index(Index)>; // where an element goes

bool is_atomic(const IndexedRequest& request) {
  return request.access == model::RequestKind::shared_atomic ||
         request.access == model::RequestKind::shared_atomic_loop;
}

// Elements that lie in one row of the banks.
Index elements_in_a_row(const IndexedRequest& request) {
  const auto& device = *request.architecture;
  const int bytes = device.banks * static_cast<int>(device.bank_bytes);
  return std::max(1, bytes / request.width);
}

bool is_free(const IndexedRequest& request, const model::Passes& passes) {
  return passes.ways <= (is_atomic(request) ? most_lanes_of_a_word(request_of(request)) : 1);
}

// The passes under `layout`, when it frees the request, spoils no row, and fits in the memory.
std::optional<model::Passes> confirmed(const IndexedRequest& request, const Layout& layout) {
  IndexedRequest moved = request;
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((request.active >> lane & 1) == 0) continue;
    moved.index[lane] = layout(request.index[lane]);
    const Index last = (moved.index[lane] + 1) * request.width;
    if (moved.index[lane] < 0 ||
        last > static_cast<Index>(request.architecture->shared_bytes_a_block))
      return std::nullopt;
  }
  const model::Passes passes = model::shared_passes(*request.architecture, request_of(moved));
  if (!is_free(request, passes)) return std::nullopt;

  IndexedRequest row = request;
  row.active = model::kAllLanes;
  for (int lane = 0; lane < kLanes; ++lane) row.index[lane] = layout(lane);
  if (model::shared_passes(*request.architecture, request_of(row)).ways > 1) return std::nullopt;
  return passes;
}

// The distance between neighbouring lanes, when there is one and lanes have no gaps.
std::optional<Index> stride_of(const IndexedRequest& request) {
  const int first = std::countr_zero(request.active);
  const int count = std::popcount(request.active);
  if (count < 2 || first + count > kLanes ||
      request.active >> first != (std::uint64_t{1} << count) - 1)
    return std::nullopt;
  const Index stride = request.index[first + 1] - request.index[first];
  for (int lane = first + 1; lane < first + count; ++lane)
    if (request.index[lane] - request.index[lane - 1] != stride) return std::nullopt;
  return stride;
}

std::string elements(Index count) {
  return trn("{} element", "{} elements", static_cast<std::uint64_t>(count), count);
}

// index ^ row: lanes that go down a column then go across the banks.
std::optional<Remedy> swizzle(const IndexedRequest& request) {
  const Index row = elements_in_a_row(request);
  if (request.width < model::kWordBytes) return std::nullopt;
  const auto passes = confirmed(request, [=](Index index) { return index ^ (index / row % row); });
  if (!passes) return std::nullopt;
  return Remedy{
      tr("element i kept at i ^ (i / {0} % {0}): a swizzle, which needs no more memory", row),
      *passes};
}

std::optional<Remedy> longer_stride(const IndexedRequest& request) {
  const auto stride = stride_of(request);
  if (!stride || *stride == 0) return std::nullopt;
  const Index length = *stride < 0 ? -*stride : *stride;
  // Lane 0's place in its row of `length` stays, as when a tile gets longer rows.
  for (Index pad = 1; pad <= elements_in_a_row(request); ++pad) {
    const auto passes =
        confirmed(request, [=](Index index) { return index + index / length * pad; });
    if (!passes) continue;
    return Remedy{tr("a stride of {} in place of {}: {} of padding a row", length + pad, length,
                     elements(pad)),
                  *passes};
  }
  return std::nullopt;
}

std::optional<Remedy> padding(const IndexedRequest& request) {
  const Index row = elements_in_a_row(request);
  for (Index pad = 1; pad <= row; ++pad)
    for (Index length : {row, 2 * row, 4 * row, row / 2}) {
      if (length == 0) continue;
      const auto passes =
          confirmed(request, [=](Index index) { return index + index / length * pad; });
      if (passes) return Remedy{tr("{} of padding after every {}", elements(pad), length), *passes};
    }
  return std::nullopt;
}

} // namespace

model::Request request_of(const IndexedRequest& request) {
  model::Request result{request.access, request.width, request.active};
  for (int lane = 0; lane < kLanes; ++lane)
    result.offset[lane] = model::swizzled(
        static_cast<std::uint32_t>(request.index[lane] * request.width), request.swizzle);
  return result;
}

int most_lanes_of_a_word(const model::Request& request) {
  std::map<std::uint32_t, int> lanes;
  int most = 0;
  for (int lane = 0; lane < kLanes; ++lane)
    if (request.active >> lane & 1)
      most = std::max(most, ++lanes[request.offset[lane] / model::kWordBytes]);
  return most;
}

std::vector<Remedy> remedies(const IndexedRequest& request) {
  const model::Passes now = model::shared_passes(*request.architecture, request_of(request));
  std::vector<Remedy> found;
  if (is_free(request, now)) return found;
  auto padded = longer_stride(request);
  if (!padded) padded = padding(request);
  if (padded) found.push_back(*padded);
  if (auto swizzled = swizzle(request)) found.push_back(*swizzled);
  return found;
}

} // namespace course::cli
