// Executes a job once on the GPU, from a fresh state, and counts one launch when asked to.
#pragma once

#include "device/gpu/cupti.hpp"
#include "device/gpu/driver.hpp"
#include "device/gpu/messages.hpp"

namespace course::gpu {

// `cupti` may be null: then nothing is counted, and the result says `why_no_cupti`.
Executed replay(const Driver&, const Cupti* cupti, const std::string& why_no_cupti, const Execute&);

} // namespace course::gpu
