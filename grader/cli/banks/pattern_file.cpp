#include "cli/banks/pattern_file.hpp"

#include "language/translate.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include "device/model/constant.hpp"
#include "device/model/sectors.hpp"
#include "device/model/shared.hpp"
#include "system/fields.hpp"

namespace course::cli {
namespace {

using model::kLanes;

constexpr std::string_view kResultColumns[] = {"wavefronts", "ideal", "sectors", "replays"};

std::vector<std::string> input_columns(bool with_sass) {
  std::vector<std::string> columns{"access"};
  if (with_sass) columns.push_back("sass");
  columns.push_back("active_mask");
  for (int lane = 0; lane < kLanes; ++lane) columns.push_back("lane" + std::to_string(lane));
  return columns;
}

// A field as a message can show it: short, and nothing that disturbs a terminal.
std::string shown(const std::string& field) {
  constexpr std::size_t kLongest = 40;
  std::string text = field.substr(0, kLongest);
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  return "\"" + text + (field.size() > kLongest ? "…\"" : "\"");
}

// Decimal, or hexadecimal after 0x.
std::optional<std::uint64_t> number_of(const std::string& field) {
  const bool hexadecimal = field.starts_with("0x") || field.starts_with("0X");
  const char* const begin = field.data() + (hexadecimal ? 2 : 0);
  const char* const end = field.data() + field.size();
  std::uint64_t value = 0;
  const auto [after, status] = std::from_chars(begin, end, value, hexadecimal ? 16 : 10);
  if (status != std::errc{} || after != end) return std::nullopt;
  return value;
}

// Reads a file line by line, noting what is wrong.
class Reader {
public:
  explicit Reader(ParsedPatterns& result) : result_(result) {}

  bool full() const { return result_.errors.size() >= ParsedPatterns::kMostErrors; }

  void line(std::size_t number, const std::string& text) {
    number_ = number;
    const std::vector<std::string> fields = system::fields_of(text);
    if (columns_.empty()) {
      const bool named = fields[0] == "access" || std::count(fields.begin(), fields.end(), "lane0");
      if (named) return header(fields);
      assume_columns(fields);
    }
    row(fields);
  }

  // Whether the columns could be told, so that rows can be read at all.
  bool usable() const { return usable_; }

private:
  void fail(const std::string& column, std::string message) {
    if (!full()) result_.errors.push_back({number_, column, std::move(message)});
  }

  // Every input column once, in any order, and result columns.
  void header(const std::vector<std::string>& names) {
    columns_ = names;
    std::map<std::string, int> times;
    for (const std::string& name : names) ++times[name];
    result_.file.has_sass = times.contains("sass");
    const std::vector<std::string> wanted = input_columns(true);
    for (const std::string& name : wanted)
      if (!times.contains(name) && name != "sass") {
        usable_ = false;
        return fail(name, tr("this column is missing: name it in the first line"));
      }
    for (const auto& [name, count] : times) {
      const bool known = std::count(wanted.begin(), wanted.end(), name) > 0 ||
                         std::count(std::begin(kResultColumns), std::end(kResultColumns), name) > 0;
      if (known && count == 1) continue;
      usable_ = false;
      return fail(
          "", known ? tr("the first line names {} twice: leave one out", shown(name))
                    : tr("the first line names {}, which is no column: leave it out", shown(name)));
    }
  }

  void assume_columns(const std::vector<std::string>& fields) {
    result_.file.has_sass = fields.size() > 2 && fields[2].starts_with("0x");
    columns_ = input_columns(result_.file.has_sass);
    const std::size_t inputs = columns_.size();
    for (std::string_view name : kResultColumns)
      if (columns_.size() < fields.size()) columns_.emplace_back(name);
    if (fields.size() >= inputs && fields.size() <= columns_.size()) return;
    usable_ = false;
    fail("", tr("neither a line of column names nor a row: begin the file with "
                "access,active_mask,lane0,...,lane31"));
  }

  const std::string& field(const std::vector<std::string>& fields, const std::string& column) {
    const auto place = std::find(columns_.begin(), columns_.end(), column);
    return fields[place - columns_.begin()];
  }

  void row(const std::vector<std::string>& fields) {
    if (!usable_) return;
    if (fields.size() != columns_.size())
      return fail("", tr("this line has {} fields and should have {}: check its commas",
                         fields.size(), columns_.size()));
    PatternRow row;
    for (const std::string& column : input_columns(result_.file.has_sass))
      row.input.push_back(field(fields, column));
    const bool good = kind(fields, row) && mask(fields, row) && offsets(fields, row);
    if (good) result_.file.rows.push_back(std::move(row));
  }

  bool kind(const std::vector<std::string>& fields, PatternRow& row) {
    const std::string& name = field(fields, "access");
    const auto kind = model::measured_kind(name);
    if (kind)
      row.kind = *kind;
    else
      fail("access", tr("{} is no access that the model knows: write one such as "
                        "shared_load_4, global_store_16, ldmatrix_x4",
                        shown(name)));
    return kind.has_value();
  }

  bool mask(const std::vector<std::string>& fields, PatternRow& row) {
    const std::string& text = field(fields, "active_mask");
    const auto value = number_of(text);
    if (!value || *value > model::kAllLanes) {
      fail("active_mask",
           tr("{} is no mask of 32 lanes: write one such as 0xffffffff", shown(text)));
      return false;
    }
    row.active = static_cast<std::uint32_t>(*value);
    return true;
  }

  bool offsets(const std::vector<std::string>& fields, PatternRow& row) {
    const bool global = model::memory_of(row.kind.access) == model::Memory::global;
    const bool matrix = row.kind.access == model::RequestKind::ldmatrix ||
                        row.kind.access == model::RequestKind::stmatrix;
    const std::uint64_t multiple = matrix ? 16 : row.kind.width;
    bool good = true;
    for (int lane = 0; lane < kLanes; ++lane) {
      const std::string column = "lane" + std::to_string(lane);
      const std::string& text = field(fields, column);
      const auto value = number_of(text);
      std::string problem;
      if (!value)
        problem = tr("{} is no byte offset: write a number from 0", shown(text));
      else if (!global && *value > 0xffffffff)
        problem = tr("{} is beyond shared and constant memory: write an offset, not an address",
                     shown(text));
      else if (*value % multiple != 0 && (row.active >> lane & 1))
        problem = tr("{} is no multiple of {}, which the access is wide: offsets are in bytes",
                     shown(text), multiple);
      if (!problem.empty()) fail(column, problem);
      good = good && problem.empty();
      row.offset[lane] = value.value_or(0);
    }
    return good;
  }

  ParsedPatterns& result_;
  std::vector<std::string> columns_;
  std::size_t number_ = 0;
  bool usable_ = true;
};

} // namespace

ParsedPatterns parse_patterns(std::istream& stream) {
  ParsedPatterns result;
  Reader reader(result);
  std::string text;
  std::size_t number = 0;
  while (reader.usable() && !reader.full() && std::getline(stream, text)) {
    ++number;
    if (number == 1 && text.starts_with("\xef\xbb\xbf")) text.erase(0, 3); // byte order mark
    if (text.ends_with('\r')) text.pop_back();
    if (!text.empty()) reader.line(number, text);
  }
  if (result.file.rows.empty() && result.errors.empty())
    result.errors.push_back({std::max<std::size_t>(number, 1), "",
                             tr("no rows: give a file with rows such as those of "
                                "grader/device/model/data/access_patterns.csv")});
  return result;
}

Results results_of(const PatternRow& row) {
  Results results;
  std::array<std::uint32_t, kLanes> offset;
  std::copy(row.offset.begin(), row.offset.end(), offset.begin());
  switch (model::memory_of(row.kind.access)) {
  case model::Memory::global:
    results.sectors = model::sectors(row.active, row.offset);
    break;
  case model::Memory::constant:
    results.replays = model::constant_replays(row.active, row.kind.width, offset);
    break;
  default:
    if (!model::has_rule(row.kind.access, row.kind.width)) break;
    const model::Passes passes =
        model::shared_passes({row.kind.access, row.kind.width, row.active, offset});
    results.wavefronts = passes.wavefronts;
    results.ideal = passes.ideal;
  }
  return results;
}

std::string with_results(const PatternFile& file) {
  std::string text;
  for (const std::string& column : input_columns(file.has_sass)) text += column + ",";
  text += "wavefronts,ideal,sectors,replays\n";
  for (const PatternRow& row : file.rows) {
    for (const std::string& field : row.input) text += field + ",";
    const Results results = results_of(row);
    const std::optional<int> cells[] = {results.wavefronts, results.ideal, results.sectors,
                                        results.replays};
    for (std::size_t i = 0; i < std::size(cells); ++i) {
      if (i > 0) text += ",";
      if (cells[i]) text += std::to_string(*cells[i]);
    }
    text += "\n";
  }
  return text;
}

} // namespace course::cli
