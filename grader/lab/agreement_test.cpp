#include "lab/agreement.hpp"

#include <doctest/doctest.h>

namespace course::lab {
namespace {

constexpr model::Use kSharedLoad{model::Memory::shared, model::Direction::load},
    kSharedStore{model::Memory::shared, model::Direction::store},
    kGlobalLoad{model::Memory::global, model::Direction::load};

device::LineCounts row(const char* access, std::uint32_t line, std::uint64_t wavefronts,
                       std::uint64_t ideal, std::uint64_t sectors) {
  device::LineCounts counts;
  counts.kernel = "turn";
  counts.file = "/tmp/scratch/turn.cu";
  counts.line = line;
  counts.kind = model::kind_of(access).value();
  counts.wavefronts = wavefronts;
  counts.ideal = ideal;
  counts.sectors = sectors;
  return counts;
}

} // namespace

TEST_CASE("rows of a line are added up by memory and direction, whatever their width and name") {
  const auto sums =
      totals({row("shared_load_4", 29, 62, 2, 0), row("shared_load_16", 29, 4, 4, 0),
              row("red_shared_add_u32", 30, 3, 1, 0), row("global_store_4", 29, 0, 0, 8)});
  REQUIRE(sums.size() == 3);
  CHECK(name_of(sums[0].use) == "global store");
  CHECK(sums[1] == LineTotal{"turn", "turn.cu", 29, kSharedLoad, 66, 6, 0});
  CHECK(name_of(sums[2].use) == "shared atomic");
}

TEST_CASE("constant memory, and accesses that cost nothing, do not take part") {
  CHECK(totals({row("constant_load_4", 3, 0, 0, 0), row("shared_load_4", 4, 0, 0, 0)}).empty());
}

TEST_CASE("an asynchronous copy is in one row, with its sectors") {
  const auto sums =
      totals({row("cp_async_cg_16", 27, 540, 384, 1344), row("global_load_16", 27, 0, 0, 1536),
              row("global_load_16", 28, 0, 0, 16)});
  REQUIRE(sums.size() == 2);
  CHECK(sums[0] == LineTotal{"turn", "turn.cu", 27, kSharedStore, 540, 384, 1344});
  CHECK(sums[1] == LineTotal{"turn", "turn.cu", 28, kGlobalLoad, 0, 0, 16});
}

TEST_CASE("the passes of an atomic on a generic address are those of shared memory") {
  const auto measured = totals({row("global_atomic", 17, 36'364, 2'188, 40)});
  const auto calculated = totals(
      {row("red_shared_add_u32", 17, 36'364, 2'188, 0), row("red_global_add_u32", 17, 0, 0, 40)});
  REQUIRE(calculated.size() == 2);
  CHECK(differences(calculated, measured).empty());
}

TEST_CASE("equal totals have no difference, in whatever order and folder") {
  auto other = row("shared_atomic_4", 30, 3, 1, 0);
  other.file = "turn.cu";
  const auto one =
      totals({row("shared_load_4", 29, 62, 2, 0), row("atom_shared_add_u32", 30, 3, 1, 0)});
  CHECK(differences(one, totals({other, row("shared_load_4", 29, 62, 2, 0)})).empty());
}

TEST_CASE("each number that is not the same is said, and each line that one device lacks") {
  const auto calculated =
      totals({row("shared_load_4", 29, 62, 2, 0), row("global_load_4", 22, 0, 0, 8)});
  const auto measured =
      totals({row("shared_load_4", 29, 64, 2, 0), row("global_load_4", 23, 0, 0, 8)});
  const auto found = differences(calculated, measured);
  REQUIRE(found.size() == 3);
  CHECK(found[0] == "line 22, global load: 8 sectors, measured 0");
  CHECK(found[1] == "line 23, global load: 0 sectors, measured 8");
  CHECK(found[2] == "line 29, shared load: 62 wavefronts, measured 64");
}

TEST_CASE("what no bank serves has requests by line, and the rest for a launch") {
  auto load = row("dshared_load_4", 12, 0, 0, 32), wide = row("dshared_load_16", 14, 0, 0, 16);
  load.requests = 8;
  load.remote_lines = 8;
  load.bytes = 32 * 32;
  wide.requests = 1;
  wide.remote_lines = 4;
  wide.bytes = 16 * 32;
  // A GPU has the instructions of each line, and sectors, lines and bytes of all of them.
  auto first = row("dshared_load_4", 12, 0, 0, 0), second = row("dshared_load_16", 14, 0, 0, 0),
       all = row("dshared_load_4", 0, 0, 0, 48);
  first.requests = 8;
  second.requests = 1;
  all.file.clear();
  all.remote_lines = 12;
  all.bytes = 48 * 32;
  const auto calculated = totals({load, wide});
  CHECK(calculated.size() == 3);
  CHECK(differences(calculated, totals({first, second, all})).empty());
  second.requests = 2;
  all.bytes = 64;
  const auto found = differences(calculated, totals({first, second, all}));
  REQUIRE(found.size() == 2);
  CHECK(found[0] == "line 0, remote load: 1536 bytes, measured 64");
  CHECK(found[1] == "line 14, remote load: 1 requests, measured 2");
}

TEST_CASE("copies are compared by how many there are, products by wavefronts") {
  auto copy = row("tensor_global_load", 7, 0, 0, 64), product = row("wgmma_n256", 9, 80, 80, 0);
  copy.requests = 2;
  product.requests = 4;
  product.bytes = 10'240;
  auto counted = row("bulk_global_load", 7, 0, 0, 0), multiplied = row("wgmma_n64", 9, 80, 0, 0);
  counted.requests = 2;
  multiplied.requests = 4;
  const auto calculated = totals({copy, product, row("global_load_4", 7, 0, 0, 4)});
  CHECK(differences(calculated, totals({counted, multiplied, row("global_load_4", 7, 0, 0, 4)}))
            .empty());
  multiplied.wavefronts = 81;
  const auto found =
      differences(calculated, totals({multiplied, row("global_load_4", 7, 0, 0, 4)}));
  REQUIRE(found.size() == 2);
  CHECK(found[0] == "line 7, bulk global load: 2 requests, measured 0");
  CHECK(found[1] == "line 9, wgmma: 80 wavefronts, measured 81");
}

TEST_CASE("the name of a total's access is read as what it was") {
  for (const auto& total :
       totals({row("shared_load_4", 1, 1, 1, 0), row("wgmma_n8", 1, 1, 1, 0),
               row("global_store_4", 1, 0, 0, 1), row("dshared_store_4", 1, 0, 0, 1)})) {
    LineTotal read;
    CHECK(read_access(access_of(total), read));
    CHECK(read.use == total.use);
    CHECK(read.by == total.by);
  }
  LineTotal read;
  CHECK(read_access("bulk remote store", read));
  CHECK(read.by == LineTotal::By::copies);
  CHECK_FALSE(read_access("bulk", read));
  CHECK_FALSE(read_access("none", read));
}

} // namespace course::lab
