// The GPUs of this machine, and how CTest is told of them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace course::classroom {

// Numbers of NVIDIA GPUs as CUDA_VISIBLE_DEVICES takes them, from the driver's files below `proc`;
// of those, the ones that `visible` (the value of CUDA_VISIBLE_DEVICES) leaves.
std::vector<std::string> find_gpus(const std::filesystem::path& proc = "/proc",
                                   const std::optional<std::string>& visible = std::nullopt);

// CTest's resource specification: one slot a GPU, so that what is timed is alone on it.
std::string resource_specification(const std::vector<std::string>& gpus);

// The GPU that CTest gave this test: the id in "id:2,slots:1", from
// CTEST_RESOURCE_GROUP_0_GPUS. Nothing when it is not of that form.
std::optional<std::string> allocated_gpu(const std::string& allocation);

} // namespace course::classroom
