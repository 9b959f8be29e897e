// `course decide`: what an instructor decides about a student's exercise, and says to students.
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

namespace course::cli {
namespace {

namespace fs = std::filesystem;
using classroom::Decision;

constexpr const char* kDecideExamples = language::marked(R"(Examples:
  course decide s1234 2_pad --score 10 --because "asked the right question in another way"
  course decide anna@uni.example --comment "Come and see me about lab 5."
  course decide "Anna Smith" 2_pad --request "says that the second file counts"
  course decide --list                                with numbers; open requests are marked
  course decide --undo 3

A student is named by an ID, a login, an address or a name, as in the tables. Tables and pages are
made again at once. What was measured stays in the reports.
)");

struct DecideOptions {
  std::string student, exercise, because, comment, request, results = "results";
  std::optional<int> score, undo;
  bool list = false;
};

int wrong(const std::string& what) {
  return complain("course decide", kUsage, what);
}

const classroom::Member* member_named(const std::vector<classroom::Member>& members,
                                      const std::string& who, std::string& problem) {
  const classroom::Member* found = nullptr;
  for (const auto& member : members) {
    if (!member.is(who)) continue;
    if (found && member.id != who) problem = tr("{} could be {} or {}", who, found->id, member.id);
    if (!found || member.id == who) found = &member;
  }
  if (!found) problem = tr("nobody in the class is {}", who);
  return found;
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

int list(const std::vector<Decision>& all) {
  const auto open = classroom::open_requests(all);
  for (const auto& one : all) {
    const bool waits = std::any_of(open.begin(), open.end(),
                                   [&](const auto& other) { return other.number == one.number; });
    const auto what =
        one.kind == Decision::Kind::score
            ? trn("{} point", "{} points", static_cast<std::uint64_t>(one.points), one.points)
        : one.kind == Decision::Kind::comment ? tr("comment")
        : waits                               ? tr("request, OPEN")
                                              : tr("request, decided");
    fmt::print("{:>4}  {}  {}  {}  {}: {}\n", one.number, one.date, one.student,
               one.exercise.empty() ? "-" : one.exercise, what, report::printable(one.words));
  }
  if (all.empty()) fmt::print("{}\n", tr("nothing was decided yet"));
  return kPassed;
}

int publish_again(const DecideOptions& options, const fs::path& root) {
  const auto plan = classroom::read_plan(options.results);
  if (!plan) return wrong(tr("{} has no plan.json: run course class first", options.results));
  const auto read = classroom::read_given(options.results, {}, lab::exercises(root));
  if (const auto* what = std::get_if<std::string>(&read)) return wrong(*what);
  publish_class(options.results, root, std::get<classroom::Kept>(read).settings, *plan);
  return kPassed;
}

// What the options say; a sentence when they cannot be meant.
std::variant<Decision, std::string> decision_of(const DecideOptions& options,
                                                const fs::path& root) {
  Decision decision;
  std::string problem;
  const int ways = !options.comment.empty() + !options.request.empty() + options.score.has_value();
  if (ways != 1) return tr("say one of --score, --comment and --request");
  const auto members = classroom::read_members(options.results);
  const auto* member = member_named(members, options.student, problem);
  if (!problem.empty()) return problem;
  decision.student = member->id;
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
  const auto most = most_points(options.results, decision.student, decision.exercise);
  if (most && decision.points > *most)
    return tr("{} has {} points at most", decision.exercise, *most);
  return decision;
}

int decide(const DecideOptions& options, const fs::path& root) {
  const auto all = classroom::read_decisions(options.results);
  if (const auto* what = std::get_if<std::string>(&all)) return wrong(*what);
  if (options.list) return list(std::get<std::vector<Decision>>(all));
  if (options.undo) {
    if (!classroom::undo_decision(options.results, *options.undo))
      return wrong(tr("there is no decision {}; --list shows them", *options.undo));
    fmt::print("{}\n", tr("{} is undone", *options.undo));
    return publish_again(options, root);
  }
  const auto decision = decision_of(options, root);
  if (const auto* what = std::get_if<std::string>(&decision)) return wrong(*what);
  const auto done = classroom::add_decision(options.results, std::get<Decision>(decision));
  fmt::print("{}\n", tr("{}: {} {}; course decide --undo {} takes it back", done.number,
                        done.student, done.exercise, done.number));
  return publish_again(options, root);
}

} // namespace

void add_decide(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "decide", "Decide what an exercise is worth, and say why");
  const auto options = std::make_shared<DecideOptions>();
  command->footer(kDecideExamples);
  command->add_option("STUDENT", options->student, "An ID, a login, an address or a name");
  command->add_option("EXERCISE", options->exercise, "2_pad, or 05_transpose/2_pad");
  command->add_option("--score", options->score, "Points, instead of those that were measured")
      ->check(CLI::NonNegativeNumber)
      ->type_name("N");
  command->add_option("--because", options->because, "The reason of a score; the student reads it")
      ->type_name("TEXT");
  command->add_option("--comment", options->comment, "Words to the student")->type_name("TEXT");
  command
      ->add_option("--request", options->request,
                   "A student asks for another look: until a "
                   "score is decided, it is in the list")
      ->type_name("TEXT");
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
