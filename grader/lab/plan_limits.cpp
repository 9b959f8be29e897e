#include "lab/plan_limits.hpp"

namespace course::lab {
namespace {

constexpr std::uint64_t kBytesAtOnce = 128;

std::uint64_t weight(const device::Step& step) {
  if (const auto* fill = std::get_if<device::Fill>(&step)) return 1 + fill->size / kBytesAtOnce;
  if (const auto* copy = std::get_if<device::Copy>(&step)) return 1 + copy->size / kBytesAtOnce;
  if (const auto* upload = std::get_if<device::Upload>(&step))
    return 1 + upload->bytes.size() / kBytesAtOnce;
  return std::holds_alternative<device::Launch>(step) ? kLaunchWeight : 1;
}

} // namespace

std::uint64_t weight(const device::Plan& plan) {
  std::uint64_t sum = 0;
  for (const auto& step : plan.steps) sum += weight(step);
  return sum;
}

std::uint64_t bytes_copied(const device::Plan& plan) {
  std::uint64_t sum = 0;
  for (const auto& step : plan.steps)
    if (const auto* copy = std::get_if<device::Copy>(&step)) sum += copy->size;
  return sum;
}

std::optional<judge::Check> check_copies(const device::Plan& plan, const judge::Shape& shape) {
  const auto bytes = bytes_copied(plan);
  if (bytes == 0) return std::nullopt;
  judge::Check check;
  check.name = judge::name_of(judge::CheckKind::launch);
  check.status = judge::Status::failed;
  check.shape = shape;
  check.facts = judge::facts::CopiedByHost{bytes};
  return check;
}

} // namespace course::lab
