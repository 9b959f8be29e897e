// How a grading ended that came to no judgement: from what the compiler or the recording said to
// facts. Pure.
#pragma once

#include "build/compile.hpp"
#include "judge/check.hpp"
#include "judge/ended.hpp"
#include "lab/exercise.hpp"
#include "runtime/recording.hpp"

#include <optional>
#include <string>
#include <vector>

namespace course::lab {

// "transpose"
std::string name_of_launcher(const Exercise&);

judge::Fault empty_file(const Exercise&, const std::string& file);

// nvcc refused the file. Its own words are shown apart.
judge::Fault rejected(const build::Rejected&, const std::string& file);

// It compiled, and the function that is asked for is not in it. `functions` are those that are.
judge::Fault no_function(const Exercise&, const std::string& file,
                         const std::vector<std::string>& functions);

// How the call ended, when it did not return. Nothing when it did.
std::optional<judge::Fault> not_returned(const runtime::Recording&, const Exercise&,
                                         const judge::Shape& shape, const sandbox::Limits&);

// The fault of a file whose host code made this call, as the recording has it; it crashed by the
// signal, unless that is 0.
judge::Fault unanswered(const std::string& call, int signal = 0);
// Where the file names what could not be answered.
void find_line(judge::EndedBy&, const std::string& source);

// It asked for launches, fills and copies that would keep a device busy without end.
judge::Fault too_much_asked(const Exercise&, const judge::Shape& shape);

// Whether a shape takes a kernel. None is needed for an empty output, nor where every input is
// empty: an output that depends on nothing may be cleared by cudaMemset.
bool takes_a_kernel(const Exercise&, const Case&);

// The launch check: nothing was launched, or CUDA refused a launch. Passed otherwise.
// `expects_launch` is false where no kernel is needed.
judge::Check check_launch(const runtime::Recording&, const Exercise&, const judge::Shape& shape,
                          bool expects_launch);

} // namespace course::lab
