// A GPU that is not of the compute capability that is emulated: whether it can execute what was
// compiled, checked and counted for an H200.
#pragma once

#include "device/gpu/gpu.hpp"
#include "judge/not_on_gpu.hpp"

#include <cstdint>
#include <optional>

namespace course::lab {

// What the GPU lacks for the job's modules and launches; nothing also where its driver will say it.
// `shared_bytes`: of a block, static and dynamic; where that is unknown, the launches' own dynamic
// bytes count.
std::optional<judge::NotOnGpu> lack(const gpu::Ability&, const device::Job&,
                                    std::uint64_t shared_bytes = 0);

// The same of what is timed: it takes its buffers twice, its output once more, and what the plan
// allocates.
std::optional<judge::NotOnGpu> lack_of_memory(const gpu::Ability&, const gpu::TimedWork&);

// Its driver refused the code, or a launch.
judge::NotOnGpu refused_by_driver(const gpu::Ability&, const device::Message& said);

} // namespace course::lab
