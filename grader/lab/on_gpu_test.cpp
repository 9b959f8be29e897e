#include "lab/on_gpu.hpp"

#include "lab/staged_gpu.hpp"

#include "report/words/check_words.hpp"
#include "report/words/note_words.hpp"

#include <doctest/doctest.h>

#include <thread>

namespace course::lab {
namespace {

using judge::Ending;
using judge::Status;

using hand_made::named;
using hand_made::shape_count;
using hand_made::shapes;
using hand_made::StagedGpu;

} // namespace

TEST_CASE("what both devices find right is timed, and worth all points") {
  StagedGpu gpu;
  const auto verdict = gpu.graded();
  CHECK(verdict.ending == Ending::passed);
  CHECK(verdict.points == 100);
  CHECK(verdict.max_points == 100);
  CHECK(gpu.counted == shape_count());      // the first flavour of each shape
  CHECK(gpu.executed == 2 * shape_count()); // the other two
  CHECK(gpu.timed == 1);
  CHECK(verdict.means.note == judge::Means::Note::counts_by_gpu);
  CHECK(verdict.notes.empty());
  CHECK(report::words(named(verdict, "time")).observed() == "100 us, 1.00 times the solution");
}

TEST_CASE("a wrong output on the GPU fails, and is not timed") {
  StagedGpu gpu;
  gpu.right = false;
  const auto verdict = gpu.graded();
  CHECK(named(verdict, "output").status == Status::failed);
  CHECK(named(verdict, "time").status == Status::not_measured);
  CHECK(named(verdict, "time").possible);
  CHECK(gpu.timed == 0);
}

TEST_CASE("where the devices count differently, what was measured is graded, and said") {
  StagedGpu gpu;
  gpu.ways = 2;
  const auto verdict = gpu.graded();
  CHECK(named(verdict, "conflicts").status == Status::failed);
  REQUIRE(verdict.notes.size() == shapes().size());
  CHECK(report::notes(verdict)[0].find("line 29, shared load: 32 wavefronts, measured 64") !=
        std::string::npos);
}

TEST_CASE("a GPU that does not count leaves the counts to the emulated device, and says so") {
  StagedGpu gpu;
  gpu.counted_by = "CUPTI range profiler, totals of each launch";
  gpu.ways = 2;
  const auto verdict = gpu.graded();
  CHECK(verdict.points == 100);
  CHECK(verdict.means.note == judge::Means::Note::all_emulated);
  REQUIRE(verdict.notes.size() == 1);
  CHECK(report::notes(verdict)[0].find("range profiler") != std::string::npos);
}

TEST_CASE("a kernel that faults on the GPU alone fails") {
  StagedGpu gpu;
  device::Finding finding;
  finding.kind = device::FindingKind::out_of_bounds;
  finding.message = "it touches memory that it was not given";
  finding.fatal = true;
  gpu.ends = finding;
  const auto verdict = gpu.graded();
  CHECK(named(verdict, "memory").status == Status::failed);
  CHECK(verdict.ending == Ending::failed);
}

TEST_CASE("after kernels that do not end on the GPU, what is not begun yet is left out") {
  StagedGpu gpu;
  device::Finding finding;
  finding.kind = device::FindingKind::budget;
  finding.message = "the kernels did not end within 10 s on the GPU, and were stopped";
  gpu.ends = finding;
  gpu.at_once = 1;
  const auto verdict = gpu.graded();
  CHECK(verdict.ending == Ending::timed_out);
  CHECK(gpu.executed == 2 * shape_count());
  CHECK(gpu.counted == 0);
}

TEST_CASE("what the emulated device finds wrong does not reach the GPU") {
  StagedGpu gpu;
  gpu.stage.writes = false;
  const auto verdict = gpu.graded();
  CHECK(verdict.ending == Ending::failed);
  CHECK(gpu.counted == 0);
  CHECK(gpu.timed == 0);
}

TEST_CASE("too slow fails, and too close is measured again before it is said") {
  StagedGpu slow;
  slow.low = 1.79, slow.high = 1.81;
  CHECK(named(slow.graded(), "time").status == Status::failed);
  CHECK(slow.timed == 1);
  StagedGpu close;
  close.low = 1.19, close.high = 1.21;
  const auto verdict = close.graded();
  CHECK(close.timed == 2);
  CHECK(close.seeds.size() == 2);
  CHECK(named(verdict, "time").status == Status::not_measured);
  CHECK(verdict.max_points == 60);
}

TEST_CASE("times that are too good, of a wrong answer, or not trusted are no pass") {
  StagedGpu fast;
  fast.floor = 120e-6;
  CHECK(named(fast.graded(), "time").status == Status::failed);
  StagedGpu near;
  near.floor = 105e-6; // a tenth below a copy's time is allowed
  CHECK(named(near.graded(), "time").status == Status::passed);
  StagedGpu wrong;
  wrong.timed_right = false;
  CHECK(report::words(named(wrong.graded(), "time")).observed() == "a timed run was wrong");
  StagedGpu now_and_then;
  now_and_then.different = gpu::Different{12, 3};
  const auto differs = named(now_and_then.graded(), "time");
  CHECK(report::words(differs).observed() == "a timed run was wrong");
  CHECK(report::words(differs).message.find("12 of 1024 elements were wrong") != std::string::npos);
  StagedGpu odd;
  odd.suspicion = "the clocks do not fit";
  CHECK(named(odd.graded(), "time").status == Status::not_measured);
}

TEST_CASE("what is timed is held against a reference in a file as well, which may fail there") {
  StagedGpu gpu;
  bool fails_when_timed = false;
  const auto here = std::this_thread::get_id(); // the answer to what is timed is computed apart
  auto tools = gpu.tools();
  tools.compute = [&](const build::Compiled&, const runtime::Call& call,
                      const std::vector<device::Buffer>& memory) {
    runtime::HostCall done;
    if (fails_when_timed && std::this_thread::get_id() != here)
      done.recording.end = runtime::Recording::End::cpu_time;
    for (const auto& buffer : memory) done.memory.push_back(buffer.bytes);
    const auto rows = call.arguments[2].bits, cols = call.arguments[3].bits;
    for (std::uint64_t i = 0; i < rows * cols; ++i)
      std::memcpy(done.memory[0].data() + 4 * (i % cols * rows + i / cols),
                  memory[1].bytes.data() + 4 * i, 4);
    return done;
  };
  auto exercise = *find(exercises(COURSE_SOURCE_DIR), "2_pad").exercise;
  exercise.reference_file = "2_pad.reference.cpp";
  for (auto& one : exercise.cases) one.reference = nullptr;
  exercise.time->shape = [small = exercise.cases[0]] { return small; };
  CHECK(named(grade(exercise, {gpu.stage.file, 42}, tools), "time").status == Status::passed);
  fails_when_timed = true;
  const auto verdict = grade(exercise, {gpu.stage.file, 42}, tools);
  CHECK(verdict.ending == Ending::set_up);
  CHECK(verdict.points == 0);
}

} // namespace course::lab
