// Tables of what an H200 counted for memory that works by itself: requests to another block's
// shared memory, reads of a tile that a tensor map brought, products of a warpgroup.
//
// Each row is a kernel of its own here, in PTX, which the emulated device and a GPU execute alike:
// their counts are compared with the row's.
#pragma once

#include "conformance/table.hpp"
#include "device/device.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace course::conformance {

enum class HopperTable { remote_patterns, tensor_tile_reads, hopper_wgmma_counts };
inline constexpr HopperTable kHopperTables[] = {
    HopperTable::remote_patterns, HopperTable::tensor_tile_reads, HopperTable::hopper_wgmma_counts};
std::filesystem::path file_of(HopperTable); // from the project's root

// A number of a row: what counts it, and what the H200 had.
struct HopperNumber {
  std::string counter; // "wavefronts", "requests", "sectors", "lines", "bytes"
  std::uint64_t measured = 0;
  bool operator==(const HopperNumber&) const = default;
};

// A row as a kernel. What is counted is on line 2 of its "source", or of the whole launch; all else
// that the kernel does is on line 1, and makes no request of the kind.
struct HopperKernel {
  std::string name; // the row's first columns: "remote st 4 stride2 0xffffffff"
  device::Job job;
  std::vector<HopperNumber> numbers;
  bool remote = false;             // counted are requests to another block, and no others
  std::vector<std::uint32_t> read; // what each lane has read, in the first buffer; may be empty
};

// In the table's order. A sentence where a row cannot be read.
std::variant<std::vector<HopperKernel>, std::string> hopper_kernels(HopperTable, const Table&);

// What an execution counted, by the numbers of the kernel; or why it has no counts.
struct HopperCounted {
  std::string failure;
  std::vector<std::uint64_t> numbers;
  bool at_least = false; // marked so (device::LineCounts): a number may be too small
};
HopperCounted hopper_counted(const HopperKernel&, const device::Observation&);

// The kernels of a table, executed by `execute` from `at_once` threads.
struct HopperOutcome {
  std::string name;
  std::vector<HopperNumber> numbers;
  HopperCounted counted;

  bool equal() const;
  std::string difference() const; // "4 sectors, measured 8"; empty where it is equal
};
std::vector<HopperOutcome>
hopper_outcomes(const std::vector<HopperKernel>&,
                const std::function<device::Observation(const device::Job&)>& execute,
                unsigned at_once);

// A line for each number: table, kernel, counter, what the table has, what was counted.
inline constexpr const char* kHopperColumns = "table,kernel,counter,measured,counted";
std::string rows_of(HopperTable, const HopperOutcome&);

} // namespace course::conformance
