// How much slower one thing is than another, from times taken in pairs.
//
// Each pair's two runs stand next to each other in time, so that what drifts (clocks, temperature)
// cancels in their ratio. The estimate is the Hodges-Lehmann median of the log ratios, its interval
// that of the Wilcoxon signed-rank test: neither assumes a distribution, only that the noise of a
// log ratio is as likely up as down, and a few outliers move neither. (Hollander, Wolfe, Chicken:
// Nonparametric Statistical Methods, 3.2 and 3.3.)
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace course::gpu {

struct RatioInterval {
  double ratio = 0;         // first / second: 1.1 is 10 % slower
  double low = 0, high = 0; // holds the true ratio with `confidence`
  double confidence = 0;
  std::size_t pairs = 0;
};

// Nothing when there are fewer than kFewestPairs, a time is not a positive number, or the spans
// differ in length. At most the last kMostPairs pairs are used: the work grows with their square.
inline constexpr std::size_t kFewestPairs = 10;
inline constexpr std::size_t kMostPairs = 2000;
std::optional<RatioInterval> paired_ratio(std::span<const double> first,
                                          std::span<const double> second, double confidence = 0.99);

// The middle value, or the mean of the middle two; 0 for none.
double median(std::span<const double>);

} // namespace course::gpu
