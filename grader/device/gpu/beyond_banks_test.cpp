#include "device/gpu/beyond_banks.hpp"

#include "device/code/sass/decode.hpp"
#include "device/gpu/fold.hpp"

#include <doctest/doctest.h>

namespace course::gpu {
namespace {

std::string kind_of(std::uint64_t low, std::uint64_t high = 0) {
  const auto kind = beyond_banks_kind({low, high});
  return kind ? name_of(*kind) : "";
}

InstructionCounts executed(const char* access, std::uint64_t times) {
  InstructionCounts counts;
  counts.kernel = "_Z4ringv";
  counts.file = "ring.cu";
  counts.line = 5;
  counts.does = InstructionCounts::Does::access;
  counts.kind = model::kind_of(access).value();
  counts.executed = times;
  return counts;
}

std::string rows_of(const InstructionCounts& counts) {
  std::string text;
  for (const auto& row : fold({counts}))
    text += (text.empty() ? "" : "; ") + name_of(row.kind) + " " + std::to_string(row.requests) +
            ", " + std::to_string(row.wavefronts) + " wavefronts, " + std::to_string(row.sectors) +
            " sectors, " + std::to_string(row.bytes) + " bytes";
  return text;
}

} // namespace

// Words of cubins that ptxas 13.0 made for sm_90a.
TEST_CASE("copies, products and stores to a barrier's block are known by their opcode") {
  CHECK(kind_of(0x4060073ba, 0x1d80008000208) == "bulk_global_load");
  CHECK(kind_of(0x6040073ba, 0x1e40008000405) == "bulk_global_store");
  CHECK(kind_of(0x6040073ba, 0x1d80008000605) == "bulk_dshared_store");
  CHECK(kind_of(0x6040073bb, 0x1d800080a0405) == "bulk_global_store");
  CHECK(kind_of(0x6040073bb, 0x1d80008000605) == "bulk_dshared_store");
  CHECK(kind_of(0x4080075b4, 0x1d80008008000) == "tensor_global_load");
  CHECK(kind_of(0x4080073b5, 0x1e40008008000) == "tensor_global_store");
  CHECK(kind_of(0x4080073b6, 0x1d80008008000) == "tensor_global_store");
  CHECK(kind_of(0x504007dbd, 0xfe2000c00083f) == "dshared_store_async");
  CHECK(kind_of(0x504007dbe, 0xfe2000800013f) == "dshared_red_async");
  for (const std::uint64_t low : {0x41879f0ull, 0x41879f1ull, 0x41879f3ull})
    CHECK(kind_of(low) == "wgmma");
  CHECK(kind_of(0x4ff007980) == ""); // LD.E: by its address
  CHECK(kind_of(0x40073bc) == "");   // a prefetch moves nothing to shared memory
}

TEST_CASE("code is looked at for what goes beyond banks by its PTX") {
  CHECK_FALSE(goes_beyond_banks({{"ld.shared.f32 %f1, [%r1];", {}}}));
  CHECK(goes_beyond_banks({{"bar.sync 0;", {}}, {"mapa.u64 %rd2, %rd1, %r1;", {}}}));
  CHECK(goes_beyond_banks({{"wgmma.fence.sync.aligned;", {}}}));
}

TEST_CASE("a generic access has a row for what of it went to another block") {
  auto load = executed("generic_load_4", 8);
  load.beyond.remote = 8;
  CHECK(rows_of(load) == "dshared_load_4 8, 0 wavefronts, 0 sectors, 0 bytes");
  load.wavefronts = 3; // some lanes stayed
  CHECK(rows_of(load) == "dshared_load_4 8, 0 wavefronts, 0 sectors, 0 bytes; "
                         "shared_load_4 8, 3 wavefronts, 0 sectors, 0 bytes");
  auto store = executed("generic_store_16", 2);
  store.beyond = {.remote = 2, .remote_stores = 2};
  CHECK(rows_of(store) == "dshared_store_16 2, 0 wavefronts, 0 sectors, 0 bytes");
  auto atomic = executed("global_atomic", 2);
  atomic.beyond = {.remote = 2, .remote_atomics = 2};
  CHECK(rows_of(atomic) == "dshared_atomic 2, 0 wavefronts, 0 sectors, 0 bytes");
  auto sent = executed("dshared_store_async_4", 4);
  sent.beyond = {.remote = 4, .remote_async = 4};
  CHECK(rows_of(sent) == "dshared_store_async_4 4, 0 wavefronts, 0 sectors, 0 bytes");
}

TEST_CASE("a product has its wavefronts, a copy how often it was asked for") {
  auto product = executed("wgmma_n256", 4);
  product.kind.width = 0; // the machine's instruction does not say
  product.wavefronts = 80;
  product.beyond.products = 4;
  CHECK(rows_of(product) == "wgmma 4, 80 wavefronts, 0 sectors, 0 bytes");
  auto copy = executed("tensor_global_load", 9);
  copy.beyond = {.copies = 3, .copies_in = 3};
  CHECK(rows_of(copy) == "tensor_global_load 3, 0 wavefronts, 0 sectors, 0 bytes");
  auto between = executed("bulk_dshared_store", 3);
  between.beyond = {.remote = 3, .remote_copies = 3, .copies = 3};
  CHECK(rows_of(between) == "bulk_dshared_store 3, 0 wavefronts, 0 sectors, 0 bytes");
}

} // namespace course::gpu
