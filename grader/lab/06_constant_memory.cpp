// Lab 06: constants. Filled from the host and read by all lanes at once, what it costs when lanes
// want different ones, and where a table belongs that they must read apart.
#include "lab/labs.hpp"

#include "judge/numbers.hpp"
#include "lab/cost.hpp"
#include "lab/drawn.hpp"
#include "lab/inputs.hpp"
#include "lab/pieces.hpp"
#include "lab/turned_tiles.hpp"
#include "lab/ways.hpp"

#include <array>
#include <cmath>

namespace course::lab {
namespace {

constexpr float kSpike = 64;     // a factor so many times larger than others
constexpr double kLargest = 128; // of the factors

// What rounding may do to a sum of products with factors: a millionth of the largest it can be.
judge::Tolerance rounding(double weights) {
  return {1e-6 * weights * kLargest, 0};
}

// ---- 1_stencil

constexpr std::uint64_t kRadius = 4;
using Coefficients = std::array<float, kRadius + 1>;

// The derivative of the eighth order, which ignores the middle; and two of no meaning, so that a
// kernel cannot know them.
constexpr Coefficients kDerivative{0, 0.8f, -0.2f, 4.0f / 105, -1.0f / 280};
constexpr Coefficients kOthers[] = {{1.5f, -2.25f, 0.75f, 3.5f, -1.25f},
                                    {-0.5f, 0.125f, 2.0f, -0.375f, 1.75f}};

// Of both signs, from 0.25 to 4.
Coefficients drawn_coefficients(Draw& draw) {
  Coefficients coef;
  for (auto& one : coef) {
    one = 0.125f * static_cast<float>(draw.between(2, 32));
    if (draw.between(0, 1) == 1) one = -one;
  }
  return coef;
}

Floats nine_points(const Floats& in, const Coefficients& coef) {
  const auto n = static_cast<std::int64_t>(in.size());
  const auto at = [&](std::int64_t i) { return i >= 0 && i < n ? double{in[i]} : 0.0; };
  Floats out(in.size());
  for (std::int64_t i = 0; i < n; ++i) {
    double sum = coef[0] * at(i);
    for (std::int64_t k = 1; k <= static_cast<std::int64_t>(kRadius); ++k)
      sum += coef[k] * (at(i + k) - at(i - k));
    out[i] = static_cast<float>(sum);
  }
  return out;
}

Case stencil_of(std::uint64_t n, const Coefficients& coef) {
  Case one;
  one.shape = judge::counted(n, "element");
  one.operands = {{"out", n, true}, {"in", n, false}};
  one.arguments = {Pointer{0}, Pointer{1}, static_cast<std::int32_t>(n)};
  one.arguments.insert(one.arguments.end(), coef.begin(), coef.end());
  one.extent = {1, n};
  double weights = std::abs(coef[0]);
  for (std::uint64_t k = 1; k <= kRadius; ++k) weights += 2 * std::abs(coef[k]);
  one.tolerance = rounding(weights);
  one.instruction_budget = 2'000'000 + 100 * n;
  one.bounds.elements = n;

  // A block of 1,024 elements or fewer, by full warps: every element is stored once, and a halo of
  // a request on either side; nine loads an element are the most that nine points need.
  const auto units = 32 * ceil_div(n, 1024);
  one.bounds.shared_stores = {ceil_div(n, 32), with_room(units, units / 4)};
  one.bounds.shared_loads = {ceil_div(n, 32), with_room(9 * units)};
  one.bounds.cost = many_times(60 * units, 5 * units);
  // A thread that has more than eight in a row needs nobody's for those in the middle.
  one.bounds.way = partly_through_tile(n / 2);
  // Two sectors of halo for each 256 elements; the last elements may come one by one. Warps that
  // begin in the halo touch five sectors where others touch four.
  const auto elements = in_order(n);
  one.bounds.global_loads = {elements.requests,
                             elements.sectors * 5 / 4 + 2 * ceil_div(n, 256) + 6};
  one.bounds.global_stores = with_room(in_order(n), 3);
  one.inputs = [n](Flavour flavour, std::uint64_t seed) {
    return std::vector<Floats>{{}, factors(n, flavour, seed, kSpike)};
  };
  one.reference = [coef](const std::vector<Floats>& inputs) {
    return nine_points(inputs[1], coef);
  };
  return one;
}

Exercise stencil() {
  Exercise exercise;
  exercise.id = "06_constant_memory/1_stencil";
  exercise.title = "nine points, and five constants for all lanes";
  exercise.signature = "void stencil(float* out, const float* in, int n, float c0, float c1, "
                       "float c2, float c3, float c4)";
  exercise.function = "stencil(float*, float const*, int, float, float, float, float, float)";
  for (const auto n : {1024, 1, 31, 32, 33, 257, 1021, 1025, 4099})
    exercise.cases.push_back(stencil_of(n, kOthers[n % 2]));
  exercise.cases.push_back(stencil_of(65'536, kDerivative));
  exercise.cases.push_back(stencil_of(0, kDerivative));
  exercise.drawn = [](Draw& draw) {
    return std::vector{stencil_of(draw.prime(300, 5000), drawn_coefficients(draw)),
                       stencil_of(draw.between(34, 1000), drawn_coefficients(draw))};
  };
  exercise.checks = {
      {"output", 20, "", "nine products lose at most their last bits"},
      {"memory", 10, "output", "nothing is read before the first element or behind the last"},
      {"coalescing", 15, "output", "a block loads its elements once, and a halo on either side"},
      {"traffic", 10, "output", "each element is stored to the tile once"},
      {"conflicts", 5, "traffic", "neighbouring lanes read neighbouring words"},
      {"time", 40, "output", "near the time of a copy of the same size"}};
  exercise.time = {TimeLimit::Peer::copy, 1.2, [] { return stencil_of(1 << 24, kDerivative); }};
  exercise.questions = {{"output", "Which neighbours and which constants make up this element, and "
                                   "where does the kernel take each of them from?"}};
  exercise.way_check = "traffic";
  exercise.skeleton_fails = "output";
  exercise.hints = {
      "Every output is 0 until the constants are on the device: cudaMemcpyToSymbol takes the "
      "symbol itself, not its address, then the array of the host and its size in bytes. Then "
      "look at the loads: whose elements are `before` and `behind`?",
      "They are the float4s of the threads to the left and to the right, which load them anyway. A "
      "tile of kThreads + 2 float4s holds them all: thread t stores its own at t + 1. Who stores "
      "the first and the last?",
      "__shared__ float4 tile[kThreads + 2]; tile[t + 1] = own; if (t == 0) tile[0] = four(in, n, "
      "i - 4); if (t == kThreads - 1) tile[kThreads + 1] = four(in, n, i + 4); __syncthreads(); "
      "then before = tile[t] and behind = tile[t + 2]. All threads reach the barrier, those behind "
      "the end too. And cudaMemcpyToSymbol(coef, constants, sizeof constants);"};
  exercise.explanation =
      "A block of 512 elements now loads 130 float4s and not 384. The five constants cost nothing "
      "that is counted here: all lanes want the same one, and an instruction can take it from the "
      "constant cache as an operand. (Parameters of a kernel lie in constant memory, too: five "
      "floats could have been passed directly; a table could not.) Sixteen bytes a lane matter: on "
      "an H200 one float a thread reaches 0.42 of a copy's bandwidth, a float4 0.95. And measure "
      "before you believe in tiles: there, without one, the L1 cache catches the second and third "
      "load so well that the three loads reach 0.99. A tile pays where the cache cannot keep "
      "what is shared, and where threads share more of it, as in lab 08.";
  return exercise;
}

// ---- 2_uniform

constexpr std::uint64_t kPoints = 8;

double cosine(std::uint64_t u, std::uint64_t x) {
  constexpr double kPi = 3.14159265358979323846;
  return std::cos(static_cast<double>((2 * x + 1) * u) * kPi / 16);
}

Floats transformed(const Floats& in, std::uint64_t groups) {
  double table[kPoints][kPoints];
  for (std::uint64_t u = 0; u < kPoints; ++u)
    for (std::uint64_t x = 0; x < kPoints; ++x) table[u][x] = cosine(u, x);
  Floats out(in.size());
  for (std::uint64_t g = 0; g < groups; ++g) {
    for (std::uint64_t u = 0; u < kPoints; ++u) {
      double sum = 0;
      for (std::uint64_t x = 0; x < kPoints; ++x) sum += table[u][x] * in[x * groups + g];
      out[u * groups + g] = static_cast<float>(sum);
    }
  }
  return out;
}

Case groups_of(std::uint64_t n) {
  Case one;
  one.shape = judge::counted(n, "group");
  one.operands = {{"out", kPoints * n, true}, {"in", kPoints * n, false}};
  one.arguments = {Pointer{0}, Pointer{1}, static_cast<std::int32_t>(n)};
  one.extent = {kPoints, n};
  one.tolerance = rounding(kPoints);
  one.instruction_budget = 2'000'000 + 1000 * n;
  one.bounds.elements = kPoints * n;
  one.bounds.global_loads = one.bounds.global_stores = with_room(in_pieces(kPoints, n, 32));
  one.bounds.others["replays"] = {0, 0};
  one.bounds.others["shared_bytes"] = {0, 0};
  const auto warps = 32 * ceil_div(n, 1024);
  one.bounds.cost = many_times(200 * warps, 2 * kPoints * warps);
  one.inputs = [n](Flavour flavour, std::uint64_t seed) {
    return std::vector<Floats>{{}, factors(kPoints * n, flavour, seed, kSpike)};
  };
  one.reference = [n](const std::vector<Floats>& inputs) { return transformed(inputs[1], n); };
  return one;
}

Exercise uniform() {
  Exercise exercise;
  exercise.id = "06_constant_memory/2_uniform";
  exercise.title = "one constant a request";
  exercise.signature = "void cosine_transform(float* out, const float* in, int n)";
  exercise.function = "cosine_transform(float*, float const*, int)";
  for (const auto n : {64, 1, 31, 32, 33, 997, 4099, 16'384, 0})
    exercise.cases.push_back(groups_of(n));
  exercise.drawn = [](Draw& draw) { return std::vector{groups_of(draw.prime(100, 3000))}; };
  exercise.checks = {
      {"output", 15, "", "eight products lose at most their last bits"},
      {"memory", 5, "output", "nothing behind the last group is touched"},
      {"replays", 25, "output", "all lanes of a warp can want the same constant"},
      {"coalescing", 10, "output", "each number is loaded once and each result stored once"},
      {"shared_bytes", 5, "output", "the table stays in constant memory"},
      {"time", 40, "output", "near the time of the solution"}};
  exercise.time = {TimeLimit::Peer::solution, 1.2, [] { return groups_of(1 << 21); }};
  exercise.skeleton_fails = "replays";
  exercise.hints = {
      "Which u do lanes 0, 1 and 2 have, and so which row of the table? For how many different "
      "rows does one warp ask at once?",
      "What a lane has of its own should be the group, and what all lanes have in common should be "
      "u and x. In planes, that makes the loads of a warp 32 neighbouring floats as well.",
      "A thread takes a whole group, i: it loads eight numbers in[x * n + i] into an array, and "
      "two loops over u and x, unrolled, make eight results out[u * n + i]. n threads will do."};
  exercise.explanation =
      "Seven replays a request became none. The number of multiplications is the same; they only "
      "changed hands. With u and x known to the compiler, the constants are not even loaded: they "
      "are operands of the multiplications. And each number of the input is read once, not by "
      "eight lanes. Had the eight numbers of a group been neighbours in memory, as a struct puts "
      "them, a thread a group would have read floats 32 bytes apart: planes, a struct of arrays, "
      "serve both.";
  return exercise;
}

// ---- 3_read_only

constexpr std::uint64_t kEntries = kPoints * kPoints;
constexpr std::uint64_t kInstructionsOfAWarp = 64; // the solution takes about 20

// Codes of all entries, in any order; in turn; or of one entry, most of the time.
Floats codes(std::uint64_t count, Flavour flavour, std::uint64_t seed) {
  Random random(seed);
  const auto usual = random.below(kEntries);
  Floats values(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    auto code = random.below(kEntries);
    if (flavour == Flavour::exact) code = i % kEntries;
    if (flavour == Flavour::spikes && random.below(61) != 0) code = usual;
    values[i] = static_cast<float>(code);
  }
  return values;
}

Case codes_of(std::uint64_t n) {
  Case one;
  one.shape = judge::counted(n, "code");
  one.operands = {{"out", n, true}, {"code", n, false, Type::i32}};
  one.arguments = {Pointer{0}, Pointer{1}, static_cast<std::int32_t>(n)};
  one.extent = {1, n};
  one.tolerance = {1e-6, 0}; // of one cosine
  one.instruction_budget = 2'000'000 + 100 * n;
  one.bounds.elements = n;
  one.bounds.others["replays"] = {0, 0};
  one.bounds.others["shared_bytes"] = {0, 0};
  one.bounds.cost = many_times(30 * 32 * ceil_div(n, 1024), 3 * 32 * ceil_div(n, 1024));
  one.bounds.others["instructions"] = {0, 32 * ceil_div(n, 1024) * kInstructionsOfAWarp};
  // A request for 32 entries touches at most the table's eight sectors.
  const auto codes_read = in_order(n);
  one.bounds.global_loads =
      with_room({2 * codes_read.requests, codes_read.sectors + 8 * codes_read.requests});
  one.bounds.global_stores = with_room(in_order(n));
  one.inputs = [n](Flavour flavour, std::uint64_t seed) {
    return std::vector<Floats>{{}, codes(n, flavour, seed)};
  };
  one.reference = [](const std::vector<Floats>& inputs) {
    Floats out;
    for (const float code : inputs[1]) {
      const auto entry = static_cast<std::uint64_t>(code);
      out.push_back(static_cast<float>(cosine(entry / kPoints, entry % kPoints)));
    }
    return out;
  };
  return one;
}

Exercise read_only() {
  Exercise exercise;
  exercise.id = "06_constant_memory/3_read_only";
  exercise.title = "a table that every lane reads elsewhere";
  exercise.signature = "void decode(float* out, const int* code, int n)";
  exercise.function = "decode(float*, int const*, int)";
  for (const auto n : {64, 1, 31, 32, 33, 997, 4099, 65'536, 0})
    exercise.cases.push_back(codes_of(n));
  exercise.drawn = [](Draw& draw) { return std::vector{codes_of(draw.prime(100, 9000))}; };
  exercise.checks = {
      {"output", 20, "", "each output is an entry of the table"},
      {"memory", 10, "output", "the table is there before it is read, and as long as it is read"},
      {"replays", 40, "output", "a load from global memory has no replays"},
      {"coalescing", 10, "output", "codes in order, and the table's eight sectors a request"},
      {"instructions", 10, "output", "a look-up is one load, and no search"},
      {"shared_bytes", 10, "output", "the L1 cache holds the table; a copy of it would conflict"}};
  exercise.skeleton_fails = "replays";
  exercise.hints = {
      "A launcher can make memory of its own: cudaMalloc, and cudaMemcpy from `cosines`. How does "
      "the kernel learn its address?",
      "Give look_up a fourth parameter, const float* __restrict__ table. The promise that nobody "
      "writes there lets the compiler load through the read-only path; without it, __ldg(table + "
      "entry) says the same for one load.",
      "float* table = nullptr; cudaMalloc(&table, sizeof cosines); cudaMemcpy(table, cosines, "
      "sizeof cosines, cudaMemcpyHostToDevice); look_up<<<blocks, kThreads>>>(out, code, n, "
      "table); cudaFree(table); and nothing is left of __constant__."};
  exercise.explanation =
      "No replays are left: a load from global memory takes its sectors, at most eight here, and "
      "the L1 cache has them. On an H200 with random codes the whole decoding is 2.4 times as "
      "fast; with all codes equal, constant memory is a little faster. So the rule: constant "
      "memory for what all lanes want at once, global memory through the read-only path for what "
      "they want apart. Shared memory would serve too, at the price of a copy a block and of "
      "conflicts wherever chance puts two codes in one bank.";
  return exercise;
}

} // namespace

std::vector<Exercise> constant_memory() {
  return {stencil(), uniform(), read_only()};
}

} // namespace course::lab
