#include "report/class_page.hpp"

#include "language/translate.hpp"
#include "report/class_script.hpp"
#include "report/markup.hpp"
#include "report/words/check_table.hpp"
#include "report/words/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace course::report {
namespace {

constexpr std::size_t kHardest = 15; // checks listed
constexpr std::size_t kTogether = 8; // students named in a row of likenesses

std::string bar(const std::string& label, std::uint64_t count, std::uint64_t most) {
  const double width =
      most > 0 ? 100.0 * static_cast<double>(count) / static_cast<double>(most) : 0;
  return fmt::format("<span>{}</span><span class=\"bar\"><i style=\"width:{:.1f}%\"></i></span>"
                     "<span>{}</span>\n",
                     escaped(label), width, count);
}

std::string distribution(const ClassTally& tally) {
  const auto most = *std::max_element(tally.tenths.begin(), tally.tenths.end());
  std::string text = section(tr("Scores"));
  if (const auto middle = middle_of(tally.shares); !middle.empty()) text += paragraph(middle);
  text += "<div class=\"bars\">\n";
  for (std::size_t i = 0; i < tally.tenths.size(); ++i) {
    const auto label = i < 10 ? tr("{} to {}%", 10 * i, 10 * i + 10) : tr("all points");
    text += bar(label, tally.tenths[i], most);
  }
  return text + "</div>\n";
}

std::string exercises(const ClassTally& tally) {
  auto text = section(tr("Exercises")) +
              "<div class=\"scroll\" tabindex=\"0\">\n<table>\n<thead><tr>" +
              heading(tr("Exercise"));
  for (const auto& title :
       {tr("Passed"), tr("Failed"), tr("Missing"), tr("Refused"), tr("Not graded"), tr("Points")})
    text += heading_of_numbers(title);
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& [id, one] : tally.exercises) {
    const auto share = one.max_points > 0 ? static_cast<int>(100 * one.points / one.max_points) : 0;
    text += fmt::format("<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
                        "<td class=\"n\">{}</td><td class=\"n\">{}</td>"
                        "<td class=\"n\">{}</td><td class=\"n\">{}%</td></tr>\n",
                        breakable(id), one.passed, one.failed, one.missing, one.refused,
                        one.not_graded, share);
  }
  return text + "</tbody>\n</table>\n</div>\n";
}

std::string in_detail(const std::vector<ItemStatistics>& items) {
  if (items.empty()) return "";
  auto text =
      section(tr("What the exercises say")) +
      paragraph("faint", tr("Attempts: files graded until one passed, the median. Discrimination: "
                            "how well an exercise tells who does well in all the others, from -1 "
                            "to 1; below 0.2, look at it. Then what most failures have in common: "
                            "the line that the failed checks name, and the wrong variant of the "
                            "course that they are most like.")) +
      "<div class=\"scroll\" tabindex=\"0\">\n<table>\n<thead><tr>" + heading(tr("Exercise")) +
      heading_of_numbers(tr("Attempts")) + heading_of_numbers(tr("Discrimination")) +
      heading(tr("Line of most failures")) + heading(tr("Like")) + "</tr></thead>\n<tbody>\n";
  const auto of = [](const std::string& what, std::size_t some, std::size_t all) {
    return some == 0 ? "" : fmt::format("{} {}", what, escaped(tr("({} of {})", some, all)));
  };
  for (const auto& one : items)
    text += fmt::format("<tr><td>{}</td><td class=\"n\">{}</td><td "
                        "class=\"n\">{}</td><td>{}</td><td>{}</td></tr>\n",
                        breakable(one.exercise), one.solved > 0 ? number(one.attempts) : "",
                        one.discrimination ? fmt::format("{:.2f}", *one.discrimination) : "",
                        of("<code>" + escaped(one.line) + "</code>", one.at_line, one.failed),
                        of(breakable(one.variant), one.like_variant, one.failed));
  return text + "</tbody>\n</table>\n</div>\n";
}

// "05_transpose/2_pad conflicts", as the tally has it.
std::string name_of_check(const std::string& name) {
  const auto space = name.find(' ');
  return breakable(name.substr(0, space) + " " + check_name(name.substr(space + 1)));
}

// The script finds the words of its filter here.
std::string students_start() {
  return "<table class=\"students\" data-filter=\"" + escaped(tr("Filter")) + "\" data-meaning=\"" +
         escaped(tr("Show only students whose row has these words")) + "\">\n<thead><tr>" +
         heading(tr("Student")) + heading_of_numbers(tr("Points")) +
         heading_of_numbers(tr("Solved")) + "<th class=\"look\">" + escaped(tr("To look at")) +
         "</th></tr></thead>\n<tbody>\n";
}

using NamedCheck = std::pair<std::string, CheckTally>;

std::vector<NamedCheck> hardest(const ClassTally& tally) {
  std::vector<NamedCheck> checks;
  for (const auto& check : tally.checks)
    if (check.second.failed > 0) checks.push_back(check);
  const auto share = [](const CheckTally& check) {
    return static_cast<double>(check.failed) / static_cast<double>(check.failed + check.passed);
  };
  std::stable_sort(checks.begin(), checks.end(),
                   [&](const auto& a, const auto& b) { return share(a.second) > share(b.second); });
  checks.resize(std::min(checks.size(), kHardest));
  return checks;
}

std::string hardest_checks(const ClassTally& tally) {
  const auto checks = hardest(tally);
  if (checks.empty()) return "";
  auto text = section(tr("Hardest checks")) + "<table>\n<thead><tr>" + heading(tr("Check")) +
              heading_of_numbers(tr("Failed")) + heading_of_numbers(trc("a share", "Of")) +
              "</tr></thead>\n<tbody>\n";
  for (const auto& [name, check] : checks)
    text += fmt::format("<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
                        name_of_check(name), check.failed, check.failed + check.passed);
  return text + "</tbody>\n</table>\n";
}

std::string not_measured(const ClassTally& tally) {
  std::string rows;
  for (const auto& [name, check] : tally.checks)
    if (check.not_measured > 0)
      rows += fmt::format("<tr><td>{}</td><td class=\"n\">{}</td></tr>\n", name_of_check(name),
                          check.not_measured);
  auto text = section(tr("Not measured"));
  if (tally.ungraded > 0)
    text += paragraph("yellow", tr("{} of {} students have an exercise that could not be graded; "
                                   "their rows below say why. It costs them no points.",
                                   tally.ungraded, tally.students));
  if (rows.empty())
    return text + paragraph(tr("Every check was measured for everybody who was graded."));
  return text +
         paragraph("faint", tr("Checks that had no answer, and for how many students: an earlier "
                               "step had failed, or the device cannot measure them.")) +
         "<table>\n<thead><tr>" + heading(tr("Check")) + heading_of_numbers(tr("Students")) +
         "</tr></thead>\n<tbody>\n" + rows + "</tbody>\n</table>\n";
}

std::string names(const Likeness& one) {
  const auto& students = one.students;
  const auto& shown = one.shown.size() == students.size() ? one.shown : students;
  std::string text;
  for (std::size_t i = 0; i < std::min(students.size(), kTogether); ++i)
    text += fmt::format("{}<a href=\"students/{}/index.html\">{}</a>", i ? ", " : "",
                        escaped(students[i]), escaped(shown[i]));
  if (students.size() > kTogether) text += escaped(tr(" and {} more", students.size() - kTogether));
  return text;
}

std::string sources(const Likeness& one) {
  std::string text;
  for (std::size_t i = 0; i < std::min(one.sources.size(), kTogether); ++i)
    text += escaped((text.empty() ? tr("; like ") : tr(", ")) + one.sources[i]);
  if (one.sources.size() > kTogether)
    text += escaped(tr(" and {} more", one.sources.size() - kTogether));
  return text;
}

std::string share_of(const Likeness& one) {
  const auto share = fmt::format("{:.0f}%", 100 * one.share);
  return one.page.empty() ? share : fmt::format("<a href=\"{}\">{}</a>", escaped(one.page), share);
}

std::string likenesses(const std::vector<Likeness>& found) {
  auto text =
      section(tr("Files that are alike")) +
      paragraph("faint", tr("After names, numbers, spaces and comments are made the same, and "
                            "without what the skeleton gives. Short exercises have few right "
                            "answers: read both files before you conclude anything. First those "
                            "that are like each other and like nothing public, then who is like "
                            "which public file."));
  if (found.empty()) return text + paragraph(tr("None stand out."));
  text += "<table>\n<thead><tr>" + heading(tr("Exercise")) + heading(tr("Students")) +
          heading_of_numbers(tr("Alike")) + "</tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < std::min(found.size(), kLikenesses); ++i)
    text += fmt::format("<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td></tr>\n",
                        breakable(found[i].exercise), names(found[i]) + sources(found[i]),
                        share_of(found[i]));
  text += "</tbody>\n</table>\n";
  if (found.size() > kLikenesses)
    text += paragraph(tr("{} more are in {}.", found.size() - kLikenesses, "similar.csv"));
  return text;
}

} // namespace

void ClassTally::add(const GradedStudent& student) {
  ++students;
  bool all = true;
  for (const auto& exercise : student.exercises) {
    auto& tally = exercises[exercise.id];
    all = all && exercise.counts();
    auto& count = exercise.state == State::missing   ? tally.missing
                  : exercise.state == State::refused ? tally.refused
                  : !exercise.counts()               ? tally.not_graded
                  : exercise.passed()                ? tally.passed
                                                     : tally.failed;
    ++count;
    if (exercise.counts()) {
      tally.points += exercise.points;
      tally.max_points += exercise.max_points;
    }
    for (const auto& check : exercise.checks) {
      if (check.max_points == 0) continue;
      auto& of = checks[exercise.id + " " + check.name];
      ++(check.status == judge::Status::passed   ? of.passed
         : check.status == judge::Status::failed ? of.failed
                                                 : of.not_measured);
    }
  }
  if (!all) ++ungraded;
  const double share = student.max_score > 0 ? student.score / student.max_score : 0;
  if (student.max_score > 0) shares.push_back(static_cast<float>(share));
  ++tenths[static_cast<std::size_t>(std::clamp(share * 10 + 1e-9, 0.0, 10.0))];
}

std::string middle_of(std::vector<float> shares) {
  if (shares.empty()) return "";
  std::sort(shares.begin(), shares.end());
  const auto at = [&](double part) {
    const double place = part * static_cast<double>(shares.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const auto above = std::min(below + 1, shares.size() - 1);
    const double weight = place - static_cast<double>(below);
    return 100 * (shares[below] * (1 - weight) + shares[above] * weight);
  };
  double sum = 0;
  for (const auto share : shares) sum += share;
  return tr("mean {:.0f}%, median {:.0f}%, a quarter below {:.0f}%, a quarter above {:.0f}%",
            100 * sum / static_cast<double>(shares.size()), at(0.5), at(0.25), at(0.75));
}

bool comes_first(const Likeness& one, const Likeness& than) {
  if (one.sources.empty() != than.sources.empty()) return one.sources.empty();
  return std::pair(one.common, one.share) > std::pair(than.common, than.share);
}

std::string class_page_start(const ClassTally& tally, const std::vector<ItemStatistics>& items,
                             const std::vector<Likeness>& found, const PageTitle& title) {
  auto text =
      page_start(title.course, kClassScriptDigest) + "<h1>" + escaped(title.course) + "</h1>\n";
  text += paragraph("score", counted(tally.students, "{} student", "{} students"));
  text += paragraph("yellow", title.note);
  return text + distribution(tally) + exercises(tally) + in_detail(items) + hardest_checks(tally) +
         not_measured(tally) + likenesses(found) + section(tr("Students")) + students_start();
}

std::string class_page_row(const GradedStudent& student) {
  const auto passed = std::count_if(student.exercises.begin(), student.exercises.end(),
                                    [](const auto& exercise) { return exercise.passed(); });
  std::string look;
  for (const auto& problem : student.problems) look += problem + " ";
  for (const auto& note : student.notes) look += note + " ";
  for (const auto& exercise : student.exercises)
    if (!exercise.decided.empty()) {
      look += tr("{}: {}", exercise.id, exercise.decided) + " ";
    } else if (exercise.state == State::refused || exercise.verdict == "not_measurable" ||
               !exercise.counts()) {
      if (!is_of_submission(student, exercise))
        look += tr("{}: {}", exercise.id, reason(exercise)) + " ";
    }
  if (!student.late.empty()) look += student.late;
  return fmt::format("<tr><td><a href=\"students/{}/index.html\">{}</a></td>"
                     "<td class=\"n\" data-value=\"{}\">{}</td>"
                     "<td class=\"n\" data-value=\"{}\">{}</td><td class=\"look\">{}</td></tr>\n",
                     escaped(student.id), escaped(student.name), number(student.score),
                     escaped(tr("{} of {}", number(student.score), number(student.max_score))),
                     passed, escaped(tr("{} of {}", passed, student.exercises.size())),
                     escaped(look));
}

std::string class_page_end(const PageTitle& title) {
  return std::string("</tbody>\n</table>\n<script>") + kClassScript + "</script>\n" +
         page_end(title);
}

} // namespace course::report
