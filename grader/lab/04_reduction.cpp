// Lab 04: sums. Of a block without conflicts, of more elements a thread, without a race, of all.
#include "lab/labs.hpp"

#include "judge/numbers.hpp"
#include "lab/cost.hpp"
#include "lab/drawn.hpp"
#include "lab/inputs.hpp"
#include "lab/pieces.hpp"
#include "lab/turned_tiles.hpp"
#include "lab/ways.hpp"

#include <algorithm>

namespace course::lab {
namespace {

constexpr std::uint64_t kThreads = 256;

// Integers whose sum is below 2^24 in size, so that it is exact as a float: of both signs, or all
// positive, or small with a few large ones among them.
Floats whole_addends(std::uint64_t count, Flavour flavour, std::uint64_t seed) {
  constexpr std::uint64_t kLargestSum = 1 << 22, kSmall = 99, kOneIn = 61;
  Random random(seed);
  const auto spike = static_cast<float>(kLargestSum / (count / kOneIn + 1));
  const auto apart = count / kLargestSum + 1; // of ones, where there are very many
  Floats values(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (flavour == Flavour::exact) {
      values[i] = i % apart == 0 ? 1 : 0;
      continue;
    }
    values[i] = static_cast<float>(random.below(2 * kSmall + 1)) - kSmall;
    if (flavour == Flavour::spikes && random.below(kOneIn) == 0) values[i] = spike;
  }
  return values;
}

// One sum for each `elements` of the input.
Floats sums(const Floats& in, std::uint64_t elements) {
  Floats out(ceil_div(in.size(), elements));
  for (std::size_t b = 0; b < out.size(); ++b) {
    const auto end = std::min<std::size_t>(in.size(), (b + 1) * elements);
    double sum = 0;
    for (std::size_t i = b * elements; i < end; ++i) sum += in[i];
    out[b] = static_cast<float>(sum);
  }
  return out;
}

// Units of 32 words that the blocks move in shared memory. The sums of a block's warps have to meet
// there, and two warps are enough: one stored, one loaded. A tree of 256 takes 25 loads and 20
// stores, fewer where a thread keeps its own sum in a register. Room of a tenth; a tree in which
// every warp works in every round takes 95 loads.
constexpr std::uint64_t kLoadsAtMost = 28, kStoresAtMost = 22;

// The last few elements may come one by one, where all others come four at a time.
constexpr std::uint64_t kOneByOne = 3;

Case sums_of(std::uint64_t n, std::uint64_t elements_a_block, Type type) {
  const auto blocks = ceil_div(n, elements_a_block);
  Case one;
  one.shape = judge::counted(n, "element");
  one.operands = {{"out", blocks, true, type}, {"in", n, false, type}};
  one.arguments = {Pointer{0}, Pointer{1}, static_cast<std::int32_t>(n)};
  one.extent = {1, blocks};
  one.instruction_budget = 2'000'000 + 100 * n;
  one.bounds.elements = n;
  const auto full = n / elements_a_block; // the last block may have work for one warp
  one.bounds.shared_loads = {full, blocks * kLoadsAtMost};
  one.bounds.shared_stores = {full, blocks * kStoresAtMost};
  one.bounds.global_loads = with_room(in_order(n), kOneByOne);
  one.bounds.global_stores = {blocks, blocks}; // a sector each
  one.bounds.way = meeting_in_tile();
  // A tree of eight warps, and a load for each element.
  one.bounds.cost = many_times(1000 * blocks + n / 2, 60 * blocks + n / 32);
  one.inputs = [n, type](Flavour flavour, std::uint64_t seed) {
    const auto make = type == Type::f32 ? addends : whole_addends;
    return std::vector<Floats>{{}, make(n, flavour, seed)};
  };
  one.reference = [elements_a_block](const std::vector<Floats>& inputs) {
    return sums(inputs[1], elements_a_block);
  };
  return one;
}

// Every order of 256 additions stays within it, and no sum without one of its elements does.
constexpr judge::Tolerance kAnyOrder{0, 4e-6};

// `adjust` makes of a case what this exercise's own limits are.
Exercise block_sums(const std::string& name, const std::string& title,
                    std::uint64_t elements_a_block, Type type,
                    const std::function<void(Case&)>& adjust) {
  Exercise exercise;
  exercise.id = "04_reduction/" + name;
  exercise.way_check = "traffic";
  exercise.title = title;
  const bool floats = type == Type::f32;
  exercise.signature = floats ? "void sums(float* out, const float* in, int n)"
                              : "void sums(int* out, const int* in, int n)";
  exercise.function = floats ? "sums(float*, float const*, int)" : "sums(int*, int const*, int)";
  const auto of = [=](std::uint64_t n) {
    auto one = sums_of(n, elements_a_block, type);
    adjust(one);
    return one;
  };
  for (const auto n : {1, 31, 32, 33, 256, 257, 1009, 4096, 65'537, 0})
    exercise.cases.push_back(of(n));
  exercise.drawn = [of](Draw& draw) {
    return std::vector{of(draw.prime(1100, 9000)), of(32 * draw.between(2, 200))};
  };
  exercise.time = {TimeLimit::Peer::solution, 1.2, [=] {
                     auto one = sums_of(1 << 24, elements_a_block, type);
                     if (floats) one.tolerance = kAnyOrder;
                     return one;
                   }};
  return exercise;
}

constexpr const char* kOnceInTheSum = "Each element should be in the sum once. Which thread takes "
                                      "which elements, and where do its sums meet the others'?";
constexpr const char* kHalfAsMany =
    "In a tree, half as many threads have something to add in each round. How many warps load and "
    "store in each round here?";
const Graded kCoalescing{"coalescing", 5, "output", "each element is read once, 32 side by side"};
const Graded kTime{"time", 40, "output", "near the time of the solution"};

Exercise sequential() {
  auto exercise = block_sums("1_sequential", "neighbours add, not strangers", kThreads, Type::f32,
                             [](Case& one) { one.tolerance = kAnyOrder; });
  exercise.checks = {
      {"output", 15, "", "256 additions of positive numbers lose at most a few ulps"},
      {"memory", 10, "output", "no round begins before the last one ended"},
      kCoalescing,
      {"traffic", 10, "output", "a tree: half as many threads work in each round"},
      {"conflicts", 20, "traffic", "neighbouring threads can work on neighbouring words"},
      kTime};
  exercise.questions = {{"output", kOnceInTheSum}, {"traffic", kHalfAsMany}};
  exercise.skeleton_fails = "conflicts";
  exercise.hints = {
      "In the first round thread t works on words 2 * t and 2 * t + 1. Which thread of the warp "
      "comes back to the bank of thread 0? And in the second round, with words 4 * t?",
      "Addition does not care which pairs meet. Let thread t always work on word t: which word "
      "should it add, so that half of the sums are left, side by side at the front?",
      "for (int apart = kThreads / 2; apart > 0; apart /= 2) { if (tid < apart) part[tid] += "
      "part[tid + apart]; __syncthreads(); }"};
  exercise.explanation =
      "The conflicts are gone, and the number of requests is what it was: 25 loads and 20 stores a "
      "block. It is often said that each warp now \"uses one bank\". It is the opposite: 32 "
      "neighbouring words are in 32 banks. Look at the rounds below 32: one warp works, and the "
      "whole block waits for it. That is exercise 3.";
  return exercise;
}

constexpr std::uint64_t kElements = 4 * kThreads;

Exercise unroll() {
  auto exercise = block_sums(
      "2_unroll", "four elements a thread, a quarter of the blocks", kElements, Type::i32,
      [](Case& one) {
        one.bounds.others["threads"] = {0, one.operands[0].elements * (kThreads + kThreads / 8)};
      });
  exercise.checks = {{"output", 20, "", "integers: equal, or wrong"},
                     {"memory", 10, "output", "nothing behind the end of `in` is read"},
                     {"coalescing", 10, "output", "each element is read once, 32 side by side"},
                     {"traffic", 5, "output", "one tree for 1,024 elements"},
                     {"conflicts", 5, "traffic", "as in exercise 1"},
                     {"threads", 10, "output", "256 threads for 1,024 elements"},
                     kTime};
  exercise.questions = {
      {"output", kOnceInTheSum},
      {"traffic", "One tree of 256 threads is enough for 1,024 elements. How many trees are there "
                  "here for as many, and of how many threads?"}};
  exercise.skeleton_fails = "output";
  exercise.hints = {
      "A block has 1,024 elements and 256 threads. Which elements do the threads of the first warp "
      "load now, and which are never loaded?",
      "A thread that took elements 4 * t to 4 * t + 3 would be four words from its neighbour. Let "
      "the block load 256 neighbours at a time, four times over. Each of the four loads has an "
      "end to mind.",
      "for (int e = 0; e < kEach; ++e) { const int i = blockIdx.x * kElements + e * kThreads + "
      "tid; "
      "if (i < n) sum += in[i]; }"};
  exercise.explanation =
      "Shared requests fell to a quarter for the same number of elements: one tree where there "
      "were "
      "four. Sectors read stayed the same, since every element has to be read once. On a GPU most "
      "of the gain is in the four loads that each thread has under way at once.";
  return exercise;
}

// Barriers of the block, counted for each of 8 warps: one after the stores, one for each of the two
// rounds above 64 sums. With a barrier in all eight rounds there are 72.
constexpr std::uint64_t kBarriersOfABlock = 40;

Exercise no_race() {
  auto exercise = block_sums(
      "3_no_race", "the last warp does not run in step", kElements, Type::i32, [](Case& one) {
        one.bounds.others["barriers"] = {0, one.operands[0].elements * kBarriersOfABlock};
      });
  exercise.checks = {
      {"output", 15, "", "integers: equal, or wrong"},
      {"memory", 25, "output", "no two lanes touch a word without an order between them"},
      {"traffic", 5, "output", "a tree, in shared memory down to one warp"},
      {"conflicts", 5, "traffic", "as in exercise 1"},
      {"barriers", 10, "memory",
       "one warp needs no barrier of the block: 24 are enough, 72 too many"},
      kTime};
  exercise.questions = {{"output", kOnceInTheSum}, {"traffic", kHalfAsMany}};
  exercise.skeleton_fails = "memory";
  exercise.hints = {
      "The report names two lines that touch the same word. One lane reads part[tid + 16]; which "
      "lane writes that word, and what makes one happen before the other?",
      "__syncwarp() is a barrier for the lanes of a warp, and orders their memory accesses. "
      "Between "
      "a lane's write and another's read there has to be one, and between a read and the next "
      "write "
      "as well.",
      "In each round: const int other = part[tid + apart]; __syncwarp(); part[tid] += other; "
      "__syncwarp(); for apart = 32, 16, 8, 4, 2, 1."};
  exercise.explanation =
      "The same additions, and an order that is certain: the checker finds no pair of accesses "
      "without one. volatile only made the compiler read and write memory each time; it never made "
      "lanes wait. A barrier of the warp costs a few cycles, one of the block costs its slowest "
      "warp. Chapter 7 does this tail with shuffles, and without memory.";
  return exercise;
}

// ---- 4_whole_array

constexpr std::uint64_t kMany = 1 << 20;      // elements from which the whole device has work
constexpr std::uint64_t kBlocksAtMost = 5000; // more than fill an H200, whatever their size
// Work for every SM; at most as many as are resident at a time, and a tenth. Of the largest shape
// a thread then has 14 elements or more: that many it can only get by walking.
constexpr std::uint64_t kThreadsAtLeast = 132 * 256, kThreadsAtMost = 132 * 2048 * 11 / 10;

constexpr std::uint64_t kBlocksOfAll = 132 * 8; // resident at a time, each with a tree of its own

Case all_of(std::uint64_t n) {
  auto one = sums_of(n, std::max<std::uint64_t>(n, 1), Type::i32);
  one.operands[0].elements = 1;
  one.extent = {1, 1};
  one.reference = [](const std::vector<Floats>& inputs) {
    const auto all = sums(inputs[1], std::max<std::size_t>(inputs[1].size(), 1));
    return all.empty() ? Floats{0} : all;
  };
  one.bounds.shared_loads = one.bounds.shared_stores = {};
  one.bounds.way.reset();
  one.bounds.cost = many_times(1000 * kBlocksOfAll + n / 2, 60 * kBlocksOfAll + n / 32);
  // The sum of each block may be written and read once more, side by side.
  const auto sectors = ceil_div(n, 8);
  one.bounds.global_loads = {ceil_div(n, 128) + (n % 4 ? 1 : 0),
                             sectors + sectors / 10 + 10 + ceil_div(kBlocksAtMost, 8)};
  one.bounds.global_stores = {0, kBlocksAtMost};
  one.bounds.others["launches"] = {0, 2};
  if (n >= kMany) one.bounds.others["threads"] = {kThreadsAtLeast, kThreadsAtMost};
  return one;
}

Exercise whole_array() {
  Exercise exercise;
  exercise.id = "04_reduction/4_whole_array";
  exercise.title = "one sum, as fast as memory can be read";
  exercise.signature = "void sum(int* out, const int* in, int n)";
  exercise.function = "sum(int*, int const*, int)";
  for (const auto n : {1, 2, 31, 32, 33, 1021, 4099, 65'536, 4'194'304 + 3, 0})
    exercise.cases.push_back(all_of(n));
  exercise.drawn = [](Draw& draw) {
    return std::vector{all_of(draw.prime(5000, 50'000)), all_of(4 * draw.between(2, 10'000))};
  };
  exercise.checks = {
      {"output", 20, "", "integers: equal, or wrong"},
      {"memory", 10, "output", "blocks meet in atomics, or in a second launch"},
      {"coalescing", 10, "output", "each element is read once, and a sum a block is written"},
      {"conflicts", 5, "output", "as in exercise 1"},
      {"threads", 5, "output", "every SM has work, and no block waits for another to end"},
      {"launches", 10, "output", "a launch costs microseconds: two are enough"},
      {"time", 40, "output", "near the time that reading the array takes"}};
  exercise.time = {TimeLimit::Peer::solution, 1.15, [] { return all_of(1 << 25); }};
  exercise.questions = {
      {"output", kOnceInTheSum},
      {"threads", "132 multiprocessors have room for 2,048 threads each. How many of these threads "
                  "have work from the start, and who adds up the rest of the array?"}};
  exercise.skeleton_fails = "output";
  exercise.hints = {
      "A grid may be smaller than its work: thread t of all can take elements t, t + T, t + 2 T, … "
      "where T is the number of threads. How many blocks fill 132 SMs with 2,048 threads each?",
      "int4 loads take 16 bytes: fewer instructions, more bytes under way. n / 4 of them, and up "
      "to "
      "three elements left over. *out has to be 0 before the first block adds to it: "
      "cudaMemset does that.",
      "int sum = 0; for (int i = blockIdx.x * kThreads + tid; i < n / 4; i += gridDim.x * "
      "kThreads) "
      "adds the four parts of reinterpret_cast<const int4*>(in)[i]; the first n % 4 threads add "
      "in[n / 4 * 4 + …]; after the tree, if (tid == 0) atomicAdd(out, part[0])."};
  exercise.explanation =
      "The tree, which this lab is about, no longer matters: it runs once a block, and a block "
      "reads "
      "a megabyte. What is left is memory. 2^28 ints are 1 GiB, and an H200 reads them at more "
      "than "
      "4 TB/s. Integers add in any order to the same sum; float sums would differ in their last "
      "bits from run to run, as the blocks' order does.";
  return exercise;
}

} // namespace

std::vector<Exercise> reductions() {
  return {sequential(), unroll(), no_race(), whole_array()};
}

} // namespace course::lab
