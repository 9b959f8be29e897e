// `course decide`: what an instructor decides about a student's exercise, and says to students.
#include "classroom/csv_table.hpp"
#include "classroom/ctest_process.hpp"
#include "classroom/decisions.hpp"
#include "classroom/kept.hpp"
#include "classroom/record.hpp"
#include "classroom/submission.hpp"
#include "cli/chosen.hpp"
#include "cli/class_members.hpp"
#include "cli/class_tables.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "lab/labs.hpp"
#include "language/translate.hpp"
#include "report/page.hpp"
#include "report/text.hpp"
#include "system/in_child.hpp"
#include "system/published_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>

namespace course::cli {
namespace {

namespace fs = std::filesystem;
using classroom::Decision;

constexpr std::chrono::seconds kReading{60}; // of one submission

constexpr const char* kDecideExamples = language::marked(R"(Examples:
  course decide s1234 2_pad --score 10 --because "asked the right question in another way"
  course decide anna@uni.example --comment "Come and see me about lab 5."
  course decide anna 2_pad --file 2_pad-1.cu          of two files for an exercise, this one counts
  course decide --from decisions.csv                  student,exercise,score,because: many at once
  course decide "Anna Smith" 2_pad --request "says that the second file counts"
  course decide --answer 4 "The first one does: it was there at the deadline."
  course decide --list                                with numbers; open requests are marked
  course decide --undo 3

A student is named by an ID, a login, an address or a name, as in the tables; by a number where the
class is anonymous. What is decided of a team's work is for all of its members. Tables and pages are
made again at once. What was measured stays in the reports. A table for --from may have the columns
comment and file as well; of a table with an error in it, nothing is decided.
)");

struct DecideOptions {
  std::string student, exercise, because, comment, request, file, from, by, results = "results";
  std::optional<std::string> score;
  std::optional<int> undo, answer;
  bool list = false;
};

int wrong(const std::string& what) {
  return complain("course decide", kUsage, what);
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
    return one.most > 0
               ? tr("{} of {} points", report::number(one.points), one.most)
               : trn("{} point", "{} points", static_cast<std::uint64_t>(std::ceil(one.points)),
                     report::number(one.points));
  case Decision::Kind::comment:
    return tr("comment");
  case Decision::Kind::answer:
    return tr("answer of {}", one.answers);
  case Decision::Kind::file:
    return tr("the file that counts");
  case Decision::Kind::request:
    break;
  }
  return open ? tr("request, OPEN") : tr("request, decided");
}

int list(const std::vector<Decision>& all, const ClassMembers& of) {
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
std::variant<Decision, std::string> answer_of(const DecideOptions& options, const ClassMembers& of,
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

// Why a file cannot be the one that counts; empty when it can. What students hand in is read in a
// child.
std::string not_one_of_two(const DecideOptions& options, const classroom::Member& member,
                           const Decision& decision, const std::vector<lab::Exercise>& exercises) {
  const auto lab = decision.exercise.substr(0, decision.exercise.find('/'));
  const auto record = classroom::read_record(options.results, member.submission(lab));
  if (!record) return tr("{} handed in nothing for {}", member.id, decision.exercise);
  return system::in_child(
      [&] {
        const auto read = classroom::read_submission(
            record->place, exercises, {record->lab, {{decision.exercise, decision.words}}});
        for (const auto& file : read.files) {
          if (file.exercise->id != decision.exercise) continue;
          if (!file.refused.empty()) throw std::runtime_error(file.refused);
          if (file.path != decision.words && file.item != decision.words &&
              fs::path(file.path).filename() != decision.words)
            throw std::runtime_error(tr("{} is the only file for it", file.path));
          return;
        }
        throw std::runtime_error(tr("{} is not in the submission", decision.exercise));
      },
      kReading);
}

// What the options say; a sentence when they cannot be meant.
std::variant<Decision, std::string> decision_of(const DecideOptions& options, const fs::path& root,
                                                const ClassMembers& of) {
  Decision decision;
  std::string problem;
  const int ways = !options.comment.empty() + !options.request.empty() + !options.file.empty() +
                   options.score.has_value();
  if (ways != 1) return tr("say one of --score, --file, --comment, --request and --answer");
  const auto who = member_named(of, options.student, problem);
  if (!problem.empty()) return problem;
  decision.student = whom(of.members[*who]);
  if (!options.exercise.empty()) {
    const auto chosen = choose(root, {options.exercise});
    if (const auto* what = std::get_if<std::string>(&chosen)) return *what;
    decision.exercise = std::get<std::vector<Chosen>>(chosen).front().exercise->id;
  }
  decision.by = options.by;
  decision.words = !options.comment.empty() ? options.comment : options.request;
  decision.kind = !options.comment.empty() ? Decision::Kind::comment : Decision::Kind::request;
  if (!options.file.empty()) {
    decision.kind = Decision::Kind::file;
    decision.words = options.file;
    if (decision.exercise.empty()) return tr("a file is for an exercise: say which");
    const auto what = not_one_of_two(options, of.members[*who], decision, lab::exercises(root));
    if (!what.empty()) return what;
  }
  if (!options.score) return decision;
  const auto points = classroom::points_said(*options.score);
  if (const auto* what = std::get_if<std::string>(&points)) return *what;
  decision.kind = Decision::Kind::score;
  decision.points = std::get<double>(points);
  decision.words = options.because;
  if (decision.exercise.empty()) return tr("a score is for an exercise: say which");
  if (options.because.empty()) return tr("a score needs its reason: --because \"…\"");
  const auto most = most_points(options.results, of.shown[*who].id, decision.exercise);
  if (most && decision.points > *most)
    return tr("{} has {} points at most", decision.exercise, *most);
  decision.most = most.value_or(0);
  return decision;
}

// The rows of a table of decisions; a sentence with the line when one of them cannot be meant.
std::variant<std::vector<Decision>, std::string>
decisions_from(const DecideOptions& options, const fs::path& root, const ClassMembers& of) {
  const auto text = system::content_of(options.from);
  if (!text) return tr("{} cannot be read", options.from);
  const classroom::CsvTable table(*text);
  if (!table.has("student"))
    return tr("{}:1: no column says whom a row is about: \"student\"", options.from);
  std::vector<Decision> all;
  for (const auto& row : table.rows()) {
    auto one = options;
    one.student = table.cell(row, {"student"});
    one.exercise = table.cell(row, {"exercise"});
    one.because = table.cell(row, {"because", "reason"});
    one.comment = table.cell(row, {"comment"});
    one.file = table.cell(row, {"file"});
    if (const auto by = table.cell(row, {"by"}); !by.empty()) one.by = by;
    if (const auto score = table.cell(row, {"score"}); !score.empty()) one.score = score;
    const auto read = decision_of(one, root, of);
    if (const auto* what = std::get_if<std::string>(&read))
      return fmt::format("{}:{}: {}", options.from, row.line, *what);
    all.push_back(std::get<Decision>(read));
  }
  if (all.empty()) return tr("{} has no row that decides anything", options.from);
  return all;
}

// What this command decides.
std::variant<std::vector<Decision>, std::string> all_decisions(const DecideOptions& options,
                                                               const fs::path& root,
                                                               const ClassMembers& of,
                                                               const std::vector<Decision>& all) {
  if (!options.from.empty()) return decisions_from(options, root, of);
  auto one = options.answer ? answer_of(options, of, all) : decision_of(options, root, of);
  if (const auto* what = std::get_if<std::string>(&one)) return *what;
  return std::vector{std::get<Decision>(one)};
}

// The submissions in which another file counts from now on: they are graded as a class's are.
void grade_chosen(const DecideOptions& options, const std::vector<Decision>& decided) {
  std::set<std::string> records;
  for (const auto& one : decided)
    if (one.kind == Decision::Kind::file)
      for (const auto& record : one.student.submissions) records.insert(record);
  for (const auto& record : records)
    classroom::run_lines({fs::read_symlink("/proc/self/exe").string(), "class-one", "--results",
                          options.results, record},
                         [](const std::string&) {});
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
  const auto of = class_members(options.results, settings, plan->seed);
  if (options.list) return list(all, of);
  if (options.undo) {
    if (!classroom::undo_decision(options.results, *options.undo, options.by))
      return wrong(tr("there is no decision {}; --list shows them", *options.undo));
    fmt::print("{}\n", tr("{} is undone", *options.undo));
    auto undone = all;
    std::erase_if(undone, [&](const auto& one) { return one.number != *options.undo; });
    grade_chosen(options, undone);
  } else {
    const auto decisions = all_decisions(options, root, of, all);
    if (const auto* what = std::get_if<std::string>(&decisions)) return wrong(*what);
    const auto done =
        classroom::add_decisions(options.results, std::get<std::vector<Decision>>(decisions));
    for (const auto& one : done) {
      const auto who = classroom::who_is(one.student, of.members);
      fmt::print("{}\n", tr("{}: {} {}; course decide --undo {} takes it back", one.number,
                            who ? of.shown[*who].id : one.student.id, one.exercise, one.number));
    }
    grade_chosen(options, done);
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
      ->type_name("N");
  command->add_option("--because", options->because, "The reason of a score; the student reads it")
      ->type_name("TEXT");
  command
      ->add_option("--file", options->file,
                   "Which of two files for the exercise counts; it is graded at once")
      ->type_name("NAME");
  command
      ->add_option("--from", options->from,
                   "Many at once: a CSV with the columns student, exercise, score, because")
      ->type_name("FILE");
  command->add_option("--by", options->by, "Who decides; whose login this is by default")
      ->type_name("NAME");
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
  on_results(*command, options->results, exit_code,
             [options](const fs::path& root) { return decide(*options, root); });
}

} // namespace course::cli
