// One seed gives one report, byte by byte, on any number of cores: kernels of data/workers.cu and
// data/undefined.cu, with something wrong in each block or between blocks.
#include "device/emulator/execute/liberty_checks.hpp"
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <numeric>

namespace course::emulator {
namespace {

constexpr int kWords = 1024; // as data/workers.cu says
constexpr std::uint32_t kGrid = 96;

std::vector<std::string> kernels_in(const std::string& file) {
  const std::string text = ptx_of(file), entry = ".entry ";
  std::vector<std::string> all;
  for (std::size_t at = 0; (at = text.find(entry, at)) != std::string::npos;) {
    at += entry.size();
    all.push_back(code::display_name(text.substr(at, text.find('(', at) - at)));
  }
  return all;
}

std::string report_of(const std::string& file, const std::string& kernel,
                      const device::Order& order, unsigned threads) {
  TestRun run(file + ".ptx");
  const auto out = run.buffer("out", std::vector<int>(kWords));
  std::vector<int> numbers(kWords);
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto in = run.buffer("in", numbers);
  const auto spare = run.buffer("spare", std::vector<int>(kWords), false);
  run.job.order = order;
  Options options;
  options.threads = threads;
  options.lenient = true;
  run.launch(kernel, {kGrid}, {64}, 64, out, in, spare);
  run.launch(kernel, {kGrid}, {64}, 64, out, in, spare); // what it costs is known then
  run.run(options);
  return run.everything();
}

} // namespace

TEST_CASE("what is said of a kernel is the same on 1, 2, 7 and 16 cores, byte by byte") {
  using Kind = device::Order::Kind;
  int found = 0;
  for (const char* file : {"workers", "undefined"})
    for (const std::string& kernel : kernels_in(file))
      for (const device::Order& order : {device::Order{}, device::Order{Kind::drawn, 3}}) {
        CAPTURE(kernel);
        const std::string one = report_of(file, kernel, order, 1);
        found += one.starts_with("finding") ? 1 : 0;
        for (const unsigned threads : {2u, 7u, 16u})
          for (std::uint64_t again = 0; again < seeds() / 2; ++again)
            CHECK(report_of(file, kernel, order, threads) == one);
      }
  CHECK(found >= 80);
}

} // namespace course::emulator
