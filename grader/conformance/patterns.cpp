#include "conformance/patterns.hpp"

#include "device/model/async_copy.hpp"
#include "device/model/atomics.hpp"
#include "device/model/request_type.hpp"
#include "device/model/sectors.hpp"
#include "device/model/shared.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace course::conformance {
namespace {

std::optional<std::uint64_t> number(const Row& row, const std::string& column) {
  const auto found = row.find(column);
  if (found == row.end()) return {};
  std::string text = found->second;
  const int base = text.starts_with("0x") ? 16 : 10;
  if (base == 16) text.erase(0, 2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

// An atomic whose operand is zero has a name of its own where it is measured.
constexpr const char* kZero = "_zero";

std::optional<model::RequestType> kind_named(std::string access) {
  if (access.ends_with(kZero)) access.resize(access.size() - std::string(kZero).size());
  return model::measured_kind(access);
}

struct Costs {
  std::uint64_t wavefronts = 0, ideal = 0, sectors = 0;
  bool operator==(const Costs&) const = default;
};

struct Pattern {
  model::RequestType kind;
  std::uint32_t active = 0;
  std::array<std::uint64_t, model::kLanes> offset{};
  Costs measured;
};

std::optional<Pattern> pattern_of(const Row& row) {
  Pattern pattern;
  const auto access = row.find("access");
  if (access == row.end()) return {};
  const auto kind = kind_named(access->second);
  const auto mask = number(row, "active_mask");
  if (!mask) return {};
  pattern.active = static_cast<std::uint32_t>(*mask);
  for (int lane = 0; lane < model::kLanes; ++lane) {
    const auto offset = number(row, "lane" + std::to_string(lane));
    if (!offset) return {};
    pattern.offset[static_cast<std::size_t>(lane)] = *offset;
  }
  const auto wavefronts = number(row, "wavefronts"), ideal = number(row, "ideal"),
             sectors = number(row, "sectors");
  if (!wavefronts || !ideal || !sectors) return {};
  pattern.measured = {*wavefronts, *ideal, *sectors};
  if (kind) pattern.kind = *kind;
  return pattern;
}

// What the measuring kernel's 64-bit atomics do with the words of zeroed memory: lane l's operand
// is l + 1, where the name says nothing else.
model::LoopValues values_of(const model::Atomic& atomic, bool zero) {
  using Word = std::uint64_t;
  using Operation = model::Atomic::Operation;
  const auto operand = [zero, one = atomic.of_one](int lane) -> Word {
    return zero ? 0 : one ? 1 : static_cast<Word>(lane) + 1;
  };
  switch (atomic.operation) {
  case Operation::min:
    return {{}, [=](int lane, Word now) { return std::min(now, operand(lane)); }, true};
  case Operation::max:
    return {{}, [=](int lane, Word now) { return std::max(now, operand(lane)); }, true};
  case Operation::and_:
    return {{}, [=](int lane, Word now) { return now & operand(lane); }};
  case Operation::or_:
    return {{}, [=](int lane, Word now) { return now | operand(lane); }};
  case Operation::xor_:
    return {{}, [=](int lane, Word now) { return now ^ operand(lane); }};
  default:
    return {{}, [=](int lane, Word now) { return now + operand(lane); }};
  }
}

Costs costs_of(const model::Passes& passes, int sectors = 0) {
  return {static_cast<std::uint64_t>(passes.wavefronts), static_cast<std::uint64_t>(passes.ideal),
          static_cast<std::uint64_t>(sectors)};
}

std::optional<Costs> copied(model::AsyncCopy copy, const Row& row, const Pattern& pattern) {
  copy.active = pattern.active;
  for (int lane = 0; lane < model::kLanes; ++lane) {
    const auto from = number(row, "global" + std::to_string(lane));
    if (!from) return {};
    copy.from[lane] = *from;
    copy.to[lane] = static_cast<std::uint32_t>(pattern.offset[lane]);
  }
  return costs_of(model::copy_passes(copy), model::copy_sectors(copy));
}

// Nothing where no rule is known.
std::optional<Costs> calculated(const Row& row, const Pattern& pattern) {
  const std::string& access = row.at("access");
  if (const auto copy = model::copy_of(access)) return copied(*copy, row, pattern);
  const auto kind = kind_named(access);
  if (!kind) return {};
  if (model::memory_of(kind->access) == model::Memory::global)
    return Costs{0, 0, static_cast<std::uint64_t>(model::sectors(pattern.active, pattern.offset))};
  if (!model::has_rule(kind->access, kind->width)) return {};
  model::Request request{kind->access, kind->width, pattern.active, {}};
  std::transform(pattern.offset.begin(), pattern.offset.end(), request.offset.begin(),
                 [](std::uint64_t offset) { return static_cast<std::uint32_t>(offset); });
  return costs_of(
      kind->access == model::RequestKind::shared_atomic_loop
          ? model::atomic_passes(request, values_of(kind->atomic, access.ends_with(kZero)))
          : model::shared_passes(request));
}

std::string text(const Row& row, const Costs& costs, const Costs& measured) {
  return "mask " + row.at("active_mask") + ", lane0 " + row.at("lane0") + ": " +
         std::to_string(costs.wavefronts) + " wavefronts, " + std::to_string(costs.ideal) +
         " ideal, " + std::to_string(costs.sectors) + " sectors; measured " +
         std::to_string(measured.wavefronts) + ", " + std::to_string(measured.ideal) + ", " +
         std::to_string(measured.sectors);
}

} // namespace

std::variant<std::vector<PatternScore>, std::string> score_patterns(const Table& table) {
  std::vector<PatternScore> scores;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto& row = table.rows[i];
    const auto pattern = pattern_of(row);
    if (!pattern) return "pattern " + std::to_string(i + 1) + " cannot be read";
    const auto& access = row.at("access");
    auto score = std::find_if(scores.begin(), scores.end(),
                              [&](const PatternScore& one) { return one.access == access; });
    if (score == scores.end()) {
      scores.push_back({access, 0, 0, 0, ""});
      score = scores.end() - 1;
    }
    ++score->patterns;
    const auto costs = calculated(row, *pattern);
    if (!costs) {
      ++score->without_rule;
    } else if (*costs == pattern->measured) {
      ++score->equal;
    } else if (score->first_unequal.empty()) {
      score->first_unequal = text(row, *costs, pattern->measured);
    }
  }
  return scores;
}

} // namespace course::conformance
