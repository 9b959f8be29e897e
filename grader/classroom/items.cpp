#include "classroom/items.hpp"

#include "classroom/text_encoding.hpp"
#include "classroom/winnowing.hpp"
#include "report/text.hpp"
#include "system/published_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

namespace course::classroom {
namespace {

using Prints = std::vector<std::uint64_t>;

constexpr double kLikeVariant = 0.6;     // of a variant's own prints that a file has, to be like it
constexpr std::size_t kLongestLine = 60; // characters of a line that is shown

Prints beside_skeleton(const Prints& from, const Prints& what) {
  Prints rest;
  std::set_difference(from.begin(), from.end(), what.begin(), what.end(), std::back_inserter(rest));
  return rest;
}

double part_of(const Prints& of, const Prints& in) {
  Prints common;
  std::set_intersection(of.begin(), of.end(), in.begin(), in.end(), std::back_inserter(common));
  return of.empty() ? 0 : static_cast<double>(common.size()) / static_cast<double>(of.size());
}

// A line of a file, without what only its place says: spaces, a comment.
std::string shown_line(const std::string& text, std::uint32_t number) {
  const auto lines = report::lines_of(report::printable(utf8_of(text)));
  if (number == 0 || number > lines.size()) return "";
  std::string line(lines[number - 1]);
  if (const auto comment = line.find("//"); comment != line.npos) line.resize(comment);
  const auto first = line.find_first_not_of(' ');
  if (first == line.npos) return "";
  line = line.substr(first, line.find_last_not_of(' ') - first + 1);
  return line.size() > kLongestLine ? line.substr(0, kLongestLine) + "…" : line;
}

double median_of(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  const auto half = all.size() / 2;
  return all.size() % 2 ? all[half] : (all[half - 1] + all[half]) / 2;
}

std::pair<std::string, std::size_t>
most_frequent(const std::map<std::string, std::size_t>& counts) {
  std::pair<std::string, std::size_t> found;
  for (const auto& [what, count] : counts)
    if (count > found.second) found = {what, count};
  return found;
}

} // namespace

std::optional<double> correlation(const std::vector<std::pair<double, double>>& pairs,
                                  std::size_t least) {
  if (pairs.size() < least) return std::nullopt;
  const auto count = static_cast<double>(pairs.size());
  double x = 0, y = 0;
  for (const auto& [one, other] : pairs) x += one / count, y += other / count;
  double xx = 0, yy = 0, xy = 0;
  for (const auto& [one, other] : pairs) {
    xx += (one - x) * (one - x);
    yy += (other - y) * (other - y);
    xy += (one - x) * (other - y);
  }
  if (xx < 1e-12 || yy < 1e-12) return std::nullopt;
  return xy / std::sqrt(xx * yy);
}

Items::Items(const Publishing& about) : about_(about) {
  for (const auto& exercise : *about.exercises) {
    const auto file = about.course / "labs" / (exercise.id + ".cu");
    items_[exercise.id].skeleton = fingerprints(system::content_of(file).value_or("")).prints;
  }
  for (const auto& file : about.public_files) {
    if (file.name.find("wrong/") == file.name.npos || !items_.contains(file.exercise)) continue;
    auto& item = items_.at(file.exercise);
    item.variants.push_back(
        {file.name, beside_skeleton(fingerprints(file.text).prints, item.skeleton)});
  }
  // A text that is graded again, by another grader say, is one attempt.
  std::map<std::string, std::map<std::string, std::set<std::string>>> texts;
  std::set<std::string> solved;
  std::ifstream lines(about.results / "events.jsonl");
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("digest")) continue;
    const std::string who = json.value("student", ""), id = json.value("exercise", "");
    if (solved.contains(who + " " + id)) continue;
    texts[who][id].insert(json.value("digest", ""));
    if (json.value("verdict", "") != "passed") continue;
    solved.insert(who + " " + id);
    attempts_[who][id] = static_cast<double>(texts[who][id].size());
  }
}

void Items::add_failure(const report::GradedExercise& graded, const Row& row,
                        const VerdictStore& store, Item& item) {
  ++item.failed;
  const auto text =
      system::content_of(archived(about_.results, graded.id, row.digest)).value_or("");
  for (const auto& check : graded.checks) {
    if (check.status != judge::Status::failed || check.line == 0) continue;
    if (const auto line = shown_line(text, check.line); !line.empty()) ++item.lines[line];
    break; // those after it may fail for the same reason
  }
  const auto stored = store.find(row.key);
  if (!stored) return;
  const auto own = beside_skeleton(stored->fingerprints.prints, item.skeleton);
  const Variant* closest = nullptr;
  double best = kLikeVariant;
  for (const auto& variant : item.variants)
    if (const double much = std::min(part_of(variant.prints, own), part_of(own, variant.prints));
        much >= best) {
      best = much;
      closest = &variant;
    }
  if (closest) ++item.like[closest->name];
}

void Items::add(const report::GradedStudent& student, const Work& work, const VerdictStore& store) {
  double score = 0, all = 0;
  for (const auto& one : student.exercises) {
    score += one.score;
    all += one.max_score;
  }
  for (const auto& one : student.exercises) {
    auto& item = items_[one.id];
    const double others = all - one.max_score;
    if (one.max_score > 0 && others > 0)
      item.shares.emplace_back(one.score / one.max_score, (score - one.score) / others);
    const auto* record = work_in(work, one.lab());
    const auto* row = row_in(work, one.id);
    if (!row || one.state != report::State::graded) continue;
    if (!seen_.insert(record->id + " " + one.id).second) continue;
    if (const auto of = attempts_.find(record->label); of != attempts_.end())
      if (const auto count = of->second.find(one.id); count != of->second.end())
        item.attempts.push_back(count->second);
    if (one.verdict == "failed") add_failure(one, *row, store, item);
  }
}

std::vector<report::ItemStatistics> Items::statistics() const {
  std::vector<report::ItemStatistics> all;
  for (const auto& exercise : *about_.exercises) {
    const auto& item = items_.at(exercise.id);
    report::ItemStatistics one;
    one.exercise = exercise.id;
    one.solved = item.attempts.size();
    if (one.solved > 0) one.attempts = median_of(item.attempts);
    one.discrimination = correlation(item.shares);
    one.failed = item.failed;
    std::tie(one.line, one.at_line) = most_frequent(item.lines);
    std::tie(one.variant, one.like_variant) = most_frequent(item.like);
    if (one.solved > 0 || one.failed > 0 || one.discrimination) all.push_back(std::move(one));
  }
  return all;
}

} // namespace course::classroom
