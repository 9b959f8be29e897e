#include "device/gpu/gpu.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace course::gpu {
namespace {

Options with_worker(const std::string& path) {
  Options options;
  options.worker = path;
  return options;
}

// A worker that has no GPU: it ends at once.
struct EndingWorker {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("course_ending_worker_" + std::to_string(getpid()));
  EndingWorker() {
    std::ofstream(path) << "#!/bin/sh\necho 'out of order' >&2\nexit 1\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }
  ~EndingWorker() { std::filesystem::remove(path); }
};

} // namespace

TEST_CASE("without a worker there is no device, and the reason names the program") {
  const auto made = make_device(with_worker("/nowhere/course_gpu_worker"));
  REQUIRE(std::holds_alternative<std::string>(made));
  CHECK(std::get<std::string>(made).find("/nowhere/course_gpu_worker") != std::string::npos);
}

TEST_CASE("a worker that ends is no device, and its words are passed on") {
  const EndingWorker worker;
  const auto made = make_device(with_worker(worker.path.string()));
  REQUIRE(std::holds_alternative<std::string>(made));
  CHECK(std::get<std::string>(made).find("out of order") != std::string::npos);
}

TEST_CASE("the status without a worker is unusable, with the reason") {
  const GpuStatus found = status(with_worker("/nowhere/course_gpu_worker"));
  CHECK_FALSE(found.usable);
  CHECK(found.reason != "");
}

TEST_CASE("timing without a worker is an error, not a time") {
  const TimedPair pair = time_pair({}, {}, with_worker("/nowhere/course_gpu_worker"));
  CHECK(pair.times.error != "");
  CHECK_FALSE(pair.times.ratio);
  CHECK_FALSE(pair.below_floor);
}

} // namespace course::gpu
