// course_measure_patterns: access patterns in, what the GPU makes of them out, both as CSV.
//
//   course_measure_patterns --generate 100 --seed 1 --kinds shared_load_4,cp_async_ca_4 > in.csv
//   course_measure_patterns in.csv > out.csv
//   course_measure_patterns --text in.csv > patterns.ptx
#include "device/gpu/gpu.hpp"
#include "device/gpu/patterns/generate.hpp"
#include "device/gpu/patterns/kernel.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <fstream>
#include <iostream>

namespace course::gpu::patterns {
namespace {

// A launch of so many patterns is compiled by the driver in about a second.
constexpr std::size_t kBatch = 200;

struct Arguments {
  std::string file;
  std::vector<std::string> kinds;
  std::size_t generate = 0;
  std::uint64_t seed = 1;
  bool text = false;
};

int fail(const std::string& what) {
  std::cerr << "course_measure_patterns: " << what << '\n';
  return 1;
}

int print_generated(const Arguments& arguments) {
  std::vector<Pattern> all;
  for (const auto& kind : kinds()) {
    const auto& wanted = arguments.kinds;
    const bool is_wanted =
        wanted.empty() || std::any_of(wanted.begin(), wanted.end(), [&](const std::string& prefix) {
          return kind.name.starts_with(prefix);
        });
    if (!is_wanted) continue;
    const auto drawn = generate(kind, arguments.generate, arguments.seed);
    all.insert(all.end(), drawn.begin(), drawn.end());
  }
  if (all.empty()) return fail("no kind's name starts with what --kinds says");
  write_patterns(std::cout, all, {});
  return 0;
}

int measure(const std::vector<Pattern>& patterns) {
  const GpuStatus gpu = status();
  if (!gpu.usable) return fail(gpu.reason);
  if (!gpu.counters.empty()) return fail(gpu.counters);
  Options options;
  options.limit = std::chrono::seconds(120);
  options.join_atomic_loops = false; // the steps of a loop are measured apart
  auto made = make_device(options);
  if (const auto* why = std::get_if<std::string>(&made)) return fail(*why);
  auto& device = std::get<std::unique_ptr<device::Device>>(made);

  std::vector<Measured> all;
  for (std::size_t first = 0; first < patterns.size(); first += kBatch) {
    const std::vector<Pattern> batch(
        patterns.begin() + static_cast<std::ptrdiff_t>(first),
        patterns.begin() + static_cast<std::ptrdiff_t>(std::min(patterns.size(), first + kBatch)));
    const auto observation = device->execute(job(batch, gpu.major, gpu.minor));
    const auto measured = measurements(observation, batch.size());
    if (const auto* why = std::get_if<std::string>(&measured))
      return fail("patterns from " + std::to_string(first) + ": " + *why);
    const auto& values = std::get<std::vector<Measured>>(measured);
    all.insert(all.end(), values.begin(), values.end());
  }
  write_patterns(std::cout, patterns, all);
  return 0;
}

int run(const Arguments& arguments) {
  if (arguments.generate > 0) return print_generated(arguments);
  std::ifstream file(arguments.file);
  if (!file) return fail(arguments.file + " cannot be read");
  const auto read = read_patterns(file);
  if (const auto* why = std::get_if<std::string>(&read)) return fail(arguments.file + ", " + *why);
  const auto& patterns = std::get<std::vector<Pattern>>(read);
  if (!arguments.text) return measure(patterns);
  std::cout << kernel_text(patterns, 9, 0);
  return 0;
}

} // namespace
} // namespace course::gpu::patterns

int main(int argc, char** argv) {
  CLI::App app("Measures what access patterns cost on this machine's GPU.");
  course::gpu::patterns::Arguments arguments;
  app.add_option("file", arguments.file, "CSV of patterns");
  app.add_option("--generate", arguments.generate, "print so many random patterns of each kind");
  app.add_option("--seed", arguments.seed, "of --generate");
  app.add_option("--kinds", arguments.kinds, "only kinds whose names start so")->delimiter(',');
  app.add_flag("--text", arguments.text, "print the kernel instead of running it");
  CLI11_PARSE(app, argc, argv);
  return course::gpu::patterns::run(arguments);
}
