#include "device/emulator/launch_order.hpp"

#include "device/manners.hpp"
#include "device/splitmix64.hpp"

#include <set>

namespace course::emulator {
namespace {

using What = device::StreamCall::What;

const device::StreamCall* stream_call(const device::Step* step) {
  return std::get_if<device::StreamCall>(step);
}

// Whether the second of a pair does. Who takes all manners in turns has either order of each pair.
bool comes_first(std::uint64_t seed, std::uint64_t pair) {
  const std::uint64_t manner = seed % device::kManners;
  return manner == 0 ? device::splitmix64(seed + pair * device::kSplitmixStep) % 2 != 0
                     : (manner + pair) % 2 != 0;
}

bool is_launch(const device::Step* step) {
  return std::holds_alternative<device::Launch>(*step);
}

} // namespace

LaunchOrder::LaunchOrder(const device::Plan& plan, const device::Order& order) {
  const bool at_liberty = order.kind == device::Order::Kind::at_liberty;
  std::uint32_t now = 0, before = 0; // streams in use
  std::set<std::uint32_t> apart;     // streams that the default one does not wait for
  std::uint64_t pair = 0;            // the number of one that may change places
  for (const device::Step& step : plan.steps) {
    steps_.push_back(&step);
    if (const auto* call = stream_call(&step)) {
      if (call->what == What::create_non_blocking) apart.insert(call->stream);
      if (call->what == What::use) before = std::exchange(now, call->stream);
      continue;
    }
    const std::size_t count = steps_.size();
    if (!at_liberty || count < 3 || !is_launch(&step) || !is_launch(steps_[count - 3])) continue;
    const auto* use = stream_call(steps_[count - 2]);
    if (!use || use->what != What::use || now == before) continue;
    const bool free = (now && before) || apart.contains(now ? now : before);
    if (free && comes_first(order.seed, pair++)) swap_last_two(before, now);
  }
}

// "first launch, use `second`, second launch" is all that there is at the end.
void LaunchOrder::swap_last_two(std::uint32_t first, std::uint32_t second) {
  const auto use = [&](std::uint32_t stream) {
    uses_.push_back(std::make_unique<device::Step>(device::StreamCall{What::use, stream, 0}));
    return uses_.back().get();
  };
  const device::Step *earlier = *(steps_.end() - 3), *later = steps_.back();
  steps_.resize(steps_.size() - 3);
  steps_.insert(steps_.end(), {use(second), later, use(first), earlier, use(second)});
}

} // namespace course::emulator
