// The GPUs of this machine, and how CTest is told of them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace course::classroom {

// Numbers of NVIDIA GPUs as CUDA_VISIBLE_DEVICES takes them, from the driver's files below `proc`;
// of those, the ones that `visible` (the value of CUDA_VISIBLE_DEVICES) leaves. None where the
// driver has no such files, as in WSL2.
std::vector<std::string> find_gpus(const std::filesystem::path& proc = "/proc",
                                   const std::optional<std::string>& visible = std::nullopt);

// Submissions that CTest gives one GPU at the same time: while one of them is measured, alone
// (watched_gpu.hpp), the others are compiled and executed on the emulated device.
inline constexpr unsigned kSlots = 4;

// CTest's resource specification.
std::string resource_specification(const std::vector<std::string>& gpus);

// The GPU that CTest gave this test: the id in "id:2,slots:1", from
// CTEST_RESOURCE_GROUP_0_GPUS. Nothing when it is not of that form.
std::optional<std::string> allocated_gpu(const std::string& allocation);

// What a GPU of this machine is called in records: "host GPU 2"; the host alone without a number.
std::string place_of(const std::string& gpu);

} // namespace course::classroom
