#include "lab/data_table.hpp"

#include "lab/exercise_file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <tuple>

namespace course::lab {

struct Node::Place {
  std::shared_ptr<const toml::table> file; // keeps `node` alive
  const toml::node* node = nullptr;        // nullptr: missing
  std::string name;                        // "limits.shared_loads"; empty: the file itself
  std::string where;                       // of it, or of the table that lacks it: "2_pad.toml:12"
};

namespace {

std::string place_of(const toml::node& node, const std::string& otherwise) {
  const auto& source = node.source();
  if (!source.path) return otherwise;
  return fmt::format("{}:{}", *source.path, source.begin.line);
}

std::string in_one_line(const std::string& text) {
  std::istringstream words(text);
  std::string line, word;
  while (words >> word) line += (line.empty() ? "" : " ") + word;
  return line;
}

// What an exercise may take back of its lab: then it is as if nobody had said it.
bool is_taken_back(const toml::key& key, const toml::node& node) {
  return (key == "reference" || key == "time") && node.value_exact<bool>() == false;
}

void put_over(toml::table& under, toml::table&& over) {
  for (auto&& [key, node] : over) {
    auto* below = under.get(key);
    if (is_taken_back(key, node)) {
      under.erase(key);
    } else if (below && below->is_table() && node.is_table()) {
      put_over(*below->as_table(), std::move(*node.as_table()));
    } else if (below && below->is_array() && node.is_array() && key == "let") {
      for (auto&& one : *node.as_array()) below->as_array()->push_back(std::move(one));
    } else {
      under.insert_or_assign(key, std::move(node));
    }
  }
}

// `name` is of the file, for its errors.
template <class Parse>
toml::table parsed(const std::string& name, Parse parse) {
  try {
    return parse();
  } catch (const toml::parse_error& error) {
    throw CourseError(
        fmt::format("{}:{}: {}", name, error.source().begin.line, error.description()));
  }
}

} // namespace

Node::operator bool() const {
  return place_->node;
}
bool Node::is_table() const {
  return place_->node && place_->node->is_table();
}
bool Node::is_text() const {
  return place_->node && place_->node->is_string();
}
bool Node::is_no() const {
  return place_->node && place_->node->value_exact<bool>() == false;
}
bool Node::is_yes() const {
  return place_->node && place_->node->value_exact<bool>() == true;
}

const std::string& Node::place() const {
  return place_->where;
}

void Node::fail(const std::string& why) const {
  const auto& name = place_->name;
  throw CourseError(place_->where + ": " + (name.empty() ? "" : name + ": ") + why);
}

std::string Node::text() const {
  if (!place_->node) fail("is missing");
  const auto* text = place_->node->as_string();
  if (!text) fail("should be a text");
  return in_one_line(text->get());
}

double Node::number() const {
  if (!place_->node) fail("is missing");
  const auto number = place_->node->value<double>();
  if (!number || place_->node->is_boolean()) fail("should be a number");
  return *number;
}

std::int64_t Node::whole() const {
  if (!place_->node) fail("is missing");
  const auto* number = place_->node->as_integer();
  if (!number) fail("should be a whole number");
  return number->get();
}

bool Node::truth() const {
  if (!place_->node) fail("is missing");
  const auto* truth = place_->node->as_boolean();
  if (!truth) fail("should be true or false");
  return truth->get();
}

Moment Node::moment() const {
  if (!place_->node) fail("is missing");
  const auto* found = place_->node->as_date_time();
  if (!found) fail("should be a date and a time, without quote marks: 2026-11-20T23:59:00+01:00");
  const auto& at = found->get();
  Moment moment{at.date.year,   at.date.month,  at.date.day, at.time.hour,
                at.time.minute, at.time.second, std::nullopt};
  if (at.offset) moment.ahead = at.offset->minutes;
  return moment;
}

std::string Node::formula() const {
  if (is_text()) return text();
  const auto value = number();
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.begin(), digits.end(), value).ptr;
  return {digits.begin(), end};
}

std::vector<std::string> Node::words() const {
  if (!place_->node) fail("is missing");
  if (!place_->node->is_array()) fail("should be a list of texts");
  std::vector<std::string> all;
  for (const auto& one : elements()) all.push_back(one.text());
  return all;
}

std::vector<Node> Node::elements() const {
  std::vector<Node> all;
  if (!place_->node) return all;
  const auto* array = place_->node->as_array();
  if (!array) fail("should be a list");
  for (const auto& one : *array) {
    const auto name = fmt::format("{}[{}]", place_->name, all.size());
    all.push_back(Node(std::make_shared<const Place>(
        Place{place_->file, &one, name, place_of(one, place_->where)})));
  }
  return all;
}

std::vector<Table> Node::tables() const {
  std::vector<Table> all;
  for (const auto& one : elements()) all.push_back(one.table());
  return all;
}

Table Node::table(std::initializer_list<const char*> only) const {
  if (!place_->node) fail("is missing");
  if (!is_table()) fail("should be a table");
  Table table(*this);
  if (only.size() > 0) table.only(only);
  return table;
}

Table Table::read(const std::vector<std::filesystem::path>& files) {
  toml::table all;
  for (const auto& file : files)
    put_over(all, parsed(file.string(), [&] { return toml::parse_file(file.string()); }));
  const auto kept = std::make_shared<const toml::table>(std::move(all));
  return Table(Node(std::make_shared<const Node::Place>(
      Node::Place{kept, kept.get(), "", files.back().string()})));
}

Table Table::parse(std::string_view text, const std::string& name) {
  const auto kept = std::make_shared<const toml::table>(
      parsed(name, [&] { return toml::parse(text, std::string_view(name)); }));
  return Table(Node(std::make_shared<const Node::Place>(Node::Place{kept, kept.get(), "", name})));
}

Node Table::operator[](const std::string& key) const {
  const auto& here = *node_->place_;
  const auto* value = here.node->as_table()->get(key);
  const auto name = here.name.empty() ? key : here.name + "." + key;
  return Node(std::make_shared<const Node::Place>(
      Node::Place{here.file, value, name, value ? place_of(*value, here.where) : here.where}));
}

std::vector<std::string> Table::keys() const {
  std::vector<std::string> all;
  for (const auto& [key, value] : *node_->place_->node->as_table()) all.emplace_back(key.str());
  return all;
}

std::vector<std::string> Table::keys_in_order() const {
  const auto& table = *node_->place_->node->as_table();
  const auto place = [&](const std::string& key) { // what a first file has is known by its path
    const auto& source = table.get(key)->source();
    const bool of_lab = source.path && std::filesystem::path(*source.path).stem() == "lab";
    return std::tuple(!of_lab, source.begin.line, source.begin.column);
  };
  auto all = keys();
  std::ranges::sort(all, {}, place);
  return all;
}

void Table::only(std::initializer_list<const char*> keys) const {
  for (const auto& key : this->keys()) {
    if (std::ranges::find(keys, key) != keys.end()) continue;
    std::string known;
    for (const auto* one : keys) known += (known.empty() ? "" : ", ") + std::string(one);
    (*this)[key].fail("is not known here; there may be: " + known);
  }
}

} // namespace course::lab
