#include "classroom/alike.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace course::classroom {
namespace {

using Prints = std::vector<std::uint64_t>;

Prints without(const Prints& from, const Prints& what) {
  Prints rest;
  std::set_difference(from.begin(), from.end(), what.begin(), what.end(), std::back_inserter(rest));
  return rest;
}

// Groups that grow together.
class Groups {
public:
  explicit Groups(std::size_t size) : of_(size), best_(size) {
    std::iota(of_.begin(), of_.end(), std::size_t{0});
  }
  std::size_t of(std::size_t one) {
    while (of_[one] != one) one = of_[one] = of_[of_[one]];
    return one;
  }
  struct Link {
    double share = 0;
    std::size_t one = 0, other = 0;
  };
  void join(std::size_t a, std::size_t b, double share) {
    const Link link{share, a, b};
    a = of(a);
    b = of(b);
    for (const auto& closer : {best_[b], link})
      if (closer.share > best_[a].share) best_[a] = closer;
    of_[b] = a;
  }
  const Link& best(std::size_t one) { return best_[of(one)]; }

private:
  std::vector<std::size_t> of_;
  std::vector<Link> best_; // within each
};

} // namespace

// Two students where there are two; else one and what they may have had.
std::array<std::string, 2> Alike::closest(const Text& one, const Text& other) {
  std::vector<std::string> all = one.students;
  if (&one != &other)
    all.insert(all.begin() + (all.empty() ? 0 : 1), other.students.begin(), other.students.end());
  if (&one == &other || all.size() < 2)
    for (const auto* text : {&one, &other})
      all.insert(all.end(), text->sources.begin(), text->sources.end());
  all.resize(std::max<std::size_t>(all.size(), 2));
  return {all[0], all[1]};
}

Alike::Alike(const Fingerprints& skeleton) : skeleton_(skeleton.prints) {}

Alike::Text& Alike::text_of(const Fingerprints& file) {
  const auto [at, fresh] = texts_.try_emplace(file.whole);
  if (fresh) at->second.prints = without(file.prints, skeleton_);
  return at->second;
}

void Alike::add(const std::string& student, const Fingerprints& file) {
  text_of(file).students.push_back(student);
}

void Alike::add_public(const std::string& name, const Fingerprints& file) {
  text_of(file).sources.push_back(name);
}

std::vector<report::Likeness> Alike::find(const std::string& exercise) const {
  std::vector<const Text*> texts;
  for (const auto& [whole, text] : texts_)
    if (text.prints.size() >= kEnough) texts.push_back(&text);
  Groups groups(texts.size());
  std::map<std::uint64_t, std::vector<std::size_t>> having; // texts before, by print
  std::vector<std::uint32_t> common(texts.size());          // prints, with each text before
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i]->students.size() + texts[i]->sources.size() > 1) groups.join(i, i, 1.0);
    std::fill(common.begin(), common.end(), 0);
    for (const auto print : texts[i]->prints) {
      auto& others = having[print];
      for (const auto other : others) ++common[other];
      others.push_back(i);
    }
    for (std::size_t other = 0; other < i; ++other) {
      const auto least = std::min(texts[i]->prints.size(), texts[other]->prints.size());
      const double share = static_cast<double>(common[other]) / static_cast<double>(least);
      if (share >= kAlike) groups.join(other, i, share);
    }
  }
  std::map<std::size_t, report::Likeness> found;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    auto& one = found[groups.of(i)];
    one.exercise = exercise;
    const auto& best = groups.best(i);
    one.share = best.share;
    one.closest = closest(*texts.at(best.one), *texts.at(best.other));
    one.students.insert(one.students.end(), texts[i]->students.begin(), texts[i]->students.end());
    one.sources.insert(one.sources.end(), texts[i]->sources.begin(), texts[i]->sources.end());
  }
  std::vector<report::Likeness> named;
  for (auto& [group, one] : found) {
    if (one.share < kAlike || one.students.empty()) continue;
    std::sort(one.students.begin(), one.students.end());
    std::sort(one.sources.begin(), one.sources.end());
    named.push_back(std::move(one));
  }
  std::stable_sort(named.begin(), named.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  return named;
}

} // namespace course::classroom
