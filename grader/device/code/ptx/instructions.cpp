#include "device/code/ptx/instructions.hpp"

#include <algorithm>
#include <unordered_map>

namespace course::ptx {
namespace {

constexpr Row kRows[] = {
#define ROW(id, name, kind, results, memory, orders, flow, sass)                                   \
  {Opcode::id, name, Class::kind, Results::results, In::memory, Orders::orders, Flow::flow},
#include "device/code/ptx/instructions.def"
};

std::string_view first_word(std::string_view name) {
  return name.substr(0, name.find('.'));
}

// Whether the words of a name after its first are the first modifiers.
bool begins(std::string_view name, std::span<const std::string> modifiers) {
  name.remove_prefix(first_word(name).size());
  for (const std::string& modifier : modifiers) {
    if (name.empty()) return true;
    name.remove_prefix(1);
    const std::string_view word = first_word(name);
    if (word != modifier) return false;
    name.remove_prefix(word.size());
  }
  return name.empty();
}

// The rows of each opcode, which stand together.
const std::unordered_map<std::string_view, std::span<const Row>>& by_first_word() {
  static const auto all = [] {
    std::unordered_map<std::string_view, std::span<const Row>> made;
    for (const Row* row = std::begin(kRows); row != std::end(kRows);) {
      const auto word = first_word(row->name);
      const Row* end = std::find_if(
          row, std::end(kRows), [&](const Row& other) { return first_word(other.name) != word; });
      made.emplace(word, std::span<const Row>(row, end));
      row = end;
    }
    return made;
  }();
  return all;
}

} // namespace

std::span<const Row> instructions() {
  return kRows;
}

const Row& row_of(std::string_view opcode, std::span<const std::string> modifiers) {
  const auto found = by_first_word().find(opcode);
  if (found == by_first_word().end()) return kUnknown;
  const Row* best = &kUnknown;
  for (const Row& row : found->second)
    if (row.name.size() > best->name.size() && begins(row.name, modifiers)) best = &row;
  return *best;
}

} // namespace course::ptx
