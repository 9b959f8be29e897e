// What an instructor decides about a class, in one small file: class.json.
//
//   {
//     "course": "Shared memory, autumn 2026",
//     "seed": 1729,
//     "release": false,
//     "late": { "percent_a_day": 10, "days": 3, "grace_minutes": 15 },
//     "labs": { "05_transpose": { "due": "2026-11-20T23:59:00+01:00", "weight": 2 } },
//     "exercises": [ "05_transpose/1_tile", "05_transpose/2_pad" ],
//     "submitted": { "anna": "2026-11-20T22:10:00+01:00" }
//   }
//
// Everything may be left out. Comments (//) are allowed. A word that is not known is an error: a
// misspelt deadline would otherwise be none.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace course::classroom {

struct LatePolicy {
  double percent_a_day = 0; // of what was earned, for each day begun
  int days = 0;             // after so many it is worth nothing; 0: it always counts
  int grace_minutes = 0;
};

struct LabSettings {
  std::optional<std::int64_t> due; // seconds since 1970
  double weight = 1;               // its points are multiplied by it
};

struct Settings {
  std::string course = "Shared memory";
  std::optional<std::uint64_t> seed; // of all inputs; drawn once when it is not given
  bool release = false;              // pages say the seed, and services show tests at once
  LatePolicy late;
  std::map<std::string, LabSettings> labs;
  std::vector<std::string> exercises; // that are asked for; empty: all handed in by anyone
  std::map<std::string, std::int64_t> submitted; // by student: instead of the time of the files
};

// A sentence when it cannot be used. `known` are the ids of all exercises.
std::variant<Settings, std::string> read_settings(const std::string& text,
                                                  const std::vector<std::string>& known);

// Seconds since 1970 of "2026-11-20T23:59:00+01:00" or "…Z", a fraction of a second left out;
// nothing when it is no such time.
std::optional<std::int64_t> time_of(const std::string& text);

// The part of its points that work handed in at `at` keeps: 1 in time, 0 too late.
struct Lateness {
  double keeps = 1;
  int days = 0; // begun
};
Lateness lateness(const LatePolicy&, std::optional<std::int64_t> due, std::int64_t at);

} // namespace course::classroom
