#include "contest/results.hpp"

#include "system/fields.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <sstream>

namespace course::contest {
namespace {

bool read(const std::string& text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= 0;
}

double speed(const Result& other, const Result& one) {
  return one.seconds > 0 ? other.seconds / one.seconds : 0;
}

std::string time_text(double seconds) {
  return seconds < 1e-3 ? fmt::format("{:.1f} us", seconds * 1e6)
                        : fmt::format("{:.3f} ms", seconds * 1e3);
}

std::string rate_text(const Result& one) {
  if (one.flops > 0) return fmt::format("{:.1f} TFLOP/s", one.flops / one.seconds * 1e-12);
  return fmt::format("{:.0f} GB/s", one.bytes / one.seconds * 1e-9);
}

std::string ratio_text(double ratio) {
  return ratio > 0 ? fmt::format("{:.3f}", ratio) : "";
}

} // namespace

std::variant<std::vector<Result>, std::string> parse(const std::string& text) {
  std::vector<Result> results;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const auto part = system::fields_of(line, '\t');
    Result one;
    if (part[0] == "wrong" && part.size() == 4) {
      one.wrong = true;
    } else if (part[0] != "row" || part.size() != 8 || !read(part[5], one.seconds) ||
               !read(part[6], one.bytes) || !read(part[7], one.flops) || !(one.seconds > 0)) {
      return "this line is no result: " + line;
    }
    one.contest = part[1];
    one.size = part[2];
    one.name = part[3];
    one.role = one.wrong ? "solution" : part[4];
    results.push_back(std::move(one));
  }
  return results;
}

Ratios ratios(const Result& one, const std::vector<Result>& all) {
  Ratios result;
  for (const auto& other : all) {
    if (other.contest != one.contest || other.size != one.size || &other == &one) continue;
    if (other.role == "library" && result.of_library == 0) result.of_library = speed(other, one);
    if (other.role == "ceiling" && result.of_ceiling == 0) result.of_ceiling = speed(other, one);
  }
  return result;
}

std::string table(const std::vector<Result>& all) {
  std::string text;
  std::string contest, size;
  for (const auto& one : all) {
    if (one.contest != contest || one.size != size)
      text += fmt::format("\n{:<46}{:>12}{:>15}{:>13}{:>10}\n", one.contest + ", " + one.size,
                          "time", "rate", "of library", "of copy");
    contest = one.contest;
    size = one.size;
    if (one.wrong) {
      text += fmt::format("  {:<44}{:>12}\n", one.name, "WRONG");
      continue;
    }
    const auto found = ratios(one, all);
    text += fmt::format("  {:<44}{:>12}{:>15}{:>13}{:>10}\n", one.name, time_text(one.seconds),
                        rate_text(one), ratio_text(found.of_library), ratio_text(found.of_ceiling));
  }
  return text;
}

nlohmann::ordered_json json(const std::vector<Result>& all) {
  auto rows = nlohmann::ordered_json::array();
  for (const auto& one : all) {
    const auto found = ratios(one, all);
    rows.push_back({{"contest", one.contest},
                    {"size", one.size},
                    {"name", one.name},
                    {"role", one.role},
                    {"wrong", one.wrong},
                    {"seconds", one.seconds},
                    {"bytes", one.bytes},
                    {"flops", one.flops},
                    {"of_library", found.of_library},
                    {"of_copy", found.of_ceiling}});
  }
  return rows;
}

} // namespace course::contest
