// Lab 07: lanes that hand over what they have. Four moves, an exchange, sums and a scan. Long,
// because it is data: five exercises, each with its shapes, limits, hints and explanation.
#include "lab/labs.hpp"

#include "judge/numbers.hpp"
#include "lab/cost.hpp"
#include "lab/drawn.hpp"
#include "lab/inputs.hpp"
#include "lab/pieces.hpp"
#include "lab/turned_tiles.hpp"
#include "lab/ways.hpp"

#include <algorithm>
#include <string>

namespace course::lab {
namespace {

constexpr std::uint64_t kLanes = 32;

std::uint64_t warps(std::uint64_t n) {
  return ceil_div(n, kLanes);
}

// The same with warps that have no work, up to blocks of 1,024.
std::uint64_t rounded(std::uint64_t n) {
  return kLanes * ceil_div(n, 1024);
}

// `each` shuffles a warp that has work, and as many in warps without any, up to blocks of 1,024.
judge::Range shuffles(std::uint64_t n, std::uint64_t each) {
  return {each * warps(n), with_room(each * rounded(n))};
}

// Handed over by shuffles; `stay` elements have no partner.
judge::WayBound by_shuffles(std::uint64_t stay) {
  return {way::shuffled, {way::shuffled}, stay};
}

// ---- 1_moves

constexpr std::uint64_t kApart = 2;

Floats moved(const Floats& in, std::uint64_t width) {
  const auto n = in.size();
  Floats out(4 * n);
  for (std::uint64_t i = 0; i < n; ++i) {
    const auto place = i % width, group = i - place;
    const auto from = [&](bool exists, std::uint64_t source) {
      return exists && source < n ? in[source] : in[i];
    };
    out[i] = in[group];
    out[n + i] = from(place >= kApart, i - kApart);
    out[2 * n + i] = from(place + kApart < width, i + kApart);
    out[3 * n + i] = from(true, group + (place + kApart) % width);
  }
  return out;
}

Case moves_of(std::uint64_t n, std::uint64_t width) {
  Case one;
  one.shape = judge::counted(n, "element") + " in groups of " + std::to_string(width);
  one.operands = {{"out", 4 * n, true}, {"in", n, false}};
  one.arguments = {Pointer{0}, Pointer{1}, static_cast<std::int32_t>(n),
                   static_cast<std::int32_t>(width)};
  one.extent = {4, n};
  one.instruction_budget = 2'000'000 + 100 * n;
  one.bounds.elements = 4 * n;
  // Warps of the last block that have nothing to do may look at some element.
  one.bounds.global_loads = with_room(in_order(n), kLanes - 1);
  one.bounds.global_stores = with_room(in_pieces(4, n, kLanes));
  // One for each result; groups narrower than a warp may shuffle each for itself.
  const auto one_a_result = shuffles(n, 4);
  one.bounds.others["shuffles"] = {one_a_result.low, one_a_result.high * (kLanes / width)};
  one.bounds.cost = many_times(80 * rounded(n), 5 * rounded(n));
  // Five of each group's results may be the lane's own element, and those at the end of `in`.
  one.bounds.way = by_shuffles((2 * kApart + 1) * ceil_div(n, width) + 4 * kLanes);
  one.bounds.others["shared_bytes"] = {0, 0};
  one.inputs = [n](Flavour flavour, std::uint64_t seed) {
    return std::vector<Floats>{{}, numbers_to_move(n, flavour, seed)};
  };
  one.reference = [width](const std::vector<Floats>& inputs) { return moved(inputs[1], width); };
  return one;
}

Exercise moves() {
  Exercise exercise;
  exercise.id = "07_shuffles/1_moves";
  exercise.title = "broadcast, up, down, around";
  exercise.signature = "void moves(float* out, const float* in, int n, int width)";
  exercise.function = "moves(float*, float const*, int, int)";
  exercise.cases = {moves_of(64, 32),   moves_of(64, 16),   moves_of(1, 8),      moves_of(31, 16),
                    moves_of(32, 8),    moves_of(33, 8),    moves_of(127, 32),   moves_of(1000, 8),
                    moves_of(1009, 16), moves_of(4099, 32), moves_of(16'384, 8), moves_of(0, 32)};
  exercise.drawn = [](Draw& draw) {
    const auto width = draw.one_of({8, 16, 32});
    return std::vector{moves_of(draw.prime(300, 5000), width)};
  };
  exercise.checks = {{"output", 40, "", "shuffles move numbers: they must be equal, bit for bit"},
                     {"memory", 20, "output", "no lane reads from a lane that does not take part"},
                     {"coalescing", 10, "output", "one load an element; the rest is handed over"},
                     {"shuffles", 20, "output", "one shuffle for each of the four results"},
                     {"shared_bytes", 10, "output", "registers are enough"}};
  exercise.way_check = "shuffles";
  exercise.skeleton_fails = "output";
  exercise.hints = {
      "The report names the first wrong element. Row 0 is broadcast, row 1 up, row 2 down, row 3 "
      "around. In which group is it, and from which lane should its value come?",
      "Pass `width` to each shuffle: source lanes then count from the start of the group, and up "
      "and down leave a lane at the group's end with its own value. Around is __shfl_sync with a "
      "source that you compute. And no lane may leave before the last shuffle: lanes behind the "
      "end take part with any value.",
      "place = threadIdx.x % width; source = (place + kApart) % width; around = __shfl_sync(kAll, "
      "value, source, width). Store down only where i + kApart < n, and around only where i - "
      "place + source < n; elsewhere store `value`."};
  exercise.explanation =
      "One load and four shuffles a warp; no memory was needed to move a value from lane to lane. "
      "A shuffle is still no free lunch: it passes through the same unit as a shared load, one "
      "request each. What it saves is the store before, the barrier between, and the bytes. Up and "
      "down do not wrap around; a rotation is __shfl_sync with an index of your own.";
  return exercise;
}

// ---- 2_butterfly

constexpr std::uint64_t kFloats = 8; // of a body

Floats exchanged(const Floats& in, std::uint64_t mask) {
  const auto n = in.size() / kFloats;
  Floats out(in.size());
  for (std::uint64_t i = 0; i < n; ++i) {
    const auto partner = (i ^ mask) < n ? i ^ mask : i;
    std::copy_n(in.begin() + static_cast<std::ptrdiff_t>(partner * kFloats), kFloats,
                out.begin() + static_cast<std::ptrdiff_t>(i * kFloats));
  }
  return out;
}

Case bodies_of(std::uint64_t n, std::uint64_t mask) {
  Case one;
  one.shape = judge::counted(n, "body", "bodies") + ", mask " + std::to_string(mask);
  one.operands = {{"out", kFloats * n, true}, {"in", kFloats * n, false}};
  one.arguments = {Pointer{0}, Pointer{1}, static_cast<std::int32_t>(n),
                   static_cast<std::int32_t>(mask)};
  one.extent = {n, kFloats};
  one.instruction_budget = 2'000'000 + 500 * n;
  one.bounds.elements = kFloats * n;
  one.bounds.cost = many_times(80 * rounded(n), 2 * kFloats * rounded(n));
  one.bounds.others["shuffles"] = shuffles(n, kFloats);
  one.bounds.way = by_shuffles(kFloats * (kLanes - 1));
  one.bounds.others["shared_bytes"] = {0, 0};
  one.inputs = [n](Flavour flavour, std::uint64_t seed) {
    return std::vector<Floats>{{}, numbers_to_move(kFloats * n, flavour, seed)};
  };
  one.reference = [mask](const std::vector<Floats>& inputs) { return exchanged(inputs[1], mask); };
  return one;
}

Exercise butterfly() {
  Exercise exercise;
  exercise.id = "07_shuffles/2_butterfly";
  exercise.title = "lanes exchange a struct";
  exercise.signature = "void butterfly(Body* out, const Body* in, int n, int mask)";
  exercise.function = "butterfly(Body*, Body const*, int, int)";
  exercise.cases = {bodies_of(32, 1),    bodies_of(64, 31),  bodies_of(1, 1),
                    bodies_of(31, 16),   bodies_of(33, 2),   bodies_of(127, 5),
                    bodies_of(1000, 8),  bodies_of(1009, 4), bodies_of(2053, 21),
                    bodies_of(8192, 16), bodies_of(0, 1)};
  exercise.drawn = [](Draw& draw) {
    const auto mask = draw.between(1, 31);
    return std::vector{bodies_of(draw.prime(300, 2000), mask)};
  };
  exercise.checks = {
      {"output", 50, "", "an exchange moves numbers: they must be equal, bit for bit"},
      {"memory", 20, "output", "no lane reads from a lane that does not take part"},
      {"shuffles", 20, "output", "one shuffle for each of the eight floats"},
      {"shared_bytes", 10, "output", "registers are enough"}};
  exercise.questions = {{"output",
                         "Which lane has this body's partner, and which of the eight floats "
                         "come from there?"}};
  exercise.way_check = "shuffles";
  exercise.skeleton_fails = "output";
  exercise.hints = {
      "out[i][j] is float j of body i: mass, charge, radius, heat, then four of the array. Which "
      "are exchanged already? And what about body 32 of 33, whose partner would be 34?",
      "Each field has a shuffle of its own, and each element of the array. For the end: every lane "
      "of a warp calls partners, also those behind the last body, with any body that may be read. "
      "Then keep the partner's body only where there is a partner.",
      "A loop over d, unrolled: other.at[d] = __shfl_xor_sync(kAll, mine.at[d], mask). In the "
      "kernel: last = i < n ? i : n - 1; mine = in[last]; other = partners(mine, mask); if (i < n) "
      "out[i] = (i ^ mask) < n ? other : mine."};
  exercise.explanation =
      "Eight shuffles moved 32 bytes a lane, and no two lanes could be in each other's way: with "
      "xor, a lane's partner has it as its partner. This exchange is the step of a butterfly: "
      "masks 1, 2, 4, 8, 16 one after another reach all lanes, as a fast Fourier transform and the "
      "next exercise do. The array stayed in registers because its index was known when the loop "
      "was unrolled.";
  return exercise;
}

// ---- sums

Case sums_of(std::uint64_t n, std::uint64_t elements) { // of so many elements each
  const auto sums = ceil_div(n, elements);
  Case one;
  one.shape = judge::counted(n, "element");
  one.operands = {{"out", sums, true}, {"in", n, false}};
  one.arguments = {Pointer{0}, Pointer{1}, static_cast<std::int32_t>(n)};
  one.extent = {1, sums};
  // Every order of up to 512 additions of positive numbers stays within it.
  one.tolerance = {0, 4e-6};
  one.instruction_budget = 2'000'000 + 100 * n;
  one.bounds.elements = n;
  one.bounds.global_loads = with_room(in_order(n), 3); // the last few may come one by one
  one.bounds.global_stores = with_room({sums, sums});  // a sector each, at most
  one.bounds.cost = many_times(60 * rounded(n), 4 * rounded(n));
  one.inputs = [n](Flavour flavour, std::uint64_t seed) {
    return std::vector<Floats>{{}, addends(n, flavour, seed)};
  };
  one.reference = [elements](const std::vector<Floats>& inputs) {
    const auto& in = inputs[1];
    Floats out(ceil_div(in.size(), elements));
    for (std::uint64_t s = 0; s < out.size(); ++s) {
      const auto end = std::min<std::uint64_t>(in.size(), (s + 1) * elements);
      double sum = 0;
      for (auto i = s * elements; i < end; ++i) sum += in[i];
      out[s] = static_cast<float>(sum);
    }
    return out;
  };
  return one;
}

constexpr int kLengths[] = {1024, 1, 31, 32, 33, 257, 1009, 4099, 65'536, 0};
constexpr std::uint64_t kRounds = 5; // 16, 8, 4, 2, 1 lanes apart

Exercise warp_sum() {
  Exercise exercise;
  exercise.id = "07_shuffles/3_warp_sum";
  exercise.title = "a sum without memory";
  exercise.signature = "void warp_sums(float* out, const float* in, int n)";
  exercise.function = "warp_sums(float*, float const*, int)";
  const auto of = [](std::uint64_t n) {
    auto one = sums_of(n, kLanes);
    one.bounds.others["shuffles"] = shuffles(n, kRounds);
    one.bounds.way = {way::direct | way::shuffled, {way::shuffled}, 1};
    one.bounds.others["shared_bytes"] = {0, 0};
    return one;
  };
  for (const auto n : kLengths) exercise.cases.push_back(of(n));
  exercise.drawn = [of](Draw& draw) { return std::vector{of(draw.prime(300, 9000))}; };
  exercise.checks = {{"output", 20, "", "32 additions of positive numbers lose at most a few ulps"},
                     {"memory", 10, "output", "no lane reads from a lane that does not take part"},
                     {"coalescing", 5, "output", "each element is loaded once, 32 side by side"},
                     {"shuffles", 15, "output", "five rounds add up 32 lanes"},
                     {"shared_bytes", 10, "shuffles", "registers are enough"},
                     {"time", 40, "output", "near the time of the solution"}};
  exercise.time = {TimeLimit::Peer::solution, 1.2, [] { return sums_of(1 << 24, kLanes); }};
  exercise.questions = {{"output",
                         "Each element should be in one sum, once. Which lane takes it, and "
                         "by which steps does it reach the lane that writes?"}};
  exercise.way_check = "shuffles";
  exercise.skeleton_fails = "shuffles";
  exercise.hints = {
      "In each round of the tree, lane l adds what lane l + apart has. Which shuffle brings a lane "
      "the value of the lane `apart` places further up?",
      "__shfl_down_sync(kAll, value, apart). The store, the barrier and the array have nothing "
      "left "
      "to do. That lanes in the upper half add values of no meaning does no harm: who needs them?",
      "for (int apart = kLanes / 2; apart > 0; apart /= 2) value += __shfl_down_sync(kAll, value, "
      "apart); return value;"};
  exercise.explanation =
      "Five shuffles, where the tree took six stores, 11 loads and five barriers of the warp. "
      "Shuffles synchronise the lanes that take part, so there is no barrier to forget, and no "
      "race. With __shfl_xor_sync in place of down, all 32 lanes end up with the sum. For integers "
      "one instruction does all of it: __reduce_add_sync.";
  return exercise;
}

constexpr std::uint64_t kBlock = 512, kWarpsOfABlock = kBlock / kLanes;

Exercise block_sum() {
  Exercise exercise;
  exercise.id = "07_shuffles/4_block_sum";
  exercise.title = "one shared word a warp";
  exercise.signature = "void block_sums(float* out, const float* in, int n)";
  exercise.function = "block_sums(float*, float const*, int)";
  const auto of = [](std::uint64_t n) {
    auto one = sums_of(n, kBlock);
    const auto blocks = ceil_div(n, kBlock);
    // With several elements a thread there are fewer warps, but two at least, whose sums meet. The
    // words may be read all at once or one after another.
    const auto full = n / kBlock;
    one.bounds.shared_stores = {full, with_room(kWarpsOfABlock * blocks)};
    one.bounds.shared_loads = {full, with_room(kWarpsOfABlock * blocks)};
    one.bounds.others["shuffles"] = {2 * kRounds * full,
                                     with_room(kRounds * (kWarpsOfABlock + 1) * blocks)};
    one.bounds.others["barriers"] = {0, with_room(kWarpsOfABlock * blocks)};
    constexpr auto kInWord = way::stored | way::copied;
    one.bounds.way = {way::direct | way::shuffled | kInWord, {way::shuffled, kInWord}, 1};
    one.bounds.others["shared_bytes"] = {0, kLanes * sizeof(float)};
    return one;
  };
  for (const auto n : kLengths) exercise.cases.push_back(of(n));
  exercise.drawn = [of](Draw& draw) { return std::vector{of(draw.prime(1100, 9000))}; };
  exercise.checks = {
      {"output", 20, "", "512 additions of positive numbers lose at most a few ulps"},
      {"memory", 10, "output", "the words are read when all of them are there"},
      {"coalescing", 5, "output", "each element is loaded once, 32 side by side"},
      {"traffic", 5, "output", "one word a warp: each is stored once and read once"},
      {"shuffles", 5, "output", "five rounds a warp, and at most five for the words"},
      {"barriers", 10, "output", "all words are stored before one barrier, and read behind it"},
      {"shared_bytes", 5, "output", "a word a warp"},
      {"time", 40, "output", "near the time of the solution"}};
  exercise.time = {TimeLimit::Peer::solution, 1.2, [] { return sums_of(1 << 24, kBlock); }};
  exercise.questions = {
      {"output", "Each element should be in one sum, once. Which lane takes it, and "
                 "by which steps does it reach the lane that writes?"},
      {"traffic", "A word for each warp carries its sum to one warp, which adds them up. "
                  "Which warps store here, and which load?"}};
  exercise.way_check = "shuffles";
  exercise.skeleton_fails = "output";
  exercise.hints = {
      "After warp_sum, which threads of the block have a sum that matters, and how does thread 0 "
      "get to know them all?",
      "lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes. Lane 0 of each warp stores its "
      "sum to part[warp], the block meets at a barrier, and the lanes of the first warp load a "
      "word each. There are 16 words and 32 lanes.",
      "__shared__ float part[16]; if (lane == 0) part[warp] = sum; __syncthreads(); if (warp == 0) "
      "sum = warp_sum(lane < 16 ? part[lane] : 0.0f);"};
  exercise.explanation =
      "One store a warp, one load and one barrier a block: compare with the tree of lab 04, which "
      "for 512 elements has ten barriers and 41 loads. Shared memory is 64 bytes and could not "
      "conflict if it tried. What remains is to read the input, and to launch fewer, larger "
      "blocks: that was 04_reduction/4_whole_array.";
  return exercise;
}

// ---- 5_scan

constexpr std::uint64_t kTile = 1024, kWarpsOfATile = 8;

// Whole numbers whose running sums stay below 2^24, where each is a float of its own.
Floats whole_addends(std::uint64_t count, Flavour flavour, std::uint64_t seed) {
  constexpr std::uint64_t kLargestSum = 1 << 22, kOneIn = 61;
  Random random(seed);
  const auto small = std::min<std::uint64_t>(99, kLargestSum / (count + 1));
  const auto spike = static_cast<float>(kLargestSum / (count / kOneIn + 1));
  Floats values(count);
  for (auto& value : values) {
    value = static_cast<float>(random.below(2 * small + 1)) - static_cast<float>(small);
    if (flavour == Flavour::exact) value = 1;
    if (flavour == Flavour::spikes && random.below(kOneIn) == 0) value = spike;
  }
  return values;
}

Case scan_of(std::uint64_t n) {
  const auto tiles = ceil_div(n, kTile);
  Case one;
  one.shape = judge::counted(n, "element");
  one.operands = {{"out", n, true, Type::i32}, {"in", n, false, Type::i32}};
  one.arguments = {Pointer{0}, Pointer{1}, static_cast<std::int32_t>(n)};
  one.extent = {1, n};
  one.instruction_budget = 5'000'000 + 200 * n;
  one.bounds.elements = n;
  // Read twice and written once, and some sectors for each tile's sum and those of its sums.
  one.bounds.global_loads = with_room(times(in_order(n), tiles > 1 ? 2 : 1), 12 * tiles + 16);
  one.bounds.global_stores = with_room(in_order(n), 2 * tiles + 16);
  // Each tile is scanned twice, by 8 warps. Their words are stored, and once more as a scan; a warp
  // may read them all at once, or one after another.
  const auto scans = 2 * (tiles + tiles / 64 + 2), least = tiles > 1 ? tiles : 0;
  one.bounds.shared_stores = {least, scans * 4 * kWarpsOfATile};
  one.bounds.shared_loads = {least, scans * kWarpsOfATile * kWarpsOfATile};
  one.bounds.others["shuffles"] = {kRounds * tiles, judge::Measure::kNoLimit};
  // The first sums of all need nothing from another lane.
  one.bounds.way = {0x7f, {way::shuffled}, n / 8};
  one.bounds.others["launches"] = {0, 6};
  one.bounds.cost = many_times(100 * rounded(n) + 1000, 8 * rounded(n));
  one.inputs = [n](Flavour flavour, std::uint64_t seed) {
    return std::vector<Floats>{{}, whole_addends(n, flavour, seed)};
  };
  one.reference = [](const std::vector<Floats>& inputs) {
    Floats out;
    double sum = 0;
    for (const float x : inputs[1]) out.push_back(static_cast<float>(sum += x));
    return out;
  };
  return one;
}

Exercise scan() {
  Exercise exercise;
  exercise.id = "07_shuffles/5_scan";
  exercise.title = "every sum from the start";
  exercise.signature = "void scan(int* out, const int* in, int n)";
  exercise.function = "scan(int*, int const*, int)";
  for (const auto n : {32, 1024, 1, 31, 33, 257, 1021, 1025, 4099, 65'537, 1'048'579, 0})
    exercise.cases.push_back(scan_of(n));
  exercise.drawn = [](Draw& draw) { return std::vector{scan_of(draw.prime(2100, 9000))}; };
  exercise.checks = {
      {"output", 25, "", "integers: equal, or wrong"},
      {"memory", 10, "output", "no warp reads a sum that is not there yet"},
      {"coalescing", 5, "output", "read twice, written once, 16 bytes a lane"},
      {"traffic", 5, "output", "one shared word a warp"},
      {"conflicts", 5, "output", "neighbouring words"},
      {"shuffles", 5, "output", "five rounds scan 32 lanes"},
      {"launches", 5, "output", "all tiles at once, and two launches for each level of sums"},
      {"time", 40, "output", "near the time of the solution"}};
  exercise.time = {TimeLimit::Peer::solution, 1.2, [] { return scan_of(1 << 24); }};
  exercise.questions = {
      {"output", "Which of the elements before it are missing from this sum, or in "
                 "it twice, and who has added them up?"},
      {"traffic", "Lanes of one warp can hand sums to each other without memory. For which "
                  "of these loads and stores does a sum leave its warp?"}};
  exercise.way_check = "shuffles";
  exercise.skeleton_fails = "output";
  exercise.hints = {
      "Take the parts one at a time, smallest first; the report's first wrong element says which. "
      "Below 128 only warp_scan matters, below 1,024 also block_scan, and beyond that `scan`.",
      "warp_scan: five rounds of __shfl_up_sync, and a lane that has no lane `apart` before it "
      "must not add what it gets, which is its own value. block_scan: the last lane of a warp has "
      "the warp's sum. scan: cudaMalloc room for a sum a tile, sum_tiles, scan(sums, sums, tiles), "
      "scan_tiles.",
      "block_scan: if (lane == 31) part[warp] = value; __syncthreads(); parts = warp_scan(lane < "
      "kWarps ? part[lane] : 0); before = __shfl_sync(kAll, parts, warp > 0 ? warp - 1 : 0); if "
      "(warp > 0) value += before. scan: for tiles > 1 the three calls above; then, where there is "
      "a tile, scan_tiles<<<tiles, kThreads>>>(out, in, sums, n)."};
  exercise.explanation =
      "The same idea three times: scan the parts, scan their sums, start each part from what came "
      "before. Sums of warps meet in a word each, sums of tiles in an array of their own, and "
      "2^28 elements need three levels. The input is read twice, so 12 bytes an element move where "
      "8 must: that is why CUB is a fifth faster on an H200. It reads once, and lets a tile look "
      "back at what the tiles before it have published.";
  return exercise;
}

} // namespace

std::vector<Exercise> shuffles() {
  return {moves(), butterfly(), warp_sum(), block_sum(), scan()};
}

} // namespace course::lab
