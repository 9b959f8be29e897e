#include "classroom/alike.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tuple>

namespace course::classroom {
namespace {

using Prints = std::vector<std::uint64_t>;

Prints without(const Prints& from, const Prints& what) {
  Prints rest;
  std::set_difference(from.begin(), from.end(), what.begin(), what.end(), std::back_inserter(rest));
  return rest;
}

// What two have in common, of the one that has less.
struct Share {
  double of_smaller = 0;
  std::size_t prints = 0;
};
Share shared(const Prints& one, const Prints& other) {
  Prints common;
  std::set_intersection(one.begin(), one.end(), other.begin(), other.end(),
                        std::back_inserter(common));
  const auto least = std::min(one.size(), other.size());
  if (least == 0) return {};
  return {static_cast<double>(common.size()) / static_cast<double>(least), common.size()};
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
    Share share;
    std::size_t one = 0, other = 0;
  };
  void join(std::size_t a, std::size_t b, Share share) {
    const Link link{share, a, b};
    a = of(a);
    b = of(b);
    for (const auto& closer : {best_[b], link})
      if (closer.share.of_smaller > best_[a].share.of_smaller) best_[a] = closer;
    of_[b] = a;
  }
  const Link& best(std::size_t one) { return best_[of(one)]; }

private:
  std::vector<std::size_t> of_;
  std::vector<Link> best_; // within each
};

} // namespace

std::array<std::string, 2> Alike::closest(const Text& one, const Text& other) {
  std::vector<std::string> all = one.students;
  if (&one != &other)
    all.insert(all.begin() + (all.empty() ? 0 : 1), other.students.begin(), other.students.end());
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

// What each of these is like of what is public.
std::map<const Alike::Text*, Alike::Public> Alike::like_public(const Texts& students) const {
  std::map<const Text*, Public> found;
  for (const auto* text : students)
    for (const auto& [whole, other] : texts_) {
      if (other.sources.empty() || other.prints.size() < kEnough) continue;
      const double share = shared(text->prints, other.prints).of_smaller;
      if (share < kAlike) continue;
      auto& best = found[text];
      best.names.insert(best.names.end(), other.sources.begin(), other.sources.end());
      if (share > best.share) std::tie(best.share, best.text) = std::pair(share, &other);
    }
  return found;
}

std::vector<report::Likeness> Alike::groups(const Texts& texts,
                                            const std::map<const Text*, Public>& known) {
  Groups groups(texts.size());
  std::map<std::uint64_t, std::vector<std::size_t>> having; // texts before, by print
  std::vector<std::uint32_t> common(texts.size());          // prints, with each text before
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto& one = *texts[i];
    const bool of_its_own = !known.contains(&one) || one.beyond.size() >= kEnough;
    if (one.students.size() > 1 && of_its_own) groups.join(i, i, {1.0, one.prints.size()});
    std::fill(common.begin(), common.end(), 0);
    for (const auto print : one.prints) {
      auto& others = having[print];
      for (const auto other : others) ++common[other];
      others.push_back(i);
    }
    for (std::size_t other = 0; other < i; ++other) {
      const auto least = std::min(one.prints.size(), texts[other]->prints.size());
      Share share{static_cast<double>(common[other]) / static_cast<double>(least), common[other]};
      if (share.of_smaller < kAlike) continue;
      const bool unlike_public = !known.contains(&one) && !known.contains(texts[other]);
      if (!unlike_public) share = shared(one.beyond, texts[other]->beyond);
      if (share.of_smaller >= kAlike && (unlike_public || share.prints >= kEnough))
        groups.join(other, i, share);
    }
  }
  std::map<std::size_t, report::Likeness> found;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    auto& one = found[groups.of(i)];
    const auto& best = groups.best(i);
    one.share = best.share.of_smaller;
    one.common = best.share.prints;
    one.closest = closest(*texts.at(best.one), *texts.at(best.other));
    one.students.insert(one.students.end(), texts[i]->students.begin(), texts[i]->students.end());
  }
  std::vector<report::Likeness> named;
  for (auto& [group, one] : found)
    if (one.share >= kAlike) named.push_back(std::move(one));
  return named;
}

// A row for each public file that somebody's is most like.
std::vector<report::Likeness> Alike::copies(const std::map<const Text*, Public>& known) {
  std::map<const Text*, report::Likeness> found;
  for (const auto& [text, best] : known) {
    auto& one = found[best.text];
    one.students.insert(one.students.end(), text->students.begin(), text->students.end());
    for (const auto& name : best.names)
      if (std::ranges::find(one.sources, name) == one.sources.end()) one.sources.push_back(name);
    if (best.share <= one.share) continue;
    one.share = best.share;
    one.common = static_cast<std::size_t>(best.share * static_cast<double>(text->prints.size()));
    one.closest = {text->students.front(), best.text->sources.front()};
  }
  std::vector<report::Likeness> named;
  for (auto& [text, one] : found) named.push_back(std::move(one));
  return named;
}

std::vector<report::Likeness> Alike::find(const std::string& exercise) const {
  Prints known;
  for (const auto& [whole, text] : texts_)
    if (!text.sources.empty()) known.insert(known.end(), text.prints.begin(), text.prints.end());
  std::sort(known.begin(), known.end());
  std::vector<Text> all;
  for (const auto& [whole, text] : texts_) {
    if (text.students.empty() || text.prints.size() < kEnough) continue;
    all.push_back(text);
    all.back().beyond = without(text.prints, known);
  }
  Texts students;
  for (const auto& text : all) students.push_back(&text);
  const auto of_public = like_public(students);
  auto named = groups(students, of_public);
  for (auto& one : copies(of_public)) named.push_back(std::move(one));
  for (auto& one : named) {
    one.exercise = exercise;
    std::sort(one.students.begin(), one.students.end());
    std::sort(one.sources.begin(), one.sources.end());
  }
  std::stable_sort(named.begin(), named.end(), report::comes_first);
  return named;
}

} // namespace course::classroom
