#include "lab/grade.hpp"

#include "lab/drawn.hpp"
#include "lab/hand_made_tools.hpp"
#include "lab/labs.hpp"

#include "report/words/check_words.hpp"
#include "report/words/ended_words.hpp"
#include "report/words/note_words.hpp"

#include <doctest/doctest.h>

#include <sys/stat.h>

namespace course::lab {
namespace {

using hand_made::Stage;
using judge::Ending;
using judge::Status;

const Exercise& exercise(const char* name) {
  return *find(exercises(COURSE_SOURCE_DIR), name).exercise;
}

judge::Verdict graded(Stage& stage, const char* name = "2_pad") {
  return grade(exercise(name), {stage.file, 42}, stage.tools());
}

int shapes() {
  return static_cast<int>(cases_of(exercise("2_pad"), 42).size());
}
Status status(const judge::Verdict& verdict, const std::string& name) {
  const auto* check = judge::find(verdict.checks, name);
  REQUIRE(check);
  return check->status;
}

std::string headline(const judge::Verdict& verdict) {
  return report::ended_words(verdict).headline;
}

device::Finding finding(device::FindingKind kind, bool fatal) {
  device::Finding found;
  found.kind = kind;
  found.message = "what happened";
  found.file = "/tmp/scratch/2_pad.cu";
  found.line = 29;
  found.fatal = fatal;
  return found;
}

} // namespace

TEST_CASE("a right kernel passes, with every shape recorded once and executed for each seed") {
  Stage stage;
  const auto verdict = graded(stage);
  CHECK(verdict.ending == Ending::passed);
  CHECK(verdict.points == 60);
  CHECK(verdict.max_points == 60);
  CHECK(stage.compilations == 1);
  CHECK(stage.recordings == shapes() + 1);     // the last of two calls
  CHECK(stage.executions == 3 * shapes() + 1); // the last in another order
  CHECK(verdict.explanation == exercise("2_pad").explanation);
  CHECK(status(verdict, "time") == Status::not_measured);
  CHECK(verdict.lines[0].file == "2_pad.cu");
}

TEST_CASE("the launcher is called with the operands' addresses and the shape") {
  Stage stage;
  graded(stage);
  REQUIRE(stage.last.arguments.size() == 4);
  CHECK(stage.last.arguments[0].bits == runtime::kFirstAddress);
  CHECK(stage.last.arguments[1].bits == stage.last.memory[1].address);
  // The last shape is the one that the seed draws.
  const auto rows = stage.last.arguments[2].bits, cols = stage.last.arguments[3].bits;
  CHECK(rows % 32 == 0);
  CHECK(rows > 0);
  CHECK(stage.last.memory[0].size == 4 * rows * cols);
}

TEST_CASE("conflicts fail that check only, and cost its points") {
  Stage stage;
  stage.ways = 32;
  const auto verdict = graded(stage);
  CHECK(verdict.ending == Ending::failed);
  CHECK(verdict.points == 45);
  CHECK(judge::first_failed(verdict.checks)->name == "conflicts");
  CHECK(verdict.explanation.empty());
}

TEST_CASE("values that came around the tile fail traffic, and what moves them does not matter") {
  Stage stage;
  stage.came = device::way::stored | device::way::shuffled;
  const auto verdict = graded(stage);
  CHECK(verdict.ending == Ending::failed);
  CHECK(status(verdict, "traffic") == Status::failed);
  CHECK(report::words(*judge::find(verdict.checks, "traffic")).observed().find("by shuffles") !=
        std::string::npos);
  CHECK(status(verdict, "conflicts") == Status::passed);
  CHECK(verdict.points < verdict.max_points);
}

TEST_CASE("a kernel that does many times the work is judged by right and wrong alone") {
  Stage stage;
  stage.repeats = 100;
  const auto verdict = graded(stage);
  CHECK(verdict.ending == Ending::failed);
  CHECK(status(verdict, "kernel") == Status::failed);
  CHECK(status(verdict, "output") == Status::passed);
  CHECK(status(verdict, "conflicts") == Status::not_measured);
}

TEST_CASE(
    "a kernel that does many times the work is not tried with far more, where it would be ended") {
  Stage right, wasteful;
  wasteful.repeats = 100;
  graded(right, "05_transpose/4_any_shape");
  const auto verdict = graded(wasteful, "05_transpose/4_any_shape");
  CHECK(status(verdict, "kernel") == Status::failed);
  CHECK(wasteful.executions ==
        right.executions - 12); // 70,000 x 1, 1 x 70,000, 500 x 300 and larger, after 67 x 129
}

TEST_CASE("conflicts are mentioned, not graded, where the exercise says so") {
  Stage stage;
  stage.ways = 32;
  const auto verdict = graded(stage, "05_transpose/1_tile");
  CHECK(verdict.ending == Ending::passed);
  CHECK(report::notes(verdict) ==
        std::vector<std::string>{"not graded here: conflicts, 31 per request, on line 29"});
}

TEST_CASE("a kernel that writes nothing earns nothing, and ends at the first shape") {
  Stage stage;
  stage.writes = false;
  const auto verdict = graded(stage);
  CHECK(verdict.ending == Ending::failed);
  CHECK(verdict.points == 0);
  CHECK(stage.executions == 1);
  REQUIRE(verdict.wrong);
  CHECK(verdict.wrong->comparison.pattern == judge::Pattern::all_unwritten);
  CHECK(verdict.wrong->shape == "32 x 32");
}

TEST_CASE("an execution that was ended is the last, and fails for its reason alone") {
  Stage stage;
  stage.ends = {finding(device::FindingKind::out_of_bounds, true)};
  const auto verdict = graded(stage);
  CHECK(stage.executions == 1);
  CHECK(verdict.ending == Ending::failed);
  CHECK(status(verdict, "memory") == Status::failed);
  CHECK(status(verdict, "output") == Status::not_measured);
  CHECK(verdict.points == 0);
  CHECK(verdict.findings[0].file == "2_pad.cu");
}

TEST_CASE("a kernel without end times out") {
  Stage stage;
  stage.ends = {finding(device::FindingKind::budget, true)};
  const auto verdict = graded(stage);
  CHECK(verdict.ending == Ending::timed_out);
  CHECK(status(verdict, "kernel") == Status::failed);
  CHECK(status(verdict, "memory") == Status::not_measured);
}

TEST_CASE("a race does not end the grading, and fails the memory check") {
  Stage stage;
  stage.ends = {finding(device::FindingKind::race, false)};
  const auto verdict = graded(stage);
  CHECK(stage.executions == 3 * shapes());
  CHECK(verdict.ending == Ending::failed);
  CHECK(status(verdict, "memory") == Status::failed);
  CHECK(status(verdict, "output") == Status::passed);
}

TEST_CASE("one value stored by several threads is shown, and fails nothing") {
  Stage stage;
  stage.ends = {finding(device::FindingKind::same_value, false)};
  const auto verdict = graded(stage);
  CHECK(verdict.ending == Ending::passed);
  CHECK(verdict.points == 60);
  REQUIRE(verdict.findings.size() == 1);
  CHECK(verdict.findings[0].kind == device::FindingKind::same_value);
}

TEST_CASE("one value stored by several threads fails where an exercise has one writer a word") {
  Stage stage;
  stage.ends = {finding(device::FindingKind::same_value, false)};
  auto strict = exercise("2_pad");
  strict.one_writer = true;
  const auto verdict = grade(strict, {stage.file, 42}, stage.tools());
  CHECK(verdict.ending == Ending::failed);
  CHECK(status(verdict, "memory") == Status::failed);
}

TEST_CASE("a kernel that is right only when blocks come by their index is wrong, and asked why") {
  using Kind = device::Order::Kind;
  Stage stage;
  stage.wrong_in = {Kind::drawn, Kind::backwards};
  const auto verdict = graded(stage);
  CHECK(stage.executions == 5); // 32 x 32 has one block; the next is tried in two orders
  const auto* output = judge::find(verdict.checks, "output");
  REQUIRE(output);
  CHECK(output->shape == "64 x 96");
  CHECK(output->right_in_another_order);
  stage.wrong_in.insert(Kind::by_index);
  const auto always = graded(stage);
  CHECK_FALSE(judge::find(always.checks, "output")->right_in_another_order);
}

TEST_CASE("a kernel that is wrong only with the last block first is wrong, and asked why") {
  Stage stage;
  stage.wrong_in = {device::Order::Kind::backwards};
  const auto verdict = graded(stage);
  CHECK(verdict.ending == Ending::failed);
  const auto* output = judge::find(verdict.checks, "output");
  REQUIRE(output);
  CHECK(output->status == Status::failed);
  CHECK(output->shape.label == "64 x 96"); // the cheapest that has several blocks
  CHECK(output->shape.backwards);
  CHECK(output->right_in_another_order);
}

TEST_CASE(
    "a kernel that is wrong only in a drawn order is wrong where its threads can tell orders") {
  Stage stage;
  stage.wrong_in = {device::Order::Kind::at_liberty};
  CHECK(graded(stage).ending == Ending::passed); // no order matters: it is not executed in any
  stage.order_matters = true;
  const auto verdict = graded(stage);
  CHECK(verdict.ending == Ending::failed);
  const auto* output = judge::find(verdict.checks, "output");
  REQUIRE(output);
  CHECK(output->status == Status::failed);
  CHECK(name(output->shape) == "64 x 96, drawn order 1");
  CHECK(output->right_in_another_order);
  CHECK(status(verdict, "conflicts") == Status::passed); // counts are those of the first time
}

TEST_CASE("a drawn order that takes longer than there is time proves nothing") {
  Stage stage;
  stage.order_matters = true;
  stage.wrong_in = {device::Order::Kind::at_liberty};
  device::Finding over;
  over.kind = device::FindingKind::budget;
  stage.at_liberty = {over};
  CHECK(graded(stage).ending == Ending::passed);
}

TEST_CASE("a kernel that the device cannot execute is not measurable, and says why") {
  Stage stage;
  stage.refuses = "`wgmma` on line 12";
  const auto verdict = graded(stage);
  CHECK(verdict.ending == Ending::not_measurable);
  CHECK(headline(verdict).find("`wgmma` on line 12") != std::string::npos);
  CHECK(verdict.points == 0);
}

TEST_CASE("no launch fails the launch, and nothing after it is measured") {
  Stage stage;
  stage.recording.plan.steps.clear();
  const auto verdict = graded(stage);
  CHECK(verdict.ending == Ending::failed);
  CHECK(judge::first_failed(verdict.checks)->name == "launch");
  CHECK(status(verdict, "output") == Status::not_measured);
  CHECK(stage.executions == 0);
}

TEST_CASE("a launch refused at a later shape takes back the passes of earlier ones") {
  Stage stage;
  auto tools = stage.tools();
  tools.record = [&](const build::Compiled&, const runtime::Call& call) {
    stage.last = call;
    if (++stage.recordings == 3) stage.recording.errors = {{"cudaLaunchKernel", "refused", ""}};
    return stage.recording;
  };
  const auto verdict = grade(exercise("2_pad"), {stage.file, 42}, tools);
  CHECK(verdict.ending == Ending::failed);
  CHECK(status(verdict, "launch") == Status::failed);
  for (const char* name : {"kernel", "output", "memory", "coalescing", "traffic", "conflicts"})
    CHECK(status(verdict, name) == Status::not_measured);
  CHECK(verdict.points == 0);
}

TEST_CASE("host code that crashes ends the grading as crashed") {
  Stage stage;
  stage.recording.end = runtime::Recording::End::crashed;
  stage.recording.signal = 11;
  stage.recording.err = "oh dear";
  const auto verdict = graded(stage);
  CHECK(verdict.ending == Ending::crashed);
  CHECK(judge::first_failed(verdict.checks)->name == "host");
  CHECK(verdict.printed == "oh dear");
  CHECK(verdict.points == 0);
  CHECK(verdict.max_points == 60);
}

TEST_CASE("host code that crashes at a later shape earns nothing for earlier ones") {
  Stage stage;
  auto tools = stage.tools();
  tools.record = [&](const build::Compiled&, const runtime::Call& call) {
    stage.last = call;
    if (++stage.recordings == 3) stage.recording.end = runtime::Recording::End::cpu_time;
    return stage.recording;
  };
  const auto verdict = grade(exercise("2_pad"), {stage.file, 42}, tools);
  CHECK(verdict.ending == Ending::timed_out);
  CHECK(judge::first_failed(verdict.checks)->name == "host");
  CHECK(verdict.points == 0);
}

TEST_CASE("what does not compile is never recorded, and nvcc is quoted") {
  Stage stage;
  stage.rejected = build::Rejected{build::Rejected::Reason::diagnostics, "2_pad.cu(3): error"};
  const auto verdict = graded(stage);
  CHECK(verdict.ending == Ending::did_not_compile);
  CHECK(verdict.compiler == "2_pad.cu(3): error");
  CHECK(judge::first_failed(verdict.checks)->name == "compile");
  CHECK(stage.recordings == 0);
}

TEST_CASE("a missing function, an empty file and a missing file are told apart") {
  Stage other;
  other.functions = {"transpose(float*)"};
  CHECK(headline(graded(other)).find("does not define") != std::string::npos);
  Stage empty(" \n\t");
  const auto verdict = graded(empty);
  CHECK(verdict.ending == Ending::did_not_compile);
  CHECK(headline(verdict) == "2_pad.cu is empty.");
  CHECK(empty.compilations == 0);
  Stage gone;
  std::filesystem::remove(gone.file);
  CHECK(graded(gone).ending == Ending::set_up);
}

TEST_CASE("what is no file of a reasonable size is refused at once, and not compiled") {
  Stage stage;
  std::filesystem::resize_file(stage.file, 1ull << 30);
  CHECK(headline(graded(stage)) == "2_pad.cu has more than 1 MiB.");
  CHECK(graded(stage).ending == Ending::did_not_compile);
  std::filesystem::remove(stage.file);
  REQUIRE(mkfifo(stage.file.c_str(), 0600) == 0); // who opens it to read waits for a writer
  CHECK(graded(stage).ending == Ending::set_up);
  std::filesystem::remove(stage.file);
  std::filesystem::create_symlink("/dev/zero", stage.file);
  CHECK(headline(graded(stage)) == "2_pad.cu is a symbolic link.");
  CHECK(stage.compilations == 0);
}

TEST_CASE("no compiler is a matter of set-up") {
  Stage stage;
  stage.rejected = build::Rejected{build::Rejected::Reason::no_compiler, ""};
  const auto verdict = graded(stage);
  CHECK(verdict.ending == Ending::set_up);
  CHECK(judge::first_failed(verdict.checks) == nullptr);
}

TEST_CASE("a call that the runtime lacks excuses a failure, not a pass") {
  Stage stage;
  stage.recording.unsupported = {"cudaMemcpy2D"};
  CHECK(graded(stage).ending == Ending::passed);
  stage.writes = false;
  const auto verdict = graded(stage);
  CHECK(verdict.ending == Ending::not_measurable);
  CHECK(headline(verdict).find("cudaMemcpy2D") != std::string::npos);
}

TEST_CASE("an input that was changed fails the memory check") {
  Stage stage;
  struct Vandal : device::Device {
    explicit Vandal(Stage& real) : inner(real) {}
    Stage& inner;
    std::string name() const override { return "vandal"; }
    device::Observation execute(const device::Job& job) override {
      auto observed = inner.execute(job);
      observed.buffers[1][0] ^= std::byte{1};
      return observed;
    }
  } vandal(stage);
  auto tools = stage.tools();
  tools.device = &vandal;
  const auto verdict = grade(exercise("2_pad"), {stage.file, 42}, tools);
  CHECK(status(verdict, "memory") == Status::failed);
  CHECK(report::words(*judge::find(verdict.checks, "memory")).observed() == "`in` was changed");
}

TEST_CASE("every exercise is judged by the checks that it lists, in order") {
  for (const auto& one : exercises(COURSE_SOURCE_DIR)) {
    Stage stage;
    const auto verdict = grade(one, {stage.file, 1}, stage.tools());
    std::vector<std::string> names;
    for (const auto& check : verdict.checks) names.push_back(check.name);
    std::vector<std::string> expected{"compile", "host", "launch", "kernel"};
    for (const auto& wanted : one.checks) expected.push_back(wanted.check);
    CHECK(names == expected);
  }
}

} // namespace course::lab
