#include "device/gpu/beyond_banks.hpp"

#include "device/code/sass/decode.hpp"

#include <algorithm>
#include <string_view>

namespace course::gpu {
namespace {

using model::Access, model::Kind;

constexpr std::string_view kNames[] = {"shared::cluster", "mapa.",         "getctarank",
                                       "wgmma.",          "cp.async.bulk", "cp.reduce.async.bulk"};

// As seen in cubins of nvcc 13.0 for sm_90a; the low nine bits.
enum Opcode : std::uint32_t {
  kUtmaldg = 0x1b4,
  kUtmastg = 0x1b5,
  kUtmaredg = 0x1b6,
  kUblkcp = 0x1ba,
  kUblkred = 0x1bb,
  kStas = 0x1bd,
  kRedas = 0x1be,
  kHgmma = 0x1f0,
  kIgmma = 0x1f1,
  kQgmma = 0x1f3,
};

Access of_copy(const sass::Word& word) {
  const bool to_shared = word.high >> 9 & 1, from_shared = word.high >> 10 & 1;
  return to_shared && from_shared ? Access::bulk_dshared_store
         : to_shared              ? Access::bulk_global_load
                                  : Access::bulk_global_store;
}

Access of_remote(const BeyondBanks& beyond) {
  return beyond.remote_copies    ? Access::bulk_dshared_store
         : beyond.remote_async   ? Access::dshared_store_async
         : beyond.remote_atomics ? Access::dshared_atomic
         : beyond.remote_stores  ? Access::dshared_store
                                 : Access::dshared_load;
}

} // namespace

bool goes_beyond_banks(const std::vector<device::Module>& modules) {
  return std::ranges::any_of(modules, [](const device::Module& module) {
    return std::ranges::any_of(
        kNames, [&](std::string_view name) { return module.ptx.find(name) != std::string::npos; });
  });
}

std::optional<Kind> beyond_banks_kind(const sass::Word& word) {
  switch (word.low & 0x1ff) {
  case kUtmaldg:
    return Kind{Access::tensor_global_load, 0};
  case kUtmastg:
  case kUtmaredg:
    return Kind{Access::tensor_global_store, 0};
  case kUblkcp:
  case kUblkred:
    return Kind{of_copy(word), 0};
  case kStas:
    return Kind{Access::dshared_store_async, 0};
  case kRedas:
    return Kind{Access::dshared_red_async, 0};
  case kHgmma:
  case kIgmma:
  case kQgmma:
    return Kind{Access::wgmma, 0};
  default:
    return std::nullopt;
  }
}

std::vector<InstructionCounts> take_beyond_banks(InstructionCounts& counts) {
  const BeyondBanks beyond = counts.beyond;
  counts.beyond = {};
  if (!beyond.any()) return {};
  InstructionCounts row = counts;
  row.does = InstructionCounts::Does::access;
  if (beyond.products) { // its wavefronts are those of its operands
    row.kind = {Access::wgmma, 0};
    row.executed = beyond.products;
    row.sectors = 0;
    counts.wavefronts = counts.ideal = 0;
    return {row};
  }
  row.wavefronts = row.ideal = row.sectors = 0;
  if (beyond.remote) {
    row.executed = beyond.remote;
    const bool knows = counts.kind.is_on(model::Memory::remote);
    if (!knows) row.kind = {of_remote(beyond), counts.kind.width};
    return {row};
  }
  row.executed = beyond.copies;
  if (!is_bulk(counts.kind.access))
    row.kind = {beyond.copies_out ? Access::bulk_global_store : Access::bulk_global_load, 0};
  return {row};
}

} // namespace course::gpu
