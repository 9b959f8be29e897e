// What the model's rules cost: nanoseconds a request, for patterns that kernels have.
//
// The emulated device asks for the price of every memory request that it executes, so these are
// part of its speed.
#include <chrono>
#include <cstdio>
#include <random>
#include <vector>

#include "device/model/constant.hpp"
#include "device/model/sectors.hpp"
#include "device/model/shared.hpp"

namespace {

using namespace course::model;
using Offsets = std::array<std::uint32_t, kLanes>;

constexpr int kRequests = 64; // of a pattern: its base varies, so that branches do not learn one
constexpr int kRounds = 20000;

// The best of five, in nanoseconds a call. `sink` keeps the compiler from dropping the work.
template <typename Call>
double nanoseconds(Call call) {
  static volatile long sink = 0;
  double best = 1e9;
  for (int attempt = 0; attempt < 5; ++attempt) {
    const auto start = std::chrono::steady_clock::now();
    long sum = 0;
    for (int round = 0; round < kRounds; ++round)
      for (int i = 0; i < kRequests; ++i) sum += call(i);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    sink = sink + sum;
    best = std::min(best, took.count() / (double{kRounds} * kRequests));
  }
  return best;
}

template <typename Word>
std::vector<Request> pattern(RequestKind access, int width, std::uint32_t active, Word word) {
  std::vector<Request> requests(kRequests, Request{access, width, active});
  for (int i = 0; i < kRequests; ++i)
    for (int lane = 0; lane < kLanes; ++lane)
      requests[i].offset[lane] = (word(lane) + 8 * i) * std::max(width, 4);
  return requests;
}

void report(const char* what, const std::vector<Request>& requests) {
  const double time = nanoseconds([&](int i) { return shared_passes(requests[i]).wavefronts; });
  std::printf("  %-58s %3d wavefronts %7.1f ns\n", what, shared_passes(requests[0]).wavefronts,
              time);
}

void shared_requests() {
  std::mt19937 random(1);
  Offsets scattered, column;
  for (int lane = 0; lane < kLanes; ++lane) {
    scattered[lane] = random() % 4096;
    column[lane] = 32 * (random() % 256);
  }
  auto stride = [](int words) { return [=](int lane) { return std::uint32_t(lane * words); }; };
  auto swizzled = [](int lane) { return std::uint32_t(32 * lane + (5 ^ lane)); };
  auto two_rows = [](int lane) { return std::uint32_t(lane % 16 + lane / 16 * 33); };
  auto two_words = [](int lane) { return std::uint32_t(lane / 16); };
  auto at = [](const Offsets& words) { return [&words](int lane) { return words[lane]; }; };
  const RequestKind load = RequestKind::shared_load;

  std::printf("shared memory\n");
  report("4 bytes, consecutive", pattern(load, 4, kAllLanes, stride(1)));
  report("4 bytes, one word for all", pattern(load, 4, kAllLanes, stride(0)));
  report("4 bytes, stride 33", pattern(load, 4, kAllLanes, stride(33)));
  report("4 bytes, stride 32", pattern(load, 4, kAllLanes, stride(32)));
  report("4 bytes, a column through an XOR swizzle", pattern(load, 4, kAllLanes, swizzled));
  report("4 bytes, two half-rows", pattern(load, 4, kAllLanes, two_rows));
  report("4 bytes, a word for each half-warp", pattern(load, 4, kAllLanes, two_words));
  report("4 bytes, consecutive, 20 lanes", pattern(load, 4, 0xfffff, stride(1)));
  report("4 bytes, consecutive, every other lane", pattern(load, 4, 0x55555555, stride(1)));
  report("4 bytes, scattered", pattern(load, 4, kAllLanes, at(scattered)));
  report("4 bytes, scattered in one bank", pattern(load, 4, kAllLanes, at(column)));
  report("8 bytes, consecutive", pattern(load, 8, kAllLanes, stride(1)));
  report("8 bytes, scattered", pattern(load, 8, kAllLanes, at(scattered)));
  report("16 bytes, consecutive", pattern(load, 16, kAllLanes, stride(1)));
  report("16 bytes, scattered", pattern(load, 16, kAllLanes, at(scattered)));
  report("atomic add, consecutive", pattern(RequestKind::shared_atomic, 4, kAllLanes, stride(1)));
  report("atomic add, scattered", pattern(RequestKind::shared_atomic, 4, kAllLanes, at(scattered)));
  report("float add, scattered",
         pattern(RequestKind::shared_atomic_loop, 4, kAllLanes, at(scattered)));
  report("float add, one word for all",
         pattern(RequestKind::shared_atomic_loop, 4, kAllLanes, stride(0)));
  report("ldmatrix.x4, padded rows", pattern(RequestKind::ldmatrix, 16, kAllLanes, stride(9)));
}

template <typename Address>
void report_sectors(const char* what, std::uint32_t active, Address address) {
  std::vector<std::array<std::uint64_t, kLanes>> requests(kRequests);
  for (int i = 0; i < kRequests; ++i)
    for (int lane = 0; lane < kLanes; ++lane)
      requests[i][lane] = 0x7f0000000000ull + 4096ull * i + address(lane);
  const double time = nanoseconds([&](int i) { return sectors(active, requests[i]); });
  std::printf("  %-58s %3d sectors    %7.1f ns\n", what, sectors(active, requests[0]), time);
}

void global_requests() {
  std::mt19937 random(2);
  Offsets scattered;
  for (std::uint32_t& offset : scattered) offset = random() % (1u << 20) * 4;
  std::printf("global memory\n");
  report_sectors("consecutive floats", kAllLanes, [](int lane) { return 4ull * lane; });
  report_sectors("consecutive floats, 20 lanes", 0xfffff, [](int lane) { return 4ull * lane; });
  report_sectors("a row apart", kAllLanes, [](int lane) { return 16384ull * lane; });
  report_sectors("backwards", kAllLanes, [](int lane) { return 4ull * (31 - lane); });
  report_sectors("scattered", kAllLanes, [&](int lane) { return scattered[lane]; });
}

void constant_requests() {
  Offsets same{}, each{};
  for (int lane = 0; lane < kLanes; ++lane) each[lane] = 4 * lane;
  auto report_replays = [](const char* what, const Offsets& offset) {
    const double time = nanoseconds([&](int) { return constant_replays(kAllLanes, 4, offset); });
    std::printf("  %-58s %3d replays    %7.1f ns\n", what, constant_replays(kAllLanes, 4, offset),
                time);
  };
  std::printf("constant memory\n");
  report_replays("one index for all", same);
  report_replays("an index a lane", each);
}

} // namespace

int main() {
  shared_requests();
  global_requests();
  constant_requests();
}
