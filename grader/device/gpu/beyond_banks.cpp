#include "device/gpu/beyond_banks.hpp"

#include "device/code/sass/decode.hpp"

#include <algorithm>
#include <string_view>

namespace course::gpu {
namespace {

using model::RequestKind, model::RequestType;

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

RequestKind of_copy(const sass::Word& word) {
  const bool to_shared = word.high >> 9 & 1, from_shared = word.high >> 10 & 1;
  return to_shared && from_shared ? RequestKind::bulk_dshared_store
         : to_shared              ? RequestKind::bulk_global_load
                                  : RequestKind::bulk_global_store;
}

RequestKind of_remote(const BeyondBanks& beyond) {
  return beyond.remote_copies    ? RequestKind::bulk_dshared_store
         : beyond.remote_async   ? RequestKind::dshared_store_async
         : beyond.remote_atomics ? RequestKind::dshared_atomic
         : beyond.remote_stores  ? RequestKind::dshared_store
                                 : RequestKind::dshared_load;
}

} // namespace

bool goes_beyond_banks(const std::vector<device::Module>& modules) {
  return std::ranges::any_of(modules, [](const device::Module& module) {
    return std::ranges::any_of(
        kNames, [&](std::string_view name) { return module.ptx.find(name) != std::string::npos; });
  });
}

std::optional<RequestType> beyond_banks_kind(const sass::Word& word) {
  switch (word.low & 0x1ff) {
  case kUtmaldg:
    return RequestType{RequestKind::tensor_global_load, 0};
  case kUtmastg:
  case kUtmaredg:
    return RequestType{RequestKind::tensor_global_store, 0};
  case kUblkcp:
  case kUblkred:
    return RequestType{of_copy(word), 0};
  case kStas:
    return RequestType{RequestKind::dshared_store_async, 0};
  case kRedas:
    return RequestType{RequestKind::dshared_red_async, 0};
  case kHgmma:
  case kIgmma:
  case kQgmma:
    return RequestType{RequestKind::wgmma, 0};
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
    row.kind = {RequestKind::wgmma, 0};
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
    row.kind = {beyond.copies_out ? RequestKind::bulk_global_store : RequestKind::bulk_global_load,
                0};
  return {row};
}

} // namespace course::gpu
