// The requests of one warp in all kernels of a program, with the values that its lanes move.
#pragma once

#include "device/device.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace course::emulator {

struct TracedRequest {
  device::WatchedRequest watched;
  std::string file; // as the compiler named it
  std::uint32_t line = 0;
  std::string type;             // of what a lane moves, as PTX says it: "f32", "b64"
  std::uint32_t components = 1; // of a vector, a lane
  // Of each active lane in order, its components: what it loads or stores, in the lower bits. Empty
  // where that is not known: of atomics and copies, and where the GPU joins requests or splits
  // them.
  std::vector<std::uint64_t> values = {};
};

struct WarpTrace {
  device::Dim3 block{0, 0, 0};
  std::uint32_t warp = 0; // in its block
  std::size_t each = 64;  // requests of a line of a kernel that are kept; later ones are counted
  std::vector<TracedRequest> requests = {};                          // in the order they came
  using Place = std::tuple<std::string, std::string, std::uint32_t>; // kernel, file, line
  std::map<Place, std::uint64_t> in_all = {};
};

} // namespace course::emulator
