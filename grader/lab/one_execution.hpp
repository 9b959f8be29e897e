// One execution on the emulated device, held against the right answer.
#pragma once

#include "lab/grading.hpp"
#include "lab/placement.hpp"

namespace course::lab {

// Which inputs: of what look, from which seed.
struct InputsOf {
  Flavour flavour{};
  std::uint64_t seed = 0;
};

// The job as it is but for its buffers, which become these inputs. Throws ReferenceFailed.
judge::Execution execute(const Grading&, const Case&, const Placement&, device::Job&, InputsOf);

bool has_error(const judge::Execution&);  // something was found that is more than a note
bool went_wrong(const judge::Execution&); // it was ended, or its output is wrong

// It took longer than there is time, which in a drawn order proves nothing.
bool only_over_budget(const device::Observation&);

// For an execution whose counts are not those of a first one.
judge::Bounds without_limits(std::uint64_t elements);

// The job without its inputs, which can be made again.
device::Job without_inputs(const device::Job&);

// The compiler knew the student's file and its headers by paths: here they lose their folders.
void name_files(device::Observation&);

} // namespace course::lab
