#include "device/gpu/paired_ratio.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace course::gpu {
namespace {

// z with P(|Z| < z) = confidence, by bisection of the error function: needed once a result.
double normal_quantile(double confidence) {
  double low = 0, high = 10;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (std::erf(middle / std::sqrt(2.0)) < confidence ? low : high) = middle;
  }
  return (low + high) / 2;
}

double nth(std::vector<double>& values, std::size_t n) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n), values.end());
  return values[n];
}

} // namespace

double median(std::span<const double> values) {
  if (values.empty()) return 0;
  std::vector<double> copy(values.begin(), values.end());
  const std::size_t half = copy.size() / 2;
  const double upper = nth(copy, half);
  if (copy.size() % 2 == 1) return upper;
  return (upper +
          *std::max_element(copy.begin(), copy.begin() + static_cast<std::ptrdiff_t>(half))) /
         2;
}

std::optional<RatioInterval> paired_ratio(std::span<const double> first,
                                          std::span<const double> second, double confidence) {
  if (first.size() != second.size() || first.size() < kFewestPairs) return {};
  if (!(confidence > 0 && confidence < 1)) return {};
  const std::size_t pairs = std::min(first.size(), kMostPairs);
  first = first.last(pairs);
  second = second.last(pairs);
  std::vector<double> logs(pairs);
  for (std::size_t i = 0; i < pairs; ++i) {
    const bool sane =
        first[i] > 0 && second[i] > 0 && std::isfinite(first[i]) && std::isfinite(second[i]);
    if (!sane) return {};
    logs[i] = std::log(first[i] / second[i]);
  }

  // Walsh averages: of every two log ratios, each with itself included.
  std::vector<double> averages;
  averages.reserve(pairs * (pairs + 1) / 2);
  for (std::size_t i = 0; i < pairs; ++i) {
    for (std::size_t j = i; j < pairs; ++j) averages.push_back((logs[i] + logs[j]) / 2);
  }
  // The signed-rank statistic has mean M/2 for M averages, and this variance.
  const double n = static_cast<double>(pairs);
  const double deviation = std::sqrt(n * (n + 1) * (2 * n + 1) / 24);
  const double mean = n * (n + 1) / 4;
  const double cut = std::floor(mean - normal_quantile(confidence) * deviation);
  const auto lowest = static_cast<std::size_t>(std::max(0.0, cut));

  RatioInterval result;
  result.ratio = std::exp(median(averages));
  result.low = std::exp(nth(averages, lowest));
  result.high = std::exp(nth(averages, averages.size() - 1 - lowest));
  result.confidence = confidence;
  result.pairs = pairs;
  return result;
}

} // namespace course::gpu
