// Source text beside what each line cost: `course profile`.
#pragma once

#include "device/device.hpp"
#include "report/text.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace course::report {

struct Profile {
  std::string file;        // its name, as the counts have it
  std::string_view source; // of the file
  std::vector<device::LineCounts> lines;
  std::vector<device::LineInstructions> instructions;
  std::vector<device::LaunchCounts> launches;
};

//    line  instr  req   wave  confl  sect
//  >   29  73.7k  8.2k  262k   254k   32k | out[…] = tile[threadIdx.x][threadIdx.y];
//
// Lines with counts and those around them. Columns leave where there is no room; the source is cut.
// Marked is the line with the most instructions, wavefronts and sectors together.
std::string source_view(const Profile&, const Terminal&);

// 999 -> "999", 1234 -> "1.2k", 65536 -> "66k", 1048576 -> "1.0M": what fits in four columns.
std::string compact(std::uint64_t);

} // namespace course::report
