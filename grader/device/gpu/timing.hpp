// How two things are timed against each other, whatever runs them.
//
// They take turns, and which goes first changes from pair to pair. Warm-up comes first, until a
// minimum of time has passed (clocks rise from idle); then pairs are taken until there are enough
// of them and they hold enough time. How many runs there will be does not depend on what a run does
// other than by its length. No two pairs have the same inputs (variation.hpp); after each, the
// student's output is compared with the solution's; and of one run more, at the end, it is read,
// for whoever knows the answer.
#pragma once

#include "device/gpu/messages.hpp"
#include "device/gpu/paired_ratio.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace course::gpu {

struct TimingOptions {
  double warm_up_seconds = 0.3; // of the caller's clock
  std::uint32_t warm_up_pairs = 3;
  std::uint32_t fewest_pairs = 30;
  std::uint32_t most_pairs = 1000;
  double fewest_seconds = 0.05; // of student's runs, by the device's clock
  double longest_seconds = 20;  // of the caller's clock, all together
  double confidence = 0.99;
  std::uint64_t seed =
      0; // how the inputs of the last run vary, and what the others' seeds are from

  // What no correct kernel can do without: bytes it must read from and write to global memory.
  // Written bytes up to the size of L2 may still be there when it ends, and are not counted.
  std::uint64_t bytes_read = 0, bytes_written = 0;
};

// What runs the pairs: a worker with a GPU, or a test.
class PairRunner {
public:
  virtual ~PairRunner() = default;
  // Each returns one sentence when it fails.
  virtual std::optional<std::string> prepare(Side, std::uint64_t seed) = 0; // of the variation
  virtual std::variant<double, std::string> run(Side) = 0; // seconds, by the device
  // The student's last output against what it has to be for that seed's inputs.
  virtual std::variant<Different, std::string> compare(std::uint64_t seed) = 0;
  virtual std::variant<device::Bytes, std::string> read() = 0; // the student's last output
  virtual double now() = 0;                                    // seconds, by the caller's own clock
};

struct Timed {
  std::string error;            // one sentence; then the rest is what there was until then
  std::optional<Side> error_of; // whose run it was
  bool ended_early = false;     // at longest_seconds, with fewer pairs than asked for

  std::vector<double> student, peer;  // seconds, by pairs
  std::optional<RatioInterval> ratio; // student / peer
  double student_median = 0, peer_median = 0;

  // The student's output of the last run, whose inputs varied by TimingOptions::seed itself.
  std::optional<device::Bytes> checked;

  // The pair whose outputs differed. It was the last: nothing else needs to be known.
  std::optional<Different> different;

  // One sentence when the device's times do not fit the caller's clock; they are then worthless.
  std::string suspicion;
};

Timed time_pairs(PairRunner&, const TimingOptions&);

// The least time for the bytes, 0 where none were given or the rate is unknown.
double floor_seconds(const TimingOptions&, double bytes_per_second, std::uint64_t l2_bytes);

} // namespace course::gpu
