#include "device/model/remote.hpp"

#include <algorithm>
#include <vector>

namespace course::model {
namespace {

constexpr std::uint32_t kRemoteSector = 32, kRemoteLine = 128;

// How many different pieces of `size` bytes the lanes touch.
int pieces(const RemoteRequest& request, std::uint32_t size) {
  std::vector<std::uint32_t> touched;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!(request.active >> lane & 1)) continue;
    const std::uint32_t first = request.offset[static_cast<std::size_t>(lane)];
    const std::uint32_t last = first + static_cast<std::uint32_t>(std::max(request.width, 1)) - 1;
    for (std::uint32_t piece = first / size; piece <= last / size; ++piece)
      touched.push_back(piece);
  }
  std::sort(touched.begin(), touched.end());
  return static_cast<int>(std::unique(touched.begin(), touched.end()) - touched.begin());
}

} // namespace

int remote_sectors(const RemoteRequest& request) {
  return pieces(request, kRemoteSector);
}

int remote_lines(const RemoteRequest& request) {
  return pieces(request, kRemoteLine);
}

int remote_atomic_sectors(const RemoteRequest& request) {
  int sectors = 0;
  for (std::uint32_t left = request.active; left;) {
    // The first lane that is left of each word.
    std::uint32_t round = 0;
    std::vector<std::uint32_t> words;
    for (int lane = 0; lane < kLanes; ++lane) {
      const std::uint32_t word = request.offset[static_cast<std::size_t>(lane)] / kWordBytes;
      if (!(left >> lane & 1) || std::find(words.begin(), words.end(), word) != words.end())
        continue;
      words.push_back(word);
      round |= 1u << lane;
    }
    sectors += remote_sectors({request.width, round, request.offset});
    left &= ~round;
  }
  return sectors;
}

} // namespace course::model
