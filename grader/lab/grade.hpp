// Grades one file: compile, record the launcher for each shape, execute for each seed, judge.
//
// Everything that a person is told is in the verdict that comes back; nothing is printed here.
// Shapes are tried in the exercise's order, and the first one that goes wrong (a wrong output, a
// refused launch, a kernel that was ended) is the last: it is the one to look at. Blocks are
// executed in an order of the seed; when all is right, one shape is executed once more with the
// last block and warp first. Where there is a GPU, it then executes, counts and times what the
// emulated device has found right.
#pragma once

#include "build/compile.hpp"
#include "device/device.hpp"
#include "device/way.hpp"
#include "judge/verdict.hpp"
#include "lab/exercise.hpp"
#include "lab/on_gpu.hpp"
#include "runtime/host_call.hpp"
#include "runtime/recording.hpp"
#include "sandbox/process.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <variant>

namespace course::lab {

// What grading is done with. tools.hpp makes the real ones.
struct Tools {
  using CompileResult = std::variant<build::Compiled, build::Rejected>;
  std::function<CompileResult(const std::filesystem::path& source)> compile;
  std::function<runtime::Recording(const build::Compiled&, const runtime::Call&)> record;
  // Calls a reference's launcher as host code, on arrays of its own.
  std::function<runtime::HostCall(const build::Compiled&, const runtime::Call&,
                                  const std::vector<device::Buffer>&)>
      compute;
  const model::Gpu* emulated = &model::default_gpu(); // whose limits and rates hold
  device::Device* device = nullptr;                   // not owned
  device::Follower* follower = nullptr; // the same, where it can follow data; not owned
  std::optional<GpuTools> gpu;          // measures what `device` found right
  std::uint64_t guard = 0;              // bytes around each operand, on a device that has no bounds
  sandbox::Limits limits;               // those that `record` puts on host code, for messages
  sandbox::Limits reference_limits;     // and `compute`
  judge::Means means;                   // their names and versions, as the verdict repeats them
};

struct Submission {
  std::filesystem::path file;
  std::uint64_t seed = 0; // all inputs come from it
};

// Throws what `compile` throws: std::filesystem::filesystem_error when its cache cannot be written.
judge::Verdict grade(const Exercise&, const Submission&, const Tools&);

} // namespace course::lab
