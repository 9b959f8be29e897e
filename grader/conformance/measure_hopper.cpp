// course_measure_hopper: the tables of memory that works by itself, counted anew by a kernel for
// each row, on this GPU or on the emulated device. As CSV; how many are equal goes to stderr.
//
//   course_measure_hopper ROOT > hopper_counted.csv
//   course_measure_hopper ROOT emulated
#include "conformance/hopper.hpp"
#include "device/emulator/emulator.hpp"
#include "device/gpu/gpu.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>

namespace course::conformance {
namespace {

// Each count is a few processes of their own, and most of it is starting.
constexpr unsigned kAtOnce = 12;

int fail(const std::string& what) {
  std::cerr << "course_measure_hopper: " << what << '\n';
  return 1;
}

// By counter, how many are equal, and the first kernels that are not.
void report(const std::string& table, const std::vector<HopperOutcome>& outcomes) {
  constexpr std::size_t kMostShown = 8;
  std::map<std::string, std::pair<std::size_t, std::size_t>> tally; // equal, of all
  std::size_t shown = 0;
  for (const auto& outcome : outcomes) {
    const auto& counted = outcome.counted.numbers;
    for (std::size_t i = 0; i < outcome.numbers.size(); ++i) {
      auto& [equal, all] = tally[outcome.numbers[i].counter];
      ++all;
      equal += i < counted.size() && counted[i] == outcome.numbers[i].measured;
    }
    if (!outcome.equal() && ++shown <= kMostShown)
      std::cerr << "  UNEQUAL  " << outcome.name << ": " << outcome.difference() << '\n';
  }
  for (const auto& [counter, count] : tally)
    std::cerr << table << ", " << counter << ": " << count.first << " of " << count.second
              << " equal\n";
}

int measure(const std::filesystem::path& root, device::Device& device, bool on_gpu) {
  const unsigned at_once = on_gpu ? kAtOnce : 1;
  std::cout << kHopperColumns << '\n';
  for (const auto which : kHopperTables) {
    std::ifstream file(root / file_of(which));
    const auto table = read_table(file);
    if (const auto* why = std::get_if<std::string>(&table)) return fail(*why);
    auto kernels = hopper_kernels(which, std::get<Table>(table));
    if (const auto* why = std::get_if<std::string>(&kernels))
      return fail(file_of(which).string() + ", " + *why);
    if (on_gpu && which == HopperTable::hopper_wgmma_counts) // CUPTI has no metric of their bytes
      for (auto& kernel : std::get<std::vector<HopperKernel>>(kernels))
        std::erase_if(kernel.numbers, [](const auto& one) { return one.counter == "bytes"; });
    const auto outcomes = hopper_outcomes(
        std::get<std::vector<HopperKernel>>(kernels),
        [&](const device::Job& job) { return device.execute(job); }, at_once);
    for (const auto& outcome : outcomes) std::cout << rows_of(which, outcome);
    report(file_of(which).stem().string(), outcomes);
  }
  return 0;
}

} // namespace
} // namespace course::conformance

int main(int argc, char** argv) {
  using namespace course;
  const bool emulated = argc == 3 && std::string(argv[2]) == "emulated";
  if (argc != 2 && !emulated) {
    std::cerr << "course_measure_hopper ROOT [emulated]\n";
    return 2;
  }
  if (emulated) return conformance::measure(argv[1], *emulator::make_device(), false);
  gpu::Options options;
  options.limit = std::chrono::seconds(60); // so many processes load their code at once
  auto made = gpu::make_device(options);
  if (const auto* why = std::get_if<std::string>(&made)) return conformance::fail(*why);
  return conformance::measure(argv[1], *std::get<std::unique_ptr<device::Device>>(made), true);
}
