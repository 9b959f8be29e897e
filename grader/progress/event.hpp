// What is remembered of a student's work: one event for each grading, hint and reset.
//
// An event is one line of JSON in the log (log.hpp). A line of an unknown kind is a later version's
// and is passed over; a line that is no event at all is damage.
#pragma once

#include "judge/verdict.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace course::progress {

// What a check came to, as the report said it: in the reader's language where it was graded in
// that, otherwise in English.
struct Score {
  std::string check;
  judge::Status status{};
  std::string observed, limit;
  std::string awaited = {}; // the check that has to pass before this one's points count; or empty
};

// A verdict, without what can be had again by grading.
struct Run {
  judge::Ending ending{};
  int points = 0, max_points = 0;
  std::uint64_t seed = 0;
  std::string headline; // where it did not come to checks
  std::vector<Score> scores;
  std::vector<std::uint64_t> answers; // to the exercise's questions, where all were given

  // The same in the language that it was graded in, where that is not English; the log has both.
  struct Said {
    std::string language; // "zh_CN"
    std::string headline;
    std::vector<std::array<std::string, 2>> scores; // observed and limit
  };
  std::optional<Said> said;

  // Totals over the verdict's lines. Shared memory: requests, wavefronts, ideal. Global memory:
  // requests and sectors.
  std::uint64_t shared_requests = 0, wavefronts = 0, ideal = 0;
  std::uint64_t global_requests = 0, sectors = 0;
  // As the check `conflicts` says it: of the requests that have any, where one has. Logs of older
  // versions have them of all requests.
  struct Conflicts {
    std::uint64_t conflicts = 0, requests = 0;
  };
  std::optional<Conflicts> of_requests;
  std::optional<std::uint64_t> time_permille; // of the solution's time; nothing without a GPU

  std::uint64_t conflicts() const { return wavefronts - ideal; }
  Conflicts shown_conflicts() const {
    return of_requests.value_or(Conflicts{conflicts(), shared_requests});
  }
};
Run run_of(const judge::Verdict&);

struct Event {
  enum class Kind { run, hint, reset, unknown };

  std::string time; // "2026-11-21T07:05:13Z": sorts as text
  Kind kind = Kind::unknown;
  std::string exercise; // "05_transpose/2_pad"
  Run run;              // of a run
  unsigned hint = 0;    // of a hint: which, from 1
};

std::string now(); // as Event::time

std::string line_of(const Event&);                    // with its newline
std::optional<Event> event_of(std::string_view line); // nothing for a damaged line

} // namespace course::progress
