// The kernels of kernels/, compiled here and executed on the emulated device: what each counts is
// what an H200 counted, or is marked, without an exception.
#include "conformance/exercises.hpp"
#include "conformance/kernels.hpp"
#include "device/emulator/emulator.hpp"
#include "system/file.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <future>
#include <map>

namespace course::conformance {
namespace {

using Kind = KernelOutcome::Kind;
using Name = std::tuple<std::string, std::string, std::string>; // file, level, kernel

const std::filesystem::path kRoot = COURSE_SOURCE_DIR;
constexpr const char* kTwins = "attacked.cu"; // the plain kernels
const std::filesystem::path kKernels = kRoot / "grader/conformance/kernels";

Table table_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  INFO(file.string());
  REQUIRE(stream.good());
  auto read = read_table(stream);
  REQUIRE(std::holds_alternative<Table>(read));
  return std::get<Table>(read);
}

// Every kernel as the emulated device counts it, and what is launched.
struct Executed {
  std::map<Name, CountedKernel> counted;
  std::vector<CompiledKernel> kernels;
};

const Executed& executed() {
  static const Executed all = [] {
    const auto toolkit = build::find_toolkit();
    REQUIRE(toolkit);
    const auto compile =
        compile_kernels(*toolkit, std::filesystem::path(COURSE_BINARY_DIR) / "kernels_cache");
    struct Unit {
      std::filesystem::path file;
      std::string level;
    };
    std::vector<Unit> units;
    for (const auto& file : kernel_files(kRoot))
      for (const auto* level : kLevels) units.push_back({file, level});
    const auto device = emulator::make_device();
    Executed result;
    constexpr std::size_t kCompilers = 2;
    std::vector<std::future<std::variant<std::vector<device::Module>, std::string>>> made;
    for (std::size_t i = 0; i < units.size(); ++i) {
      while (made.size() < std::min(units.size(), i + kCompilers)) {
        const auto& next = units[made.size()];
        made.push_back(std::async(std::launch::async, compile, next.file, next.level));
      }
      const auto modules = made[i].get();
      const auto* why = std::get_if<std::string>(&modules);
      INFO((why ? *why : ""));
      REQUIRE_FALSE(why);
      std::ifstream stream(units[i].file);
      const std::string text(std::istreambuf_iterator<char>(stream), {});
      const auto name = units[i].file.filename().string();
      const auto read = kernels_in(name, units[i].level, text);
      REQUIRE(std::holds_alternative<std::vector<CompiledKernel>>(read));
      for (const auto& kernel : std::get<std::vector<CompiledKernel>>(read)) {
        const auto job = job_of(kernel, std::get<std::vector<device::Module>>(modules));
        const auto* no_job = std::get_if<std::string>(&job);
        INFO((no_job ? *no_job : ""));
        REQUIRE_FALSE(no_job);
        result.counted[{name, kernel.level, kernel.name}] =
            counted_kernel(device->execute(std::get<device::Job>(job)));
        result.kernels.push_back(kernel);
      }
    }
    return result;
  }();
  return all;
}

std::string text(const Name& name) {
  return std::get<0>(name) + "," + std::get<1>(name) + "," + std::get<2>(name);
}

std::string joined(const std::vector<std::string>& sentences) {
  std::string all;
  for (const auto& sentence : sentences) all += "\n    " + sentence;
  return all;
}

} // namespace

TEST_CASE("what a compiled kernel counts is what an H200 counted, or is marked") {
  const auto read = measured_kernels_in(table_of(kRoot / "book/data/h200/kernels.csv"));
  REQUIRE(std::holds_alternative<std::vector<MeasuredKernel>>(read));
  const auto& all = executed();
  std::map<Kind, std::map<std::string, std::size_t>> sums;
  std::size_t compared_ones = 0;
  for (const auto& one : std::get<std::vector<MeasuredKernel>>(read)) {
    CAPTURE(one.file);
    CAPTURE(one.name);
    const Name name{one.file, one.level, one.name};
    const auto found = all.counted.find(name);
    REQUIRE(found != all.counted.end()); // measured, and there is no such kernel any more
    const auto source = system::content_of(kKernels / one.file).value_or("");
    REQUIRE(one.digest == digest_of(source)); // changed since it was measured
    REQUIRE(one.first.failure == "");
    const auto outcome = compared(found->second, one);
    ++sums[outcome.kind][one.file];
    ++compared_ones;
    if (outcome.kind == Kind::unequal || outcome.kind == Kind::refused)
      FAIL_CHECK(text(name) << joined(outcome.differences));
  }
  CHECK(compared_ones == all.counted.size()); // every kernel is measured
  for (const auto& [kind, words] : {std::pair{Kind::equal, "equal"},
                                    {Kind::marked, "marked"},
                                    {Kind::unequal, "unequal, and not marked"},
                                    {Kind::refused, "refused"}}) {
    std::string by_file;
    std::size_t sum = 0;
    for (const auto& [file, count] : sums[kind]) {
      by_file += "  " + file + " " + std::to_string(count);
      sum += count;
    }
    MESSAGE(std::string(words) << ": " << sum << " of " << compared_ones << by_file);
  }
}

TEST_CASE("no attack on the lines makes a kernel count less than its plain twin") {
  const auto& all = executed();
  std::size_t pairs = 0;
  for (const auto& kernel : all.kernels) {
    if (kernel.twin.empty()) continue;
    const auto& attacked = all.counted.at({kernel.file, kernel.level, kernel.name});
    const auto& plain = all.counted.at({kTwins, kernel.level, kernel.twin});
    REQUIRE(plain.failure == "");
    ++pairs;
    if (!attacked.failure.empty()) continue; // refused, with a reason: not measured
    if (const auto less = less_than_twin(attacked, plain); !less.empty())
      FAIL_CHECK(text({kernel.file, kernel.level, kernel.name}) << joined(less));
  }
  CHECK(pairs >= 50);
}

} // namespace course::conformance
