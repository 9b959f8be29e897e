// How far a run of CTest is, and how long it will take: one line, written again and again.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace course::classroom {

struct Finished {
  std::size_t done = 0, total = 0;
  bool passed = false;
};
// From CTest's " 3/30 Test #17: anna ....   Passed    0.52 sec"; nothing for any other line.
std::optional<Finished> finished_test(std::string_view line);

// "412 of 1,000 graded, 2.3 per second, 4 min 15 s left". What is left is estimated from the last
// minute, since those that were known from an earlier run go by at once.
class Progress {
public:
  std::string line(const Finished&, double seconds); // seconds since the start

private:
  struct Moment {
    double seconds = 0;
    std::size_t done = 0;
  };
  std::deque<Moment> moments_{{}};
};

std::string duration(double seconds); // "45 s", "4 min 15 s", "2 h 5 min"

} // namespace course::classroom
