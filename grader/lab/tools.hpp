// The real tools of grading: nvcc, the recording runtime in its sandbox, a device.
#pragma once

#include "lab/grade.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <variant>

namespace course::lab {

struct Workplace {
  std::optional<build::Toolkit> toolkit; // none: every file is rejected with `no_compiler`
  runtime::Host host;
  std::filesystem::path cache; // of compilations
};

// `device` has to outlive what is returned.
Tools make_tools(const Workplace&, device::Device& device,
                 judge::Means::Note = judge::Means::Note::none);

// Why no GPU takes part.
struct NoGpu {
  std::string why;                      // one sentence; empty where there is an old one
  std::optional<gpu::Ability> old = {}; // before gpu::kOldest
};

// The GPU of this machine, for Tools::gpu.
std::variant<GpuTools, NoGpu> find_gpu();

// The same tools, with the GPU measuring what the device has found right.
Tools with_gpu(Tools, GpuTools);

} // namespace course::lab
