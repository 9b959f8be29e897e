#include "device/gpu/patterns/pattern.hpp"

#include "device/gpu/patterns/kinds.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <istream>
#include <optional>
#include <ostream>
#include <string_view>

namespace course::gpu::patterns {
namespace {

constexpr std::size_t kLongestLine = 4096;
constexpr std::size_t kMostPatterns = 100'000;

std::vector<std::string_view> cells(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  std::vector<std::string_view> result;
  for (;;) {
    const auto comma = line.find(',');
    result.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return result;
    line.remove_prefix(comma + 1);
  }
}

bool number(std::string_view text, std::uint32_t& value) {
  int base = 10;
  if (text.starts_with("0x")) {
    text.remove_prefix(2);
    base = 16;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

// What is wrong with a pattern; empty when it can be measured.
std::string problem(const Pattern& pattern) {
  const Kind* kind = find_kind(pattern.access);
  if (!kind) return "access: there is no kind " + pattern.access;
  if (kind->all_lanes && pattern.active != 0xffffffff)
    return "active_mask: " + pattern.access + " needs all lanes";
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if (!(pattern.active >> lane & 1)) continue;
    for (const auto* offsets : {&pattern.lane, &pattern.global}) {
      const auto offset = (*offsets)[lane];
      const char* name = offsets == &pattern.lane ? "lane" : "global";
      if (offset % kind->alignment != 0 || offset > kWindowBytes - kind->alignment)
        return name + std::to_string(lane) + ": " + std::to_string(offset) + " is no multiple of " +
               std::to_string(kind->alignment) + " below " + std::to_string(kWindowBytes);
    }
  }
  return "";
}

class Columns {
public:
  explicit Columns(std::string_view header) {
    for (const auto name : cells(header)) names_.emplace_back(name);
  }

  // Fills in one cell; false when it is no number.
  bool put(std::size_t column, std::string_view text, Pattern& pattern) const {
    const std::string& name = names_[column];
    if (name == "access") {
      pattern.access = text;
      return true;
    }
    if (name == "active_mask") return number(text, pattern.active);
    for (const auto& [prefix, offsets] :
         {std::pair{std::string_view("lane"), &pattern.lane}, {"global", &pattern.global}}) {
      std::uint32_t lane = 0;
      if (!name.starts_with(prefix) ||
          !number(std::string_view(name).substr(prefix.size()), lane) || lane >= 32)
        continue;
      return text.empty() || number(text, (*offsets)[lane]);
    }
    return true;
  }
  std::size_t count() const { return names_.size(); }
  const std::string& name(std::size_t column) const { return names_[column]; }
  std::string missing() const {
    std::vector<std::string> needed = {"access", "active_mask"};
    for (int lane = 0; lane < 32; ++lane) needed.push_back("lane" + std::to_string(lane));
    for (const auto& name : needed) {
      if (std::find(names_.begin(), names_.end(), name) == names_.end()) return name;
    }
    return "";
  }

private:
  std::vector<std::string> names_;
};

} // namespace

std::variant<std::vector<Pattern>, std::string> read_patterns(std::istream& in) {
  std::vector<Pattern> patterns;
  std::optional<Columns> columns;
  std::size_t line_number = 0;
  for (std::string line; std::getline(in, line);) {
    ++line_number;
    const std::string where = "line " + std::to_string(line_number) + ": ";
    if (line.size() > kLongestLine) return where + "is longer than any pattern";
    if (line.empty() || line.starts_with('#')) continue;
    if (!columns) {
      columns.emplace(line);
      if (const auto name = columns->missing(); !name.empty())
        return where + "the header has no column " + name;
      continue;
    }
    const auto values = cells(line);
    if (values.size() != columns->count())
      return where + "has " + std::to_string(values.size()) + " cells, the header " +
             std::to_string(columns->count());
    Pattern pattern;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!columns->put(i, values[i], pattern))
        return where + columns->name(i) + ": " + std::string(values[i]) + " is no number";
    }
    if (const auto what = problem(pattern); !what.empty()) return where + what;
    if (patterns.size() == kMostPatterns) return where + "is one pattern too many";
    patterns.push_back(pattern);
  }
  if (!columns) return "the file has no header line";
  return patterns;
}

void write_patterns(std::ostream& out, const std::vector<Pattern>& patterns,
                    const std::vector<Measured>& measured) {
  const bool global = std::any_of(patterns.begin(), patterns.end(), [](const Pattern& pattern) {
    const Kind* kind = find_kind(pattern.access);
    return kind && kind->copies;
  });
  out << "access,active_mask";
  for (int lane = 0; lane < 32; ++lane) out << ",lane" << lane;
  for (int lane = 0; global && lane < 32; ++lane) out << ",global" << lane;
  if (!measured.empty()) out << ",steps,wavefronts,ideal,sectors";
  out << '\n';
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const auto& pattern = patterns[i];
    char mask[16];
    std::snprintf(mask, sizeof mask, "0x%08x", pattern.active);
    out << pattern.access << ',' << mask;
    for (const auto offset : pattern.lane) out << ',' << offset;
    if (global) {
      for (const auto offset : pattern.global) out << ',' << offset;
    }
    if (!measured.empty())
      out << ',' << measured[i].steps << ',' << measured[i].wavefronts << ',' << measured[i].ideal
          << ',' << measured[i].sectors;
    out << '\n';
  }
}

} // namespace course::gpu::patterns
