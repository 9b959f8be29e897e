// A file of data (TOML), read by the code that knows what should stand in it: whatever is missing,
// of another type, or of a name that nobody asked for is an error with its file and line.
//
// A narrow front of toml++, whose header is large.
#pragma once

#include "lab/formula.hpp"

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace course::lab {

class Table;

// A date and a time of day as they stand in a file, and how far that clock is ahead of UTC, if
// said.
struct Moment {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  std::optional<int> ahead; // minutes
};

// A value in a file, or the place where one is missing. Cheap to copy; keeps its file alive.
class Node {
public:
  explicit operator bool() const; // it is there
  bool is_table() const;
  bool is_text() const;
  bool is_no() const;  // false
  bool is_yes() const; // true

  // These fail where it is missing or of another type.
  std::string text() const; // spaces and line breaks between words are one space
  double number() const;
  std::int64_t whole() const; // a number without a fraction
  bool truth() const;         // true or false
  Moment moment() const;
  std::vector<std::string> words() const;                          // an array of texts
  Table table(std::initializer_list<const char*> only = {}) const; // no keys but these; {}: any

  // Of an array; none where it is missing.
  std::vector<Node> elements() const;
  std::vector<Table> tables() const;

  // `evaluate` of the formula that a text, or a number, is; what it throws is an error here.
  template <class Evaluate>
  auto evaluated(Evaluate evaluate) const {
    try {
      return evaluate(formula());
    } catch (const FormulaError& error) {
      fail(error.what());
    }
  }

  const std::string& place() const;                     // "2_pad.toml:12"
  [[noreturn]] void fail(const std::string& why) const; // throws CourseError

private:
  friend class Table;
  struct Place;
  explicit Node(std::shared_ptr<const Place> place) : place_(std::move(place)) {}
  std::string formula() const;
  std::shared_ptr<const Place> place_;
};

class Table {
public:
  Table() = default;

  // Several files, each over the ones before it: a table in both is both, key by key, the arrays
  // called `let` are one behind the other, and any other value is the later one's. Throws
  // CourseError.
  static Table read(const std::vector<std::filesystem::path>& files);
  // One text, called `name` in errors. Throws CourseError.
  static Table parse(std::string_view text, const std::string& name);

  Node operator[](const std::string& key) const;
  std::vector<std::string> keys() const;          // sorted
  std::vector<std::string> keys_in_order() const; // as they stand in the files
  void only(std::initializer_list<const char*> keys) const;

private:
  friend class Node;
  explicit Table(Node node) : node_(std::make_shared<const Node>(std::move(node))) {}
  std::shared_ptr<const Node> node_;
};

} // namespace course::lab
