#include "device/model/access_name.hpp"

#include <array>
#include <utility>

namespace course::model {
namespace {

using Named = std::pair<std::string_view, Kind>;

constexpr Kind kOneWord{Access::shared_atomic, 4};
constexpr Kind kIncrement{Access::shared_atomic_increment, 4};
constexpr Kind kCompareAndSwap{Access::shared_atomic_cas, 4};
constexpr Kind kLoop{Access::shared_atomic_loop, 4};
constexpr Kind kLongLoop{Access::shared_atomic_loop, 8};
constexpr Kind kLongWord{Access::shared_atomic, 8};
constexpr Kind kLongCompareAndSwap{Access::shared_atomic_cas, 8};

// Where several names have one kind, the first is what name_of answers.
constexpr Named kWholeNames[] = {
    {"shared_atomic_add_4", kOneWord},
    {"red_shared_add_u32_constant_1", kIncrement},
    {"red_shared_add_s32_constant_1", kIncrement},
    {"atom_shared_add_u32_constant_1", kOneWord},
    {"atom_shared_add_s32_constant_1", kOneWord},
    {"atom_shared_exch_b32", kOneWord},
    {"atom_shared_cas_b32", kCompareAndSwap},
    {"atom_shared_exch_b64", kLongWord},
    {"atom_shared_cas_b64", kLongCompareAndSwap},
    {"red_shared_add_u64_constant_1", kLongLoop},
    {"atom_shared_add_u64_constant_1", kLongLoop},
    {"ldmatrix_x1", {Access::ldmatrix, 4}},
    {"ldmatrix_x2", {Access::ldmatrix, 8}},
    {"ldmatrix_x4", {Access::ldmatrix, 16}},
    {"stmatrix_x1", {Access::stmatrix, 4}},
    {"stmatrix_x2", {Access::stmatrix, 8}},
    {"stmatrix_x4", {Access::stmatrix, 16}},
    {"cp_async_ca_4", {Access::cp_async, 4}},
    {"cp_async_ca_8", {Access::cp_async, 8}},
    {"cp_async_ca_16", {Access::cp_async, 16}},
    {"cp_async_cg_16", {Access::cp_async, 16}},
};

// After "atom_shared_" or "red_shared_".
constexpr Named kOperations[] = {
    {"add_u32", kOneWord},  {"add_s32", kOneWord},  {"min_u32", kOneWord},  {"min_s32", kOneWord},
    {"max_u32", kOneWord},  {"max_s32", kOneWord},  {"inc_u32", kOneWord},  {"dec_u32", kOneWord},
    {"and_b32", kOneWord},  {"or_b32", kOneWord},   {"xor_b32", kOneWord},  {"add_f32", kLoop},
    {"add_u64", kLongLoop}, {"add_f64", kLongLoop}, {"add_f16x2", kLoop},   {"min_u64", kLongLoop},
    {"min_s64", kLongLoop}, {"max_u64", kLongLoop}, {"max_s64", kLongLoop}, {"and_b64", kLongLoop},
    {"or_b64", kLongLoop},  {"xor_b64", kLongLoop},
};
constexpr std::string_view kOperationPrefixes[] = {"atom_shared_", "red_shared_"};

// Before "_W".
constexpr std::pair<std::string_view, Access> kWidthPrefixes[] = {
    {"shared_load", Access::shared_load},     {"shared_store", Access::shared_store},
    {"global_load", Access::global_load},     {"global_store", Access::global_store},
    {"constant_load", Access::constant_load},
};
constexpr int kWidths[] = {1, 2, 4, 8, 16};

std::vector<std::pair<std::string, Kind>> all_names() {
  std::vector<std::pair<std::string, Kind>> names;
  for (const auto& [prefix, access] : kWidthPrefixes)
    for (int width : kWidths)
      names.push_back({std::string(prefix) + "_" + std::to_string(width), {access, width}});
  for (const auto& [name, kind] : kWholeNames) names.push_back({std::string(name), kind});
  for (std::string_view prefix : kOperationPrefixes)
    for (const auto& [operation, kind] : kOperations)
      names.push_back({std::string(prefix) + std::string(operation), kind});
  return names;
}

const std::vector<std::pair<std::string, Kind>>& names() {
  static const auto all = all_names();
  return all;
}

} // namespace

Memory memory_of(Access access) {
  switch (access) {
  case Access::global_load:
  case Access::global_store:
    return Memory::global;
  case Access::constant_load:
    return Memory::constant;
  default:
    return Memory::shared;
  }
}

std::optional<Kind> kind_of(std::string_view name) {
  for (const auto& [known, kind] : names())
    if (known == name) return kind;
  return std::nullopt;
}

std::optional<AsyncCopy> copy_of(std::string_view name) {
  constexpr std::string_view kOf = "_of_";
  constexpr std::uint32_t kOdd = 0xaaaaaaaa, kNotEachThird = 0xb6db6db6;
  const auto of = name.find(kOf);
  const auto kind = kind_of(name.substr(0, of));
  if (!kind || kind->access != Access::cp_async) return std::nullopt;
  AsyncCopy copy{kind->width, name.starts_with("cp_async_cg")};
  if (of == name.npos) return copy;
  const std::string_view count = name.substr(of + kOf.size());
  const std::string width = std::to_string(kind->width), half = std::to_string(kind->width / 2);
  copy.any_count = count != "0" && count != "odd" + width;
  if (count == "0" || count == "k0")
    copy.reading = 0;
  else if (count == "odd" + width)
    copy.reading = kOdd;
  else if (count == "any" + width)
    copy.reading = kNotEachThird;
  else if (count != "k" + width && count != half)
    return std::nullopt;
  return copy;
}

std::string name_of(Kind kind) {
  for (const auto& [name, known] : names())
    if (known == kind) return name;
  return "";
}

std::vector<std::string> access_names() {
  std::vector<std::string> result;
  for (const auto& [name, kind] : names()) result.push_back(name);
  return result;
}

} // namespace course::model
