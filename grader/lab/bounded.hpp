// Limits on what grading one file may cost the grader itself.
//
// What device code takes to be read, decoded and executed is not known before, so grading happens
// in a child of this process, which is watched: its memory and its processor time. Where a limit
// ends it, the verdict says which one, and costs the file its points.
//
// nvcc and host code run in processes and with limits of their own (sandbox/), which come on top.
#pragma once

#include "lab/grade.hpp"

#include <chrono>
#include <cstdint>
#include <functional>

namespace course::lab {

// For a GPU the grader itself makes inputs of the shapes that are timed, of up to 2^28 elements: on
// an H200 three of the course's solutions were ended at 768 MiB.
inline constexpr std::uint64_t kMemory = 768ull << 20, kMemoryWithGpu = 12ull << 30;

struct Bounds {
  std::uint64_t memory = kMemory; // bytes in use, looked at fifty times a second
  std::chrono::seconds cpu{60};   // of all threads; 4 to 12 times what honest files take
};

// The verdict of `grade`, or that of a file that ran into a limit.
//
// When `grade` comes to its end, the *child* returns from here, with all that `grade` made, and
// goes on in this process's place; this process only waits, and ends as the child does. When a
// limit ends the child, this process returns. Call it before any thread is started; what `grade`
// needs that has threads, it has to make itself. Exceptions of `grade` come through.
judge::Verdict grade_bounded(const Exercise&, const Submission&, const judge::Means&,
                             const std::function<judge::Verdict()>& grade, Bounds bounds = {});

} // namespace course::lab
