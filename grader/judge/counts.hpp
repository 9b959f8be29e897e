// What an execution amounted to: the counts of an observation, added up.
#pragma once

#include "device/device.hpp"

#include <vector>

namespace course::judge {

// Requests of one kind. `ideal * 32` is the number of 4-byte words they moved, whatever their
// width, as long as no two lanes want the same word: so traffic is counted in it.
struct Traffic {
  std::uint64_t requests = 0, wavefronts = 0, ideal = 0, sectors = 0;
  bool at_least = false; // a GPU counts more

  void add(const device::LineCounts&);
};

struct Counts {
  Traffic shared_loads, shared_stores, shared_atomics;
  Traffic global_loads, global_stores; // atomics on global memory count as stores
  std::uint64_t conflicts = 0;         // of every kind of shared request
  bool conflicts_at_least = false;     // a GPU counts more
  std::uint64_t replays = 0;
  std::uint64_t launches = 0, threads = 0, shared_bytes = 0; // the most of any launch, a block
  std::uint64_t instructions = 0, barriers = 0, shuffles = 0;

  std::uint64_t shared_requests() const;
  std::uint64_t global_requests() const;
};

// Of all rows, or of those whose counts were found in the machine code.
enum class Rows { all, from_sass };
Counts count(const device::Observation&, Rows = Rows::all);

// Rows of the same kernel, file, line and access added up, in order of kernel, line and access.
// The sample kept is the one with more conflicts (or sectors) a request.
std::vector<device::LineCounts> merge(const std::vector<device::LineCounts>&);

// The largest n for which a request was n-way; 0 without any.
unsigned ways(const device::LineCounts&);

} // namespace course::judge
