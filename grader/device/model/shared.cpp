#include "device/model/shared.hpp"

#include <algorithm>
#include <cstdlib>

#include "device/model/atomics.hpp"
#include "device/model/fullest_bank.hpp"
#include "device/model/matrix.hpp"

namespace course::model {
namespace {

// log2 of the bytes of a unit: a word, or the whole access when it is wider.
int unit_shift(int width) {
  return width <= 4 ? 2 : width <= 8 ? 3 : 4;
}

bool is_matrix(RequestKind access) {
  return access == RequestKind::ldmatrix || access == RequestKind::stmatrix;
}

// What an inactive neighbour counts as.
enum class Missing { agrees, differs };

// Whether each of `lanes` has its neighbour at `distance` at its own address.
bool neighbours_agree(const Request& request, std::uint32_t lanes, int distance, Missing missing) {
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left), other = lane ^ distance;
    if ((request.active >> other & 1) == 0) {
      if (missing == Missing::differs) return false;
    } else if (request.offset[lane] != request.offset[other]) {
      return false;
    }
  }
  return true;
}

bool in_pairs(const Request& request, std::uint32_t lanes, Missing missing) {
  return neighbours_agree(request, lanes, 1, missing) ||
         neighbours_agree(request, lanes, 2, missing);
}

// Distinct words in the fullest bank.
int cost_of(const Request& request, std::uint32_t lanes) {
  const int shift = unit_shift(request.width);
  return most_distinct(wanted(request.offset, lanes, shift), kBanks >> (shift - 2));
}

// Whether two neighbouring groups, with these active lanes, are served as one.
bool merged(const Request& request, std::uint32_t lanes) {
  if (request.access != RequestKind::shared_load || cost_of(request, lanes) > 1) return false;
  const bool lower_half_of_quarters = unit_shift(request.width) == 4 && (lanes & 0xffff) != 0;
  if (!lower_half_of_quarters) return in_pairs(request, lanes, Missing::agrees);
  const bool last_lane = request.active >> (kLanes - 1) & 1;
  return !last_lane || in_pairs(request, lanes, Missing::differs);
}

bool one_address(const Request& request) {
  if (request.active == 0) return false;
  const std::uint32_t first = request.offset[std::countr_zero(request.active)];
  for (std::uint32_t left = request.active; left != 0; left &= left - 1)
    if (request.offset[std::countr_zero(left)] != first) return false;
  return true;
}

std::uint32_t lanes_of_group(int group, int lanes_in_group) {
  return (lanes_in_group == kLanes ? kAllLanes : (1u << lanes_in_group) - 1)
         << group * lanes_in_group;
}

// The lowest `count` of `lanes`, or all of them.
std::uint32_t lowest(int count, std::uint32_t lanes) {
  std::uint32_t rest = lanes;
  for (; count > 0 && rest != 0; --count) rest &= rest - 1;
  return lanes & ~rest;
}

void add(Groups& groups, std::uint32_t lanes) {
  if (lanes != 0) groups.lanes[groups.count++] = lanes;
}

Groups groups_of_access(const Request& request) {
  const int count = 1 << (unit_shift(request.width) - 2);
  Groups groups;
  if (count == 1) {
    add(groups, request.active);
    return groups;
  }
  if (count == 4 && request.access == RequestKind::shared_load && one_address(request)) {
    const std::uint32_t sixteen = lowest(kLanes / 2, request.active);
    add(groups, sixteen);
    add(groups, request.active & ~sixteen);
    return groups;
  }
  for (int pair = 0; pair < count / 2; ++pair) {
    const int each = kLanes / count;
    const std::uint32_t both = request.active & lanes_of_group(pair, 2 * each);
    if (both != 0 && merged(request, both)) {
      add(groups, both);
    } else {
      add(groups, both & lanes_of_group(2 * pair, each));
      add(groups, both & lanes_of_group(2 * pair + 1, each));
    }
  }
  return groups;
}

int ideal(const Request& request, int wavefronts) {
  const int width = request.width <= 1   ? 1
                    : request.width <= 2 ? 2
                                         : 1 << unit_shift(request.width);
  const int bytes = std::popcount(request.active) * width;
  return std::min(wavefronts, (bytes + kPassBytes - 1) / kPassBytes);
}

// A whole warp with a uniform stride, in closed form. A stride below a word is one of 1- or 2-byte
// accesses: the lanes then touch neighbouring words. Neighbours agree where all lanes do.
Passes strided(const Request& request, std::int32_t stride) {
  const int shift = unit_shift(request.width);
  const std::int32_t units = stride / (1 << shift);
  int groups = 1 << (shift - 2);
  if (units == 0 && groups > 1 && request.access == RequestKind::shared_load) groups /= 2;
  const int ways = units == 0 ? 1 : lanes_a_column(units, kLanes >> (shift - 2));
  return {groups * ways, ideal(request, groups * ways), ways};
}

Passes load_or_store(const Request& request) {
  const int shift = unit_shift(request.width);
  if (request.active == kAllLanes) {
    const Stride stride = stride_of(request.offset);
    const bool whole_units = (stride.bytes & ((1 << shift) - 1)) == 0;
    const bool below_a_word = shift == 2 && std::abs(stride.bytes) < kWordBytes;
    if (stride.uniform && (whole_units || below_a_word)) return strided(request, stride.bytes);
  }
  const Groups groups = groups_of_access(request);
  Passes passes;
  for (int group = 0; group < groups.count; ++group) {
    const int cost = cost_of(request, groups.lanes[group]);
    passes.wavefronts += cost;
    passes.ways = std::max(passes.ways, cost);
  }
  passes.ideal = ideal(request, passes.wavefronts);
  return passes;
}

} // namespace

bool has_rule(RequestKind access, int width) {
  switch (access) {
  case RequestKind::shared_load:
  case RequestKind::shared_store:
  case RequestKind::shared_atomic_loop:
  case RequestKind::ldmatrix:
  case RequestKind::stmatrix:
    return true;
  case RequestKind::shared_atomic:
  case RequestKind::shared_atomic_cas:
    return width <= 2 * kWordBytes;
  case RequestKind::shared_atomic_increment:
    return width <= kWordBytes;
  default:
    return false;
  }
}

Passes shared_passes(const Request& request) {
  if (request.access == RequestKind::shared_load || request.access == RequestKind::shared_store)
    return load_or_store(request);
  if (!has_rule(request.access, request.width)) return {};
  return is_matrix(request.access) ? matrix_passes(request) : atomic_passes(request);
}

Groups groups_of(const Request& request) {
  if (request.access == RequestKind::shared_load || request.access == RequestKind::shared_store)
    return groups_of_access(request);
  int groups = 1, lanes_in_group = kLanes;
  if (is_matrix(request.access)) {
    groups = matrices(request);
    lanes_in_group = 8;
  } else if (request.width > kWordBytes) {
    groups = 2;
    lanes_in_group = kLanes / groups;
  }
  Groups result;
  for (int group = 0; group < groups; ++group)
    add(result, request.active & lanes_of_group(group, lanes_in_group));
  return result;
}

int words_a_lane(const Request& request) {
  return is_matrix(request.access) ? 4 : 1 << (unit_shift(request.width) - 2);
}

} // namespace course::model
