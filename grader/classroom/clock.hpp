// Times: as people and platforms write them, in seconds since 1970; and what being late costs.
#pragma once

#include "lab/data_table.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace course::classroom {

// Seconds since 1970 of "2026-11-20T23:59:00+01:00" or "…Z", a fraction of a second left out; a
// space may stand for the T, and before the zone ("2026-11-20 22:10:00.5 Z"). Nothing when it is
// no such time, or says no zone.
std::optional<std::int64_t> time_of(const std::string& text);

// The same of a moment in a file. One that says no zone is in `zone` ("Europe/Berlin"), where one
// is given. Nothing when there is no such time: no zone, 31 February, an hour that the clocks skip.
std::optional<std::int64_t> seconds_of(const lab::Moment&, const std::string& zone);

// This process is in a zone for as long as it lives: what is read with local times in it, the dates
// of a zip file among it, is read in that zone. "" is UTC.
class InZone {
public:
  explicit InZone(const std::string& zone);
  InZone(const InZone&) = delete; // one goes back
  ~InZone();

private:
  std::optional<std::string> before_;
};

// Whether this machine knows a zone of that name.
bool is_zone(const std::string& name);

// "2026-11-20 23:59 CET" in a zone; "2026-11-20 22:59 UTC" where none is given.
std::string time_in(std::int64_t seconds, const std::string& zone);

struct LatePolicy {
  double percent_a_day = 0; // of what was earned, for each day begun
  int days = 0;             // after so many it is worth nothing; 0: it always counts
  int grace_minutes = 0;
};

// The part of its points that work handed in at `at` keeps: 1 in time, 0 too late.
struct Lateness {
  double keeps = 1;
  int days = 0; // begun
};
// The part that work keeps after so many days begun.
double kept_after(const LatePolicy&, int days);
Lateness lateness(const LatePolicy&, std::optional<std::int64_t> due, std::int64_t at);

} // namespace course::classroom
