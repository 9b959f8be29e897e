// The stage that compiles the student's file.
#pragma once

#include "lab/grading.hpp"

#include <optional>

namespace course::lab {

struct CompiledFile {
  build::Compiled built; // of no meaning where `stop` is something
  device::Module code;   // PTX, with the file's own text
  std::optional<Stop> stop;
};

CompiledFile compiled_file(const Grading&);

} // namespace course::lab
