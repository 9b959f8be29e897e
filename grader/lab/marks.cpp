#include "lab/marks.hpp"

#include <algorithm>
#include <optional>
#include <unordered_set>

namespace course::lab {
namespace {

constexpr std::size_t kMostColumns = 80;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

std::string_view trimmed(std::string_view text) {
  const auto start = text.find_first_not_of(" \t\r\n");
  if (start == text.npos) return {};
  return text.substr(start, text.find_last_not_of(" \t\r\n") - start + 1);
}

struct Mark {
  enum class Side { either, begins, ends };
  std::string name;
  Side side = Side::either;
};

// "  //! [kernel]\n" -> "kernel", which opens or closes; the two lines around work say which of the
// two they do.
std::optional<Mark> mark(std::string_view line) {
  line = trimmed(line);
  if (line == kWorkBegins) return Mark{"work", Mark::Side::begins};
  if (line == kWorkEnds) return Mark{"work", Mark::Side::ends};
  if (!line.starts_with("//! [") || !line.ends_with("]")) return std::nullopt;
  return Mark{std::string(line.substr(5, line.size() - 6))};
}

using What = Complaint::What;

Complaint of_mark(What what, const std::string& name, const std::string& other = {}) {
  return {what, {}, name, other};
}
Complaint numbered(What what, std::size_t number, std::size_t most = 0) {
  return {what, {}, {}, {}, number, most};
}

} // namespace

bool is_mark(std::string_view line) {
  return mark(line).has_value();
}

Marked cut(std::string_view text) {
  Marked marked;
  marked.kept.emplace_back();
  std::vector<std::string> open; // nothing opens inside [work], so that it is the last
  std::unordered_set<std::string> is_open;
  for (const auto line : lines_of(text)) {
    const auto found = mark(line);
    const bool inside = !open.empty() && open.back() == "work";
    if (!found) {
      (inside ? marked.work.back() : marked.kept.back()) += line;
      continue;
    }
    const auto& [name, side] = *found;
    const bool closes = !open.empty() && open.back() == name && side != Mark::Side::begins;
    if (closes) {
      open.pop_back();
      is_open.erase(name);
      if (name == "work") marked.kept.emplace_back();
      marked.kept.back() += line;
    } else if (side == Mark::Side::ends) {
      marked.complaints.push_back(of_mark(What::closed_before_open, name));
      return marked;
    } else if (inside || is_open.contains(name)) {
      marked.complaints.push_back(of_mark(What::overlaps, name, open.back()));
      return marked;
    } else {
      open.push_back(name);
      is_open.insert(name);
      marked.kept.back() += line;
      if (name == "work") marked.work.emplace_back();
    }
  }
  for (const auto& name : open) marked.complaints.push_back(of_mark(What::not_closed, name));
  return marked;
}

std::vector<Complaint> differences(std::string_view skeleton, std::string_view solution) {
  const auto asked = cut(skeleton), solved = cut(solution);
  std::vector<Complaint> wrong;
  for (auto complaint : asked.complaints) {
    complaint.of = Complaint::Of::skeleton;
    wrong.push_back(std::move(complaint));
  }
  for (auto complaint : solved.complaints) {
    complaint.of = Complaint::Of::solution;
    wrong.push_back(std::move(complaint));
  }
  if (!wrong.empty()) return wrong;
  if (asked.work.empty()) return {{What::no_region}};
  if (asked.work.size() != solved.work.size()) return {{What::other_number_of_regions}};
  for (std::size_t i = 0; i < asked.kept.size(); ++i)
    if (asked.kept[i] != solved.kept[i]) wrong.push_back(numbered(What::differs_outside, i));
  for (std::size_t i = 0; i < asked.work.size(); ++i) {
    if (asked.work[i] == solved.work[i]) wrong.push_back(numbered(What::same_region, i + 1));
    if (asked.work[i].find("TODO") == std::string::npos)
      wrong.push_back(numbered(What::nothing_to_do, i + 1));
  }
  if (solution.find("TODO") != solution.npos) wrong.push_back({What::still_to_do});
  return wrong;
}

std::vector<Complaint> form(std::string_view text, std::string_view first_line,
                            std::size_t most_lines) {
  std::vector<Complaint> wrong;
  const auto lines = lines_of(text);
  if (lines.empty() || trimmed(lines[0]) != first_line)
    wrong.push_back(of_mark(What::first_line, std::string(first_line)));
  if (lines.size() > most_lines)
    wrong.push_back(numbered(What::too_long, lines.size(), most_lines));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto width = lines[i].size() - lines[i].ends_with('\n');
    if (width > kMostColumns) wrong.push_back(numbered(What::too_wide, i + 1, width));
  }
  return wrong;
}

Confession confession(std::string_view text) {
  constexpr std::string_view kStart = "// wrong: ";
  auto line = trimmed(text.substr(0, text.find('\n')));
  if (!line.starts_with(kStart)) return {};
  line.remove_prefix(kStart.size());
  const auto colon = line.find(": ");
  if (colon == line.npos) return {};
  Confession confessed;
  confessed.why = trimmed(line.substr(colon + 2));
  auto names = line.substr(0, colon);
  while (!names.empty()) {
    const auto comma = std::min(names.find(','), names.size());
    confessed.checks.emplace_back(trimmed(names.substr(0, comma)));
    names.remove_prefix(std::min(comma + 1, names.size()));
  }
  return confessed;
}

} // namespace course::lab
