// Lab 05: a transpose, from naive stores to the speed of memory in five steps.
//
// Every step has the same launcher, the same inputs and the same answer. What changes is what the
// kernel may cost: sectors first, conflicts next, then threads, then the edges, then requests.
#include "lab/labs.hpp"

#include "lab/cost.hpp"
#include "lab/drawn.hpp"
#include "lab/inputs.hpp"
#include "lab/pieces.hpp"
#include "lab/request_checks.hpp"
#include "lab/ways.hpp"

namespace course::lab {
namespace {

constexpr std::uint64_t kTile = 32;

Floats transposed(const Floats& in, std::uint64_t rows, std::uint64_t cols) {
  Floats out(in.size());
  for (std::uint64_t r = 0; r < rows; ++r)
    for (std::uint64_t c = 0; c < cols; ++c) out[c * rows + r] = in[r * cols + c];
  return out;
}

// Tiles of another size cut a row at other places, and straddle more sectors where it is not
// aligned: a quarter more again is enough for tiles 16 wide.
judge::GlobalBound with_room(judge::GlobalBound bound) {
  bound.sectors += ceil_div(bound.sectors, 4);
  return bound;
}

// Each element is stored to the tile once and loaded once, and no request moves more than its 32
// words. Over an edge, a full tile may be moved where a part would do; and somebody may look at
// some elements again.
judge::Range tile_traffic(std::uint64_t rows, std::uint64_t cols) {
  const auto tiles = ceil_div(rows, kTile) * ceil_div(cols, kTile);
  return {ceil_div(rows * cols, kTile), tiles * kTile * 3 / 2};
}

Case shape(std::uint64_t rows, std::uint64_t cols) {
  Case shape;
  shape.shape = std::to_string(rows) + " x " + std::to_string(cols);
  shape.operands = {{"out", rows * cols, true}, {"in", rows * cols, false}};
  shape.arguments = {Pointer{0}, Pointer{1}, static_cast<std::int32_t>(rows),
                     static_cast<std::int32_t>(cols)};
  shape.extent = {cols, rows};
  shape.instruction_budget = 2'000'000 + 50 * rows * cols;
  shape.bounds.elements = rows * cols;
  shape.bounds.shared_loads = shape.bounds.shared_stores = tile_traffic(rows, cols);
  shape.bounds.way = through_tile();
  const auto units = ceil_div(rows, kTile) * ceil_div(cols, kTile) * kTile; // of whole tiles
  shape.bounds.cost = many_times(30 * units, 4 * units);
  shape.bounds.global_loads = lab::with_room(in_pieces(rows, cols, kTile));
  shape.bounds.global_stores = lab::with_room(in_pieces(cols, rows, kTile));
  shape.inputs = [rows, cols](Flavour flavour, std::uint64_t seed) {
    return std::vector<Floats>{{}, floats(rows * cols, flavour, seed)};
  };
  shape.reference = [rows, cols](const std::vector<Floats>& inputs) {
    return transposed(inputs[1], rows, cols);
  };
  return shape;
}

// Square, wide and tall; the last is large enough for its blocks to share multiprocessors.
std::vector<Case> whole_tiles() {
  return {shape(32, 32), shape(64, 96), shape(256, 128), shape(512, 512)};
}

std::vector<Case> drawn_tiles(Draw& draw) {
  const auto down = draw.between(1, 9), across = draw.between(1, 9);
  return {shape(kTile * down, kTile * across)};
}

// A sector for each row of a tile that lies across an edge or behind one: lanes without an element
// may read some other.
std::uint64_t beside_edges(std::uint64_t rows, std::uint64_t cols) {
  const auto down = ceil_div(rows, kTile), across = ceil_div(cols, kTile);
  return (cols % kTile ? down * kTile : 0) + (down * kTile - rows) * across;
}

Case with_edges(std::uint64_t rows, std::uint64_t cols) {
  auto one = shape(rows, cols);
  one.bounds.global_loads.sectors += beside_edges(rows, cols);
  // Each warp may look up besides where its block's edges are.
  one.bounds.shared_loads.high += one.bounds.shared_loads.high / 6;
  one.bounds.global_loads = with_room(one.bounds.global_loads);
  one.bounds.global_stores = with_room(one.bounds.global_stores);
  return one;
}

std::vector<Case> any_shapes() {
  return {with_edges(67, 129), with_edges(131, 37), with_edges(1, 1000), with_edges(1000, 1),
          with_edges(31, 33),  with_edges(33, 31),  with_edges(1, 1),    with_edges(500, 300),
          with_edges(0, 32),   with_edges(32, 0)};
}
std::vector<Case> drawn_with_edges(Draw& draw) {
  const auto rows = draw.prime(33, 250), cols = draw.prime(33, 250);
  return {with_edges(rows, cols), with_edges(draw.between(1, 31), draw.between(33, 900))};
}

const Graded kOutput{"output", 20, "",
                     "a transpose moves numbers: they must be equal, bit for bit"};
const Graded kMemory{"memory", 5, "output", "every access in bounds and in order"};
const Graded kTraffic{"traffic", 10, "",
                      "each element goes through the tile once: one store, one load"};
const Graded kConflicts{"conflicts", 15, "traffic", "a tile exists whose columns do not conflict"};
const Graded kTime{"time", 40, "output", "near the time of the solution"};

Graded coalescing(int points) {
  return {"coalescing", points, "output",
          "32 neighbouring floats lie in four sectors, and no float need be touched twice"};
}

using Drawn = std::vector<Case>(Draw&);

Exercise transpose(const std::string& name, const std::string& title, std::vector<Case> cases,
                   Drawn* drawn = drawn_tiles) {
  Exercise exercise;
  exercise.id = "05_transpose/" + name;
  exercise.title = title;
  exercise.signature = "void transpose(float* out, const float* in, int rows, int cols)";
  exercise.function = "transpose(float*, float const*, int, int)";
  exercise.cases = std::move(cases);
  exercise.drawn = drawn;
  exercise.time = {TimeLimit::Peer::solution, 1.2, [] { return shape(4096, 4096); }};
  return exercise;
}

Exercise tile() {
  auto exercise =
      transpose("1_tile", "a transpose that reads and writes whole sectors", whole_tiles());
  exercise.checks = {kOutput, kMemory, coalescing(35), kTime};
  exercise.mentioned = {"conflicts"};
  exercise.skeleton_fails = "coalescing";
  exercise.hints = {
      "A warp is 32 threads with consecutive threadIdx.x. Write down the addresses that lanes 0, 1 "
      "and 2 write. How many bytes lie between them?",
      "Reading along a row and writing along a row are both cheap. The turn has to happen in "
      "between, in memory that the whole block can reach: a __shared__ tile of 32 x 32 floats.",
      "Fill tile[threadIdx.y][threadIdx.x] as `in` is read, call __syncthreads(), and store "
      "tile[threadIdx.x][threadIdx.y]. The block's place in `out` is mirrored: its row comes from "
      "blockIdx.x, its column from blockIdx.y, and threadIdx.x still runs along the row."};
  exercise.explanation =
      "Sectors a store request went from 32 to 4: each warp now fills the sectors it touches. The "
      "price is a trip through shared memory, and the column read of the tile pays for it with 31 "
      "conflicts a request. That is the next exercise.";
  return exercise;
}

Exercise pad() {
  auto exercise = transpose("2_pad", "a transpose without bank conflicts", whole_tiles());
  exercise.checks = {kOutput, kMemory, coalescing(10), kTraffic, kConflicts, kTime};
  exercise.way_check = "traffic";
  exercise.skeleton_fails = "conflicts";
  exercise.hints = {
      "Word k of shared memory is in bank k mod 32. On the line that the report quotes, which "
      "words "
      "do lanes 0, 1 and 2 want, and in which banks are they?",
      "The lanes of a warp read a column, so the words are one row apart. A row of 32 words leads "
      "back to the same bank. Which row lengths do not?",
      "Give the tile rows of 33 words, float tile[kTile][kTile + 1], and use only the first 32 of "
      "each."};
  exercise.explanation =
      "Conflicts went from 31 a request to 0, for one unused word a row. The column read now walks "
      "through all 32 banks, since 33 mod 32 is 1; the row stores never conflicted and still do "
      "not. Look at the tile's size: 4,224 bytes instead of 4,096. A swizzle needs not even those.";
  return exercise;
}

Exercise rows() {
  const auto by_fours = [](std::vector<Case> cases) {
    for (auto& one : cases) one.bounds.others["threads"] = {0, one.bounds.elements / 4};
    return cases;
  };
  auto exercise =
      transpose("3_rows", "four rows of the tile for each thread", by_fours(whole_tiles()));
  exercise.drawn = [=](Draw& draw) { return by_fours(drawn_tiles(draw)); };
  exercise.checks = {
      kOutput,
      kMemory,
      coalescing(5),
      {"traffic", 5, "", "each element goes through the tile once: one store, one load"},
      {"conflicts", 10, "traffic", "the padding of exercise 2 still serves"},
      {"threads", 15, "output", "a 32 x 32 tile by 32 x 8 threads is four elements a thread"},
      kTime};
  exercise.way_check = "traffic";
  exercise.skeleton_fails = "output";
  exercise.hints = {
      "The report says which elements were never written. Which rows of each tile are they?",
      "A block has 8 rows of threads for 32 rows of the tile, so thread (x, y) is in charge of "
      "rows "
      "y, y + 8, y + 16 and y + 24, on the way in and again on the way out.",
      "Two loops, for (int r = 0; r < kTile; r += kRows): the first fills tile[threadIdx.y + r]"
      "[threadIdx.x] from row in_row + r, the second stores tile[threadIdx.x][threadIdx.y + r] to "
      "row out_row + r. One barrier, between them and outside both."};
  exercise.explanation =
      "A quarter of the threads moved the same elements, with the same requests and no conflicts. "
      "Nothing that is counted here became smaller but the instructions: the index arithmetic is "
      "shared by four elements. On a GPU the gain is in time, since four loads of a thread are "
      "under way at once.";
  return exercise;
}

Exercise any_shape() {
  auto exercise =
      transpose("4_any_shape", "a matrix that no tile divides", any_shapes(), drawn_with_edges);
  exercise.checks = {kOutput, kMemory, coalescing(10), kTraffic, kConflicts, kTime};
  exercise.way_check = "traffic";
  exercise.skeleton_fails = "output";
  exercise.hints = {
      "How many blocks does 67 / 32 make, and how many are needed to cover 67 rows? What should "
      "happen for 0 rows?",
      "Two different questions are asked at the edge: does this thread's element of `in` exist, "
      "and "
      "does its element of `out`? They have different answers in the same thread. No thread may "
      "leave before the barrier.",
      "Round the grid up, (cols + kTile - 1) / kTile, and return before the launch when there is "
      "nothing to do. Guard each load with in_row + r < rows && in_col < cols, and each store with "
      "out_row + r < cols && out_col < rows: `out` has `cols` rows."};
  exercise.explanation =
      "Blocks over the edge work with part of their lanes: the requests are counted in full, "
      "though "
      "they move fewer words, so the sectors a request fall below 4 in places and rise above it "
      "where a row does not start on a sector. The edges weigh less as the "
      "matrix grows.";
  return exercise;
}

// Where float4s fill the tiles, a request to global memory moves 16 bytes for each lane. Over an
// edge, requests have lanes that do nothing, and how many depends on the tile.
Case by_float4s(std::uint64_t rows, std::uint64_t cols) {
  constexpr std::uint64_t kWhole = 128, kFloatsARequest = 4 * 32;
  auto one = shape(rows, cols);
  // A float a lane will do in the tile, but not a lane a request.
  one.bounds.others["shared_requests"] = {0, lab::with_room(2 * one.bounds.shared_loads.high)};
  one.bounds.shared_loads = one.bounds.shared_stores = {};
  one.bounds.global_loads = with_room(one.bounds.global_loads);
  one.bounds.global_stores = with_room(one.bounds.global_stores);
  if (rows % kWhole == 0 && cols % kWhole == 0 && rows * cols > 0) {
    one.bounds.others["requests"] = {0, 2 * rows * cols / kFloatsARequest * 11 / 10};
  } else {
    one.bounds.conflicts = judge::Measure::kNoLimit;
  }
  return one;
}

std::vector<Case> drawn_by_float4s(Draw& draw) {
  const auto rows = 4 * draw.between(9, 60), cols = 4 * draw.between(9, 60);
  return {by_float4s(rows, cols)};
}

Exercise fast() {
  auto exercise =
      transpose("5_fast", "as fast as memory allows",
                {by_float4s(128, 128), by_float4s(256, 384), by_float4s(512, 512),
                 by_float4s(68, 132), by_float4s(4, 1000), by_float4s(1000, 4), by_float4s(4, 4),
                 by_float4s(500, 300), by_float4s(0, 32), by_float4s(32, 0)},
                drawn_by_float4s);
  exercise.time = {TimeLimit::Peer::copy, 1.12, [] { return shape(6144, 6144); }};
  exercise.checks = {
      kOutput,
      kMemory,
      coalescing(5),
      {"requests", 15, "output", "16 bytes a lane: 128 floats a request",
       both(requests_within("requests", Kind::global_memory),
            requests_within("shared_requests", Kind::shared_memory))},
      {"conflicts", 15, "requests", "eight lanes with 16 bytes each fill the banks"},
      {"time", 40, "output", "0.89 of the speed of a copy; exercise 4 reaches 0.86"}};
  exercise.way_check = "requests";
  exercise.skeleton_fails = "requests";
  exercise.hints = {
      "A warp moves 128 bytes with each load here. How many could it move, and what would have to "
      "be true of an address for that? Which four loads bring one thread a square of 4 x 4?",
      "Let thread (x, y) load four float4s from rows 4 * y to 4 * y + 3. The first floats of the "
      "four are a float4 of row 4 * x of the turned tile, the second ones of row 4 * x + 1. Stored "
      "as they are, eight threads with the same y write 16 float4s apart: to the same banks.",
      "tile[r * kSide + (i ^ r / 4 % 8)] is float4 i of turned row r. Thread (x, y) stores i = y "
      "of "
      "rows 4 * x to 4 * x + 3; behind the barrier it loads i = x of rows y, y + kSide, … and "
      "stores them to row blockIdx.y * kTile + r of `out`, at column blockIdx.x * kTile + 4 * x. "
      "Guard both: a square, or a float4, is inside as a whole or not at all."};
  exercise.explanation =
      "A quarter of the requests moved the same bytes: each thread has 64 bytes under way, and a "
      "full multiprocessor 128 KiB. On an H200 that is 0.97 of a copy at 8192 x 8192, where "
      "exercise 4 has 0.86 and cuBLAS 0.90. In which order the blocks go matters too: with "
      "neighbours along the rows of `in` and not of `out` it is 0.95. Run ./course bench there.";
  return exercise;
}

} // namespace

std::vector<Exercise> transposes() {
  return {tile(), pad(), rows(), any_shape(), fast()};
}

} // namespace course::lab
