// How often somebody may ask: so many a second, and three times as many at once.
#pragma once

#include <algorithm>
#include <chrono>

namespace course::serve {

class Rate {
public:
  using Clock = std::chrono::steady_clock;

  // Whether one more is allowed now.
  bool allows(double a_second) {
    const auto now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - asked_at_).count();
    asked_at_ = now;
    left_ = std::min(3 * a_second, left_ + seconds * a_second);
    if (left_ < 1) return false;
    --left_;
    return true;
  }

private:
  double left_ = 0;
  Clock::time_point asked_at_{}; // long ago: all of it is there
};

} // namespace course::serve
