#include "device/emulator/check/way_trace.hpp"

#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <numeric>

namespace course::emulator {
namespace {

namespace way = device::way;
using device::Way;

// The ways of the 32 values of `out`, all four bytes of each, after a kernel of data/ways.cu; empty
// when it did not compute what it should.
struct Followed {
  std::vector<Way> ways;
  std::vector<std::uint32_t> values;

  Way all() const { return std::accumulate(ways.begin(), ways.end(), Way{0}, std::bit_or<Way>()); }
  bool same() const { // for all values
    return std::adjacent_find(ways.begin(), ways.end(), std::not_equal_to<>()) == ways.end();
  }
};

template <typename... More>
Followed follow_blocks(std::uint32_t blocks, const std::string& kernel, More... more) {
  TestRun run("ways.ptx");
  std::vector<std::uint32_t> in(32);
  std::iota(in.begin(), in.end(), 0x40000000u);
  const auto out = run.buffer("out", std::vector<std::uint32_t>(32), false);
  const auto from = run.buffer("in", in);
  const auto scratch = run.buffer("scratch", std::vector<std::uint32_t>(32), false);
  if constexpr (sizeof...(More) == 0) {
    if (kernel == "by_global")
      run.launch(kernel, {1, 1, 1}, {32, 1, 1}, 0, out, from, scratch);
    else
      run.launch(kernel, {blocks, 1, 1}, {32 / blocks, 1, 1}, 0, out, from);
  } else {
    run.launch(kernel, {1, 1, 1}, {32, 1, 1}, 0, out, from, more...);
  }
  const auto& seen = run.run();
  INFO(device::spelled(seen.reason));
  REQUIRE(seen.status == device::Observation::Status::completed);
  const auto device = make_device();
  const auto ways = dynamic_cast<device::Follower&>(*device).follow(run.job).ways;
  REQUIRE(ways.size() == 3);
  CHECK(ways[1] == std::vector<Way>(128, way::direct));
  Followed followed;
  followed.values = run.result<std::uint32_t>(0);
  for (std::size_t i = 0; i < 32; ++i) {
    const Way* bytes = &ways[0][4 * i];
    CHECK(std::all_of(bytes, bytes + 4, [&](Way one) { return one == bytes[0]; }));
    followed.ways.push_back(bytes[0]);
  }
  return followed;
}

template <typename... More>
Followed follow(const std::string& kernel, More... more) {
  return follow_blocks(1, kernel, more...);
}

// How often a kernel of data/ways.cu does something.
std::uint64_t used(const std::string& kernel, device::Used what, std::uint32_t blocks = 1,
                   std::uint32_t threads = 32) {
  TestRun run("ways.ptx");
  const auto out = run.buffer("out", std::vector<std::uint32_t>(32), false);
  const auto from = run.buffer("in", std::vector<std::uint32_t>(32, 1));
  run.launch(kernel, {blocks, 1, 1}, {threads, 1, 1}, 0, out, from);
  REQUIRE(run.run().status == device::Observation::Status::completed);
  const auto device = make_device();
  const auto followed = dynamic_cast<device::Follower&>(*device).follow(run.job);
  return followed.used[static_cast<std::size_t>(what)];
}

bool swaps(const Followed& followed) {
  for (std::uint32_t i = 0; i < 32; ++i)
    if (followed.values[i] != 0x40000000u + (i ^ 1)) return false;
  return true;
}

} // namespace

TEST_CASE("a value is known by the way on which it was handed over") {
  const std::pair<const char*, Way> wanted[] = {
      {"by_itself", way::direct},        {"by_tile", way::stored},   {"by_shuffle", way::shuffled},
      {"by_copy", way::copied},          {"by_votes", way::voted},   {"by_branches", way::voted},
      {"by_table", way::voted},          {"by_global", way::global}, {"by_atomics", way::stored},
      {"index_by_shuffle", way::direct},
  };
  for (const auto& each : wanted) {
    const auto& [kernel, expected] = each;
    INFO(each.first);
    const auto followed = follow(kernel);
    CHECK(swaps(followed));
    CHECK(followed.all() == expected);
    CHECK(followed.same());
  }
}

TEST_CASE("sums, calls, carries and a thread's own memory keep the ways of what went in") {
  CHECK(follow("by_reduction").all() == way::voted);
  CHECK(follow("by_call").all() == way::stored);
  CHECK(follow("by_carry").all() == way::shuffled);
  CHECK(follow("by_local", 3).all() == (way::shuffled | way::local));
  CHECK(follow("by_local", 3).same());
}

TEST_CASE("what is chosen has its own way, not that of what was not chosen") {
  const auto followed = follow("half_by_shuffle");
  for (std::size_t i = 0; i < 32; ++i)
    CHECK(followed.ways[i] == (i % 2 ? way::shuffled : way::direct));
}

TEST_CASE("a lane that is handed its own value was handed nothing") {
  CHECK(follow("to_itself").all() == way::direct);
  const auto first = follow("to_first");
  for (std::size_t i = 0; i < 32; ++i)
    CHECK(first.ways[i] == (i == 0 ? way::direct : way::shuffled));
}

TEST_CASE("what is multiplied by zero leaves nothing of its way") {
  CHECK(follow("zero_times_shuffled", 0.0f).all() == way::direct);
  CHECK(follow("zero_times_shuffled", 1.0f).all() == (way::direct | way::shuffled));
  CHECK(follow("none_of_shuffled", 0).all() == way::direct);
  CHECK(follow("none_of_shuffled", 1).all() == (way::direct | way::shuffled));
}

TEST_CASE("loads while copies are under way are told from those after them") {
  using enum device::Used;
  CHECK(used("copies_in_turn", loads_meanwhile) == 0);
  CHECK(used("copies_ahead", loads_meanwhile) == 32);
  CHECK(used("by_tile", loads_meanwhile) == 0);
  CHECK(used("copies_in_turn", copies_ahead) == 0);
  CHECK(used("copies_ahead", copies_ahead) == 32 * 4); // one batch
  CHECK(used("copies_in_turn", bytes_ahead) < used("copies_ahead", bytes_ahead));
  CHECK(used("by_tile", bytes_ahead) == 32 * 4);
}

TEST_CASE("a barrier of a part of the block is told from one of all its threads") {
  using device::Used;
  CHECK(used("by_tile", Used::barriers_of_all) == 1);
  CHECK(used("by_itself", Used::barriers_of_all) == 0);
  CHECK(used("first_half_meets", Used::barriers_of_all) == 1); // 32 of 32
  CHECK(used("first_half_meets", Used::barriers_of_all, 1, 64) == 0);
}

TEST_CASE("a shuffle makes up for two words that its warp stores, where it hands data over") {
  using device::Used;
  CHECK(used("by_tile", Used::words_alone) == 32);
  CHECK(used("words_beside_shuffle", Used::words_alone) == 32 - 2);
  CHECK(used("word_after_shuffles", Used::words_alone) == 0);
  CHECK(used("index_by_shuffle", Used::words_alone) == 0); // an index is no data
  CHECK(used("by_shuffle", Used::words_alone) == 0);
}

TEST_CASE("what the busiest warp of a block has loaded is told from what all have") {
  using device::Used;
  CHECK(used("by_itself", Used::busiest_bytes) == 32 * 4);
  CHECK(used("by_itself", Used::busiest_bytes, 2, 16) == 32 * 4); // of each block
  CHECK(used("half_a_warp_each", Used::busiest_bytes, 1, 64) == 16 * 4);
  CHECK(used("by_copy", Used::busiest_bytes) == 0); // nobody loads
}

TEST_CASE("bytes of tables are counted once each, however many lanes read them") {
  using device::Used;
  CHECK(used("by_tables", Used::constant_bytes) == 16 * 4);
  CHECK(used("by_tables", Used::table_bytes) == 8 * 4);
  CHECK(used("by_itself", Used::constant_bytes) == 0); // parameters are no table
  CHECK(used("by_itself", Used::table_bytes) == 0);    // and inputs are none
}

TEST_CASE("bytes that other blocks have read are counted once each, of the block with the most") {
  using device::Used;
  CHECK(used("by_other_tile", Used::lent_bytes, 2, 16) == 16 * 4);
  CHECK(used("by_copies_across", Used::lent_bytes, 2, 16) == 16 * 4);
  CHECK(used("into_other_tile", Used::lent_bytes, 2, 16) == 0); // written there
  CHECK(used("by_own_tile", Used::lent_bytes, 2, 16) == 0);
}

TEST_CASE("what no input has anything to do with has no way") {
  CHECK(follow("constants").all() == 0);
}

TEST_CASE("the second array of a kernel is followed like the first") {
  CHECK(follow("by_second_tile").all() == way::stored);
}

TEST_CASE("bulk copies are a way, in and out") {
  const Followed followed = follow("by_bulk_copies");
  CHECK(followed.same());
  CHECK(followed.all() == (way::copied | way::bulk | way::out));
  CHECK(followed.values[31] == 0x4000001fu);
}

TEST_CASE("what another warp asked to be copied comes from that warp") {
  TestRun run("ways.ptx");
  std::vector<std::uint32_t> in(32, 1);
  const auto out = run.buffer("out", std::vector<std::uint32_t>(32), false);
  run.launch("by_copy_of_another", {1, 1, 1}, {64, 1, 1}, 0, out, run.buffer("in", in));
  REQUIRE(run.run().status == device::Observation::Status::completed);
  const auto device = make_device();
  const auto followed = dynamic_cast<device::Follower&>(*device).follow(run.job);
  CHECK(followed.ways[0][0] == (way::copied | way::warps));
  CHECK(follow("by_copy").all() == way::copied);
}

TEST_CASE("what another block has left in global memory is known from what one's own has") {
  TestRun run("ways.ptx");
  std::vector<std::uint32_t> in(32, 1);
  const auto out = run.buffer("out", std::vector<std::uint32_t>(32), false);
  const auto from = run.buffer("in", in);
  const auto between = run.buffer("between", std::vector<std::uint32_t>(32), false);
  run.launch("by_itself", {1, 1, 1}, {32, 1, 1}, 0, between, from);
  run.launch("by_tile", {1, 1, 1}, {32, 1, 1}, 0, out, between);
  REQUIRE(run.run().status == device::Observation::Status::completed);
  const auto device = make_device();
  const auto followed = dynamic_cast<device::Follower&>(*device).follow(run.job);
  CHECK(followed.ways[0][0] == (way::global | way::results | way::stored));
  CHECK(followed.used[static_cast<std::size_t>(device::Used::shared_updates)] == 32);
  CHECK(followed.used[static_cast<std::size_t>(device::Used::dynamic_bytes)] == 0);
}

TEST_CASE("tiles of wmma keep the ways of what was loaded, and a product is one") {
  const Followed product = follow("by_wmma"), alone = follow("by_wmma_alone");
  CHECK(product.same());
  CHECK(product.all() == (way::stored | way::multiplied | way::loose));
  CHECK(alone.same());
  CHECK(alone.all() == way::stored);
  CHECK(alone.values[31] == 0x4000000fu);
}

TEST_CASE("an operand that came as rows of matrices does not hide one that did not") {
  const Way rows = way::stored | way::rows | way::multiplied;
  CHECK(follow("by_rows").all() == rows);
  CHECK(follow("half_by_rows").all() == (rows | way::loose));
}

TEST_CASE("blocks of a cluster have their own tiles, and reach each other's") {
  const std::pair<const char*, Way> wanted[] = {
      {"by_own_tile", way::stored},
      {"by_other_tile", way::stored | way::warps | way::blocks},
      {"by_remote_atomics", way::stored | way::blocks},
      {"into_other_tile", way::stored | way::shuffled | way::blocks},
      {"by_stores_async", way::stored | way::blocks},
      {"by_copies_across", way::stored | way::copied | way::bulk | way::blocks},
  };
  for (const auto& each : wanted) {
    const auto& [kernel, expected] = each;
    INFO(std::string(each.first));
    const auto followed = follow_blocks(2, kernel);
    CHECK(swaps(followed));
    CHECK(followed.all() == expected);
    CHECK(followed.same());
  }
  const auto one = follow_blocks(2, "by_one_of_two");
  for (std::size_t i = 0; i < 32; ++i) CHECK(one.ways[i] == (i < 16 ? way::stored : 0));
}

} // namespace course::emulator
