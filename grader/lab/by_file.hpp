// What a reference in a file of its own computes: host code with the launcher's own signature, in
// labs/NN_name/K_step.reference.cpp, or reference.cpp for all exercises of a lab.
//
// It is compiled as a student's file is, when it is needed, and called in the sandbox. An answer
// that it does not give is a fault of the course, and ends a grading: ReferenceFailed.
#pragma once

#include "lab/grade.hpp"

#include <string>

namespace course::lab {

// Thrown where an answer is asked for.
struct ReferenceFailed {
  explicit ReferenceFailed(judge::endings::ReferenceFails of, std::string nvcc = {})
      : how(std::move(of)), compiler(std::move(nvcc)) {}
  judge::endings::ReferenceFails how;
  std::string compiler; // its words, where it refused the file
};

// Compiles the file where there is one. What comes back gives a case its Case::reference, uses
// `tools.compute`, and outlives neither the exercise nor the tools. Throws ReferenceFailed.
GiveReference reference_in_file(const Exercise&, const Tools& tools);

} // namespace course::lab
