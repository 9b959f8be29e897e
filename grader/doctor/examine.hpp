// What this machine has of what the course uses, and what to do about the rest.
#pragma once

#include "device/gpu/gpu.hpp"

#include <optional>
#include <string>
#include <vector>

namespace course::doctor {

// What was found; cli/doctor.cpp looks for it.
struct Facts {
  std::string nvcc;       // path; empty: none
  std::string toolkit;    // "13.0.88"
  std::string unbuilt;    // what of the build is missing, in a sentence; empty: nothing
  std::string sandbox;    // the best rung by name
  std::string to_contain; // what to do where nothing keeps a program from the user's files
  std::string cache;      // folder of compilations
  bool cache_writable = false;
  gpu::GpuStatus gpu;
  std::size_t exercises = 0; // of the course; 0: there is none here
  std::vector<std::string>
      untimed; // of them, those that the GPU cannot execute: "11_async_memory/1_ring"
  struct Program {
    std::string name, path; // path empty: not found
    std::string package;    // Debian's
  };
  std::vector<Program> book; // what building the book takes
};

struct Finding {
  std::string name; // "nvcc"
  bool ok = false;
  bool needed = false; // without it nothing can be graded
  std::string found;   // what there is, or why not
  std::string remedy;  // what to do; empty when ok
};

// In the order in which they are of use.
std::vector<Finding> examine(const Facts&);

// Whether there is a GPU that CUDA 13 compiles for.
bool gpu_takes_part(const Facts&);

bool can_grade(const std::vector<Finding>&);

// Why there is no GPU, as gpu::GpuStatus has it, in the reader's language where that is known.
std::string gpu_reason(const std::string&);

// Why no GPU takes part: that reason, or that the one here is before gpu::kOldest.
std::string no_gpu(const std::string& reason, const std::optional<gpu::Ability>& old);

} // namespace course::doctor
