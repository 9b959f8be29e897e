#pragma once

#include "judge/not_on_gpu.hpp"

#include <string>

namespace course::report {

// A clause without a full stop: "cp.async on line 12 needs compute capability 8.0, and the Tesla T4
// has 7.5".
std::string not_on_gpu_words(const judge::NotOnGpu&);

// "7.5"
std::string capability_text(int capability);

} // namespace course::report
