#include "conformance/hopper.hpp"

#include "device/emulator/emulator.hpp"
#include "device/spelled.hpp"

#include <doctest/doctest.h>

#include <fstream>

namespace course::conformance {
namespace {

Table table_of(HopperTable table) {
  std::ifstream file(std::filesystem::path(COURSE_SOURCE_DIR) / file_of(table));
  return std::get<Table>(read_table(file));
}

std::vector<HopperKernel> kernels_of(HopperTable table) {
  auto kernels = hopper_kernels(table, table_of(table));
  REQUIRE(std::holds_alternative<std::vector<HopperKernel>>(kernels));
  return std::get<std::vector<HopperKernel>>(std::move(kernels));
}

std::vector<HopperOutcome> emulated(const std::vector<HopperKernel>& kernels) {
  return hopper_outcomes(
      kernels, [](const device::Job& job) { return emulator::make_device()->execute(job); }, 1);
}

} // namespace

TEST_CASE("every row of the new tables, as a kernel, is counted as on the H200") {
  std::size_t too_small = 0;
  for (const auto& [table, rows, numbers] :
       {std::tuple{HopperTable::remote_patterns, 256u, 34u + 3 * 116u + 2 * 106u + 98u},
        std::tuple{HopperTable::tensor_tile_reads, 54u, 54u},
        std::tuple{HopperTable::hopper_wgmma_counts, 21u, 63u}}) {
    CAPTURE(file_of(table));
    const auto kernels = kernels_of(table);
    CHECK(kernels.size() == rows);
    std::size_t compared = 0;
    for (const auto& outcome : emulated(kernels)) {
      CAPTURE(outcome.name);
      CHECK(outcome.difference() == "");
      compared += outcome.numbers.size();
      for (std::size_t i = 0; i < outcome.numbers.size(); ++i)
        too_small += outcome.counted.numbers.at(i) < outcome.numbers[i].measured ? 1u : 0u;
    }
    CHECK(compared >= numbers);
  }
  CHECK(too_small == 2 * 8); // sectors and bytes of eight atomics that ask several blocks
}

TEST_CASE("the kernels themselves are right: nobody finds anything in them") {
  // Several lanes store to one place, which was measured: of all at one, and of places drawn.
  const auto meet = [](const std::string& name) {
    return name.starts_with("remote st ") &&
           (name.find("offsets") != name.npos || name.find("broadcast") != name.npos);
  };
  for (const auto table : kHopperTables)
    for (const auto& kernel : kernels_of(table)) {
      if (meet(kernel.name)) continue;
      CAPTURE(kernel.name);
      std::string found;
      for (const auto& finding : emulator::make_device()->execute(kernel.job).findings)
        found += device::spelled(finding.message) + "\n";
      CHECK(found == "");
    }
}

TEST_CASE("a number that the table has otherwise is unequal, and is said") {
  auto kernels = kernels_of(HopperTable::tensor_tile_reads);
  kernels.resize(1);
  kernels[0].numbers[0].measured += 1;
  auto outcome = emulated(kernels).at(0);
  CHECK_FALSE(outcome.equal());
  CHECK(outcome.difference() == "1 wavefronts, measured 2");
  CHECK(rows_of(HopperTable::tensor_tile_reads, outcome) ==
        "tensor_tile_reads,none 32 4 along rows,wavefronts,2,1\n");
  kernels[0].read[3] ^= 1; // as if the swizzle were another
  outcome = emulated(kernels).at(0);
  CHECK(outcome.difference() == "its lanes have not read what lies there");
  CHECK(rows_of(HopperTable::tensor_tile_reads, outcome).ends_with(",2,\n"));
}

TEST_CASE("a GPU's totals of a launch are those of its requests to another block") {
  auto kernels = kernels_of(HopperTable::remote_patterns);
  device::Observation seen;
  seen.buffers.resize(3);
  device::LineCounts line, all;
  line.line = 2;
  line.kind = model::kind_of("dshared_load_4").value();
  line.requests = 1;
  all.kind = model::kind_of("dshared_load_4").value();
  all.sectors = 4;
  all.remote_lines = 1;
  all.bytes = 128;
  seen.lines = {line, all};
  const auto counted = hopper_counted(kernels.at(0), seen); // remote ld 4 stride1
  CHECK(counted.failure == "");
  for (std::size_t i = 0; i < counted.numbers.size(); ++i)
    CHECK(counted.numbers[i] == kernels[0].numbers[i].measured);
  seen.lines.clear();
  seen.counted_by = "not counted: no right to";
  CHECK(hopper_counted(kernels[0], seen).failure ==
        "nothing was counted: not counted: no right to");
}

TEST_CASE("a row that cannot be read is said by its number") {
  for (const auto& [table, column, value] :
       {std::tuple{HopperTable::remote_patterns, "pattern", "spiral"},
        std::tuple{HopperTable::remote_patterns, "dshared_sectors", "four"},
        std::tuple{HopperTable::tensor_tile_reads, "swizzle", "96B"},
        std::tuple{HopperTable::hopper_wgmma_counts, "n", "seven"}}) {
    auto rows = table_of(table);
    rows.rows.at(2)[column] = value;
    const auto kernels = hopper_kernels(table, rows);
    REQUIRE(std::holds_alternative<std::string>(kernels));
    CHECK(std::get<std::string>(kernels) == "row 3 cannot be read");
  }
}

} // namespace course::conformance
