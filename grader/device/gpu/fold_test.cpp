#include "device/gpu/fold.hpp"

#include <doctest/doctest.h>

namespace course::gpu {
namespace {

InstructionCounts counts(std::uint32_t line, const std::string& access, std::uint64_t wavefronts,
                         std::uint32_t ptx_line = 0) {
  InstructionCounts result;
  result.kernel = "_Z9transposePfPKfii";
  result.file = "a.cu";
  result.line = line;
  if (const auto kind = model::kind_of(access)) {
    result.does = InstructionCounts::Does::access;
    result.kind = *kind;
  }
  result.ptx_line = ptx_line;
  result.executed = 2;
  result.wavefronts = wavefronts;
  result.ideal = 2;
  return result;
}

} // namespace

TEST_CASE("instructions of one line and one access add up") {
  const auto lines = fold({counts(7, "shared_load_4", 10), counts(9, "shared_load_4", 1),
                           counts(7, "shared_load_4", 5), counts(7, "shared_store_4", 3)});
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].kernel == "transpose");
  CHECK(lines[0].line == 7);
  CHECK(name_of(lines[0].kind) == "shared_load_4");
  CHECK(lines[0].wavefronts == 15);
  CHECK(lines[0].requests == 4);
  CHECK(lines[0].conflicts() == 11);
  CHECK(name_of(lines[1].kind) == "shared_store_4");
  CHECK(lines[2].line == 9);
}

TEST_CASE("instructions that touch no memory, and constant loads, are left out") {
  auto barrier = counts(7, "", 0), shuffle = barrier;
  barrier.does = InstructionCounts::Does::barrier;
  shuffle.does = InstructionCounts::Does::shuffle;
  CHECK(fold({counts(7, "", 0), barrier, shuffle, counts(7, "constant_load_4", 0)}).empty());
}

TEST_CASE("a generic access is shared where it caused wavefronts, else global") {
  const auto lines = fold({counts(1, "generic_load_4", 2), counts(2, "generic_load_8", 0)});
  REQUIRE(lines.size() == 2);
  CHECK(name_of(lines[0].kind) == "shared_load_4");
  CHECK(name_of(lines[1].kind) == "global_load_8");
}

TEST_CASE("a generic access whose lanes go to both memories is in the rows of both") {
  auto both = counts(1, "generic_load_4", 5);
  both.sectors = 7;
  const auto lines = fold({both});
  REQUIRE(lines.size() == 2);
  CHECK(name_of(lines[0].kind) == "global_load_4");
  CHECK(lines[0].sectors == 7);
  CHECK(lines[0].wavefronts == 0);
  CHECK(name_of(lines[1].kind) == "shared_load_4");
  CHECK(lines[1].sectors == 0);
  CHECK(lines[1].wavefronts == 5);
  CHECK(lines[1].ideal == 2);
}

TEST_CASE("the load of an atomic's loop joins it, other loads on the line do not") {
  std::vector<InstructionCounts> all = {
      counts(5, "shared_load_4", 3, 80), counts(5, "shared_atomic_loop_4", 6, 80),
      counts(5, "shared_load_4", 1, 70), counts(5, "shared_load_8", 1, 80)};
  join_atomic_loops(all);
  CHECK(name_of(all[0].kind) == "shared_atomic_loop_4");
  CHECK(name_of(all[2].kind) == "shared_load_4");
  CHECK(name_of(all[3].kind) == "shared_load_8");
}

TEST_CASE("without PTX lines nothing is joined") {
  std::vector<InstructionCounts> all = {counts(5, "shared_load_4", 3),
                                        counts(5, "shared_atomic_loop_4", 6)};
  join_atomic_loops(all);
  CHECK(name_of(all[0].kind) == "shared_load_4");
}

} // namespace course::gpu
