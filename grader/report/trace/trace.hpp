// The requests of one line, step by step: `course trace`.
#pragma once

#include "device/device.hpp"
#include "report/text.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace course::report {

struct Trace {
  std::string file; // as shown
  std::uint32_t line = 0;
  std::string_view source; // of the file
  device::Dim3 block;
  std::uint32_t warp = 0; // in its block
  std::vector<device::WatchedRequest> requests;
  std::uint64_t in_all = 0; // requests of this warp; the list may have fewer
};

// A request with what it costs. One that is like an earlier one, moved, has no picture of its own.
struct Step {
  std::size_t first = 0, last = 0; // numbers of the requests that it stands for, from 1
  device::WatchedRequest request;  // the first of them
  std::string cost;                // "32 wavefronts where 1 would do: a 32-way conflict"
  bool same_as_before = false;     // as the step before it
  std::int64_t moved = 0;          // by so many bytes from it
  // Several in turn, as so many before them, again and again: by how much each moves every time.
  std::vector<std::int64_t> in_turn;
};
std::vector<Step> steps_of(const std::vector<device::WatchedRequest>&);

// Each step with its lanes, words and banks, or its sectors.
std::string trace_text(const Trace&, const Terminal&);

// The same as an SVG document, for light and dark backgrounds.
std::string trace_svg(const Trace&);

} // namespace course::report
