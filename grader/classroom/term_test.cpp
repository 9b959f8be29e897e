// A class as it comes at the end of a lab, with everything that went wrong: each row as it should
// be. Verdicts are staged, so that no compiler is run.
#include "classroom/archive.hpp"
#include "classroom/csv_table.hpp"
#include "classroom/grade_submission.hpp"
#include "classroom/gradebook.hpp"
#include "classroom/hand_made_folder.hpp"
#include "classroom/outputs.hpp"
#include "classroom/plan.hpp"
#include "language/translate.hpp"
#include "system/environment.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#ifdef COURSE_HAS_LIBARCHIVE
#include <archive.h>
#include <archive_entry.h>

#include <memory>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;

const std::string kPad = "05_transpose/2_pad";

// Enough of one's own to be compared; the letter makes two of them two.
std::string solved(const std::string& way) {
  std::string text = "// 05_transpose/2_pad: good\n";
  for (int i = 0; i < 12; ++i)
    text +=
        "int " + way + std::to_string(i) + "(int a) { " +
        (way == "loops" ? std::string(static_cast<std::size_t>(i % 4 + 1), '-') +
                              "a; while (a > 0) { a -= 2; if (a == 7) break; } return a; }\n"
                        : "return a < 3 ? " + std::string(static_cast<std::size_t>(i % 5), '~') +
                              "a : a * a + (a >> 1) - f(a & 3, a | 4, !a); }\n");
  return text;
}

void pack_as(const fs::path& file, int (*format)(archive*), int (*filter)(archive*),
             const std::vector<std::pair<std::string, std::string>>& members,
             const char* password = nullptr) {
  const std::unique_ptr<archive, decltype(&archive_write_free)> writer(archive_write_new(),
                                                                       archive_write_free);
  format(writer.get());
  if (filter) filter(writer.get());
  if (password) {
    archive_write_set_options(writer.get(), "zip:encryption=zipcrypt");
    archive_write_set_passphrase(writer.get(), password);
  }
  archive_write_open_filename(writer.get(), file.c_str());
  for (const auto& [path, content] : members) {
    const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(),
                                                                              archive_entry_free);
    archive_entry_set_pathname(entry.get(), path.c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_size(entry.get(), static_cast<std::int64_t>(content.size()));
    archive_write_header(writer.get(), entry.get());
    archive_write_data(writer.get(), content.data(), content.size());
  }
  archive_write_close(writer.get());
}

class Term {
public:
  Term() {
    publishing.results = folder.path / "results";
    publishing.course = folder.path;
    publishing.exercises = &hand_made::exercises();
    publishing.seed = 7;
    publishing.settings.exercises = {"05_transpose/1_tile", kPad};
    publishing.settings.labs["05_transpose"].due = time_of("2026-11-20T23:59:00+01:00");
    publishing.settings.late = {10, 3, 15};
    publishing.settings.zone = "Europe/Berlin";
    fill();
  }

  void fill() const {
    folder.write("labs/" + kPad + ".cu", "// 05_transpose/2_pad: a title\n");
    hand_in("anna/05_transpose/2_pad.cu", solved("loops"));
    hand_in("bert/2_pad (1).cu", solved("forms"));
    hand_in("L\xf6ve/2_pad.cu", "bad");
    hand_in("L\xe4ve/2_pad.cu", "good");
    hand_in("李雷/2_pad.cu", "good");
    hand_in("=cmd,calc/2_pad.cu", "good");
    hand_in("late/2_pad.cu", "good");
    hand_in("copied/2_pad.cu", "// mine\n" + solved("loops"));
    hand_in("versions/a/2_pad.cu", "one");
    hand_in("versions/b/2_pad.cu", "other");
    hand_in("utf16/2_pad.cu", std::string("\xff\xfei\0n\0t\0", 8));
    hand_in("renamed/2_pad.cu.txt", "good");
    hand_in("renamed/.hidden/2_pad.cu", "good");
    hand_in("renamed/mein_tile.cu", "int x;");
    hand_in("damaged.zip", "PK, cut off");
    hand_in("rosa/2_pad.cu", "good");
    hand_in("rosa.zip", "PK");
    hand_in("README.txt", "how to");
    hand_in("smith_77_12345_2_pad.cu", "good");
    fs::create_directories(folder.path / "in/moodle");
    for (const char* name : {"tar.tar.gz", "seven.7z", "moodle/submission.zip", "locked.zip"}) {
      const auto file = folder.path / "in" / name;
      const bool zip = file.extension() == ".zip";
      pack_as(file,
              zip                         ? archive_write_set_format_zip
              : file.extension() == ".7z" ? archive_write_set_format_7zip
                                          : archive_write_set_format_pax_restricted,
              file.extension() == ".gz" ? archive_write_add_filter_gzip : nullptr,
              {{"05_transpose/2_pad.cu", "good"}},
              std::string(name) == "locked.zip" ? "secret" : nullptr);
    }
    const auto in_time = std::chrono::file_clock::from_sys(
        std::chrono::sys_seconds(std::chrono::seconds(*time_of("2026-11-20T20:00:00+01:00"))));
    for (const auto& entry : fs::recursive_directory_iterator(folder.path / "in"))
      if (entry.is_regular_file()) fs::last_write_time(entry, in_time);
    fs::last_write_time(folder.path / "in/late/2_pad.cu", in_time + std::chrono::hours(30));
  }

  void hand_in(const std::string& file, const std::string& text) const {
    folder.write("in/" + file, text);
  }

  // As `course class` does.
  std::vector<std::string> run(const std::string& roster = "") {
    Planning planning;
    planning.results = publishing.results;
    planning.plan = {{{"", folder.path / "in"}}, 7, "emulated", {}};
    planning.exercises = &hand_made::exercises();
    planning.command = {"course"};
    if (!roster.empty())
      planning.people = std::get<std::vector<Person>>(read_people(roster, "roster.csv"));
    const auto planned = std::get<Planned>(make_plan(planning));
    Grading grading;
    grading.results = publishing.results;
    grading.exercises = &hand_made::exercises();
    grading.wanted = [](const std::string&) { return true; };
    grading.grade = [](const lab::Exercise& exercise, const fs::path& file) {
      return hand_made::verdict(exercise.id, *system::content_of(file));
    };
    for (const auto& id : read_roster(publishing.results)) grade_submission(id, grading);
    publish_outputs(publishing);
    return planned.passed_over;
  }

  std::string text(const std::string& name) const {
    return system::content_of(publishing.results / name).value_or("");
  }

  // "state points", and a column, of somebody's 2_pad.
  std::string row(const std::string& student, const char* column = "") const {
    const CsvTable table(text("grades.csv"));
    for (const auto& one : table.rows())
      if (table.cell(one, {"student"}) == student && table.cell(one, {"exercise"}) == kPad)
        return table.cell(one, {"state"}) + " " + table.cell(one, {"points"}) +
               (*column ? " " + table.cell(one, {column}) : "");
    return "no row";
  }

  // For pages_test.sh.
  void show_in_browser(const std::string& language) const {
    if (const auto to = system::environment("COURSE_CLASS_PAGES"))
      fs::copy(publishing.results, fs::path(*to) / language, fs::copy_options::recursive);
  }

  hand_made::Folder folder;
  Publishing publishing;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

} // namespace

TEST_CASE("a class with everything that goes wrong has each row as it should be") {
  Term term;
  CHECK(term.run() == std::vector<std::string>{"README.txt"});
  CHECK(term.row("anna") == "graded 10");
  CHECK(term.row("bert") == "graded 10");
  CHECK(term.row("Löve") == "graded 0");
  CHECK(term.row("Läve") == "graded 10");
  CHECK(term.row("李雷") == "graded 10");
  CHECK(term.row("'=cmd,calc") == "graded 10");
  CHECK(term.row("late", "late") == "graded 10 2 days late, 20% off");
  CHECK(term.row("late", "handed_in") == "graded 10 2026-11-22 02:00 CET");
  CHECK(term.row("anna", "clock") == "graded 10 date of the file");
  CHECK(term.row("anna", "late") == "graded 10 ");
  CHECK(has(term.row("versions", "reason"), "refused 0 There are two different files"));
  CHECK(has(term.row("utf16", "reason"), "refused 0 2_pad.cu is UTF-16"));
  CHECK(has(term.row("renamed", "reason"), "missing 0 None of its .cu files is an exercise"));
  for (const char* name : {"2_pad.cu.txt does not end in .cu", ".hidden/2_pad.cu is in a hidden",
                           "mein_tile.cu is no exercise"})
    CHECK(has(term.text("totals.csv"), name));
  CHECK(has(term.row("damaged", "reason"), "missing 0 The archive cannot be read"));
  CHECK(has(term.row("locked", "reason"), "refused 0 05_transpose/2_pad.cu is encrypted"));
  CHECK(has(term.row("rosa", "reason"), "refused 0 There are two submissions of this name"));
  for (const char* file : {"index.html", "totals.csv"}) { // once, not for each exercise
    const auto page = term.text(file);
    const auto first = page.find("There are two submissions of this name");
    CHECK(first != page.npos);
    CHECK(page.find("There are two submissions of this name", first + 1) == page.npos);
  }
  for (const char* name : {"tar", "seven", "moodle", "smith"})
    CHECK_MESSAGE(term.row(name) == "graded 10", name);
  CHECK(term.row("tar", "clock") == "graded 10 ");
  CHECK(has(term.text("similar.csv"), kPad + ",100,anna copied,"));
  CHECK(has(term.text("alike/05_transpose-2_pad-1.html"), "<mark>"));
  CHECK_FALSE(has(term.text("index.html"), "Canvas")); // no roster has its numbers
  term.show_in_browser("en");
  fs::remove_all(term.folder.path / "labs"); // what it gave cannot be told from what they wrote
  term.run();
  CHECK_FALSE(has(term.text("similar.csv"), kPad));
}

TEST_CASE(
    "a class of another language has its pages and reasons in it, and tables keep their names") {
  REQUIRE_MESSAGE(language::speak("zh_CN"), "no catalogue: is the package gettext installed?");
  Term term;
  term.run();
  language::speak("");
  CHECK(term.row("anna", "clock") == "graded 10 date of the file");
  CHECK(term.row("late", "late") == "graded 10 迟交 2 天，扣 20%");
  CHECK(has(term.row("versions", "reason"), "refused 0 它有两个不同的文件"));
  CHECK(has(term.text("index.html"), "<html lang=\"zh-CN\">"));
  CHECK(has(term.text("index.html"), "<h2>最难的检查</h2>"));
  CHECK(has(term.text("students/anna/index.html"), "依据：文件的日期"));
  CHECK(has(term.text("alike/05_transpose-2_pad-1.html"), "标出的"));
  CHECK_FALSE(has(term.text("totals.csv"), "is in a hidden"));
  term.show_in_browser("zh");
}

TEST_CASE("with a roster, who handed in nothing has a row, and tables go back to the platform") {
  Term term;
  term.run("Student,ID,SIS User ID,SIS Login ID,Section\n\"Smith, Tom\",77,s77,tom,A\n"
           "\"Novak, Eva\",78,s78,eva,A\n\"A, Anna\",79,anna,anna,B\n");
  CHECK(term.row("Tom Smith") == "graded 10");
  CHECK(term.row("Eva Novak", "reason") == "missing 0 Nothing was handed in.");
  CHECK(term.row("Anna A") == "graded 10");
  CHECK(has(term.text("totals.csv"), "Not on the roster."));
  CHECK(has(term.text("index.html"), ">Anna A</a>, <a href=\"students/copied/index.html\">copied"));
  CHECK(has(term.text("alike/05_transpose-2_pad-1.html"), "<h2>Anna A</h2>"));
  const auto again = std::get<std::vector<Person>>(read_people(term.text("canvas.csv"), "c.csv"));
  REQUIRE(again.size() == 3);
  CHECK(has(term.text("index.html"), "canvas.csv has no row for =cmd,calc, L"));
  CHECK(has(term.text("index.html"), " more: the roster has no ID of Canvas."));
  CHECK(again[0].sortable == "Smith, Tom");
  CHECK(again[0].platform == "77");
  const CsvTable canvas(term.text("canvas.csv"));
  CHECK(canvas.cell(canvas.rows()[1], {"05_transpose"}) == "10.00");
  CHECK(canvas.cell(canvas.rows()[2], {"05_transpose"}) == "0.00");
}

TEST_CASE("three weeks are three downloads, and one total") {
  const hand_made::Folder folder;
  const std::string tile = "05_transpose/1_tile", ratio = "08_tiled_product/2_ratio";
  folder.write("week1/anna_77_11111_2_pad.cu", "good");
  folder.write("week1/bert_78_11112_2_pad.cu", "good");
  folder.write("week2/anna_77_22222_1_tile.cu", "good"); // of lab 08: its folder says so
  folder.write("week2/bert_78_22223_2_ratio.cu", "good");
  folder.write("week2/anna_77_22224_2_ratio.cu", "good");
  folder.write("week3/anna_77_33333_2_pad.cu", "good, again");
  Publishing about;
  about.results = folder.path / "results";
  about.course = folder.path;
  about.exercises = &hand_made::exercises();
  std::map<std::string, fs::path> folders;
  const auto week = [&](const std::string& lab, const char* download) {
    folders[lab] = folder.path / download;
    Planning planning;
    planning.results = about.results;
    planning.plan = {folders, 7, "emulated", {}};
    planning.exercises = about.exercises;
    planning.command = {"course"};
    REQUIRE(std::holds_alternative<Planned>(make_plan(planning)));
    Grading grading;
    grading.results = about.results;
    grading.exercises = about.exercises;
    grading.wanted = [](const std::string&) { return true; };
    grading.grade = [](const lab::Exercise& exercise, const fs::path& file) {
      return hand_made::verdict(exercise.id, *system::content_of(file));
    };
    for (const auto& id : read_roster(about.results)) grade_submission(id, grading);
    publish_outputs(about);
  };
  const auto total = [&](const std::string& who) {
    const CsvTable table(*system::content_of(about.results / "totals.csv"));
    for (const auto& row : table.rows())
      if (table.cell(row, {"student"}) == who)
        return table.cell(row, {"score"}) + " of " + table.cell(row, {"max_score"});
    return std::string("no row");
  };
  week("05_transpose", "week1");
  CHECK(total("anna") == "10.00 of 10.00");
  week("08_tiled_product", "week2");
  CHECK(total("anna") == "30.00 of 30.00");
  CHECK(total("bert") == "20.00 of 30.00");
  CHECK(read_plan(about.results)->submissions == folders);
  week("05_transpose", "week3"); // again, of the same lab: this one counts
  CHECK(total("anna") == "30.00 of 30.00");
  CHECK(total("bert") == "10.00 of 30.00");
}

TEST_CASE("who is gone and what is no longer asked for leave nothing behind") {
  Term term;
  term.publishing.formats = {"gradescope"};
  term.run();
  const auto score = [&] {
    return nlohmann::json::parse(term.text("students/late/gradescope.json"))["score"];
  };
  CHECK(score() == 8);
  term.publishing.settings.late.percent_a_day = 50;
  fs::remove_all(term.folder.path / "in/bert");
  term.run();
  CHECK(score() == 0);
  CHECK(term.row("bert") == "no row");
  CHECK_FALSE(fs::exists(term.publishing.results / "students/bert"));
  term.publishing.formats.clear();
  term.run();
  CHECK_FALSE(fs::exists(term.publishing.results / "students/late/gradescope.json"));
}

TEST_CASE("an anonymous class names nobody but in the tables for platforms, and in the key") {
  Term term;
  term.publishing.settings.anonymous = true;
  term.run();
  for (const char* file : {"index.html", "grades.csv", "totals.csv", "grades.json", "similar.csv",
                           "junit.xml", "alike/05_transpose-2_pad-1.html"})
    for (const char* name : {"anna", "bert", "rosa", "Löve"})
      CHECK_MESSAGE(!has(term.text(file), name), file << " says " << name);
  CHECK(has(term.text("moodle.csv"), "anna"));
  CHECK(has(term.text("names.csv"), ",anna,anna,"));
  std::size_t folders = 0;
  for (const auto& entry : fs::directory_iterator(term.publishing.results / "students")) {
    CHECK(entry.path().filename().string().starts_with("student-"));
    ++folders;
  }
  CHECK(folders == 18);
  const auto before = term.text("grades.csv");
  term.run();
  CHECK(term.text("grades.csv") == before);
  term.publishing.settings.anonymous = false;
  term.run();
  CHECK_FALSE(fs::exists(term.publishing.results / "names.csv"));
  CHECK(term.row("anna") == "graded 10");
}

} // namespace course::classroom
#endif
