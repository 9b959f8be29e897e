#include "lab/other_gpu.hpp"

#include "lab/staged_gpu.hpp"
#include "report/words/check_words.hpp"
#include "report/words/note_words.hpp"

#include <doctest/doctest.h>

namespace course::lab {
namespace {

using Why = judge::NotOnGpu::Why;

const gpu::Ability kT4{"Tesla T4", 75, 64 << 10, 15ull << 30};
const gpu::Ability kB200{"NVIDIA B200", 100, 227 << 10, 180ull << 30};
const gpu::Ability kH100{"NVIDIA H100", 90, 227 << 10, 80ull << 30};

device::Job job(const std::string& body, std::uint32_t dynamic_shared = 0) {
  device::Job made;
  made.modules.emplace_back();
  made.modules[0].ptx = ".version 9.0\n.target sm_90\n.address_size 64\n.file 1 \"mine.cu\"\n"
                        ".visible .entry kernel()\n{\n  .reg .b32 %r<4>;\n  .reg .b64 %d<4>;\n"
                        "  .loc 1 12 0\n" +
                        body + "  ret;\n}\n";
  device::Launch launch;
  launch.kernel = "kernel";
  launch.dynamic_shared = dynamic_shared;
  made.plan.steps = {launch};
  return made;
}
const char* const kCopy = "  cp.async.ca.shared.global [%r1], [%d1], 4;\n";

} // namespace

TEST_CASE("a GPU lacks nothing for code that every GPU has") {
  CHECK_FALSE(lack(kT4, job("  bar.sync 0;\n")));
}

TEST_CASE("an instruction that came later is named, with its line") {
  const auto found = lack(kT4, job(kCopy));
  REQUIRE(found);
  CHECK(found->why == Why::instruction);
  CHECK(found->gpu == "Tesla T4");
  CHECK(found->has == 75);
  CHECK(found->needs == 80);
  CHECK(found->instruction == "cp.async.ca.shared.global");
  CHECK(found->line == 12);
  CHECK_FALSE(found->solution);
  CHECK_FALSE(lack(kB200, job(kCopy)));
}

TEST_CASE("what is of one GPU alone is on no later one either") {
  const auto found = lack(kB200, job("  wgmma.fence.sync.aligned;\n"));
  REQUIRE(found);
  CHECK(found->alone);
  CHECK(found->needs == 90);
}

TEST_CASE("a block's shared memory has to be there, static or dynamic") {
  const auto found = lack(kT4, job("", 96 << 10));
  REQUIRE(found);
  CHECK(found->why == Why::shared_memory);
  CHECK(found->asks == 96 << 10);
  CHECK(found->there == 64 << 10);
  CHECK(lack(kT4, job(""), (64 << 10) + 1));
  CHECK_FALSE(lack(kT4, job("", 64 << 10), 64 << 10));
}

TEST_CASE("of the GPU that is emulated nothing is asked beforehand") {
  CHECK_FALSE(lack(kH100, job("  wgmma.fence.sync.aligned;\n", 512 << 10)));
}

TEST_CASE("what is timed takes its buffers twice, and its output once more") {
  gpu::TimedWork work;
  work.buffers.resize(2);
  work.buffers[0].region.size = work.buffers[1].region.size = 1ull << 30;
  work.output.buffer = 0;
  auto gpu = kT4;
  gpu.memory = 8ull << 30;
  CHECK_FALSE(lack_of_memory(gpu, work));
  gpu.memory = 5ull << 30;
  const auto found = lack_of_memory(gpu, work);
  REQUIRE(found);
  CHECK(found->why == Why::memory);
  CHECK(found->asks == 5ull << 30);
}

namespace {

using hand_made::named;
using hand_made::shape_count;
using hand_made::StagedGpu;
using judge::Ending;
using judge::Status;

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
    CHECK(report::words(named(verdict, "time")).observed() == "needs another GPU");
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

} // namespace course::lab
