#include "report/trace/steps.hpp"

#include "device/model/constant.hpp"
#include "device/model/remote.hpp"
#include "device/model/request_type.hpp"
#include "device/model/sectors.hpp"
#include "device/model/shared.hpp"
#include "language/translate.hpp"
#include "report/sampled_request.hpp"
#include "report/trace/trace.hpp"
#include "report/words/numbers.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <utility>

namespace course::report {
namespace {

using device::WatchedRequest;

std::string shared_cost(const model::Request& request) {
  const auto passes = model::shared_passes(request);
  const auto wavefronts =
      counted(static_cast<std::uint64_t>(passes.wavefronts), "{} wavefront", "{} wavefronts");
  if (passes.conflicts() == 0) return tr("{}, no conflict", wavefronts);
  return tr("{} where {} would do: {}-way", wavefronts, passes.ideal, passes.ways);
}

std::string global_cost(const device::RequestSample& request) {
  const auto sectors = static_cast<std::uint64_t>(model::sectors(request.active, request.offset));
  const auto bytes = static_cast<std::uint64_t>(std::popcount(request.active)) * request.width;
  return tr("{} of 32 bytes for {}", counted(sectors, "{} sector", "{} sectors"),
            counted(bytes, "{} byte", "{} bytes"));
}

std::string constant_cost(const device::RequestSample& request) {
  std::array<std::uint32_t, 32> offset{};
  for (int lane = 0; lane < 32; ++lane)
    offset[lane] = static_cast<std::uint32_t>(request.offset[lane]);
  const auto replays =
      model::constant_replays(request.active, static_cast<int>(request.width), offset);
  return counted(static_cast<std::uint64_t>(replays), "{} replay", "{} replays");
}

std::string remote_cost(const WatchedRequest& watched) {
  const auto& request = watched.request;
  model::RemoteRequest remote{static_cast<int>(request.width), request.active, {}};
  for (int lane = 0; lane < 32; ++lane)
    remote.offset[lane] = static_cast<std::uint32_t>(request.offset[lane]);
  if (watched.kind.use().direction == model::Direction::atomic)
    return tr("{} of another block's shared memory, one lane of a word after the other",
              counted(static_cast<std::uint64_t>(model::remote_atomic_sectors(remote)), "{} sector",
                      "{} sectors"));
  return tr(
      "{} in {} of another block's shared memory",
      counted(static_cast<std::uint64_t>(model::remote_sectors(remote)), "{} sector", "{} sectors"),
      counted(static_cast<std::uint64_t>(model::remote_lines(remote)), "{} line of 128 bytes",
              "{} lines of 128 bytes"));
}

// What no lanes make has no picture, and says so.
std::string cost_without_lanes(const WatchedRequest& watched) {
  const auto bytes = counted(watched.bytes, "{} byte", "{} bytes");
  if (is_bulk(watched.kind.access))
    return tr("{}, by one thread's copy; no lane makes it, and it is not drawn", bytes);
  return tr("{} for {} of its operands, in any layout; no lane makes it, and it is not drawn",
            counted(watched.bytes / model::kPassBytes, "{} wavefront", "{} wavefronts"), bytes);
}

// By how many bytes all lanes have moved; nothing when they have not moved together.
std::optional<std::int64_t> moved(const WatchedRequest& from, const WatchedRequest& to) {
  const auto &a = from.request, &b = to.request;
  if (from.kind != to.kind || a.active != b.active || a.width != b.width || a.active == 0)
    return std::nullopt;
  const int first = std::countr_zero(a.active);
  const auto by = static_cast<std::int64_t>(b.offset[first] - a.offset[first]);
  for (int lane = first; lane < 32; ++lane) {
    if ((a.active >> lane & 1) == 0) continue;
    if (static_cast<std::int64_t>(b.offset[lane] - a.offset[lane]) != by) return std::nullopt;
  }
  return by;
}

// As the one so many before it: by how much it moved, at the same cost.
std::optional<std::int64_t> repeats(const std::vector<WatchedRequest>& requests, std::size_t at,
                                    std::size_t back) {
  if (at < back || at >= requests.size()) return std::nullopt;
  const auto by = moved(requests[at - back], requests[at]);
  return by && cost_of(requests[at - back]) == cost_of(requests[at]) ? by : std::nullopt;
}

constexpr std::size_t kLongestTurn = 8; // a loop that was unrolled has several requests in turn

// Of the requests from `at` on that repeat those before them in turn, `period` of them, each moved
// by as much every time. Empty where not all of a turn do.
std::vector<std::int64_t> turn(const std::vector<WatchedRequest>& requests, std::size_t at,
                               std::size_t period) {
  std::vector<std::int64_t> moves;
  for (std::size_t k = 0; k < period; ++k) {
    const auto by = repeats(requests, at + k, period);
    if (!by) return {};
    moves.push_back(*by);
  }
  return moves;
}

// The shortest turn that begins at `at`, as a step; nothing where none does.
std::optional<Step> turns_from(const std::vector<WatchedRequest>& requests, std::size_t at) {
  for (std::size_t period = 2; period <= kLongestTurn; ++period) {
    auto moves = turn(requests, at, period);
    if (moves.empty()) continue;
    auto end = at + period;
    while (repeats(requests, end, period) == moves[(end - at) % period]) ++end;
    end -= (end - at) % period;
    if (end - at < 2 * period) continue; // once more is what a reader wants to see
    return Step{at + 1, end, requests[at], cost_of(requests[at]), true, 0, std::move(moves)};
  }
  return std::nullopt;
}

} // namespace

std::string cost_of(const WatchedRequest& watched) {
  if (is_bulk(watched.kind.access) || watched.kind.access == model::RequestKind::wgmma)
    return cost_without_lanes(watched);
  if (watched.kind.is_on(model::Memory::remote)) return remote_cost(watched);
  if (const auto shared = shared_request(watched)) return shared_cost(*shared);
  if (takes_sectors(watched)) return global_cost(watched.request);
  if (watched.kind.is_on(model::Memory::constant)) return constant_cost(watched.request);
  return tr("no rule is known for what it costs");
}

std::optional<model::Request> shared_request(const WatchedRequest& watched) {
  if (!model::has_rule(watched.kind.access, static_cast<int>(watched.request.width)))
    return std::nullopt;
  return request_of(watched.kind, watched.request);
}

bool takes_sectors(const WatchedRequest& watched) {
  if (is_bulk(watched.kind.access)) return false;
  return watched.kind.is_on(model::Memory::global) || watched.kind.is_on(model::Memory::remote);
}

std::vector<Step> steps_of(const std::vector<WatchedRequest>& requests) {
  std::vector<Step> steps;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto& request = requests[i];
    const auto cost = cost_of(request);
    const auto by = repeats(requests, i, 1);
    const bool same = by.has_value();
    if (auto turns = same ? std::nullopt : turns_from(requests, i)) {
      i = turns->last - 1;
      steps.push_back(std::move(*turns));
      continue;
    }
    // A third that moves as the second did joins it.
    if (same && steps.back().same_as_before && steps.back().in_turn.empty() &&
        steps.back().moved == *by) {
      steps.back().last = i + 1;
      continue;
    }
    steps.push_back({i + 1, i + 1, request, cost, same, by.value_or(0), {}});
  }
  return steps;
}

} // namespace course::report
