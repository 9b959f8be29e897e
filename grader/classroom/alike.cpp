#include "classroom/alike.hpp"

#include <algorithm>
#include <iterator>

namespace course::classroom {
namespace {

using Prints = std::vector<std::uint64_t>;

constexpr std::size_t kFew = 3;         // students who may share what is still uncommon
constexpr std::size_t kCandidates = 50; // texts with a print, past which it singles out nobody

Prints without(const Prints& from, const Prints& what) {
  Prints rest;
  std::set_difference(from.begin(), from.end(), what.begin(), what.end(), std::back_inserter(rest));
  return rest;
}

double share(const Prints& one, const Prints& other) {
  Prints both;
  std::set_intersection(one.begin(), one.end(), other.begin(), other.end(),
                        std::back_inserter(both));
  return static_cast<double>(both.size()) / static_cast<double>(std::min(one.size(), other.size()));
}

using Index = std::map<std::uint64_t, std::vector<std::size_t>>; // texts with a print

// Texts after `text` that share a print with it, each once. A text has no more than kCandidates of
// them for each of its prints: what all are compared with grows with the class, not its square.
std::vector<std::size_t> sharing(const Prints& prints, const Index& index, std::size_t text) {
  std::vector<std::size_t> found;
  for (const auto print : prints) {
    const auto& texts = index.at(print);
    if (texts.size() > kCandidates) continue;
    found.insert(found.end(), std::upper_bound(texts.begin(), texts.end(), text), texts.end());
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

} // namespace

Alike::Alike(const Fingerprints& skeleton) : skeleton_(skeleton.prints) {}

void Alike::add(const std::string& student, const Fingerprints& file) {
  ++students_;
  auto& text = texts_[file.whole];
  if (text.students.empty()) text.prints = without(file.prints, skeleton_);
  text.students.push_back(student);
}

std::vector<report::Likeness> Alike::find(const std::string& exercise) const {
  std::map<std::uint64_t, std::size_t> having; // students with a print
  for (const auto& [whole, text] : texts_)
    for (const auto print : text.prints) having[print] += text.students.size();
  const auto common = std::max(kFew, students_ / 10);

  std::vector<std::pair<const Text*, Prints>> own; // with the prints that are uncommon
  for (const auto& [whole, text] : texts_) {
    Prints rare;
    for (const auto print : text.prints)
      if (having[print] <= common) rare.push_back(print);
    if (rare.size() >= kEnough) own.emplace_back(&text, std::move(rare));
  }

  std::vector<report::Likeness> found;
  Index index;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i].first->students.size() > 1) found.push_back({exercise, own[i].first->students, 1.0});
    for (const auto print : own[i].second) index[print].push_back(i);
  }
  for (std::size_t a = 0; a < own.size(); ++a) {
    for (const auto b : sharing(own[a].second, index, a)) {
      const double part = share(own[a].second, own[b].second);
      if (part < kAlike) continue;
      found.push_back({exercise, {own[a].first->students[0], own[b].first->students[0]}, part});
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  return found;
}

} // namespace course::classroom
