// course_measure_kernels: what this GPU counts for the kernels of grader/conformance/kernels, as
// CSV.
//
//   course_measure_kernels ROOT CACHE > kernels.csv
#include "conformance/kernels.hpp"
#include "device/gpu/gpu.hpp"

#include <cstdio>
#include <iostream>

namespace course::conformance {
namespace {

constexpr unsigned kAtOnce = 8; // each count is a process of its own, and most of it is starting

int fail(const std::string& what) {
  std::cerr << "course_measure_kernels: " << what << '\n';
  return 1;
}

int measure(const std::filesystem::path& root, const std::filesystem::path& cache) {
  const auto toolkit = build::find_toolkit();
  if (!toolkit) return fail("there is no nvcc");
  gpu::Options options;
  options.limit = std::chrono::seconds(60); // eight processes load their code at once
  auto made = gpu::make_device(options);
  if (const auto* why = std::get_if<std::string>(&made)) return fail(*why);
  auto& device = *std::get<std::unique_ptr<device::Device>>(made);
  const auto count = [&](const device::Job& job) {
    auto seen = device.execute(job);
    if (seen.status == device::Observation::Status::completed &&
        !gpu::counted_by_instruction(seen)) {
      seen.status = device::Observation::Status::unsupported;
      seen.reason = seen.counted_by;
    }
    return seen;
  };
  const auto all = measure_kernels(root, compile_kernels(*toolkit, cache), count, kAtOnce);
  std::cout << kKernelColumns << '\n';
  for (const auto& one : all) {
    std::cout << rows_of(one);
    for (const auto* counted : {&one.first, &one.second})
      if (!counted->failure.empty())
        std::cerr << one.file << ", " << one.level << ", " << one.name
                  << ": not counted: " << counted->failure << '\n';
  }
  return all.empty() ? fail("there are no kernels below " + root.string()) : 0;
}

} // namespace
} // namespace course::conformance

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "course_measure_kernels ROOT CACHE\n";
    return 2;
  }
  return course::conformance::measure(argv[1], argv[2]);
}
