// A worker that has described the GPU waits here for what needs one next: it has a context already,
// which takes a few tenths of a second to make, and has executed nothing.
#pragma once

#include "device/gpu/worker_process.hpp"

#include <chrono>
#include <filesystem>
#include <string>
#include <variant>

namespace course::gpu {

struct DescribedWorker {
  WorkerProcess process;
  Description description;
};

// The waiting worker where it is of that executable and still answers, else a new one; or one
// sentence why there is none.
std::variant<DescribedWorker, std::string> described_worker(const std::filesystem::path& executable,
                                                            std::chrono::milliseconds limit);

// For a worker that was only described. One waits at a time; it ends with the thread that started
// it.
void keep_for_next(const std::filesystem::path& executable, WorkerProcess);

} // namespace course::gpu
