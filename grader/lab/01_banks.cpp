// Lab 01: banks, by prediction, by an exact count, and by the layout of data.
#include "lab/labs.hpp"

#include "judge/counts.hpp"
#include "judge/numbers.hpp"
#include "judge/shown.hpp"
#include "lab/cost.hpp"
#include "lab/drawn.hpp"
#include "lab/inputs.hpp"
#include "lab/pieces.hpp"
#include "lab/predict.hpp"
#include "lab/turned_tiles.hpp"
#include "lab/ways.hpp"

#include <cmath>

namespace course::lab {
namespace {

constexpr std::uint64_t kLanes = 32;

// ---- 1_predict

Case quiz() {
  const auto rows = questions();
  Case one;
  one.shape = std::to_string(rows.size()) + " reads";
  one.operands = {{"out", rows.size(), true, Type::i32}};
  one.arguments = {Pointer{0}};
  one.extent = {1, rows.size()};
  one.instruction_budget = 1'000'000;
  one.bounds.elements = rows.size();
  one.inputs = [](Flavour, std::uint64_t) { return std::vector<Floats>{{}}; };
  one.reference = [](const std::vector<Floats>&) {
    Floats answers;
    for (const auto& row : questions()) answers.push_back(static_cast<float>(conflicts(row)));
    return answers;
  };
  one.numbers = [](const device::Observation&, const Floats& output) {
    return predictions(output);
  };
  return one;
}

// Eight points a row, but four for the row that everybody knows: a hundred in all.
Graded graded_row(const Question& row) {
  Graded graded{row.check, row.check == "stride_1" ? 4 : 8, "", row.read + " on an H200", {}};
  graded.own = [&row](judge::Executions executions) { return check_prediction(row, executions); };
  return graded;
}

Exercise predict() {
  Exercise exercise;
  exercise.id = "01_banks/1_predict";
  exercise.title = "how many passes too many?";
  exercise.signature = "void predict(int* out)";
  exercise.function = "predict(int*)";
  exercise.launches = false;
  exercise.cases = {quiz()};
  for (const auto& row : questions()) exercise.checks.push_back(graded_row(row));
  exercise.skeleton_fails = "stride_1";
  exercise.hints = {
      "For each row, write down the words that lanes 0, 1 and 2 read, and their banks: the word's "
      "number mod 32. Which is the first lane that comes back to a bank that is taken? Does it "
      "want the same word?",
      "Count the distinct words of the fullest bank: so many passes it takes. Lanes that want one "
      "word share a pass, be it a float or four chars. A stride of s words visits 32 / gcd(s, 32) "
      "banks.",
      "Conflicts are passes minus those that the bytes need, and 32 doubles need two, 32 float4 "
      "four. A struct of n floats is a stride of n words: only even strides conflict. gcd(2, 32) "
      "is 2, so 2 passes where 1 would do: 1 conflict."};
  exercise.explanation =
      "The structs are the rows to remember: three floats do not conflict, two do, as strides 3 "
      "and "
      "2 do. What counts is how many factors of two the stride has, not how large it is. And the "
      "wide reads cost passes without conflicts: the bytes need them. Run the reads themselves "
      "with "
      "./course run labs/01_banks/demo/accesses.cu.";
  return exercise;
}

// ---- 2_row_column

constexpr std::uint64_t kTile = 32;
constexpr std::uint64_t kConflictsOfAColumn = 31;

// Half of the output is the input, the other half its transposes; so all is read twice.
Case both_ways(std::uint64_t tiles) {
  auto one = turned_tiles(tiles, {kTile, kTile});
  const auto elements = one.bounds.elements, units = 2 * elements / kLanes;
  one.operands[0].elements = one.bounds.elements = 2 * elements;
  one.extent = {2 * tiles * kTile, kTile};
  one.bounds.cost = many_times(30 * units, 4 * units);
  one.bounds.conflicts = elements / kLanes * kConflictsOfAColumn;
  one.bounds.shared_loads = one.bounds.shared_stores = {units, units * 3 / 2};
  one.bounds.global_loads = one.bounds.global_stores = with_room(in_order(2 * elements));
  one.reference = [](const std::vector<Floats>& inputs) {
    Floats out = inputs[1];
    const auto columns = turned(inputs[1], {kTile, kTile});
    out.insert(out.end(), columns.begin(), columns.end());
    return out;
  };
  return one;
}

// Conflicts of shared loads, or stores, which are to be `exactly` so many in each execution;
// `a_tile` says where they come from.
judge::Check exact_conflicts(const std::string& name, judge::Traffic judge::Counts::*traffic,
                             judge::Executions executions, const std::string& a_tile,
                             const std::function<std::uint64_t(const judge::Bounds&)>& exactly) {
  const auto measure = [&](const judge::Execution& execution) {
    const auto conflicts = [&](judge::Rows rows) {
      const auto counted = judge::count(execution.observed, rows).*traffic;
      return counted.wavefronts - counted.ideal;
    };
    const auto all = conflicts(judge::Rows::all), known = conflicts(judge::Rows::from_sass);
    const bool at_least = (judge::count(execution.observed).*traffic).at_least;
    const auto bound = exactly(execution.bounds);
    return judge::Measure{name, all, bound, bound, all - known, at_least};
  };
  const auto shown = judge::choose(
      executions, [&](const judge::Execution& execution) { return !measure(execution).holds(); });
  auto check = judge::start(name, executions, shown);
  if (check.status == judge::Status::not_measured) return check;
  check.measures = {measure(*shown.execution)};
  const auto& found = check.measures[0];
  const auto& shape = shown.execution->shape;
  check.observed = judge::counted(found.value, "conflict") + " in " + shape;
  check.limit = "exactly " + judge::thousands(found.high);
  if (check.status == judge::Status::failed)
    check.message =
        check.observed + "; exactly " + judge::thousands(found.high) + " are asked for: " + a_tile;
  return judge::unless_uncertain(check, executions, [&](const judge::Execution& execution) {
    return std::vector<judge::Measure>{measure(execution)};
  });
}

judge::Check load_conflicts(judge::Executions executions) {
  return exact_conflicts("load_conflicts", &judge::Counts::shared_loads, executions,
                         "992 a tile, of row_column alone",
                         [](const judge::Bounds& bounds) { return bounds.conflicts; });
}

judge::Check store_conflicts(judge::Executions executions) {
  return exact_conflicts("store_conflicts", &judge::Counts::shared_stores, executions,
                         "both kernels store by rows", [](const judge::Bounds&) { return 0; });
}

Exercise row_column() {
  Exercise exercise;
  exercise.id = "01_banks/2_row_column";
  exercise.title = "the same tile, read along a row and down a column";
  exercise.signature = "void both_ways(float* out, const float* in, int tiles)";
  exercise.function = "both_ways(float*, float const*, int)";
  for (const auto tiles : {1, 2, 31, 33, 0}) exercise.cases.push_back(both_ways(tiles));
  exercise.drawn = [](Draw& draw) { return std::vector{both_ways(draw.between(3, 60))}; };
  exercise.checks = {
      {"output", 25, "", "a tile moves numbers: they must be equal, bit for bit"},
      {"memory", 10, "output", "a barrier between the stores and the loads of other warps"},
      {"traffic", 15, "output", "each kernel stores and loads each element once"},
      {"load_conflicts", 30, "traffic",
       "a column of 32 words is in one bank: 31 conflicts for each of 32 warps, in one kernel",
       load_conflicts},
      {"store_conflicts", 20, "traffic", "both kernels store by rows", store_conflicts}};
  exercise.way_check = "traffic";
  exercise.skeleton_fails = "output";
  exercise.hints = {
      "Both kernels declare __shared__ float tile[kTile][kTile] and differ in one subscript. Which "
      "element of the tile has to end up at row y, column x of a transpose?",
      "A thread may read what another warp stored, so a __syncthreads() belongs between the store "
      "and the load. In row_row every thread reads its own element and nobody would miss it, but "
      "without it the compiler sees that too, keeps the value in a register and removes the tile.",
      "tile[y][x] = in[i]; __syncthreads(); then out[i] = tile[y][x] in row_row and out[i] = "
      "tile[x][y] in row_column. Lanes have consecutive x: tile[y][x] walks along a row."};
  exercise.explanation =
      "32 warps read a column each, and each column is 32 words in one bank: 32 passes where one "
      "would do, 31 conflicts, 992 a tile. Storing by columns and reading by rows would have cost "
      "the same 992 on the stores. Many a page calls the wrong one of these two kernels free of "
      "conflicts: which subscript threadIdx.x is in decides.";
  return exercise;
}

// ---- 3_layout

constexpr std::uint64_t kWidth = 256;

// Colours are positive, so that no sum cancels.
Floats colours(std::uint64_t count, Flavour flavour, std::uint64_t seed) {
  auto values = floats(count, flavour, seed);
  for (auto& value : values) value = std::abs(value);
  return values;
}

Floats grey(const Floats& in) {
  const auto pixels = in.size() / 4;
  Floats out(pixels);
  for (std::uint64_t i = 0; i < pixels; ++i) {
    const auto first = i / kWidth * kWidth, x = i % kWidth;
    const auto left = first + (x + kWidth - 1) % kWidth, right = first + (x + 1) % kWidth;
    const double sum = 0.25 * in[4 * left] + 0.5 * in[4 * i + 1] + 0.25 * in[4 * right + 2];
    out[i] = static_cast<float>(sum * in[4 * i + 3]);
  }
  return out;
}

// Of the four words a pixel that are stored, and loaded, green and alpha may stay in a register;
// and somebody may look at some again.
judge::Range words_a_pixel(std::uint64_t pixels) {
  return {2 * pixels / kLanes, 5 * pixels / kLanes};
}

Case picture(std::uint64_t rows) {
  const auto pixels = rows * kWidth;
  Case one;
  one.shape = judge::counted(rows, "row");
  one.operands = {{"out", pixels, true}, {"in", 4 * pixels, false}};
  one.arguments = {Pointer{0}, Pointer{1}, static_cast<std::int32_t>(rows)};
  one.extent = {rows, kWidth};
  one.tolerance = {0, 1e-6}; // three products, two sums: half an ulp each
  one.instruction_budget = 2'000'000 + 50 * pixels;
  one.bounds.elements = pixels;
  one.bounds.shared_loads = one.bounds.shared_stores = words_a_pixel(pixels);
  one.bounds.way = partly_through_tile();
  one.bounds.cost = many_times(60 * pixels / kLanes, 12 * pixels / kLanes);
  one.bounds.global_loads = {pixels / kLanes, with_room(in_order(4 * pixels).sectors)};
  one.bounds.global_stores = with_room(in_order(pixels));
  one.bounds.others["shared_bytes"] = {0, 4 * kWidth * sizeof(float)};
  one.inputs = [pixels](Flavour flavour, std::uint64_t seed) {
    return std::vector<Floats>{{}, colours(4 * pixels, flavour, seed)};
  };
  one.reference = [](const std::vector<Floats>& inputs) { return grey(inputs[1]); };
  return one;
}

Exercise layout() {
  Exercise exercise;
  exercise.id = "01_banks/3_layout";
  exercise.title = "from an array of structs to a struct of arrays";
  exercise.signature = "void grey_picture(float* out, const float4* in, int rows)";
  exercise.function = "grey_picture(float*, float4 const*, int)";
  for (const auto rows : {1, 2, 31, 127, 0}) exercise.cases.push_back(picture(rows));
  exercise.drawn = [](Draw& draw) { return std::vector{picture(draw.between(3, 100))}; };
  exercise.checks = {
      {"output", 15, "", "three products and two sums round five times"},
      {"memory", 5, "output", "a barrier between the stores and the loads of neighbours"},
      {"coalescing", 5, "output", "a pixel is read once, as sixteen bytes"},
      {"traffic", 10, "output", "the neighbours' colours come through shared memory"},
      {"conflicts", 20, "traffic", "a layout exists in which neighbouring lanes read neighbours"},
      {"shared_bytes", 5, "output", "256 pixels of four floats are 4 KiB, however they lie"},
      {"time", 40, "output", "near the time of the solution"}};
  exercise.time = {TimeLimit::Peer::solution, 1.2, [] { return picture(16'384); }};
  exercise.way_check = "traffic";
  exercise.skeleton_fails = "conflicts";
  exercise.hints = {
      "pixels[left].red is word 4 * left of shared memory. Which banks do the 32 lanes of a warp "
      "fall into, and how many lanes into each?",
      "The fields of one pixel are never wanted together, but the same field of 32 neighbours is. "
      "So these 32 should lie side by side: one array for each colour.",
      "struct Row { float red[kWidth], green[kWidth], blue[kWidth], alpha[kWidth]; }; and then "
      "row.red[here] = pixel.x; … and row.red[left], row.green[here], row.blue[right], "
      "row.alpha[here]."};
  exercise.explanation =
      "Each read went from 4-way to none: stride 4 became stride 1. Had the kernel used all fields "
      "of one pixel in one place, the compiler would have read it with one 16-byte access, and "
      "nothing would have conflicted either: a layout is good or bad for an access, not in itself. "
      "An array of structs of three floats would not have conflicted: 3 is odd.";
  return exercise;
}

} // namespace

std::vector<Exercise> banks() {
  return {predict(), row_column(), layout()};
}

} // namespace course::lab
