#include "device/code/ptx/special.hpp"

#include <algorithm>
#include <array>

namespace course::ptx {
namespace {

// With components .x .y .z, or whole.
constexpr std::array<std::string_view, 8> kVectors = {
    "tid", "ntid", "ctaid", "nctaid", "clusterid", "nclusterid", "cluster_ctaid", "cluster_nctaid",
};
constexpr std::array<std::string_view, 28> kScalars = {
    "laneid",
    "warpid",
    "nwarpid",
    "smid",
    "nsmid",
    "gridid",
    "is_explicit_cluster",
    "cluster_ctarank",
    "cluster_nctarank",
    "lanemask_eq",
    "lanemask_le",
    "lanemask_lt",
    "lanemask_ge",
    "lanemask_gt",
    "clock",
    "clock_hi",
    "clock64",
    "globaltimer",
    "globaltimer_lo",
    "globaltimer_hi",
    "reserved_smem_offset_begin",
    "reserved_smem_offset_end",
    "reserved_smem_offset_cap",
    "reserved_smem_offset_0",
    "reserved_smem_offset_1",
    "total_smem_size",
    "aggr_smem_size",
    "dynamic_smem_size",
};

bool contains(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// "envreg0" to "envreg31", "pm0" to "pm7", "pm0_64"
bool is_numbered(std::string_view name) {
  if (name.ends_with("_64")) name.remove_suffix(3);
  for (const std::string_view prefix : {"envreg", "pm"}) {
    if (!name.starts_with(prefix)) continue;
    name.remove_prefix(prefix.size());
    return !name.empty() && name.size() <= 2 && name.find_first_not_of("0123456789") == name.npos;
  }
  return name == "current_graph_exec";
}

} // namespace

bool is_special(std::string_view name) {
  if (name.empty() || name[0] != '%') return false;
  name.remove_prefix(1);
  const std::size_t dot = name.find('.');
  if (dot != name.npos) {
    const std::string_view component = name.substr(dot + 1);
    return (component == "x" || component == "y" || component == "z") &&
           contains(kVectors, name.substr(0, dot));
  }
  return contains(kScalars, name) || contains(kVectors, name) || is_numbered(name);
}

} // namespace course::ptx
