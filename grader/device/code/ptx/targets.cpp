#include "device/code/ptx/targets.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace course::ptx {
namespace {

struct Since {
  std::string_view name, modifier;
  int capability = 0;
  bool alone = false;
};
constexpr Since kSince[] = {
#define SINCE(name, modifier, capability) {name, modifier, capability, false},
#define ALONE(name, capability) {name, "", capability, true},
#include "device/code/ptx/targets.def"
};

std::string full_name(const Instruction& instruction) {
  std::string name = instruction.opcode;
  for (const auto& modifier : instruction.modifiers) name.append(".").append(modifier);
  return name;
}

// "cp.async" begins "cp.async.bulk", and "min" does not begin "mine".
bool begins(std::string_view name, std::string_view with) {
  return name.starts_with(with) &&
         (with.empty() || name.size() == with.size() || name[with.size()] == '.');
}

bool meets(const Since& since, std::string_view name, const Instruction& instruction) {
  return begins(name, since.name) &&
         (since.modifier.empty() || std::ranges::count(instruction.modifiers, since.modifier) > 0);
}

void raise(Needs& needs, int capability, bool alone, const std::string& what, SourceLine source) {
  const bool higher = capability > needs.capability || (alone && !needs.alone);
  if (higher) needs = {std::max(capability, needs.capability), alone || needs.alone, what, source};
}

bool is_of_a_cluster(const Operand& operand) {
  const auto* special = std::get_if<Special>(&operand.value);
  constexpr std::string_view kNames[] = {"cluster", "ncluster", "is_explicit_cluster"};
  return special && std::ranges::any_of(kNames, [&](std::string_view begin) {
           return special->name.starts_with(begin);
         });
}

void add(Needs& needs, const Instruction& instruction) {
  const auto name = full_name(instruction);
  for (const auto& since : kSince)
    if (meets(since, name, instruction))
      raise(needs, since.capability, since.alone, name, instruction.source);
  for (const auto& operand : instruction.operands)
    if (is_of_a_cluster(operand))
      raise(needs, 90, false, "%" + std::get<Special>(operand.value).name, instruction.source);
}

int whole(std::string_view text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// What stands behind a directive at the start of a line, up to the line's end.
struct Place {
  std::size_t begin = std::string::npos, end = 0;
};
Place value_of(const std::string& ptx, std::string_view directive) {
  for (std::size_t at = 0; at < ptx.size();) {
    const auto end = std::min(ptx.find('\n', at), ptx.size());
    const auto line = std::string_view(ptx).substr(at, end - at);
    if (line.starts_with(directive)) return {at + directive.size(), end};
    at = end + 1;
  }
  return {};
}

} // namespace

Needs needs_of(const Module& module) {
  Needs needs;
  for (const auto& function : module.functions) {
    const auto first = function.body.empty() ? SourceLine() : function.body.front().source;
    if (function.explicit_cluster || function.cluster[0] > 0)
      raise(needs, 90, false, "__cluster_dims__", first);
    for (const auto& instruction : function.body) add(needs, instruction);
  }
  return needs;
}

std::string for_gpu(const std::string& ptx, int capability, int version) {
  auto text = ptx;
  if (const auto at = value_of(text, ".version "); at.begin != text.npos) {
    const auto named = std::string_view(text).substr(at.begin, at.end - at.begin);
    const auto dot = named.find('.');
    const int now = dot == named.npos ? 0 : 10 * whole(named) + whole(named.substr(dot + 1));
    if (now > version)
      text.replace(at.begin, at.end - at.begin,
                   std::to_string(version / 10) + "." + std::to_string(version % 10));
  }
  const auto at = value_of(text, ".target ");
  if (at.begin == text.npos) return text;
  constexpr std::string_view kBefore = "sm_";
  auto named = std::string_view(text).substr(at.begin, at.end - at.begin);
  if (!named.starts_with(kBefore)) return text;
  named.remove_prefix(kBefore.size());
  const int now = whole(named);
  const auto digits = std::to_string(now).size();
  const bool alone = named.size() > digits && named[digits] == 'a';
  const int target = std::min(now, capability);
  if (target != now || (alone && now != capability))
    text.replace(at.begin + kBefore.size(), digits + (alone ? 1 : 0), std::to_string(target));
  return text;
}

int version_of_driver(int cuda) {
  const int major = cuda / 1000, minor = cuda % 1000 / 10;
  if (major >= 13) return 90 + minor;
  if (major < 12) return 78;
  // 12.6 brought no PTX of its own, and from then on numbers are one less.
  return 80 + (minor < 6 ? minor : minor - 1);
}

} // namespace course::ptx
