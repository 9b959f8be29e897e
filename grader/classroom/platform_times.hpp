// When students handed in, as the platform says that they handed in to.
//
//   Moodle       the grading worksheet (CSV): "Last modified (submission)"
//   Canvas       what its API answers to GET …/assignments/N/submissions: JSON
//   Gradescope   submission_metadata.yml, which is part of an export
//   one's own    CSV with the columns submitted (2026-11-20T23:59:00+01:00; without a zone, in that
//                of the settings) and id, email, or name
#pragma once

#include "classroom/people.hpp"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace course::classroom {

struct PlatformTime {
  Person who;          // what the platform says of them, as far as it does
  std::string folder;  // of an export: "submission_12345"; else empty
  std::int64_t at = 0; // seconds since 1970
  std::string clock;   // "Moodle", "Canvas", "Gradescope", or the name of the file
};

// Times that say no zone, Moodle's among them, are in `zone`, and an error where there is none. A
// sentence with the line when it cannot be used. Who handed in nothing is left out.
std::variant<std::vector<PlatformTime>, std::string>
read_platform_times(std::string_view text, const std::string& name, const std::string& zone);

} // namespace course::classroom
