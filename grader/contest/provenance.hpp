// What a measured table says of itself in its first lines: where it is from, and how to have it
// measured again.
#pragma once

#include <string>
#include <string_view>

namespace course::contest {

struct Provenance {
  std::string gpu; // "NVIDIA H200"
  int major = 0, minor = 0;
  std::string driver;  // "580.159.04"
  std::string cuda;    // what the driver serves: "13.0"
  std::string toolkit; // nvcc's version: "13.0.88"
  std::string date;    // "2026-11-21"
  std::string commit;  // of the course: "1c740c8"; "unknown" where there is no git
  std::string command; // "course measure patterns"
  std::string method;  // one sentence
};

// Three lines that begin with '#'. Line ends within a value become spaces.
std::string header(const Provenance&);

// The table without the remarks it had, behind the header.
std::string with_header(const Provenance&, std::string_view table);

// A JSON object with the same as fields, before its own. Text that is no object stays as it is.
std::string with_fields(const Provenance&, const std::string& json);

// The version in /proc/driver/nvidia/version or the like: the first word of digits and at least two
// dots; "unknown" where there is none.
std::string driver_version(std::string_view text);

} // namespace course::contest
