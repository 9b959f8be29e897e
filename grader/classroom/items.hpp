// What each exercise says about a class: how many attempts it took, how well it tells who does
// well, and what most failures have in common. From what is there: grades, kept texts, the log of
// events.
#pragma once

#include "classroom/outputs.hpp"
#include "classroom/record.hpp"
#include "classroom/verdict_store.hpp"
#include "report/class_page.hpp"
#include "report/graded.hpp"

#include <map>
#include <string>
#include <vector>

namespace course::classroom {

class Items {
public:
  // Reads the log of events, and the course's wrong variants among the public files.
  explicit Items(const Publishing&);

  // Of a team, one is enough for what is in its files.
  void add(const report::GradedStudent&, const Work&, const VerdictStore&);

  // In the order of the course; of exercises that nobody failed or solved nothing is said.
  std::vector<report::ItemStatistics> statistics() const;

private:
  struct Variant {
    std::string name;
    std::vector<std::uint64_t> prints; // without the skeleton's
  };
  struct Item {
    std::vector<std::uint64_t> skeleton;
    std::vector<Variant> variants;
    std::vector<double> attempts;                  // until solved, of each who solved it
    std::vector<std::pair<double, double>> shares; // of it, and of all others
    std::size_t failed = 0;
    std::map<std::string, std::size_t> lines, like;
  };
  void add_failure(const report::GradedExercise&, const Row&, const VerdictStore&, Item&);

  const Publishing& about_;
  std::map<std::string, Item> items_;
  std::map<std::string, std::map<std::string, double>> attempts_; // by label, by exercise
  std::set<std::string> seen_;                                    // records and exercises
};

// Pearson's correlation; nothing where fewer than `least` pairs are there, or one side is constant.
std::optional<double> correlation(const std::vector<std::pair<double, double>>&,
                                  std::size_t least = 5);

} // namespace course::classroom
