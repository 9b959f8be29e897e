#include "device/model/shared.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <set>

namespace course::model {
namespace {

Request strided(std::uint32_t bytes, int width = 4, RequestKind access = RequestKind::shared_load) {
  Request request{access, width};
  for (int lane = 0; lane < kLanes; ++lane) request.offset[lane] = lane * bytes;
  return request;
}

// The rules of shared.hpp once more, word for word, with sets and no short cut.
namespace slow {

bool active(const Request& request, int lane) {
  return request.active >> lane & 1;
}

int cost(const Request& request, int first, int last) {
  std::array<std::set<std::uint32_t>, kBanks> words;
  for (int lane = first; lane < last; ++lane) {
    if (!active(request, lane)) continue;
    const std::uint32_t begin = request.offset[lane] / request.width * request.width;
    for (std::uint32_t byte = begin; byte < begin + request.width; ++byte)
      words[byte / kWordBytes % kBanks].insert(byte / kWordBytes);
  }
  std::size_t most = 0;
  for (const auto& bank : words) most = std::max(most, bank.size());
  return static_cast<int>(most);
}

bool agree(const Request& request, int first, int last, int distance, bool without) {
  for (int lane = first; lane < last; ++lane) {
    if (!active(request, lane)) continue;
    if (!active(request, lane ^ distance) ? !without
                                          : request.offset[lane] != request.offset[lane ^ distance])
      return false;
  }
  return true;
}

bool merged(const Request& request, int first, int last) {
  if (cost(request, first, last) > 1) return false;
  const bool lower_half = request.width == 16 && first == 0;
  if (lower_half && !active(request, 31)) return true;
  return agree(request, first, last, 1, !lower_half) || agree(request, first, last, 2, !lower_half);
}

// Lanes at one address of 16 bytes; none where there are several addresses.
int at_one_address(const Request& request) {
  std::set<std::uint32_t> addresses;
  for (int lane = 0; lane < kLanes; ++lane)
    if (active(request, lane)) addresses.insert(request.offset[lane]);
  const bool applies = request.width == 16 && request.access == RequestKind::shared_load;
  return applies && addresses.size() == 1 ? std::popcount(request.active) : 0;
}

Passes passes(const Request& request) {
  const int groups = std::max(1, request.width / 4), lanes = kLanes / groups;
  Passes result;
  const auto serve = [&](int first, int last) {
    const int each = cost(request, first, last);
    result.wavefronts += each;
    result.ways = std::max(result.ways, each);
  };
  for (int first = 0; first < kLanes; first += 2 * lanes) {
    const int last = first + 2 * lanes;
    if (groups == 1) {
      serve(0, kLanes);
    } else if (request.access == RequestKind::shared_load && merged(request, first, last)) {
      serve(first, last);
    } else {
      serve(first, first + lanes);
      serve(first + lanes, last);
    }
  }
  if (const int together = at_one_address(request)) result = {(together + 15) / 16, 0, 1};
  result.ideal =
      std::min(result.wavefronts, (std::popcount(request.active) * request.width + 127) / 128);
  return result;
}

} // namespace slow

} // namespace

TEST_CASE("consecutive words take one pass") {
  CHECK(shared_passes(strided(4)) == Passes{1, 1, 1});
}

TEST_CASE(
    "a column of a 32-wide tile takes a pass for each lane, and one word of padding frees it") {
  CHECK(shared_passes(strided(32 * 4)) == Passes{32, 1, 32});
  CHECK(shared_passes(strided(32 * 4)).conflicts() == 31);
  CHECK(shared_passes(strided(33 * 4)) == Passes{1, 1, 1});
}

TEST_CASE("the same word is broadcast, however many lanes want it") {
  CHECK(shared_passes(strided(0)) == Passes{1, 1, 1});
  Request two_words = strided(0);
  for (int lane = 7; lane < kLanes; lane += 3) two_words.offset[lane] = 128;
  CHECK(shared_passes(two_words) == Passes{2, 1, 2});
}

TEST_CASE("bytes of one word share its pass, and bytes 32 words apart do not") {
  CHECK(shared_passes(strided(1, 1)) == Passes{1, 1, 1});
  CHECK(shared_passes(strided(2, 2)) == Passes{1, 1, 1});
  CHECK(shared_passes(strided(-1, 1)).wavefronts == 1);
  CHECK(shared_passes(strided(128, 1)) == Passes{32, 1, 32});
}

TEST_CASE("sixteen-byte accesses need four passes and that is no conflict") {
  CHECK(shared_passes(strided(16, 16)) == Passes{4, 4, 1});
  CHECK(shared_passes(strided(8, 8)) == Passes{2, 2, 1});
}

TEST_CASE("a wide load of one address is served in half the passes, a store is not") {
  CHECK(shared_passes(strided(0, 16)) == Passes{2, 2, 1});
  CHECK(shared_passes(strided(0, 16, RequestKind::shared_store)) == Passes{4, 4, 1});
}

TEST_CASE("sixteen lanes anywhere get one 16-byte value in one pass, more of them in two") {
  Request request = strided(0, 16);
  request.active = 0x0f0ff00f;
  CHECK(shared_passes(request) == Passes{1, 1, 1});
  request.active |= 1u << 31;
  CHECK(shared_passes(request) == Passes{2, 2, 1});
  request.access = RequestKind::shared_store;
  CHECK(shared_passes(request).wavefronts == 4);
}

TEST_CASE("what the lower half of 16-byte loads needs to be served at once hangs on lane 31") {
  Request request{RequestKind::shared_load, 16};
  for (int lane = 0; lane < kLanes; ++lane) request.offset[lane] = lane / 16 * 256 + lane % 8 * 16;
  CHECK(shared_passes(request).wavefronts == 4); // no two neighbours agree
  request.active = 0x7fffffff;
  CHECK(shared_passes(request).wavefronts == 3);
  for (int lane = 0; lane < kLanes; ++lane) request.offset[lane] = lane / 16 * 256;
  CHECK(shared_passes(request).wavefronts == 2);
  request.active = 0xfffffffe; // lane 1 has lost its neighbour
  CHECK(shared_passes(request).wavefronts == 3);
  request.active = 0xfffffff0;
  CHECK(shared_passes(request).wavefronts == 2);
}

TEST_CASE("no active lane, no pass") {
  for (RequestKind access :
       {RequestKind::shared_load, RequestKind::shared_atomic, RequestKind::shared_atomic_increment,
        RequestKind::shared_atomic_cas, RequestKind::shared_atomic_loop, RequestKind::ldmatrix}) {
    Request request = strided(128, 4, access);
    request.active = 0;
    CHECK(shared_passes(request) == Passes{});
    CHECK(groups_of(request).count == 0);
  }
}

TEST_CASE("an access that a request does not say enough of costs nothing and says so") {
  for (RequestKind access :
       {RequestKind::cp_async, RequestKind::global_load, RequestKind::constant_load}) {
    CHECK_FALSE(has_rule(access, 4));
    CHECK(shared_passes(strided(128, 4, access)) == Passes{});
  }
  CHECK_FALSE(has_rule(RequestKind::shared_atomic_increment, 8));
  CHECK(shared_passes(strided(128, 8, RequestKind::shared_atomic_increment)) == Passes{});
  CHECK(has_rule(RequestKind::shared_atomic, 8));
}

TEST_CASE("every stride, base and width costs what the rules say word for word") {
  for (RequestKind access : {RequestKind::shared_load, RequestKind::shared_store})
    for (int width : {1, 2, 4, 8, 16})
      for (int units = -70; units <= 70; ++units)
        for (int base : {0, 1, 31, 100}) {
          Request request{access, width};
          for (int lane = 0; lane < kLanes; ++lane)
            request.offset[lane] = 100000 * width + (base + units * lane) * width;
          INFO("width ", width, ", stride ", units, ", base ", base);
          CHECK(shared_passes(request) == slow::passes(request));
        }
}

TEST_CASE("random requests cost what the rules say word for word") {
  std::mt19937 random(1);
  for (int trial = 0; trial < 20000; ++trial) {
    Request request{random() % 2 ? RequestKind::shared_load : RequestKind::shared_store,
                    1 << random() % 5};
    if (random() % 2) request.active = random() & (random() % 2 ? random() : kAllLanes);
    const std::uint32_t span = 1u << random() % 14, agreeing = 1u << random() % 3;
    const std::uint32_t step = 1u << random() % 8;
    std::uint32_t element = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
      if (lane % agreeing == 0) element = random() % span * step;
      request.offset[lane] = element * request.width;
    }
    INFO("trial ", trial, ", width ", request.width, ", active ", request.active);
    CHECK(shared_passes(request) == slow::passes(request));
  }
}

TEST_CASE("offsets at the end of the address space and odd widths are safe") {
  std::mt19937 random(2);
  for (int width : {-5, 0, 3, 5, 12, 17, 1 << 30})
    for (int trial = 0; trial < 200; ++trial) {
      Request request{RequestKind(random() % 12), width, static_cast<std::uint32_t>(random())};
      for (std::uint32_t& offset : request.offset) offset = 0xffffffffu - random() % 64;
      const Passes passes = shared_passes(request);
      CHECK(passes.wavefronts >= passes.ideal);
      CHECK(passes.ways <= kLanes);
      CHECK(groups_of(request).count <= 4);
    }
  CHECK(shared_passes(strided(4, 3)) == shared_passes(strided(4, 4)));
  CHECK(shared_passes(strided(1u << 31)).wavefronts == 2);
}

TEST_CASE("groups name the lanes that compete") {
  CHECK(groups_of(strided(4)).count == 1);
  CHECK(groups_of(strided(4)).lanes[0] == kAllLanes);
  const Groups halves = groups_of(strided(8, 8));
  CHECK(halves.count == 2);
  CHECK(halves.lanes[1] == 0xffff0000);
  CHECK(groups_of(strided(0, 8)).count == 1);
  Request tail = strided(16, 16);
  tail.active = 0x0000ff03;
  const Groups quarters = groups_of(tail);
  CHECK(quarters.count == 2);
  CHECK(quarters.lanes[0] == 0x3);
  CHECK(quarters.lanes[1] == 0xff00);
  CHECK(words_a_lane(tail) == 4);
  CHECK(words_a_lane(strided(1, 1)) == 1);
}

} // namespace course::model
