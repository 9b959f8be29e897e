// Lab 03: shared memory whose size the launch decides, and what it costs in blocks on an SM.
#include "lab/labs.hpp"

#include "device/model/occupancy.hpp"
#include "judge/numbers.hpp"
#include "lab/cost.hpp"
#include "lab/drawn.hpp"
#include "lab/inputs.hpp"
#include "lab/occupancy.hpp"
#include "lab/pieces.hpp"
#include "lab/turned_tiles.hpp"
#include "lab/ways.hpp"

#include <algorithm>

namespace course::lab {
namespace {

constexpr std::uint64_t kLanes = 32;

// ---- 1_dynamic_tile

constexpr std::uint64_t kCols = 32;

Case tile_of(std::uint64_t tiles, std::uint64_t rows) {
  auto one = turned_tiles(tiles, {rows, kCols});
  one.arguments.emplace_back(static_cast<std::int32_t>(rows));
  one.bounds.others["shared_bytes"] = {0, (rows * kCols + kCols) * sizeof(float)};
  return one;
}

Exercise dynamic_tile() {
  Exercise exercise;
  exercise.id = "03_dynamic_smem/1_dynamic_tile";
  exercise.title = "a tile whose shape is known at launch";
  exercise.signature = "void turn_tiles(float* out, const float* in, int tiles, int rows)";
  exercise.function = "turn_tiles(float*, float const*, int, int)";
  exercise.cases = {tile_of(3, 32), tile_of(5, 16),  tile_of(31, 8), tile_of(33, 4),
                    tile_of(7, 2),  tile_of(127, 1), tile_of(0, 16)};
  exercise.drawn = [](Draw& draw) {
    const auto rows = draw.one_of({1, 2, 4, 8, 16, 32});
    return std::vector{tile_of(draw.between(2, 100), rows)};
  };
  exercise.checks = {
      {"output", 15, "", "a transpose moves numbers: they must be equal, bit for bit"},
      {"memory", 10, "output", "what the kernel uses has to be asked for at launch"},
      {"coalescing", 5, "output", "both matrices are walked through in order"},
      {"traffic", 5, "output", "each element goes through the tile once: one store, one load"},
      {"conflicts", 10, "traffic", "32 / rows words of padding free every shape"},
      {"shared_bytes", 15, "output", "the tile and at most 32 words of padding"},
      {"time", 40, "output", "near the time of the solution"}};
  exercise.time = {TimeLimit::Peer::solution, 1.2, [] { return tile_of(65'536, 8); }};
  exercise.way_check = "traffic";
  exercise.skeleton_fails = "conflicts";
  exercise.hints = {
      "An array with no size, extern __shared__ float tile[]; is the block's dynamic shared "
      "memory. "
      "Its size in bytes is the third number between <<< and >>>, and nothing in the kernel knows "
      "it: what the kernel indexes and what the launch asks for must agree.",
      "A warp reads 32 / rows columns at once: 1 for 32 rows, 2 for 16, 4 for 8. Lab 02 found one "
      "word of padding for the first and two for the second. Which pitch fits the third?",
      "pitch = kCols + kCols / rows, in the kernel and in the launcher, and turn<<<tiles, block, "
      "rows * pitch * sizeof(float)>>>(out, in)."};
  exercise.explanation =
      "One kernel now serves six shapes, each with its own pitch and none with a conflict. A "
      "static "
      "tile takes 4,224 bytes for every shape; for 8 rows this one takes 1,152, which leaves room "
      "for more blocks. The price is that the compiler no longer knows the pitch: compare the "
      "instructions with those of exercise 02_padding/2_rectangle.";
  return exercise;
}

// ---- 2_three_arrays

struct Sizes {
  std::uint64_t shorts, floats, ints;

  std::uint64_t all() const { return shorts + floats + ints; }
  std::uint64_t bytes() const { return 2 * shorts + 4 * floats + 4 * ints; }
  std::uint64_t requests() const { // of 32 lanes
    return ceil_div(shorts, kLanes) + ceil_div(floats, kLanes) + ceil_div(ints, kLanes);
  }
};

// Whole numbers from -bound to bound.
Floats whole_numbers(std::uint64_t count, std::uint64_t bound, std::uint64_t seed) {
  Random random(seed);
  Floats values(count);
  for (auto& value : values)
    value = static_cast<float>(random.below(2 * bound + 1)) - static_cast<float>(bound);
  return values;
}

Case arrays_of(Sizes sizes) {
  constexpr std::uint64_t kLargestShort = 32767, kLargestInt = (1 << 24) - 1;
  Case one;
  one.shape = judge::thousands(sizes.shorts) + " + " + judge::thousands(sizes.floats) + " + " +
              judge::thousands(sizes.ints);
  one.operands = {{"out", sizes.all(), true},
                  {"shorts", sizes.shorts, false, Type::i16},
                  {"floats", sizes.floats, false},
                  {"ints", sizes.ints, false, Type::i32}};
  one.arguments = {Pointer{0}, Pointer{1}, Pointer{2}, Pointer{3}};
  for (const auto n : {sizes.shorts, sizes.floats, sizes.ints})
    one.arguments.emplace_back(static_cast<std::int32_t>(n));
  one.extent = {1, sizes.all()};
  one.instruction_budget = 2'000'000 + 100 * sizes.all();
  one.bounds.elements = sizes.all();
  // Fewer where several elements are moved at a time; more where the lanes of a warp leave an
  // unrolled loop apart, once for each of 8 warps and each array.
  const auto most = sizes.requests() + sizes.requests() / 6 + 3 * 8;
  one.bounds.shared_loads = one.bounds.shared_stores = {sizes.bytes() / 128, most};
  one.bounds.others["shared_bytes"] = {0, sizes.bytes() + 8};
  one.bounds.way = through_tile();
  one.bounds.cost = many_times(30 * most, 4 * most);
  one.inputs = [sizes](Flavour flavour, std::uint64_t seed) {
    return std::vector<Floats>{{},
                               whole_numbers(sizes.shorts, kLargestShort, seed),
                               numbers_to_move(sizes.floats, flavour, derive(seed, 1)),
                               whole_numbers(sizes.ints, kLargestInt, derive(seed, 2))};
  };
  one.reference = [](const std::vector<Floats>& inputs) {
    Floats out;
    for (std::size_t i = 1; i < inputs.size(); ++i)
      out.insert(out.end(), inputs[i].rbegin(), inputs[i].rend());
    return out;
  };
  return one;
}

Exercise three_arrays() {
  Exercise exercise;
  exercise.id = "03_dynamic_smem/2_three_arrays";
  exercise.title = "short, float and int in one allocation";
  exercise.signature = "void reverse_arrays(float* out, const short* shorts, const float* floats, "
                       "const int* ints, int ns, int nf, int ni)";
  exercise.function =
      "reverse_arrays(float*, short const*, float const*, int const*, int, int, int)";
  for (const Sizes sizes :
       {Sizes{128, 64, 256}, Sizes{127, 64, 256}, Sizes{1, 1, 1}, Sizes{0, 33, 31},
        Sizes{31, 0, 32}, Sizes{33, 997, 0}, Sizes{4999, 3001, 2003}})
    exercise.cases.push_back(arrays_of(sizes));
  exercise.drawn = [](Draw& draw) {
    const auto any = [&] { return draw.between(1, 3000); };
    const Sizes odd{draw.prime(3, 3000), any(), any()}, even{2 * any(), any(), any()};
    return std::vector{arrays_of(odd), arrays_of(even)};
  };
  exercise.checks = {
      {"output", 30, "", "reversing moves numbers: they must be equal"},
      {"memory", 40, "output", "every element aligned, within what was asked for, and its own"},
      {"traffic", 10, "output", "each element goes through shared memory once"},
      {"shared_bytes", 20, "output", "the elements, and at most 8 bytes to align them"}};
  exercise.way_check = "traffic";
  exercise.skeleton_fails = "memory";
  exercise.given = {"shared_bytes"};
  exercise.hints = {
      "What is asked for at launch is bytes, not elements; ask for enough first. Then: at which "
      "byte do the floats begin after 127 shorts, and at which bytes may a float begin?",
      "Two ways lead out. Round each offset up to a multiple of the next element's size, and count "
      "the gaps in the bytes. Or find an order of the three arrays in which no gap is ever needed.",
      "Floats first, at memory; ints at floats + nf; shorts last, at ints + ni. Every offset is a "
      "multiple of 4 until the shorts begin. The bytes are 4 * nf + 4 * ni + 2 * ns."};
  exercise.explanation =
      "All extern __shared__ arrays of a kernel begin at the same address, so carving one up is "
      "the "
      "only way to have three. A misaligned access is no slow access on a GPU: it ends the kernel. "
      "With the widest elements first nothing ever has to be rounded. When the order is given, "
      "round up: (offset + size - 1) / size * size.";
  return exercise;
}

// ---- 3_opt_in

Case tile_with_side(std::uint64_t tiles, std::uint64_t side) {
  auto one = turned_tiles(tiles, {side, side});
  one.arguments.emplace_back(static_cast<std::int32_t>(side));
  const auto bytes = side * (side + 1) * sizeof(float);
  if (bytes <= model::kH200Multiprocessor.shared_bytes_a_block) {
    one.bounds.others["shared_bytes"] = {0, bytes};
  } else {
    one.shape += ", too large";
    one.bounds.shared_loads = one.bounds.shared_stores = {0, 0};
    one.bounds.way.reset();
  }
  return one;
}

Exercise opt_in() {
  Exercise exercise;
  exercise.id = "03_dynamic_smem/3_opt_in";
  exercise.title = "a tile larger than 48 KiB";
  exercise.signature = "void turn_tiles(float* out, const float* in, int tiles, int side)";
  exercise.function = "turn_tiles(float*, float const*, int, int)";
  // Of those too large, a block could have the first if the whole of the SM's memory were its own.
  exercise.cases = {tile_with_side(5, 32),  tile_with_side(3, 96),  tile_with_side(2, 128),
                    tile_with_side(2, 192), tile_with_side(3, 224), tile_with_side(1, 241),
                    tile_with_side(2, 256)};
  exercise.drawn = [](Draw& draw) { // one that fits, above 48 KiB or below, and one that does not
    const auto fits = 32 * draw.between(1, 7), too_large = 32 * draw.between(8, 9);
    return std::vector{tile_with_side(draw.between(1, 3), fits), tile_with_side(1, too_large)};
  };
  exercise.checks = {
      {"output", 20, "", "a transpose moves numbers: they must be equal, bit for bit"},
      {"memory", 5, "output", "every access in bounds and in order"},
      {"traffic", 15, "output",
       "a tile that fits goes through shared memory, one that does not "
       "cannot"},
      {"conflicts", 5, "traffic", "a side of 32 words and one of padding is an odd pitch"},
      {"shared_bytes", 15, "output", "the tile and its padding, and nothing more"},
      {"time", 40, "output", "near the time of the solution"}};
  exercise.time = {TimeLimit::Peer::solution, 1.2, [] { return tile_with_side(512, 192); }};
  exercise.questions = {
      {"traffic", "A tile that fits a block goes through shared memory, above 48 KiB too. Which "
                  "kernel is launched for this one, and what may it have after opting in?"}};
  exercise.way_check = "traffic";
  exercise.skeleton_fails = "launch";
  exercise.hints = {
      "The report names the call that was refused and why. 48 KiB is what every kernel may have "
      "without asking; asking is done for one kernel, once, before it is launched.",
      "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) asks, and "
      "is itself refused where the device has not as much for a block. So ask the device first: "
      "cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0).",
      "if (bytes > most) { turn_in_global<<<tiles, block>>>(out, in, side); return; } and then "
      "cudaFuncSetAttribute(turn_in_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)."};
  exercise.explanation =
      "An H200's SM has 228 KiB of shared memory, a block gets at most 227 after opting in, and 48 "
      "without: programs that were written for 48 go on fitting as many blocks as before. The "
      "largest tile here leaves room for one block on an SM. While that block waits at its "
      "barrier, "
      "nothing else runs: the next exercise is about this price.";
  return exercise;
}

// ---- 4_occupancy

constexpr std::uint64_t kReach = 1024;
constexpr std::uint64_t kBlocks = 8, kWarps = 64; // on an SM, at least

Floats differences(const Floats& in) {
  Floats out(in.size() - kReach);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = in[i + kReach] - in[i];
  return out;
}

Case differences_of(std::uint64_t n) {
  Case one;
  one.shape = judge::thousands(n) + " differences";
  one.operands = {{"out", n, true}, {"in", n + kReach, false}};
  one.arguments = {Pointer{0}, Pointer{1}, static_cast<std::int32_t>(n)};
  one.extent = {1, n};
  one.instruction_budget = 2'000'000 + 50 * n;
  one.bounds.elements = n;
  // 1.35 times what a single block would read.
  one.bounds.global_loads = in_order(n + kReach);
  one.bounds.global_loads.sectors = one.bounds.global_loads.sectors * 135 / 100;
  const auto units = (n + kReach) / kLanes;
  one.bounds.cost = many_times(30 * units, 6 * units);
  // Where the last block ends, lanes leave an unrolled loop apart and share sectors.
  one.bounds.global_stores = in_order(n);
  one.bounds.global_stores.sectors += 32;
  one.inputs = [n](Flavour flavour, std::uint64_t seed) {
    return std::vector<Floats>{{}, floats(n + kReach, flavour, seed)};
  };
  one.reference = [](const std::vector<Floats>& inputs) { return differences(inputs[1]); };
  one.numbers = [](const device::Observation& observed, const Floats&) {
    return occupancy_numbers(observed);
  };
  return one;
}

Exercise occupancy() {
  Exercise exercise;
  exercise.id = "03_dynamic_smem/4_occupancy";
  exercise.title = "eight blocks on a multiprocessor";
  exercise.signature = "void differences(float* out, const float* in, int n)";
  exercise.function = "differences(float*, float const*, int)";
  for (const auto n : {1, 31, 33, 1021, 100'003, 262'144, 0})
    exercise.cases.push_back(differences_of(n));
  exercise.drawn = [](Draw& draw) { return std::vector{differences_of(draw.prime(5000, 30'000))}; };
  exercise.checks = {
      {"output", 15, "", "one subtraction rounds once, here as on the host"},
      {"memory", 5, "output", "every access in bounds and in order"},
      {"coalescing", 15, "output",
       "a block reads its elements and 1,024 more: for 5,120, 1.2 times"},
      {"blocks_per_sm", 15, "output", "eight blocks: seven can work while one waits",
       [](judge::Executions executions) { return check_blocks_per_sm(executions, kBlocks); }},
      {"warps_per_sm", 10, "blocks_per_sm", "2,048 threads are 64 warps",
       [](judge::Executions executions) { return check_warps_per_sm(executions, kWarps); }},
      {"time", 40, "output", "near the time of the solution"}};
  exercise.time = {TimeLimit::Peer::solution, 1.2, [] { return differences_of(1 << 24); }};
  exercise.questions = {
      {"coalescing",
       "A block writes kTile floats and reads 1,024 more than that. How many are read for each "
       "that is written, and from which kTile on are they at most 1.35?"},
      {"blocks_per_sm", "How much of it may one block take, if eight are to share it?"},
      {"warps_per_sm", "How many warps has a block, and how many blocks fit?"}};
  exercise.skeleton_fails = "blocks_per_sm";
  exercise.given = {"sectors_stored"}; // each element once
  exercise.hints = {
      "Three things are shared out among the blocks of an SM: 2,048 threads, 65,536 registers, 228 "
      "KiB of shared memory. Divide each by 8. What does that leave for one block?",
      "2,048 / 8 is the block's size. 228 KiB / 8 is 28.5 KiB, of which 1 KiB is the system's. How "
      "many floats are 27.5 KiB, and how many of them does the reach of 1,024 leave for the tile?",
      "kThreads = 256. kTile at most 6,016, and at least about 3,000, since `in` is read (kTile + "
      "1024) / kTile times. 5,120 is a good choice."};
  exercise.explanation =
      "A tile of 5,120, for example, reads 1.2 times and lets eight blocks fit; one of 10,240 read "
      "1.1 times, "
      "and "
      "five would fit, if its threads had let more than two. Shared memory, registers and threads "
      "are one budget: what a block saves, other blocks get. A full SM is no aim in itself: "
      "measure "
      "whether the time follows.";
  return exercise;
}

} // namespace

std::vector<Exercise> dynamic_shared_memory() {
  return {dynamic_tile(), three_arrays(), opt_in(), occupancy()};
}

} // namespace course::lab
