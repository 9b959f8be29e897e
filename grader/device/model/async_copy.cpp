#include "device/model/async_copy.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <vector>

#include "device/model/sectors.hpp"

namespace course::model {
namespace {

// ---- through L1

int width_of(const AsyncCopy& copy) {
  return copy.width <= 4 ? 4 : copy.width <= 8 ? 8 : 16;
}

std::uint32_t reading(const AsyncCopy& copy) {
  return copy.active & copy.reading;
}

// The largest number of `lanes` that share a bank with one of them, on either side.
int most_met(const AsyncCopy& copy, std::uint32_t lanes) {
  const auto width = static_cast<unsigned>(width_of(copy));
  const unsigned columns = kPassBytes / width;
  std::array<std::uint32_t, kBanks> read{}, written{}; // lanes by column of banks
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (copy.reading >> lane & 1) read[copy.from[lane] / width % columns] |= 1u << lane;
    written[copy.to[lane] / width % columns] |= 1u << lane;
  }
  int most = 0;
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    std::uint32_t met = written[copy.to[lane] / width % columns];
    if (copy.reading >> lane & 1) met |= read[copy.from[lane] / width % columns];
    most = std::max(most, std::popcount(met));
  }
  return most;
}

int ideal(int wavefronts, int lanes, int width) {
  return std::min(wavefronts, (lanes * width + kPassBytes - 1) / kPassBytes);
}

Passes through_l1(const AsyncCopy& copy) {
  const int width = width_of(copy), each = kLanes * kWordBytes / width;
  Passes passes;
  for (int first = 0; first < kLanes; first += each) {
    const std::uint32_t group = (each == kLanes ? kAllLanes : (1u << each) - 1) << first;
    const int met = most_met(copy, copy.active & group);
    passes.wavefronts += met;
    passes.ways = std::max(passes.ways, met);
  }
  passes.ideal = ideal(passes.wavefronts, std::popcount(copy.active), width);
  return passes;
}

// ---- around L1

constexpr std::uint64_t kHalf = 16, kSector = 32, kRow = kPassBytes;

// A place of 16 bytes that is written, and where from. Both are counted in halves of sectors.
struct Place {
  std::uint64_t to = 0, from = 0;
  int turn = 0; // how many places of the same row have the same source and half, for higher lanes
};

// Those that `lanes` write, in their order.
std::vector<Place> places_of(const AsyncCopy& copy, std::uint32_t lanes) {
  std::vector<Place> places;
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const std::uint64_t to = copy.to[lane] / kHalf, from = copy.from[lane] / kHalf;
    const auto is_it = [&](const Place& place) { return place.to == to; };
    if (std::none_of(places.begin(), places.end(), is_it)) places.push_back({to, from});
  }
  const auto row = [](const Place& place) { return place.to / (kRow / kHalf); };
  for (auto later = places.begin(); later != places.end(); ++later)
    for (auto place = places.begin(); place != later; ++place)
      place->turn += place->from == later->from && row(*place) == row(*later) &&
                     place->to % 2 == later->to % 2;
  return places;
}

// What goes from one sector into one sector at once.
struct Piece {
  std::uint64_t to = 0, from = 0; // sectors' numbers
  int turn = 0;
  unsigned halves = 0; // bit 2 d + s: into half d, from half s

  auto key() const { // of the pieces that can share a wavefront
    return std::tuple(to / (kRow / kSector), from / (kRow / kSector), turn, halves,
                      (to ^ from) & 1);
  }
};

bool from_one_half(unsigned halves) {
  return halves == 0b0101 || halves == 0b1010;
}

std::vector<Piece> pieces_of(const std::vector<Place>& places, bool by_turn) {
  std::vector<Piece> pieces;
  for (const auto& place : places) {
    const int turn = by_turn ? place.turn : 0;
    const unsigned half = 1u << (2 * (place.to % 2) + place.from % 2);
    const auto same = std::find_if(pieces.begin(), pieces.end(), [&](const Piece& piece) {
      return piece.to == place.to / 2 && piece.from == place.from / 2 && piece.turn == turn &&
             !from_one_half(piece.halves | half);
    });
    if (same != pieces.end())
      same->halves |= half;
    else
      pieces.push_back({place.to / 2, place.from / 2, turn, half});
  }
  return pieces;
}

// The most pieces that have the same sector on one side.
template <class Side>
int most_alike(const std::vector<Piece>& pieces, Side side) {
  int most = 0;
  for (const auto& one : pieces)
    most = std::max(
        most, static_cast<int>(std::count_if(pieces.begin(), pieces.end(), [&](const Piece& other) {
          return side(other) == side(one);
        })));
  return most;
}

// The lanes that read, but those to whose place a lower one writes nothing but zeros.
std::uint32_t bringing(const AsyncCopy& copy) {
  std::uint32_t result = reading(copy);
  for (std::uint32_t left = result; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    for (int lower = 0; lower < lane; ++lower)
      if (((copy.active & ~copy.reading) >> lower & 1) &&
          copy.to[lower] / kHalf == copy.to[lane] / kHalf)
        result &= ~(1u << lane);
  }
  return result;
}

Passes around_l1(const AsyncCopy& copy) {
  const auto places = places_of(copy, bringing(copy));
  auto pieces = pieces_of(places, true);
  Passes passes;
  while (!pieces.empty()) {
    const auto key = pieces.back().key();
    const auto rest = std::partition(pieces.begin(), pieces.end(),
                                     [&](const Piece& piece) { return piece.key() != key; });
    const std::vector<Piece> together(rest, pieces.end());
    pieces.erase(rest, pieces.end());
    const int times = std::max(most_alike(together, [](const Piece& piece) { return piece.to; }),
                               most_alike(together, [](const Piece& piece) { return piece.from; }));
    passes.wavefronts += times;
    passes.ways = std::max(passes.ways, times);
  }
  passes.ideal = ideal(passes.wavefronts, static_cast<int>(places.size()), kHalf);
  return passes;
}

} // namespace

Passes copy_passes(const AsyncCopy& copy) {
  if (!copy.around_l1) return through_l1(copy);
  Passes passes = around_l1(copy);
  if (!copy.any_count && reading(copy) == copy.active) return passes;
  AsyncCopy whole = copy;
  whole.width = kHalf;
  const Passes filled = through_l1(whole);
  passes.wavefronts += filled.wavefronts;
  passes.ideal += filled.ideal;
  passes.ways = std::max(passes.ways, filled.ways);
  return passes;
}

int copy_sectors(const AsyncCopy& copy) {
  if (!copy.around_l1) return sectors(reading(copy), copy.from);
  return static_cast<int>(pieces_of(places_of(copy, reading(copy)), false).size());
}

} // namespace course::model
