// The real tools of grading: nvcc, the recording runtime in its sandbox, a device.
#pragma once

#include "lab/grade.hpp"

#include <filesystem>
#include <optional>

namespace course::lab {

struct Workplace {
  std::optional<build::Toolkit> toolkit; // none: every file is rejected with `no_compiler`
  runtime::Host host;
  std::filesystem::path cache; // of compilations
};

// `device` has to outlive what is returned.
Tools make_tools(const Workplace&, device::Device& device, const std::string& device_note);

} // namespace course::lab
