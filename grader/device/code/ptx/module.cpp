#include "device/code/ptx/module.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace course::ptx {
namespace {

struct TypeInfo {
  std::string_view name;
  std::uint32_t size;
};
constexpr std::array<TypeInfo, 21> kTypes = {{
    {"", 0},    {"pred", 1}, {"b8", 1},    {"b16", 2},  {"b32", 4},    {"b64", 8}, {"b128", 16},
    {"u8", 1},  {"u16", 2},  {"u32", 4},   {"u64", 8},  {"s8", 1},     {"s16", 2}, {"s32", 4},
    {"s64", 8}, {"f16", 2},  {"f16x2", 4}, {"bf16", 2}, {"bf16x2", 4}, {"f32", 4}, {"f64", 8},
}};
static_assert(kTypes.size() == static_cast<std::size_t>(Type::f64) + 1);

} // namespace

std::uint32_t size_of(Type type) {
  return kTypes[static_cast<std::size_t>(type)].size;
}

std::optional<Type> type_named(std::string_view name) {
  for (std::size_t i = 1; i < kTypes.size(); ++i) {
    if (kTypes[i].name == name) return static_cast<Type>(i);
  }
  return std::nullopt;
}

const Function* Module::function(std::string_view name) const {
  std::string wanted(name);
  if (const auto alias = aliases.find(wanted); alias != aliases.end()) wanted = alias->second;
  for (const Function& function : functions) {
    if (function.name == wanted) return &function;
  }
  return nullptr;
}

// The toolkit's headers are in cuda-13.0/include and cuda/bin/../targets/x86_64-linux/include;
// distributions put theirs in /usr/include.
bool is_system_header(std::string_view path) {
  if (path.starts_with("/usr/include/") || path.starts_with("/usr/lib/")) return true;
  const std::size_t targets = path.find("/targets/");
  if (targets != path.npos && path.find("-linux/include/", targets) != path.npos) return true;
  for (std::size_t at = path.find("/cuda"); at != path.npos; at = path.find("/cuda", at + 1)) {
    std::string_view rest = path.substr(at + 5);
    rest.remove_prefix(std::min(rest.find_first_not_of("-.0123456789"), rest.size()));
    if (rest.starts_with("/include/")) return true;
  }
  return false;
}

std::vector<std::uint32_t> parameter_offsets(const Function& entry) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> result;
  std::uint64_t end = 0;
  for (const Variable& parameter : entry.parameters) {
    const std::uint64_t align = std::max<std::uint64_t>(parameter.align, 1);
    const std::uint64_t begin = std::min((end + align - 1) / align * align, kMost);
    result.push_back(static_cast<std::uint32_t>(begin));
    end = std::min(begin + parameter.size, kMost);
  }
  result.push_back(static_cast<std::uint32_t>(end));
  return result;
}

} // namespace course::ptx
