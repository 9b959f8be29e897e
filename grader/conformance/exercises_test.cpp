#include "conformance/exercises.hpp"

#include "lab/hand_made_tools.hpp"
#include "lab/labs.hpp"

#include <doctest/doctest.h>

#include <sstream>

namespace course::conformance {
namespace {

// A project with one file: the solution of 05_transpose/2_pad.
struct Project {
  lab::hand_made::Stage stage;
  std::vector<Subject> all;

  Project() {
    const auto& exercise = *lab::find(lab::exercises(COURSE_SOURCE_DIR), "2_pad").exercise;
    all = {{&exercise, "solutions/05_transpose/2_pad.cu", &exercise.cases[0], "int x;\n"}};
  }

  Counted executed() {
    const auto job = job_of(all[0], stage.tools());
    return counted(stage.execute(std::get<device::Job>(job)));
  }
  std::vector<Measured> measured() {
    std::istringstream text(kColumns + std::string("\n") +
                            rows_of(all[0], digest_of(all[0].text), executed()));
    return std::get<std::vector<Measured>>(measured_in(std::get<Table>(read_table(text))));
  }
  std::vector<Outcome> compared(const std::vector<Measured>& with) {
    return compare(with, all, stage.tools(), [](const Outcome&) {});
  }
};

} // namespace

TEST_CASE("what was measured is written, read back, and equal to itself") {
  Project project;
  const auto measured = project.measured();
  REQUIRE(measured.size() == 1);
  CHECK(measured[0].counted.lines == project.executed().lines);
  const auto outcomes = project.compared(measured);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].kind == Outcome::Kind::equal);
}

TEST_CASE("one wavefront more on the GPU is unequal, and is said") {
  Project project;
  auto measured = project.measured();
  for (auto& line : measured[0].counted.lines) line.wavefronts += line.wavefronts > 0;
  const auto outcomes = project.compared(measured);
  CHECK(outcomes[0].kind == Outcome::Kind::unequal);
  CHECK(outcomes[0].differences.size() == 2);
}

TEST_CASE("a table without what no bank serves is compared without it") {
  Project project;
  auto table = std::string("file,digest,shape,line,access,wavefronts,ideal,sectors,kernel\n");
  for (const auto& line : project.executed().lines)
    table += project.all[0].file.string() + "," + digest_of(project.all[0].text) + ",\"" +
             project.all[0].shape->shape.label + "\"," + std::to_string(line.line) + "," +
             access_of(line) + "," + std::to_string(line.wavefronts) + "," +
             std::to_string(line.ideal) + "," + std::to_string(line.sectors) + "," + line.kernel +
             "\n";
  device::LineCounts remote;
  remote.kernel = "pad";
  remote.line = 3;
  remote.kind = model::kind_of("dshared_load_4").value();
  remote.requests = remote.sectors = 4;
  project.stage.more.push_back(remote);
  std::istringstream text(table);
  auto old = std::get<std::vector<Measured>>(measured_in(std::get<Table>(read_table(text))));
  CHECK_FALSE(old.at(0).beyond_banks);
  CHECK(project.compared(old)[0].kind == Outcome::Kind::equal);
  // A table that has them is held to them.
  const auto outcome = project.compared([&] {
    auto newer = old;
    newer[0].beyond_banks = true;
    return newer;
  }())[0];
  CHECK(outcome.kind == Outcome::Kind::unequal);
  CHECK(outcome.differences.size() == 2);
}

TEST_CASE("what was measured and cannot be executed here is unequal") {
  Project project;
  const auto measured = project.measured();
  project.stage.refuses = "an instruction of line 3";
  CHECK(project.compared(measured)[0].kind == Outcome::Kind::unequal);
}

TEST_CASE("a file that was changed or removed since is not compared") {
  Project project;
  const auto measured = project.measured();
  project.all[0].text = "int y;\n";
  CHECK(project.compared(measured)[0].kind == Outcome::Kind::changed);
  project.all.clear();
  CHECK(project.compared(measured)[0].kind == Outcome::Kind::missing);
}

TEST_CASE("a subject that the GPU did not complete has no counts to compare") {
  Project project;
  std::istringstream text(
      kColumns + std::string("\n") +
      rows_of(project.all[0], digest_of(project.all[0].text), {"out of bounds", false, {}}));
  const auto measured =
      std::get<std::vector<Measured>>(measured_in(std::get<Table>(read_table(text))));
  CHECK_FALSE(measured[0].counted.failure.empty());
  CHECK(project.compared(measured)[0].kind == Outcome::Kind::equal);
}

TEST_CASE("a table without a column, or with a number that is none, is an error") {
  std::istringstream text("file,digest\na,b\n");
  CHECK(std::get<std::string>(measured_in(std::get<Table>(read_table(text)))) ==
        "row 1: there is no column shape");
  std::istringstream other(std::string(kColumns) +
                           "\na.cu,d,32 x 32,x,shared load,1,1,0,turn,0,0,0\n");
  CHECK(std::get<std::string>(measured_in(std::get<Table>(read_table(other)))) ==
        "row 1: a number cannot be read");
}

TEST_CASE("every exercise with a kernel has a subject for each of its files") {
  const auto all = subjects(lab::exercises(COURSE_SOURCE_DIR), COURSE_SOURCE_DIR);
  for (const auto& exercise : lab::exercises(COURSE_SOURCE_DIR)) {
    if (!exercise.launches) continue;
    std::size_t files = 0;
    for (const auto& subject : all) files += subject.exercise == &exercise;
    INFO(exercise.id);
    CHECK(files >= 5);
  }
}

} // namespace course::conformance
