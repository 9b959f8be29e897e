#include "lab/exercise_file.hpp"

#include "lab/drawn.hpp"
#include "lab/labs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <unistd.h>

namespace course::lab {
namespace {

namespace fs = std::filesystem;

// A small exercise; tests change a line of it.
const std::string kText = R"toml(title = "copies"
signature = "void copy(float* out, const float* in, int n)"
skeleton_fails = "output"
hints = ["one", "two", """
three,
on two lines"""]
explanation = "so"
label = "{n:element}"
reference = "differences"
let = ["units = ceil(n / 32)"]

[constants]
apart = 1

[check.output]
points = 60
reason = "equal"

[check.conflicts]
points = 40
after = "output"
reason = "none"
question = "Which bank?"

[shapes]
named = [{n = 4}, {n = 33}]
drawn = [["n = between(5, 9)"]]

[data]
out = "n"
in = {elements = "n + apart", values = "numbers"}

[limits]
shared_loads = {at_least = "units", at_most = "2 * units"}
threads = "n"
)toml";

struct Folder {
  fs::path root = fs::temp_directory_path() / ("course_" + std::to_string(getpid()));
  fs::path lab = root / "labs" / "09_mine";

  Folder() { fs::create_directories(lab); }
  ~Folder() { fs::remove_all(root); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(lab / name) << text;
  }
  // What is said of the text with one piece replaced; "" where it can be read.
  std::string complaint(const std::string& piece, const std::string& by) const {
    auto text = kText;
    REQUIRE(text.find(piece) != text.npos);
    text.replace(text.find(piece), piece.size(), by);
    write("1_copy.toml", text);
    try {
      read_exercise(lab / "1_copy.toml");
    } catch (const CourseError& error) {
      const std::string what = error.what();
      const auto file = (lab / "1_copy.toml").string();
      REQUIRE(what.starts_with(file));
      return what.substr(file.size());
    }
    return "";
  }
};

} // namespace

TEST_CASE("an exercise is what its file says") {
  const Folder folder;
  folder.write("1_copy.toml", kText);
  const auto exercise = read_exercise(folder.lab / "1_copy.toml");
  CHECK(exercise.id == "09_mine/1_copy");
  CHECK(exercise.function == "copy(float*, float const*, int)");
  CHECK(exercise.hints[2] == "three, on two lines");
  CHECK(exercise.launches);
  CHECK(exercise.skeleton_lines == kLinesOfSkeleton);
  CHECK_FALSE(exercise.time);
  REQUIRE(exercise.checks.size() == 2);
  CHECK(exercise.checks[0].check == "output"); // in the order of the file
  CHECK(exercise.checks[1].pair == "output");
  CHECK(exercise.questions.at("conflicts") == "Which bank?");
  REQUIRE(exercise.cases.size() == 2);
  const auto& one = exercise.cases[1];
  CHECK(one.shape == "33 elements");
  CHECK(one.operands[0].output);
  CHECK(one.operands[1].elements == 34);
  CHECK(std::get<std::int32_t>(one.arguments[2]) == 33);
  CHECK(one.extent.rows == 1);
  CHECK(one.extent.cols == 33);
  CHECK(one.bounds.elements == 33);
  CHECK(one.bounds.shared_loads.low == 2);
  CHECK(one.bounds.shared_loads.high == 4);
  CHECK(one.bounds.global_loads.sectors == judge::Measure::kNoLimit);
  CHECK(one.bounds.others.at("threads").high == 33);
  CHECK(one.bounds.conflicts == 0);
  const auto inputs = one.inputs(Flavour::exact, 1);
  CHECK(one.reference(inputs)[0] == inputs[1][1] - inputs[1][0]);
  const auto drawn = cases_of(exercise, 3);
  REQUIRE(drawn.size() == 3);
  CHECK(drawn[2].bounds.elements >= 5);
  CHECK(drawn[2].bounds.elements <= 9);
}

TEST_CASE(
    "what lab.toml asks of an exercise that does not have it is an error that names the exercise") {
  Folder folder;
  folder.write("lab.toml", "let = [\"units = ceil(rows / 32)\"]\n");
  folder.write("1_copy.toml", kText);
  std::string why;
  try {
    read_exercise(folder.lab / "1_copy.toml");
  } catch (const CourseError& error) {
    why = error.what();
  }
  CHECK(why.find("lab.toml:1: let[0]") != why.npos);
  CHECK(why.ends_with("; read for '09_mine/1_copy'"));
}

TEST_CASE("what a lab's exercises have in common stands in lab.toml") {
  const Folder folder;
  const auto checks = kText.find("[check.output]"), shapes = kText.find("[shapes]");
  folder.write("lab.toml", kText);
  folder.write("2_other.toml", R"(title = "another"
let = ["half = units / 2"]
[check.conflicts]
reason = "not one"
[check.more]
points = 1
reason = "more"
kind = "requests"
of = "shared_loads"
[limits]
threads = false
more = "half"
)");
  const auto exercise = read_exercise(folder.lab / "2_other.toml");
  CHECK(checks < shapes);
  CHECK(exercise.title == "another");
  CHECK(exercise.checks[1].reason == "not one");
  CHECK(exercise.checks[1].points == 40);
  REQUIRE(exercise.checks.size() == 3);
  CHECK(exercise.checks[2].check == "more");
  CHECK(exercise.checks[2].own);
  const auto& bounds = exercise.cases[1].bounds;
  CHECK(bounds.others.at("more").high == 1);
  CHECK_FALSE(bounds.others.contains("threads"));
  CHECK(bounds.shared_loads.low == 2);
  CHECK(read_exercises(folder.lab.parent_path()).size() == 1); // lab.toml is none
}

TEST_CASE("answers stand behind the output, and are not compared with it") {
  const Folder folder;
  auto text = "answers = [\"2 + 3\", 1]\n" + kText;
  text.replace(text.find("out = \"n\""), 9, "out = \"n + 2\"");
  const auto check = text.find("[check.output]");
  text.insert(check, "[check.answers]\npoints = 1\nreason = \"r\"\nkind = \"answers\"\n\n");
  folder.write("1_copy.toml", text);
  const auto exercise = read_exercise(folder.lab / "1_copy.toml");
  const auto& one = exercise.cases[1];
  CHECK(one.answers == 2);
  CHECK(one.extent.cols == 33);
  const auto inputs = one.inputs(Flavour::exact, 1);
  const auto right = one.reference(inputs);
  REQUIRE(right.size() == 35);
  CHECK(right[33] == 5);
  auto given = right;
  given[34] = 7;
  const auto numbers = one.numbers({}, given);
  CHECK(numbers.at("answer_0") == 5);
  CHECK(numbers.at("answer_1") == 7);
  CHECK(exercise.checks[0].own);
}

TEST_CASE("an exercise may take back its lab's reference and time") {
  const Folder folder;
  folder.write("lab.toml", kText + "[time]\npeer = \"copy\"\nat_most = 2\nshape = {n = 9}\n");
  folder.write("2_other.toml", "title = \"another\"\n");
  folder.write("3_own.toml", "title = \"another\"\nreference = false\ntime = false\n");
  const auto as_lab = read_exercise(folder.lab / "2_other.toml"),
             own = read_exercise(folder.lab / "3_own.toml");
  const auto asks_for_output = [](const Exercise& exercise) {
    return std::ranges::count(exercise.cases[0].by_solution, "output") == 1;
  };
  CHECK(as_lab.time);
  CHECK_FALSE(asks_for_output(as_lab));
  CHECK_FALSE(own.time);
  CHECK(asks_for_output(own));
}

TEST_CASE("files may have more lines where the exercise says so") {
  const Folder folder;
  folder.write("1_copy.toml", "lines = {skeleton = 90, solution = 170}\n" + kText);
  const auto exercise = read_exercise(folder.lab / "1_copy.toml");
  CHECK(exercise.skeleton_lines == 90);
  CHECK(exercise.solution_lines == 170);
}

TEST_CASE("a limit of some shapes alone stands below [[when]]") {
  const Folder folder;
  folder.write("1_copy.toml", kText + R"(
[[when]]
if = "n > 32"
label = "{n}, many"
way = {may = ["stored"], through = [["stored"]]}
limits = {conflicts = "any", shared_loads = {exactly = 0}}
)");
  const auto exercise = read_exercise(folder.lab / "1_copy.toml");
  CHECK(exercise.cases[0].shape == "4 elements");
  CHECK(exercise.cases[0].bounds.conflicts == 0);
  CHECK_FALSE(exercise.cases[0].bounds.way);
  CHECK(exercise.cases[1].shape == "33, many");
  CHECK(exercise.cases[1].bounds.conflicts == judge::Measure::kNoLimit);
  CHECK(exercise.cases[1].bounds.shared_loads.high == 0);
  CHECK(exercise.cases[1].bounds.way->may == (device::way::stored | device::way::details));
  CHECK_FALSE(exercise.cases[0].bounds.uses);
}

TEST_CASE("a limit that is `false` is none, whatever it is of") {
  const Folder folder;
  folder.write("1_copy.toml", kText + R"(
[[when]]
if = "n > 32"
limits = {conflicts = false, shared_loads = false, global_loads = false, cost = false, barriers = false}
)");
  const auto& bounds = read_exercise(folder.lab / "1_copy.toml").cases[1].bounds;
  CHECK(bounds.conflicts == judge::Measure::kNoLimit);
  CHECK(bounds.shared_loads.high == judge::Measure::kNoLimit);
  CHECK(bounds.global_loads.sectors == judge::Measure::kNoLimit);
  CHECK(bounds.cost.instructions == judge::Measure::kNoLimit);
  CHECK_FALSE(bounds.others.contains("barriers"));
}

TEST_CASE("what an answer is made of is named, and counts have limits of the shape") {
  const Folder folder;
  folder.write("1_copy.toml", "uses = [\"wgmma\"]\nnever = [\"local memory\"]\n" + kText + R"(
[[when]]
if = "n > 32"
limits = {uses = {"phase arrivals" = {at_least = "n / 3"}, stay = 2}}
)");
  const auto exercise = read_exercise(folder.lab / "1_copy.toml");
  const auto& uses = *exercise.cases[1].bounds.uses;
  CHECK(uses.way.through == std::vector{device::way::warpgroup});
  CHECK((uses.way.may & device::way::local) == 0);
  CHECK(uses.way.stay == 2);
  CHECK(uses.counts.at(device::Used::phase_arrivals).low == 11);
  CHECK(exercise.cases[0].bounds.uses->counts.empty());
}

TEST_CASE("a shape may be of a device with other shared memory than the GPU has") {
  const Folder folder;
  folder.write("1_copy.toml",
               "calls_succeed = true\ndevice = {shared_kib = \"n > 32 ? 100 : 228\"}\n" + kText);
  const auto exercise = read_exercise(folder.lab / "1_copy.toml");
  CHECK(exercise.calls_succeed);
  CHECK(exercise.cases[0].shared_kib == 228);
  CHECK(exercise.cases[1].shared_kib == 100);
  folder.write("1_copy.toml", "device = {shared_kib = 0}\n" + kText);
  CHECK_THROWS_AS(read_exercise(folder.lab / "1_copy.toml"), CourseError);
  folder.write("1_copy.toml", kText);
  CHECK(read_exercise(folder.lab / "1_copy.toml").cases[1].shared_kib == 0);
}

TEST_CASE("what the file does not say is asked of the solution") {
  const Folder folder;
  using Asked = std::vector<std::string>;
  const auto asked = [&](const std::string& without) {
    auto text = kText + "[check.traffic]\npoints = 0\nreason = \"so\"\n";
    if (!without.empty()) text.erase(text.find(without), without.size());
    folder.write("1_copy.toml", text);
    return read_exercise(folder.lab / "1_copy.toml").cases[0].by_solution;
  };
  CHECK(asked("") == Asked{"conflicts", "cost"});
  CHECK(asked("shared_loads = {at_least = \"units\", at_most = \"2 * units\"}\n") ==
        Asked{"conflicts", "traffic", "cost"});
  CHECK(asked("reference = \"differences\"\n") == Asked{"output", "conflicts", "cost"});
  CHECK(read_exercise(folder.lab / "1_copy.toml").solution ==
        folder.lab.parent_path().parent_path() / "solutions/09_mine/1_copy.cu");
}

TEST_CASE("whatever a verdict depends on is part of an exercise's version") {
  const Folder folder;
  const auto course =
      folder.lab.parent_path().parent_path() / ("version_" + std::to_string(getpid()));
  const auto lab = course / "labs/09_mine";
  const auto write = [&](const std::string& name, const std::string& text) {
    fs::create_directories((course / name).parent_path());
    std::ofstream(course / name) << text;
  };
  write("labs/09_mine/1_copy.toml", kText); // its conflicts are asked of the solution
  const auto version = [&] { return version_of(read_exercise(lab / "1_copy.toml")); };
  std::set<std::string> versions{version()};
  CHECK(version() == *versions.begin());
  auto text = kText;
  text.replace(text.find("points = 60"), 11, "points = 50");
  for (const auto& [name, content] :
       {std::pair<std::string, std::string>{"labs/09_mine/1_copy.toml", text},
        {"labs/09_mine/lab.toml", "one_writer = true\n"},
        {"solutions/09_mine/1_copy.cu", "void copy();"},
        {"labs/09_mine/reference.cpp", "int a;"},
        {"labs/09_mine/1_copy.reference.cpp", "int b;"}}) {
    write(name, content);
    INFO(name);
    CHECK(versions.insert(version()).second);
  }
  write("solutions/09_mine/2_other.cu", "void other();");
  write("labs/09_mine/2_other.toml", kText);
  CHECK(versions.contains(version()));
  fs::remove_all(course);
}

TEST_CASE("what is wrong with a file is said with its line") {
  const Folder folder;
  CHECK(folder.complaint("copies", "copy") == "");
  CHECK(folder.complaint("title = \"copies\"\n", "") == ": title: is missing");
  CHECK(folder.complaint("points = 60", "points = \"60\"") ==
        ":16: check.output.points: should be a number");
  CHECK(folder.complaint("ceil(n / 32)", "ceil(m / 32)") ==
        ":10: let[0]: `ceil(m / 32)`: Unexpected token \"m\" found at position 6.");
  CHECK(folder.complaint("\"n + apart\"", "\"n - 5\"") ==
        ":31: data.in.elements: `n - 5` is below zero, or no number");
  CHECK(folder.complaint("\"numbers\"", "\"number\"") ==
        ":31: data.in.values: there are no values of the kind `number`");
  CHECK(folder.complaint("values = \"numbers\"", "values = \"numbers\", spike = 3") ==
        ":31: data.in.spike: values of the kind `numbers` have no `spike`");
  CHECK(folder.complaint("\"differences\"", "\"nothing\"") ==
        ":9: reference: there is no reference `nothing`; \"file\" is one in a file of its own");
  CHECK(folder.complaint("apart = 1\n", "other = 1\n").find("apart") != std::string::npos);
  CHECK(folder.complaint("{n = 33}", "{m = 33}") ==
        ":26: shapes.named[1]: each shape has to give a value to the same names as the first");
  CHECK(folder.complaint("\"two\", ", "") == ":4: hints: there should be three hints");
  CHECK(folder.complaint("explanation = ", "explanatoin = ")
            .starts_with(":7: explanatoin: is not known here; there may be: "));
  CHECK(folder.complaint("at_most = ", "most = ")
            .starts_with(":34: limits.shared_loads.most: is not known here"));
  CHECK(folder.complaint("int n)", "long n)").starts_with(":2: signature: the signature `"));
  CHECK(folder.complaint("[shapes]", "[shapes").starts_with(":25: ")); // no TOML
}

TEST_CASE("a check of requests names requests that there are") {
  const Folder folder;
  const std::string plain = "reason = \"none\"\nquestion = \"Which bank?\"\n";
  const auto complaint = [&](const std::string& more) {
    return folder.complaint(plain, plain + "kind = \"requests\"\n" + more);
  };
  CHECK(complaint("of = \"shared_loads\"") == "");
  CHECK(complaint("of = \"shared_load_4\"") ==
        ":25: check.conflicts.of: there are no requests of `shared_load_4`");
  CHECK(complaint("of = \"global_loads\"\nalso = {limit = \"conflicts\", of = \"stores\"}") ==
        ":26: check.conflicts.also.of: there are no requests of `stores`");
  CHECK(complaint("").starts_with(":24: check.conflicts.kind: such a check says in `of`"));
}

TEST_CASE("a folder without exercises is no course") {
  const Folder folder;
  CHECK_THROWS_AS(read_exercises(folder.lab.parent_path()), CourseError);
  CHECK_THROWS_AS(read_exercises(folder.lab / "none"), CourseError);
}

TEST_CASE("a reference in a file is the exercise's own, or its lab's, and has to be there") {
  const Folder folder;
  const std::string by = "reference = \"differences\"", file = "reference = \"file\"";
  CHECK(folder.complaint(by, file) ==
        ":9: reference: there is no '1_copy.reference.cpp' beside it, and no reference.cpp");
  folder.write("reference.cpp", "");
  CHECK(folder.complaint(by, file).empty());
  auto read = read_exercise(folder.lab / "1_copy.toml");
  CHECK(read.reference_file.filename() == "reference.cpp");
  CHECK_FALSE(read.cases[0].reference);
  CHECK(read.cases[0].by_solution == std::vector<std::string>{"conflicts", "cost"});
  folder.write("1_copy.reference.cpp", "");
  CHECK(read_exercise(folder.lab / "1_copy.toml").reference_file.filename() ==
        "1_copy.reference.cpp");
  CHECK(folder.complaint(by, by).empty());
  CHECK(read_exercise(folder.lab / "1_copy.toml").reference_file.empty());
}

} // namespace course::lab
