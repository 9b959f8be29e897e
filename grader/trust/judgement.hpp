// Whether a trial came out as it had to, and whether the grader kept its promises meanwhile.
//
// Pure: from a trial to complaints. The promises hold for every file, whatever it holds: the grader
// ends by itself and in time, with the exit code of its verdict; what it prints and writes is text
// and cannot steer a terminal; nothing is left behind; and it is never the one that fails.
#pragma once

#include "trust/declaration.hpp"
#include "trust/trial.hpp"

#include <string>
#include <vector>

namespace course::trust {

// What the JSON says, in a word or two: "failed output, memory", "crashed"; "failed none" where a
// check that had to pass was not measured, and none failed; "nothing" where there is no verdict.
std::string verdict_in(const std::string& json);

// Broken promises; empty when all were kept.
std::vector<std::string> broken_promises(const Trial&);

// What is wrong with a trial of a file that declares this; empty when nothing is.
std::vector<std::string> complaints(const Declaration&, const Trial&);

// The same for a file that needs a GPU and was handed in without one. No check may fail there: a
// file that the emulated device refuses is never tried on a GPU.
std::vector<std::string> complaints_without_gpu(const Declaration&, const Trial&);

} // namespace course::trust
