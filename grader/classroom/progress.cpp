#include "classroom/progress.hpp"

#include "language/translate.hpp"
#include "report/words/numbers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace course::classroom {
namespace {

constexpr double kLately = 60;     // seconds that the estimate looks back
constexpr double kSomeSeconds = 2; // seconds before which there is none
constexpr std::size_t kOften = 1;  // seconds between moments that are kept

std::optional<std::size_t> number(std::string_view& text) {
  const auto start = text.find_first_not_of(' ');
  if (start == text.npos) return std::nullopt;
  text.remove_prefix(start);
  std::size_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  return value;
}

} // namespace

std::optional<Finished> finished_test(std::string_view line) {
  const auto done = number(line);
  if (!done || !line.starts_with('/')) return std::nullopt;
  line.remove_prefix(1);
  const auto total = number(line);
  if (!total || !line.starts_with(" Test ")) return std::nullopt;
  return Finished{*done, *total, line.find("   Passed ") != line.npos};
}

std::string Progress::line(const Finished& now, double seconds) {
  if (seconds - moments_.back().seconds >= kOften) moments_.push_back({seconds, now.done});
  while (moments_.size() > 2 && seconds - moments_[1].seconds > kLately) moments_.pop_front();
  auto text = tr("{} of {}", report::thousands(now.done), report::thousands(now.total));
  const auto& since = moments_.front();
  const double took = seconds - since.seconds;
  if (took < kSomeSeconds || now.done <= since.done) return text;
  const double rate = static_cast<double>(now.done - since.done) / took;
  text += rate < 1 ? tr(", {:.1f} per minute", 60 * rate) : tr(", {:.1f} per second", rate);
  if (now.done < now.total)
    text += tr(", {} left", duration(static_cast<double>(now.total - now.done) / rate));
  return text;
}

std::string duration(double seconds) {
  const auto whole = static_cast<long>(std::ceil(std::max(seconds, 0.0)));
  if (whole < 60) return tr("{} s", whole);
  if (whole < 3600) return tr("{} min {} s", whole / 60, whole % 60);
  return tr("{} h {} min", whole / 3600, whole % 3600 / 60);
}

} // namespace course::classroom
