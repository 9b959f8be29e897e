#include "lab/edits.hpp"

#include "lab/marks.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace course::lab {
namespace {

using BadEdit = EditFault::What;

constexpr std::string_view kEditHeading = "===", kNextEdit = "@@", kEditRemark = "#";

// Without their line feeds.
std::vector<std::string_view> bare_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string with_line_ends(const std::vector<std::string_view>& lines) {
  std::string text;
  for (const auto line : lines) text.append(line) += '\n';
  return text;
}

bool is_name_of_variant(std::string_view text) {
  return !text.empty() &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == text.npos;
}

// Reads a file of edits line by line.
class ReaderOfEdits {
public:
  void take(std::string_view line) {
    ++number_;
    if (line.starts_with(kEditHeading)) return begin(line.substr(kEditHeading.size()));
    if (line.starts_with(kEditRemark)) return;
    if (line.empty()) {
      ++blank_; // inside an edit a line of the solution, else nothing
      return;
    }
    if (variants_.empty()) variants_.emplace_back();
    if (line.starts_with(kNextEdit)) return end_edit();
    if (line.starts_with("//") && !edit_ && variants_.back().edits.empty())
      variants_.back().comment.append(line) += '\n';
    else if (line[0] == '-' || line[0] == '+' || line[0] == ' ')
      add(line[0], line.substr(1));
    else
      complain(BadEdit::stray_line);
    blank_ = 0;
  }
  std::vector<EditedVariant> variants() {
    end();
    return std::move(variants_);
  }

private:
  void begin(std::string_view name) {
    end();
    name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
    variants_.push_back({std::string(name), {}, {}, {}});
    heading_ = number_;
    if (!is_name_of_variant(name)) complain(BadEdit::no_name);
    if (!names_.insert(std::string(name)).second) complain(BadEdit::name_again);
  }
  void add(char sign, std::string_view line) {
    if (!edit_)
      edit_ = Edit{{}, {}, number_};
    else
      for (; blank_ > 0; --blank_) add_to_both({});
    if (sign == ' ') return add_to_both(line);
    (sign == '-' ? edit_->before : edit_->after).push_back(line);
  }
  void add_to_both(std::string_view line) {
    edit_->before.push_back(line);
    edit_->after.push_back(line);
  }
  void end_edit() {
    blank_ = 0;
    if (!edit_) return;
    if (edit_->before.empty() || edit_->before == edit_->after)
      complain(BadEdit::no_change, edit_->line);
    variants_.back().edits.push_back(*std::exchange(edit_, std::nullopt));
  }
  void end() {
    end_edit();
    if (variants_.empty()) return;
    if (variants_.back().comment.empty()) complain(BadEdit::no_comment, heading_);
    if (variants_.back().edits.empty()) complain(BadEdit::no_change, heading_);
  }
  void complain(BadEdit what, std::size_t line = 0) {
    auto& fault = variants_.back().fault;
    if (!fault) fault = EditFault{what, line == 0 ? number_ : line};
  }

  std::vector<EditedVariant> variants_;
  std::set<std::string> names_;
  std::optional<Edit> edit_;
  std::size_t number_ = 0, heading_ = 1, blank_ = 0;
};

// Where in `lines` those of `part` stand, one after the other.
std::vector<std::size_t> places_of_lines(const std::vector<std::string_view>& part,
                                         const std::vector<std::string_view>& lines) {
  std::vector<std::size_t> places;
  for (auto at = lines.begin();; ++at) {
    at = std::search(at, lines.end(), part.begin(), part.end());
    if (at == lines.end()) return places;
    places.push_back(static_cast<std::size_t>(at - lines.begin()));
  }
}

} // namespace

std::vector<EditedVariant> edited_variants(std::string_view text) {
  ReaderOfEdits reader;
  for (const auto line : bare_lines(text)) reader.take(line);
  return reader.variants();
}

std::string without_task(std::string_view solution) {
  auto lines = bare_lines(solution);
  lines.erase(lines.begin(),
              std::ranges::find_if_not(lines, [](auto line) { return line.starts_with("//"); }));
  std::erase_if(lines, is_mark);
  return with_line_ends(lines);
}

std::variant<std::string, EditFault> applied(const EditedVariant& variant,
                                             std::string_view solution) {
  if (variant.fault) return *variant.fault;
  const auto text = without_task(solution);
  const auto lines = bare_lines(text);
  std::map<std::size_t, const Edit*> at;
  for (const auto& edit : variant.edits) {
    const auto places = places_of_lines(edit.before, lines);
    if (places.empty()) return EditFault{BadEdit::not_there, edit.line};
    if (places.size() > 1) return EditFault{BadEdit::several, edit.line, places.size()};
    if (!at.emplace(places[0], &edit).second) return EditFault{BadEdit::overlaps, edit.line};
  }
  std::string result = variant.comment;
  std::size_t next = 0;
  for (const auto& [place, edit] : at) {
    if (place < next) return EditFault{BadEdit::overlaps, edit->line};
    for (; next < place; ++next) result.append(lines[next]) += '\n';
    result += with_line_ends(edit->after);
    next += edit->before.size();
  }
  for (; next < lines.size(); ++next) result.append(lines[next]) += '\n';
  return result;
}

} // namespace course::lab
