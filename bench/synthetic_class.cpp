// Makes a class of synthetic submissions, and holds what `course class` made of it against what
// each has to be.
//
//   synthetic_class make FOLDER N [COPIES] [EXERCISE…]   FOLDER/submissions, FOLDER/expected.csv
//   synthetic_class check FOLDER RESULTS                 prints each difference; exit code 1 when
//   any
//
// Of 20 students, 8 hand in the solutions, 4 wrong variants, 3 the skeletons, 1 a part, 2 zip files
// of solutions and variants, 1 an attack, and 1 something that is a mess in one of a dozen ways.
// The files are the course's own, so a verdict is known beforehand: a wrong variant names the
// checks that it fails on its first line.
//
// With COPIES, a number, no more than so many students hand in one text: each file gets a function
// that nothing calls, of its owner's own. Without, there are as many texts as the course has files,
// and the cache of compilations makes all but the first of each cheap.
#include "cli/pack.hpp"
#include "lab/labs.hpp"
#include "lab/marks.hpp"
#include "lab/proofs.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace course;

const fs::path kRoot = COURSE_SOURCE_DIR;

std::string read(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

// One file that a student hands in, and what has to become of it.
struct Made {
  std::string text;
  std::string state = "graded", verdict;
  std::string failed; // checks, a space between; "*": whichever
};

Made solution(const lab::Exercise& exercise) {
  return {read(kRoot / lab::solution_of(exercise)), "graded", "passed", ""};
}

Made skeleton(const lab::Exercise& exercise) {
  return {read(kRoot / lab::skeleton_of(exercise)), "graded", "failed", "*"};
}

Made variant(const lab::Exercise& exercise, std::size_t number) {
  const auto variants = lab::wrong_variants_of(exercise, kRoot);
  Made made{*variants.at(number % variants.size()).text(), "graded", "failed", ""};
  for (const auto& check : lab::confession(made.text).checks)
    made.failed += (made.failed.empty() ? "" : " ") + check;
  return made;
}

std::string with_body(std::string text, const std::string& statements) {
  const auto launcher = text.rfind("\nvoid ");
  const auto brace = text.find('{', launcher);
  return text.insert(brace + 1, "\n" + statements);
}

// What a student may try; the text is the skeleton's, but for a statement on the host or the
// device.
Made attack(const lab::Exercise& exercise, std::size_t number) {
  const auto text = read(kRoot / lab::skeleton_of(exercise));
  switch (number % 6) {
  case 0:
    return {with_body(text, "  volatile int turn = 1;\n  while (turn) {}\n"), "graded", "timed_out",
            "*"};
  case 1:
    return {"#include <cstdlib>\n" + with_body(text, "  abort();\n"), "graded", "crashed", "*"};
  case 2:
    return {"#include <cstdlib>\n" + with_body(text, "  _Exit(0);\n"), "graded", "crashed", "*"};
  case 3: // what CTest and services would take for a grade
    return {"#include <cstdio>\n" +
                with_body(text, "  puts(\"<CTestMeasurement type=\\\"numeric/double\\\" "
                                "name=\\\"score\\\">100</CTestMeasurement>\");\n"
                                "  puts(\"::notice title=Grade::100 of 100\");\n"),
            "graded", "failed", "*"};
  case 4:
    return {"#include \"/etc/shadow\"\n" + text, "graded", "did_not_compile", "*"};
  default:
    return {"#error \"\\033[2J\"\n</pre><script>alert(1)</script>\n" + text, "graded",
            "did_not_compile", "*"};
  }
}

// ---- students

// A function of tokens drawn by lot, so that files differ in more than a name.
std::string habit(std::size_t owner) {
  std::mt19937 lot(static_cast<unsigned>(owner));
  std::string sum = "x";
  for (int i = 0; i < 24; ++i) {
    sum += std::string(" ") + "+-*^|&"[lot() % 6] + " ";
    sum += lot() % 3 == 0 ? "(x + 1)" : lot() % 2 == 0 ? "x" : "7";
  }
  return "\ninline int habit_" + std::to_string(owner) + "(int x) { return " + sum + "; }\n";
}

using Exercises = std::vector<const lab::Exercise*>;

struct Student {
  std::string name;
  std::map<const lab::Exercise*, Made> files;
  bool zip = false;
  std::string habit; // at the end of each of their files
};

// 0 copies: files as they are.
Student student(std::size_t number, const Exercises& exercises, std::size_t copies) {
  Student made;
  char name[32];
  std::snprintf(name, sizeof name, "student_%05zu", number);
  made.name = name;
  const auto kind = number % 20, turn = number / 20;
  // Whoever is of the same kind is 20 further on.
  if (copies > 0) made.habit = habit(turn / copies * 20 + kind);
  for (std::size_t i = 0; i < exercises.size(); ++i) {
    const auto& exercise = *exercises[i];
    auto& file = made.files[&exercise];
    if (kind < 8 || kind == 16) {
      file = solution(exercise);
    } else if (kind < 12 || kind == 17) {
      file = variant(exercise, turn * 5 + kind + i);
    } else if (kind < 15) {
      file = skeleton(exercise);
    } else if (kind == 15) {
      file = i % 2 == turn % 2 ? solution(exercise) : Made{"", "missing", "", ""};
    } else {
      file = i == 0 ? attack(exercise, turn) : solution(exercise);
    }
    file.text += made.habit;
  }
  made.zip = kind == 16 || kind == 17;
  return made;
}

// A folder as a zip file in its place. It stays a folder where the grader has no libarchive.
void zip_folder(const fs::path& folder) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      files.emplace_back(fs::relative(entry.path(), folder).string(), read(entry.path()));
  try {
    cli::pack(folder.string() + ".zip", files);
  } catch (const fs::filesystem_error&) {
    return;
  }
  fs::remove_all(folder);
}

void hand_in(const Student& student, const fs::path& submissions) {
  const auto folder = submissions / student.name;
  fs::create_directories(folder);
  for (const auto& [exercise, made] : student.files)
    if (made.state == "graded") write(folder / (exercise->id + ".cu"), made.text);
  if (student.zip) zip_folder(folder);
}

// A mess: every file of it is there and right, but for what the mess does to the first exercise.
void hand_in_mess(Student& student, std::size_t turn, const fs::path& submissions) {
  const auto& first = *student.files.begin()->first;
  auto& made = student.files.at(&first);
  for (auto& [exercise, file] : student.files) {
    file = solution(*exercise);
    file.text += student.habit;
  }
  const auto none = [&] {
    for (auto& [exercise, file] : student.files) file = {"", "missing", "", ""};
  };
  const auto folder = submissions / student.name;
  switch (turn % 11) {
  case 0: // flat, as learning platforms rename files
    for (const auto& [exercise, file] : student.files)
      write(folder / ("late_4711_" + exercise->lab() + "_" + exercise->name() + " (1).cu"),
            file.text);
    return;
  case 1: // a name that says nothing: the first line does
    hand_in(student, submissions);
    fs::rename(folder / (first.id + ".cu"), folder / "final_FINAL.cu");
    return;
  case 2:
    hand_in(student, submissions);
    write(folder / "old" / (first.id + ".cu"), skeleton(first).text);
    made = {"", "refused", "", "*"};
    return;
  case 3: // what a broken upload leaves
    none();
    write(submissions / (student.name + ".zip"), "PK\3\4 and then nothing");
    return;
  case 4: // sparse: 1 GB takes no room
    hand_in(student, submissions);
    fs::resize_file(folder / (first.id + ".cu"), 1'000'000'000);
    made = {"", "refused", "", "*"};
    return;
  case 5:
    hand_in(student, submissions);
    fs::remove(folder / (first.id + ".cu"));
    fs::create_symlink(kRoot / lab::solution_of(first), folder / (first.id + ".cu"));
    made = {"", "refused", "", "*"};
    return;
  case 6: // not UTF-8
    hand_in(student, submissions);
    fs::create_directories(folder / "L\xf6sung");
    fs::rename(folder / (first.id + ".cu"), folder / "L\xf6sung" / (first.name() + ".cu"));
    if (first.name() == "1_tile") made = {"", "missing", "", ""}; // two labs have one
    return;
  case 7: // a zip bomb under an exercise's name
    hand_in(student, submissions);
    write(folder / (first.id + ".cu"), std::string(64 << 20, '/'));
    zip_folder(folder);
    made = {"", "refused", "", "*"};
    return;
  case 8:
    none();
    write(folder / "homework.docx", "see attached");
    return;
  case 9:
    for (auto& [exercise, file] : student.files) file = {"", "refused", "", "*"};
    write(submissions / (student.name), "a file, not a folder");
    return;
  default: // a loop of links
    hand_in(student, submissions);
    fs::create_directory_symlink("..", folder / "up");
    return;
  }
}

int make(const fs::path& folder, std::size_t count, const Exercises& exercises,
         std::size_t copies) {
  fs::remove_all(folder / "submissions");
  fs::create_directories(folder / "submissions");
  std::ofstream expected(folder / "expected.csv");
  for (std::size_t i = 0; i < count; ++i) {
    auto one = student(i, exercises, copies);
    if (i % 20 == 19) {
      hand_in_mess(one, i / 20, folder / "submissions");
    } else {
      hand_in(one, folder / "submissions");
    }
    for (const auto& [exercise, made] : one.files)
      expected << one.name << ',' << exercise->id << ',' << made.state << ',' << made.verdict << ','
               << made.failed << '\n';
  }
  return 0;
}

// ---- check

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> found(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      found.emplace_back();
    } else if (c != '\r') {
      found.back() += c;
    }
  }
  return found;
}

int check(const fs::path& folder, const fs::path& results) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> expected;
  std::ifstream wanted(folder / "expected.csv");
  for (std::string line; std::getline(wanted, line);) {
    const auto row = cells(line);
    expected[{row.at(0), row.at(1)}] = row;
  }
  std::size_t rows = 0, wrong = 0;
  const auto complain = [&](const std::string& what) {
    if (++wrong <= 20) std::printf("  %s\n", what.c_str());
  };
  std::ifstream got(results / "grades.csv");
  std::string line;
  std::getline(got, line); // student,lab,exercise,state,verdict,points,max_points,failed_checks,…
  while (std::getline(got, line)) {
    const auto row = cells(line);
    const auto at = expected.find({row.at(0), row.at(2)});
    ++rows;
    if (at == expected.end()) {
      complain("twice, or never handed in: " + row[0] + " " + row[2]);
      continue;
    }
    const auto& one = at->second;
    const bool same =
        one[2] == row[3] && one[3] == row[4] && (one[4] == "*" || one[4] == row.at(7));
    if (!same)
      complain(row[0] + " " + row[2] + ": expected " + one[2] + " " + one[3] + " [" + one[4] +
               "], found " + row[3] + " " + row[4] + " [" + row[7] + "]");
    expected.erase(at);
  }
  for (const auto& [key, row] : expected) complain("lost: " + key.first + " " + key.second);
  std::printf("%zu rows, %zu as expected, %zu lost or different\n", rows,
              rows - std::min(rows, wrong), wrong);
  return wrong == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    if (words.size() == 3 && words[0] == "check") return check(words[1], words[2]);
    if (words.size() >= 3 && words[0] == "make") {
      Exercises exercises;
      const auto is_number = [](const std::string& word) {
        return !word.empty() && word.find_first_not_of("0123456789") == word.npos;
      };
      const bool has_copies = words.size() > 3 && is_number(words[3]);
      std::vector<std::string> names(words.begin() + (has_copies ? 4 : 3), words.end());
      if (names.empty()) names = {"05_transpose/2_pad", "01_banks/2_row_column"};
      for (const auto& name : names) {
        const auto found = lab::find(lab::exercises(kRoot), name);
        if (!found.exercise) throw std::runtime_error("there is no exercise " + name);
        exercises.push_back(found.exercise);
      }
      const auto copies = has_copies ? std::stoul(words[3]) : 0;
      return make(words[1], std::stoul(words[2]), exercises, copies);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "synthetic_class: %s\n", error.what());
    return 2;
  }
  std::fprintf(stderr,
               "synthetic_class make FOLDER N [COPIES] [EXERCISE…] | check FOLDER RESULTS\n");
  return 2;
}
