#include "lab/look.hpp"

#include "judge/counts.hpp"

#include <algorithm>
#include <filesystem>
#include <tuple>

namespace course::lab {
namespace {

// Passes jobs on to a device, and keeps the largest.
class Onlooker final : public device::Device {
public:
  explicit Onlooker(device::Device& device, Look& look) : device_(device), look_(look) {}

  std::string name() const override { return device_.name(); }
  device::Observation execute(const device::Job& job) override {
    auto seen = device_.execute(job);
    const bool larger =
        !look_.job || judge::count(seen).instructions > judge::count(look_.seen).instructions;
    if (is_submitted(job) && !seen.launches.empty() && larger) {
      look_.job = job;
      look_.seen = seen;
    }
    return seen;
  }

private:
  // The solution is executed as well where limits are asked of it, and without its text.
  static bool is_submitted(const device::Job& job) {
    return std::ranges::any_of(job.modules,
                               [](const device::Module& one) { return !one.source.empty(); });
  }

  device::Device& device_;
  Look& look_;
};

auto weight(const device::LineCounts& line) {
  return std::tuple(line.conflicts(), line.wavefronts, line.sectors, line.replays, line.requests);
}

} // namespace

Look look(const Exercise& exercise, const Submission& submission, const Tools& tools) {
  Look look;
  Onlooker onlooker(*tools.device, look);
  Tools watched = tools;
  watched.device = &onlooker;
  watched.gpu.reset();
  Exercise named = exercise; // whose counts are the same for every seed
  named.drawn = nullptr;
  named.called_again = false; // its counts are those of two calls
  look.verdict = grade(named, submission, watched);
  return look;
}

const device::LineCounts* telling_access(const device::Observation& seen, const std::string& file,
                                         std::uint32_t line) {
  const device::LineCounts* telling = nullptr;
  for (const auto& row : seen.lines) {
    if (line != 0 && row.line != line) continue;
    if (row.line == 0 || std::filesystem::path(row.file).filename() != file) continue;
    if (!telling || weight(row) > weight(*telling)) telling = &row;
  }
  return telling;
}

} // namespace course::lab
