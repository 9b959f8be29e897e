// A GPU staged for tests, and what is graded on it: 05_transpose/2_pad, at a size that is small.
#pragma once

#include "device/gpu/variation.hpp"
#include "lab/drawn.hpp"
#include "lab/hand_made_tools.hpp"
#include "lab/labs.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <set>

namespace course::lab::hand_made {

// Those with names, and those that are drawn.
inline std::vector<Case> shapes() {
  return cases_of(*find(exercises(COURSE_SOURCE_DIR), "2_pad").exercise, 42);
}
inline int shape_count() {
  return static_cast<int>(shapes().size());
}

// A GPU that does as the staged device does, but for what a test changes.
struct StagedGpu {
  Stage stage;
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

inline const judge::Check& named(const judge::Verdict& verdict, const char* name) {
  const auto* check = judge::find(verdict.checks, name);
  REQUIRE(check);
  return *check;
}

} // namespace course::lab::hand_made
