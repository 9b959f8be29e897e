// What was graded when, for audits and appeals: RESULTS/events.jsonl, a line an event, only ever
// appended to.
#pragma once

#include <filesystem>
#include <string>

namespace course::classroom {

struct Event {
  std::string student, exercise, key, digest, verdict; // digest: of the text, in the archive
  int points = 0;
  double seconds = 0;
  std::string place;
};

// One write, so that lines of several processes do not mix. Throws
// std::filesystem::filesystem_error.
void append_event(const std::filesystem::path& results, const Event&);

} // namespace course::classroom
