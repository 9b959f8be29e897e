#include "report/student_page.hpp"

#include "report/markup.hpp"

#include <fmt/format.h>

namespace course::report {
namespace {

std::string points(const GradedExercise& exercise) {
  if (!exercise.counts()) return "";
  return fmt::format("{} of {}", exercise.points, exercise.max_points);
}

std::string anchor(const GradedExercise& exercise) {
  auto id = exercise.id;
  for (auto& c : id)
    if (c == '/') c = '-';
  return escaped(id);
}

std::string overview(const GradedStudent& student) {
  std::string rows;
  for (const auto& exercise : student.exercises)
    rows +=
        fmt::format("<tr><td><a href=\"#{}\">{}</a></td><td>{}</td><td class=\"n\">{}</td>"
                    "</tr>\n",
                    anchor(exercise), breakable(exercise.id), badge(exercise), points(exercise));
  return "<table>\n<thead><tr><th>Exercise</th><th>Outcome</th><th class=\"n\">Points</th></tr>"
         "</thead>\n<tbody>\n" +
         rows + "</tbody>\n</table>\n";
}

// Where labs have weights: what the exercises, as they are listed, come to.
std::string without_weights(const GradedStudent& student) {
  int points = 0, most = 0;
  for (const auto& exercise : student.exercises) {
    if (!exercise.counts()) continue;
    points += exercise.points;
    most += exercise.max_points;
  }
  if (most == student.max_score) return "";
  return fmt::format("<p class=\"faint\">Labs have weights here: without them, the exercises come "
                     "to {} of {} points.</p>\n",
                     points, most);
}

std::string report(const GradedExercise& exercise) {
  if (exercise.wide.empty()) return "";
  return "<pre class=\"wide\" tabindex=\"0\">" + coloured_html(exercise.wide) +
         "</pre>\n<pre class=\"narrow\" tabindex=\"0\">" + coloured_html(exercise.narrow) +
         "</pre>\n";
}

std::string card(const GradedExercise& exercise) {
  auto text =
      fmt::format("<section class=\"card\" id=\"{}\">\n<header><h3>{}</h3>{}"
                  "<span class=\"points\">{}</span></header>\n",
                  anchor(exercise), escaped(exercise.title.empty() ? exercise.id : exercise.title),
                  badge(exercise), points(exercise));
  if (!exercise.decided.empty())
    text += "<p class=\"bold\">" + escaped(exercise.decided) + "</p>\n";
  if (!exercise.handed_in.empty())
    text += fmt::format("<p class=\"faint\">Handed in {}, {}</p>\n", escaped(exercise.handed_in),
                        escaped("by the " + exercise.clock));
  if (!exercise.late.empty()) text += "<p class=\"yellow\">" + escaped(exercise.late) + "</p>\n";
  if (exercise.wide.empty()) text += "<p>" + escaped(reason(exercise)) + "</p>\n";
  return text + report(exercise) + "</section>\n";
}

} // namespace

std::string student_page(const GradedStudent& student, const PageTitle& title) {
  auto text = page_start(student.name + ": " + title.course);
  text += "<p class=\"faint\">" + escaped(title.course) + "</p>\n<h1>" + escaped(student.name) +
          "</h1>\n";
  text += fmt::format("<p class=\"score\">{} of {} points</p>\n", number(student.score),
                      number(student.max_score));
  text += without_weights(student);
  if (!student.late.empty()) text += "<p class=\"yellow\">" + escaped(student.late) + "</p>\n";
  for (const auto& problem : student.problems)
    text += "<p class=\"red\">" + escaped(problem) + "</p>\n";
  for (const auto& comment : student.comments)
    text += "<p class=\"bold\">" + escaped(comment) + "</p>\n";
  if (!title.note.empty()) text += "<p>" + escaped(title.note) + "</p>\n";
  if (student.exercises.size() > 1) text += "<h2>Exercises</h2>\n" + overview(student);
  text += "<h2>Reports</h2>\n";
  for (const auto& exercise : student.exercises) text += card(exercise);
  return text + page_end(title);
}

} // namespace course::report
