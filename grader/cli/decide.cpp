// `course decide`: what an instructor decides about a student's exercise, and says to students.
#include "classroom/anonymous.hpp"
#include "classroom/decisions.hpp"
#include "classroom/kept.hpp"
#include "cli/chosen.hpp"
#include "cli/class_tables.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "lab/labs.hpp"
#include "language/translate.hpp"
#include "report/text.hpp"
#include "system/published_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>

namespace course::cli {
namespace {

namespace fs = std::filesystem;
using classroom::Decision;

constexpr int kMostScore = 10'000; // more than any exercise has

constexpr const char* kDecideExamples = language::marked(R"(Examples:
  course decide s1234 2_pad --score 10 --because "asked the right question in another way"
  course decide anna@uni.example --comment "Come and see me about lab 5."
  course decide "Anna Smith" 2_pad --request "says that the second file counts"
  course decide --answer 4 "The first one does: it was there at the deadline."
  course decide --list                                with numbers; open requests are marked
  course decide --undo 3

A student is named by an ID, a login, an address or a name, as in the tables; by a number where the
class is anonymous. What is decided of a team's work is for all of its members. Tables and pages are
made again at once. What was measured stays in the reports.
)");

struct DecideOptions {
  std::string student, exercise, because, comment, request, results = "results";
  std::optional<int> score, undo, answer;
  bool list = false;
};

int wrong(const std::string& what) {
  return complain("course decide", kUsage, what);
}

// The class, and what its pages call everybody.
struct Class {
  std::vector<classroom::Member> members;
  std::vector<classroom::Member>
      shown; // in the same order; numbers for names where it is anonymous
};

Class class_of(const fs::path& results, const classroom::Settings& settings, std::uint64_t seed) {
  Class all{classroom::read_members(results), {}};
  all.shown = all.members;
  if (settings.anonymous)
    all.shown = made_anonymous(all.members, classroom::numbers_of(results, all.members, seed));
  return all;
}

// The place of who is meant, in both lists.
std::optional<std::size_t> member_named(const Class& all, const std::string& who,
                                        std::string& problem) {
  auto meant = classroom::those_meant(all.shown, who);
  if (meant.empty()) meant = classroom::those_meant(all.members, who);
  if (meant.empty()) {
    problem = tr("nobody in the class is {}", who);
    return std::nullopt;
  }
  // Of a team, what is decided of one is decided of all.
  const auto &one = all.members[meant.front()], &other = all.members[meant.back()];
  if (meant.size() > 1 && one.submissions != other.submissions)
    problem =
        tr("{} could be {} or {}", who, all.shown[meant.front()].id, all.shown[meant.back()].id);
  return meant.front();
}

// The points that the exercise has for this student, in the tables as they are; none: not in them.
std::optional<int> most_points(const fs::path& results, const std::string& student,
                               const std::string& exercise) {
  const auto json = nlohmann::json::parse(system::content_of(results / "grades.json").value_or(""),
                                          nullptr, false);
  if (!json.is_object()) return std::nullopt;
  for (const auto& one : json["students"])
    if (one["id"] == student)
      for (const auto& of : one["exercises"])
        if (of["exercise"] == exercise) return of["max_points"].get<int>();
  return std::nullopt;
}

std::string kind_in_words(const Decision& one, bool open) {
  switch (one.kind) {
  case Decision::Kind::score:
    return trn("{} point", "{} points", static_cast<std::uint64_t>(one.points), one.points);
  case Decision::Kind::comment:
    return tr("comment");
  case Decision::Kind::answer:
    return tr("answer of {}", one.answers);
  case Decision::Kind::request:
    break;
  }
  return open ? tr("request, OPEN") : tr("request, decided");
}

int list(const std::vector<Decision>& all, const Class& of) {
  std::set<int> open;
  for (const auto& one : classroom::open_requests(decided_in(all, of.members).all))
    open.insert(one.number);
  for (const auto& one : all) {
    const auto who = classroom::who_is(one.student, of.members);
    fmt::print("{:>4}  {}  {}  {}  {}: {}\n", one.number,
               one.by.empty() ? one.date : one.date + " " + one.by,
               who ? of.shown[*who].id : tr("{} (not in the class)", one.student.id),
               one.exercise.empty() ? "-" : one.exercise,
               kind_in_words(one, open.contains(one.number)), report::printable(one.words));
  }
  if (all.empty()) fmt::print("{}\n", tr("nothing was decided yet"));
  return kPassed;
}

// What answers a request; a sentence when there is none that waits.
std::variant<Decision, std::string> answer_of(const DecideOptions& options, const Class& of,
                                              const std::vector<Decision>& all) {
  for (const auto& one : classroom::open_requests(decided_in(all, of.members).all)) {
    if (one.number != *options.answer) continue;
    Decision answer = one;
    answer.kind = Decision::Kind::answer;
    answer.answers = one.number;
    answer.words = options.student;
    if (answer.words.empty()) return tr("an answer has words: --answer {} \"…\"", one.number);
    return answer;
  }
  return tr("{} is no request that waits; --list shows them", *options.answer);
}

// What the options say; a sentence when they cannot be meant.
std::variant<Decision, std::string> decision_of(const DecideOptions& options, const fs::path& root,
                                                const Class& of) {
  Decision decision;
  std::string problem;
  const int ways = !options.comment.empty() + !options.request.empty() + options.score.has_value();
  if (ways != 1) return tr("say one of --score, --comment, --request and --answer");
  const auto who = member_named(of, options.student, problem);
  if (!problem.empty()) return problem;
  decision.student = whom(of.members[*who]);
  if (!options.exercise.empty()) {
    const auto chosen = choose(root, {options.exercise});
    if (const auto* what = std::get_if<std::string>(&chosen)) return *what;
    decision.exercise = std::get<std::vector<Chosen>>(chosen).front().exercise->id;
  }
  decision.words = !options.comment.empty() ? options.comment : options.request;
  decision.kind = !options.comment.empty() ? Decision::Kind::comment : Decision::Kind::request;
  if (!options.score) return decision;
  decision.kind = Decision::Kind::score;
  decision.points = *options.score;
  decision.words = options.because;
  if (decision.exercise.empty()) return tr("a score is for an exercise: say which");
  if (options.because.empty()) return tr("a score needs its reason: --because \"…\"");
  const auto most = most_points(options.results, of.shown[*who].id, decision.exercise);
  if (most && decision.points > *most)
    return tr("{} has {} points at most", decision.exercise, *most);
  decision.most = most.value_or(0);
  return decision;
}

int decide(const DecideOptions& options, const fs::path& root) {
  const auto read = classroom::read_decisions(options.results);
  if (const auto* what = std::get_if<std::string>(&read)) return wrong(*what);
  const auto& all = std::get<std::vector<Decision>>(read);
  const auto plan = classroom::read_plan(options.results);
  if (!plan) return wrong(tr("{} has no plan.json: run course class first", options.results));
  const auto given = classroom::read_given(options.results, {}, lab::exercises(root));
  if (const auto* what = std::get_if<std::string>(&given)) return wrong(*what);
  const auto& settings = std::get<classroom::Kept>(given).settings;
  const auto of = class_of(options.results, settings, plan->seed);
  if (options.list) return list(all, of);
  if (options.undo) {
    if (!classroom::undo_decision(options.results, *options.undo))
      return wrong(tr("there is no decision {}; --list shows them", *options.undo));
    fmt::print("{}\n", tr("{} is undone", *options.undo));
  } else {
    const auto decision =
        options.answer ? answer_of(options, of, all) : decision_of(options, root, of);
    if (const auto* what = std::get_if<std::string>(&decision)) return wrong(*what);
    const auto done = classroom::add_decision(options.results, std::get<Decision>(decision));
    const auto who = classroom::who_is(done.student, of.members);
    fmt::print("{}\n", tr("{}: {} {}; course decide --undo {} takes it back", done.number,
                          who ? of.shown[*who].id : done.student.id, done.exercise, done.number));
  }
  publish_class(options.results, root, settings, *plan);
  return kPassed;
}

} // namespace

void add_decide(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "decide", "Decide what an exercise is worth, and say why");
  const auto options = std::make_shared<DecideOptions>();
  command->footer(kDecideExamples);
  command->add_option("STUDENT", options->student,
                      "An ID, a login, an address or a name; the words of an --answer");
  command->add_option("EXERCISE", options->exercise, "2_pad, or 05_transpose/2_pad");
  command->add_option("--score", options->score, "Points, instead of those that were measured")
      ->check(CLI::Range(0, kMostScore))
      ->type_name("N");
  command->add_option("--because", options->because, "The reason of a score; the student reads it")
      ->type_name("TEXT");
  command->add_option("--comment", options->comment, "Words to the student")->type_name("TEXT");
  command
      ->add_option("--request", options->request,
                   "A student asks for another look: until a "
                   "score is decided, or it is answered, it is in the list")
      ->type_name("TEXT");
  command
      ->add_option("--answer", options->answer,
                   "Words to who asked, which close a request, by its number")
      ->type_name("NUMBER");
  command->add_flag("--list", options->list, "What was decided, and what waits for it");
  command->add_option("--undo", options->undo, "Take a decision back, by its number")
      ->type_name("NUMBER");
  command->add_option("--results", options->results, "What course class wrote; results by default")
      ->type_name("FOLDER");
  command->callback([options, &exit_code] {
    const auto root = find_root(std::string());
    if (!root) {
      exit_code = complain("course decide", kSetUp, no_root());
      return;
    }
    try {
      options->results = fs::canonical(options->results).string();
      exit_code = decide(*options, *root);
    } catch (const fs::filesystem_error& error) {
      exit_code = not_writable("course decide", error);
    }
  });
}

} // namespace course::cli
