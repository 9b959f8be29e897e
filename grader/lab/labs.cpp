#include "lab/labs.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>

namespace course::lab {
namespace {

// The edits (a letter put in, taken out, or changed) between two words.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

// What may be meant: the word itself, and for a path "labs/05_transpose/2_pad.cu" its last two
// names, then its last, without the extension.
std::vector<std::string> readings(const std::string& typed) {
  const std::filesystem::path path(typed);
  if (path.extension() != ".cu") return {typed};
  return {(path.parent_path().filename() / path.stem()).string(), path.stem().string()};
}

using Matches = std::vector<const Exercise*>;

template <class Match>
Matches select(const std::vector<Exercise>& all, Match match) {
  Matches found;
  for (const auto& exercise : all) {
    if (match(exercise)) found.push_back(&exercise);
  }
  return found;
}

constexpr std::size_t kNear = 5;       // as many as fit a message
constexpr std::size_t kWord = 64;      // past it, no word is near to another
constexpr std::size_t kLongest = 4096; // of what is typed: the longest path there is

Matches nearest(const std::vector<Exercise>& all, const std::string& word) {
  auto near = select(all, [](const Exercise&) { return true; });
  const auto far = [&](const Exercise* exercise) {
    const auto& id = exercise->id;
    if (id.find(word) != id.npos) return std::size_t{0};
    return std::min(distance(word.substr(0, kWord), id),
                    distance(word.substr(0, kWord), exercise->name()));
  };
  std::stable_sort(near.begin(), near.end(),
                   [&](const auto* a, const auto* b) { return far(a) < far(b); });
  near.resize(std::min(near.size(), kNear));
  return near;
}

} // namespace

const std::vector<Exercise>& exercises() {
  static const auto all = [] {
    std::vector<Exercise> list;
    for (auto* lab : {banks, paddings, dynamic_shared_memory, reductions, transposes,
                      constant_memory, shuffles, tiled_products}) {
      for (auto& exercise : lab()) list.push_back(std::move(exercise));
    }
    return list;
  }();
  return all;
}

Found find(const std::vector<Exercise>& all, const std::string& typed) {
  const auto words = readings(typed.substr(0, kLongest));
  for (const auto& word : words) {
    if (word.empty()) continue;
    const auto exact = select(all, [&](const Exercise& exercise) {
      return exercise.id == word || exercise.name() == word;
    });
    // "05_tr", "2_pa", and "05/2", of both halves.
    const auto slash = word.find('/');
    const auto starting = select(all, [&](const Exercise& exercise) {
      if (exercise.id.starts_with(word) || exercise.name().starts_with(word)) return true;
      return slash != word.npos && exercise.lab().starts_with(word.substr(0, slash)) &&
             exercise.name().starts_with(word.substr(slash + 1));
    });
    for (const auto& matches : {exact, starting}) {
      if (matches.size() == 1) return {matches[0], {}};
      if (!matches.empty()) return {nullptr, matches};
    }
  }
  return {nullptr, nearest(all, words.back())};
}

} // namespace course::lab
