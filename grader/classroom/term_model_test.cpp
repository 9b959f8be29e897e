// Drawn terms against a model: commands in any order, and after each the totals that have to be.
#include "classroom/gradebook.hpp"

#include "classroom/hand_made_folder.hpp"
#include "system/environment.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace course::classroom::drawn {
namespace {

constexpr std::int64_t kDay = 24 * 3600;

// Two labs, of one and of two exercises; each has an output (10) and conflicts (5).
const std::vector<std::string> kAsked{"05_transpose/1_tile", "05_transpose/2_pad",
                                      "08_tiled_product/2_ratio"};
const std::map<std::string, int> kPoints{{"output", 10}, {"conflicts", 5}};

using Passed = std::set<std::string>; // checks

std::string lab_of(const std::string& id) {
  return id.substr(0, id.find('/'));
}
std::string name_of(const std::string& id) {
  return id.substr(id.find('/') + 1);
}

// What somebody handed in for an exercise.
struct Handed {
  Passed passed;
  bool graded = true; // false: the grader owes it
};

// A term as its commands leave it.
struct Term {
  Settings settings;
  std::map<std::string, Passed> skeletons;
  std::map<std::string, Handed> handed;
  std::map<std::string, std::int64_t> at; // when, by lab
  std::vector<Decision> decisions;
};

// The total that a student has to have, said again without the gradebook.
struct Model {
  double score = 0, most = 0;

  explicit Model(const Term& term) {
    int free = term.settings.free_days;
    auto labs = term.settings.labs;
    std::vector<std::string> by_deadline{"05_transpose", "08_tiled_product"};
    std::ranges::stable_sort(by_deadline, {}, [&](auto& lab) { return *labs[lab].due; });
    for (const auto& name : by_deadline) {
      double earned = 0, all = 0;
      const double kept = part_kept(term, name, free);
      for (const auto& id : kAsked) {
        if (lab_of(id) != name) continue;
        const auto [points, of, late] = exercise(term, id);
        const double weight = labs[name].exercises[name_of(id)].weight;
        earned += weight * points * (late ? kept : 1);
        all += weight * of;
      }
      const double factor = !labs[name].total ? labs[name].weight
                            : all > 0         ? *labs[name].total / all
                                              : 0;
      score += earned * factor;
      most += all * factor;
    }
    if (!term.settings.total || most == 0) return;
    score *= *term.settings.total / most;
    most = *term.settings.total;
  }

  static const Decision* decided(const Term& term, const std::string& id) {
    const Decision* last = nullptr;
    for (const auto& one : term.decisions)
      if (one.exercise == id) last = &one;
    return last;
  }

  // Points, out of how many, and whether lateness takes of them.
  static std::tuple<double, double, bool> exercise(const Term& term, const std::string& id) {
    const auto& own = term.settings.labs.at(lab_of(id)).exercises.at(name_of(id));
    const auto worth = [&](const Passed& passed) {
      int sum = 0;
      for (const auto& check : passed)
        if (!term.settings.drop.contains(check))
          sum += own.points.contains(check) ? own.points.at(check) : kPoints.at(check);
      return double(sum);
    };
    const auto counts = own.counts.value_or(term.settings.counts);
    const double given = counts == Counting::above_skeleton ? worth(term.skeletons.at(id)) : 0;
    const double all = std::max(0.0, worth({"output", "conflicts"}) - given);
    if (const auto* one = decided(term, id))
      return {std::round(100 *
                         (one->most ? one->points * all / one->most : std::min(all, one->points))) /
                  100,
              all, false};
    const auto work = term.handed.find(id);
    if (work == term.handed.end()) return {0, all, false};
    if (!work->second.graded) return {0, 0, false};
    const double earned = std::max(0.0, worth(work->second.passed) - given);
    return {counts == Counting::passed && earned < all ? 0 : earned, all, true};
  }

  static double part_kept(const Term& term, const std::string& lab, int& free) {
    const auto& policy = term.settings.labs.at(lab).late.value_or(term.settings.late);
    const auto due =
        *term.settings.labs.at(lab).due +
        (term.settings.students.empty() ? 0 : term.settings.students[0].all.extra_days) * kDay;
    const auto after = term.at.contains(lab) ? term.at.at(lab) - due : 0;
    if (after <= policy.grace_minutes * 60) return 1;
    const bool anything = std::ranges::any_of(
        kAsked, [&](auto& id) { return lab_of(id) == lab && std::get<2>(exercise(term, id)); });
    if (!anything) return 1;
    const auto kept = [&](int days) {
      return policy.days > 0 && days > policy.days
                 ? 0.0
                 : std::max(0.0, 1 - days * policy.percent_a_day / 100);
    };
    const int days = int((after + kDay - 1) / kDay);
    int taken = std::min(free, days);
    if (kept(days - taken) <= kept(days)) taken = 0; // they would save nothing
    free -= taken;
    return kept(days - taken);
  }
};

// Draws terms, and says what the gradebook makes of them.
class Drawing {
public:
  Drawing() {
    for (const auto& id : kAsked)
      for (const auto& passed : all_)
        store_.put(key(id, passed), verdict(id, passed), text(passed), 1);
  }

  Term term() {
    Term term;
    for (const auto& id : kAsked) term.skeletons[id] = passed();
    term.settings = settings();
    return term;
  }

  void command(Term& term) {
    const auto& id = kAsked[upto(3)];
    switch (upto(6)) {
    case 0:
      term.settings = settings();
      break;
    case 1:
      term.settings.students = {StudentSettings{}};
      term.settings.students[0].who = member_.id;
      term.settings.students[0].all.extra_days = int(upto(4));
      break;
    case 2:
      if (!term.decisions.empty())
        term.decisions.erase(term.decisions.begin() + upto(unsigned(term.decisions.size())));
      break;
    case 3:
      term.decisions.push_back(decision(term, id));
      break;
    default: // handed in, or again
      term.handed[id] = {passed(), upto(8) > 0};
      term.at[lab_of(id)] = 10 * kDay + upto(unsigned(6 * kDay));
    }
  }

  report::GradedStudent student(const Term& term) const {
    Record record;
    record.id = record.name = "anna";
    record.read = true;
    for (const auto& [id, work] : term.handed) {
      const auto owed = work.graded ? key(id, work.passed) : std::string(64, '0');
      record.rows.push_back(
          {id, "x.cu", owed, "", work.graded, {}, term.at.at(lab_of(id)), "", "", "1"});
    }
    Gradebook book(term.settings, hand_made::exercises(), kAsked);
    for (const auto& [id, passed] : term.skeletons)
      book.note_skeleton(store_.find(key(id, passed))->graded);
    return book.student(member_, {{"", record}}, store_, term.decisions);
  }

  unsigned upto(unsigned most) { return unsigned(dice_()) % most; }

private:
  std::mt19937 dice_{39};
  hand_made::Folder folder_;
  VerdictStore store_{folder_.path};
  Member member_ = hand_made::member("anna");
  std::vector<Passed> all_{{}, {"output"}, {"conflicts"}, {"output", "conflicts"}};

  Passed passed() { return all_[upto(4)]; }

  static std::string text(const Passed& passed) {
    std::string text;
    for (const auto& check : passed) text += check;
    return text;
  }
  static std::string key(const std::string& id, const Passed& passed) {
    return verdict_key(id, "1", text(passed), {});
  }
  static judge::Verdict verdict(const std::string& id, const Passed& passed) {
    auto verdict = hand_made::verdict(id, "good");
    verdict.checks.push_back(verdict.checks.front());
    verdict.checks[1].name = "conflicts";
    for (auto& check : verdict.checks) {
      check.max_points = kPoints.at(check.name);
      if (!passed.contains(check.name)) check.status = judge::Status::failed;
    }
    judge::settle(verdict);
    return verdict;
  }

  Counting counting() { return Counting(upto(3)); }

  LatePolicy late() { return {10.0 * upto(5), int(upto(4)), int(upto(3)) * 300}; }

  Settings settings() {
    Settings settings;
    settings.counts = counting();
    settings.late = late();
    settings.free_days = int(upto(6));
    if (upto(2)) settings.total = 1 + upto(200);
    if (upto(6) == 0) settings.drop = {upto(2) ? "output" : "conflicts"};
    for (const auto& id : kAsked) {
      auto& lab = settings.labs[lab_of(id)];
      lab.due = 10 * kDay + upto(unsigned(3 * kDay));
      lab.weight = 1 + upto(3);
      if (upto(4) == 0) lab.total = 1 + upto(50);
      if (upto(4) == 0) lab.late = late();
      auto& own = lab.exercises[name_of(id)];
      own.weight = 0.5 * (1 + upto(4));
      if (upto(3) == 0) own.counts = counting();
      if (upto(3) == 0) own.points = {{"output", int(upto(30))}};
    }
    return settings;
  }

  // As the command does: out of what the tables say now, in halves.
  Decision decision(const Term& term, const std::string& id) {
    const auto now = student(term).exercises;
    const auto of = std::ranges::find(now, id, &report::GradedExercise::id);
    Decision one;
    one.exercise = id;
    one.most = of->max_points;
    one.points = upto(unsigned(2 * one.most + 1)) / 2.0;
    return one;
  }
};

} // namespace

// COURSE_DRAWN_TERMS: how many, more than a unit test draws.
TEST_CASE("in drawn terms no score is above its maximum, and each total is the model's") {
  Drawing drawing;
  const int terms = std::stoi(system::environment("COURSE_DRAWN_TERMS").value_or("500"));
  for (int number = 0; number < terms; ++number) {
    auto term = drawing.term();
    for (unsigned commands = 2 + drawing.upto(8); commands > 0; --commands) {
      INFO("term " << number << ", " << commands << " commands before its end");
      drawing.command(term);
      const auto student = drawing.student(term);
      const Model model(term);
      REQUIRE(student.score == doctest::Approx(model.score));
      REQUIRE(student.max_score == doctest::Approx(model.most));
      REQUIRE(student.score <= student.max_score * (1 + 1e-12));
      for (const auto& exercise : student.exercises) {
        REQUIRE(exercise.points <= exercise.max_points);
        REQUIRE(exercise.score <= exercise.max_score * (1 + 1e-12));
      }
      for (const auto& lab : student.labs) REQUIRE(lab.score <= lab.max_score * (1 + 1e-12));
    }
  }
  MESSAGE(terms << " terms");
}

} // namespace course::classroom::drawn
