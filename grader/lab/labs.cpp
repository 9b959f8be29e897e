#include "lab/labs.hpp"

#include "build/digest.hpp"
#include "lab/course_texts.hpp"
#include "lab/exercise_file.hpp"
#include "language/of_course.hpp"
#include "language/translate.hpp"
#include "system/edit_distance.hpp"
#include "system/published_file.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>

namespace course::lab {
namespace {

// What may be meant: the word itself, and for a path "labs/05_transpose/2_pad.cu" its last two
// names, then its last, without the extension.
std::vector<std::string> readings(const std::string& typed) {
  const std::filesystem::path path(typed);
  if (path.extension() != ".cu") return {typed};
  return {(path.parent_path().filename() / path.stem()).string(), path.stem().string()};
}

// "5/2" and "5_transpose/2_pad" as "05/2" and "05_transpose/2_pad".
std::string with_two_digits(const std::string& word) {
  const auto digits = word.find_first_not_of("0123456789");
  const bool lab = digits == 1 && word.find('/') != word.npos;
  return lab ? "0" + word : word;
}

// "predict" of "1_predict".
std::string without_number(const std::string& name) {
  const auto underscore = name.find('_');
  return underscore == name.npos ? name : name.substr(underscore + 1);
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
constexpr std::size_t kShortest = 6;   // at most so many letters: a slip may be another word
constexpr std::size_t kLongest = 4096; // of what is typed: the longest path there is

Matches nearest(const std::vector<Exercise>& all, const std::string& word) {
  const auto far = [&](const Exercise* exercise) {
    const auto& id = exercise->id;
    if (id.find(word) != id.npos) return std::size_t{0};
    return std::min(system::edit_distance(word.substr(0, kWord), id),
                    system::edit_distance(word.substr(0, kWord), exercise->name()));
  };
  const std::size_t most = std::max<std::size_t>(2, std::min(word.size(), kWord) / 2);
  auto near = select(all, [&](const Exercise& exercise) { return far(&exercise) <= most; });
  std::stable_sort(near.begin(), near.end(),
                   [&](const auto* a, const auto* b) { return far(a) < far(b); });
  near.resize(std::min(near.size(), kNear));
  return near;
}

void learn_texts_of(const std::vector<Exercise>& all, const std::filesystem::path& root) {
  if (const auto folder = folder_of(root / "chapters", language::spoken()); !folder.empty())
    language::learn(texts_in(folder, all));
}

} // namespace

const std::vector<Exercise>& exercises(const std::filesystem::path& root) {
  static std::mutex one_at_a_time;
  static std::map<std::filesystem::path, std::vector<Exercise>> read;
  const std::lock_guard lock(one_at_a_time);
  const auto found = read.find(root);
  if (found != read.end()) return found->second;
  const auto& all = read.emplace(root, read_exercises(root / "labs")).first->second;
  learn_texts_of(all, root);
  return all;
}

void learn_texts(const std::filesystem::path& root) {
  learn_texts_of(exercises(root), root);
}

int points_without_gpu(const Exercise& exercise) {
  int points = 0;
  for (const auto& check : exercise.checks)
    if (judge::check_kind(check.check) != judge::CheckKind::time) points += check.points;
  return points;
}

std::string version_of(const Exercise& exercise) {
  build::Digest digest;
  for (const auto& file : exercise.files) {
    const auto text = system::content_of(file);
    digest.add(text ? "there" : "not there").add(text.value_or(""));
  }
  return digest.hex();
}

Found find(const std::vector<Exercise>& all, const std::string& typed) {
  const auto words = readings(typed.substr(0, kLongest));
  for (const auto& read : words) {
    if (read.empty()) continue;
    const auto word = with_two_digits(read);
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
    const auto called = select(
        all, [&](const Exercise& exercise) { return without_number(exercise.name()) == word; });
    for (const auto& matches : {exact, starting, called}) {
      if (matches.size() == 1) return {matches[0], {}};
      if (!matches.empty()) return {nullptr, matches};
    }
  }
  // One slip in a word that is long enough for it to be no other.
  const auto& last = words.back();
  if (last.size() > kShortest && last.size() <= kWord) {
    const auto slips = select(all, [&](const Exercise& exercise) {
      return system::edit_distance(last, exercise.id) == 1 ||
             system::edit_distance(last, exercise.name()) == 1;
    });
    if (slips.size() == 1) return {slips[0], {}};
  }
  return {nullptr, nearest(all, words.back())};
}

} // namespace course::lab
