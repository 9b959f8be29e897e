#include "report/student_page.hpp"

#include "language/of_course.hpp"
#include "language/translate.hpp"
#include "report/markup.hpp"

#include <fmt/format.h>

namespace course::report {
namespace {

std::string points(const GradedExercise& exercise) {
  if (!exercise.counts()) return "";
  return tr("{} of {}", number(exercise.points), exercise.max_points);
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
  return "<table>\n<thead><tr>" + heading(tr("Exercise")) + heading(tr("Outcome")) +
         heading_of_numbers(tr("Points")) + "</tr></thead>\n<tbody>\n" + rows +
         "</tbody>\n</table>\n";
}

// Where labs have weights: what the exercises, as they are listed, come to.
std::string without_weights(const GradedStudent& student) {
  double points = 0;
  int most = 0;
  for (const auto& exercise : student.exercises) {
    if (!exercise.counts()) continue;
    points += exercise.points;
    most += exercise.max_points;
  }
  if (most == student.max_score) return "";
  return paragraph("faint",
                   tr("Labs have weights here: without them, the exercises come to {} of {} "
                      "points.",
                      number(points), most));
}

std::string report(const GradedExercise& exercise) {
  if (exercise.wide.empty()) return "";
  return "<pre class=\"wide\" tabindex=\"0\">" + coloured_html(exercise.wide) +
         "</pre>\n<pre class=\"narrow\" tabindex=\"0\">" + coloured_html(exercise.narrow) +
         "</pre>\n";
}

std::string card(const GradedExercise& exercise) {
  auto text = fmt::format(
      "<section class=\"card\" id=\"{}\">\n<header><h3>{}</h3>{}"
      "<span class=\"points\">{}</span></header>\n",
      anchor(exercise),
      escaped(exercise.title.empty() ? exercise.id : language::of_course(exercise.title)),
      badge(exercise), points(exercise));
  text += paragraph("bold", exercise.decided);
  if (!exercise.handed_in.empty())
    text += paragraph("faint", tr("Handed in {}, by the {}", exercise.handed_in,
                                  language::translated("clock", exercise.clock.c_str())));
  text += paragraph("yellow", exercise.late);
  if (exercise.wide.empty()) text += paragraph(reason(exercise));
  return text + report(exercise) + "</section>\n";
}

} // namespace

std::string student_page(const GradedStudent& student, const PageTitle& title) {
  auto text = page_start(tr("{}: {}", student.name, title.course));
  text += paragraph("faint", title.course) + "<h1>" + escaped(student.name) + "</h1>\n";
  text +=
      paragraph("score", tr("{} of {} points", number(student.score), number(student.max_score)));
  text += without_weights(student);
  text += paragraph("yellow", student.late);
  for (const auto& problem : student.problems) text += paragraph("red", problem);
  for (const auto& comment : student.comments) text += paragraph("bold", comment);
  if (!title.note.empty()) text += paragraph(title.note);
  if (student.exercises.size() > 1) text += section(tr("Exercises")) + overview(student);
  text += section(tr("Reports"));
  for (const auto& exercise : student.exercises) text += card(exercise);
  return text + page_end(title);
}

} // namespace course::report
