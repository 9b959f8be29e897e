#include "lab/on_gpu.hpp"

#include "device/gpu/variation.hpp"
#include "lab/drawn.hpp"
#include "lab/hand_made_tools.hpp"
#include "lab/labs.hpp"

#include "report/words/check_words.hpp"
#include "report/words/note_words.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

namespace course::lab {
namespace {

using judge::Ending;
using judge::Status;

// Those with names, and those that are drawn.
std::vector<Case> shapes() {
  return cases_of(*find(exercises(COURSE_SOURCE_DIR), "2_pad").exercise, 42);
}
int shape_count() {
  return static_cast<int>(shapes().size());
}

// A GPU that does as the staged device does, but for what a test changes.
struct StagedGpu {
  hand_made::Stage stage;
  std::string counted_by = gpu::kCountedByInstruction;
  std::uint64_t ways = 1;              // as the GPU counts
  bool right = true;                   // its outputs
  std::optional<device::Finding> ends; // how its kernels end
  double low = 0.99, high = 1.01;      // of the ratio of times
  double floor = 0;                    // seconds; a run takes 100 us
  bool timed_right = true;
  unsigned at_once = 3;
  std::optional<gpu::Different> different;
  std::set<std::uint64_t> seeds; // of times that were taken
  std::string suspicion;
  std::atomic<int> counted{0};
  int executed = 0, timed = 0;
  std::mutex one_at_a_time;

  device::Observation run(const device::Job& job) {
    const std::lock_guard lock(one_at_a_time);
    // The stage turns the matrix that was recorded last; here it is the job's own.
    const auto elements = job.buffers[1].bytes.size() / 4;
    const auto before = stage.last;
    for (const auto& shape : shapes()) {
      if (shape.bounds.elements != elements) continue;
      stage.last.arguments[2].bits = shape.extent.cols;
      stage.last.arguments[3].bits = shape.extent.rows;
    }
    const auto count = stage.executions;
    stage.ways = ways;
    auto observed = stage.execute(job);
    stage.ways = 1;
    stage.executions = count;
    stage.last = before;
    if (!right) observed.buffers[0][0] ^= std::byte{1};
    if (ends) {
      observed.findings = {*ends};
      observed.status = device::Observation::Status::failed;
      observed.reason = ends->message;
      observed.buffers.clear();
    }
    return observed;
  }

  Tools tools() {
    auto made = stage.tools();
    GpuTools gpu;
    gpu.name = "staged GPU";
    gpu.at_once = at_once;
    gpu.root = stage.file.parent_path();
    gpu.count = [this](const device::Job& job) {
      ++counted;
      auto observed = run(job);
      observed.counted_by = counted_by;
      return observed;
    };
    gpu.execute = [this](const std::vector<device::Job>& jobs) {
      std::vector<device::Observation> all;
      for (const auto& job : jobs) all.push_back(run(job));
      executed += static_cast<int>(jobs.size());
      return all;
    };
    gpu.time = [this](const gpu::TimedWork& work, const gpu::TimingOptions& options) {
      ++timed;
      gpu::TimedPair pair;
      pair.times.student_median = pair.times.peer_median = 100e-6;
      pair.times.ratio = gpu::RatioInterval{(low + high) / 2, low, high, 0.99, 100};
      pair.times.suspicion = suspicion;
      pair.times.different = different;
      if (different) pair.times.ratio.reset();
      pair.floor = floor;
      seeds.insert(options.seed);
      const auto side = std::size_t{32}; // of the shape that is timed here
      const auto in =
          gpu::varied(work.buffers[1].contents, 4, gpu::seed_of_buffer(options.seed, 1));
      auto& out = pair.times.checked.emplace(work.buffers[0].region.size);
      for (std::size_t i = 0; i < side * side; ++i)
        std::memcpy(out.data() + 4 * (i % side * side + i / side), in.data() + 4 * i, 4);
      if (!timed_right) out[0] ^= std::byte{1};
      CHECK(work.output.buffer == 0);
      CHECK(work.output.floats);
      CHECK_FALSE(work.buffers[0].input);
      CHECK(work.buffers[1].input);
      return pair;
    };
    made.gpu = gpu;
    return made;
  }

  judge::Verdict graded() {
    auto exercise = *find(exercises(COURSE_SOURCE_DIR), "2_pad").exercise;
    exercise.time->shape = [small = exercise.cases[0]] { return small; };
    return grade(exercise, {stage.file, 42}, tools());
  }
};

const judge::Check& named(const judge::Verdict& verdict, const char* name) {
  const auto* check = judge::find(verdict.checks, name);
  REQUIRE(check);
  return *check;
}

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

namespace {

constexpr const char* kPlain = ".version 9.0\n.target sm_90\n.address_size 64\n";
constexpr const char* kCopies =
    ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n  .reg .b32 %r<4>;\n"
    "  .reg .b64 %d<4>;\n  cp.async.ca.shared.global [%r1], [%d1], 4;\n  ret;\n}\n";

// A GPU before Hopper, and the PTX of a student's file and of the solution.
struct OlderGpu : StagedGpu {
  const char *students = kPlain, *solutions = kPlain;
  bool points_count = false;
  TimeLimit::Peer peer = TimeLimit::Peer::solution;
  bool against_solution = false;
  std::string refuses; // its driver's words

  judge::Verdict graded() {
    auto exercise = *find(exercises(COURSE_SOURCE_DIR), "2_pad").exercise;
    exercise.time->shape = [small = exercise.cases[0]] { return small; };
    auto made = tools();
    exercise.time->peer = peer;
    made.gpu->time = [this, staged = made.gpu->time](const gpu::TimedWork& work,
                                                     const gpu::TimingOptions& options) {
      against_solution = work.peer_is_right;
      return staged(work, options);
    };
    made.gpu->ability = {"Tesla T4", 75, 64 << 10, 15ull << 30};
    made.gpu->grades_without_time = !points_count;
    made.compile = [this, staged = made.compile](const std::filesystem::path& source) {
      auto result = staged(source);
      auto& built = std::get<build::Compiled>(result);
      built.modules[0].ptx = source == stage.file ? students : solutions;
      return result;
    };
    made.gpu->execute = [this, staged = made.gpu->execute](const std::vector<device::Job>& jobs) {
      auto all = staged(jobs);
      for (auto& one : all) {
        if (refuses.empty()) continue;
        one.status = device::Observation::Status::unsupported;
        one.reason = refuses;
      }
      return all;
    };
    return grade(exercise, {stage.file, 42}, made);
  }
};

} // namespace

TEST_CASE("on a GPU of other rules outputs and time are measured, and counts stay the H200's") {
  OlderGpu gpu;
  gpu.ways = 2; // which it would count, were it asked
  const auto verdict = gpu.graded();
  CHECK(verdict.ending == Ending::passed);
  CHECK(verdict.points == 100);
  CHECK(gpu.counted == 0);
  CHECK(gpu.executed == 3 * shape_count());
  CHECK(gpu.timed == 1);
  CHECK(verdict.means.note == judge::Means::Note::other_rules);
  CHECK(verdict.notes.empty());
  OlderGpu wrong;
  wrong.right = false;
  CHECK(named(wrong.graded(), "output").status == Status::failed);
}

TEST_CASE("on a GPU of other rules nobody is held against a copy, but all against the solution") {
  OlderGpu gpu;
  gpu.peer = TimeLimit::Peer::copy;
  const auto verdict = gpu.graded();
  CHECK(verdict.points == 100);
  CHECK(report::words(named(verdict, "time")).observed() == "100 us, 1.00 times the solution");
  CHECK(gpu.against_solution);
}

TEST_CASE(
    "where neither file nor solution can be executed, all but time is graded, and it is said") {
  OlderGpu gpu;
  gpu.students = gpu.solutions = kCopies;
  for (const bool points : {false, true}) {
    gpu.points_count = points;
    const auto verdict = gpu.graded();
    CHECK(verdict.ending == Ending::passed);
    CHECK(verdict.points == 60);
    CHECK(verdict.max_points == 60);
    CHECK(gpu.executed == 0);
    CHECK(verdict.means.device == "staged device");
    CHECK(verdict.means.note == judge::Means::Note::not_on_gpu);
    REQUIRE(verdict.notes.size() == 1);
    CHECK(report::notes(verdict)[0] == "everything but time is graded: cp.async.ca.shared.global "
                                       "needs compute capability 8.0, and the Tesla T4 has 7.5");
  }
}

TEST_CASE("a file that alone cannot be timed gains nothing by it where points count") {
  OlderGpu gpu;
  gpu.students = kCopies;
  const auto at_home = gpu.graded();
  CHECK(at_home.ending == Ending::passed);
  CHECK(at_home.max_points == 60);
  gpu.points_count = true;
  const auto in_class = gpu.graded();
  CHECK(in_class.ending == Ending::not_measurable);
  CHECK(in_class.points == 0);
}

TEST_CASE("a solution that cannot be executed there leaves the outputs to be measured") {
  OlderGpu gpu;
  gpu.solutions = kCopies;
  const auto verdict = gpu.graded();
  CHECK(verdict.points == 60);
  CHECK(verdict.max_points == 60);
  CHECK(gpu.executed == 3 * shape_count());
  CHECK(gpu.timed == 0);
  CHECK(verdict.means.note == judge::Means::Note::other_rules);
  REQUIRE(verdict.notes.size() == 1);
  CHECK(report::notes(verdict)[0].starts_with("the course's solution cannot be timed on this GPU"));
}

TEST_CASE("what an older GPU's driver refuses is graded without it, in the driver's words") {
  OlderGpu gpu;
  gpu.refuses = "the driver could not compile the PTX: CUDA_ERROR_INVALID_PTX";
  const auto verdict = gpu.graded();
  CHECK(verdict.ending == Ending::passed);
  CHECK(verdict.max_points == 60);
  REQUIRE(verdict.notes.size() == 1);
  CHECK(report::notes(verdict)[0].find("the Tesla T4 refused it: the driver could not compile") !=
        std::string::npos);
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
