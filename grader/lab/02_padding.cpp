// Lab 02: shapes for a tile in which neither rows nor columns conflict.
//
// Every exercise turns tiles. What changes is the tile and the block, and with them the padding
// that works; the last one has no room for any.
#include "lab/labs.hpp"

#include "lab/drawn.hpp"
#include "lab/turned_tiles.hpp"

namespace course::lab {
namespace {

// `shared_bytes`: what the padded tile of the solution takes.
Exercise turning(const std::string& name, const std::string& title, TileShape shape,
                 std::uint64_t shared_bytes, const std::string& why_these_bytes) {
  Exercise exercise;
  exercise.id = "02_padding/" + name;
  exercise.title = title;
  exercise.signature = "void turn_tiles(float* out, const float* in, int tiles)";
  exercise.function = "turn_tiles(float*, float const*, int)";
  const auto of = [=](std::uint64_t tiles) {
    auto one = turned_tiles(tiles, shape);
    one.bounds.others["shared_bytes"] = {0, shared_bytes};
    return one;
  };
  for (const auto tiles : {1, 2, 31, 33, 127, 0}) exercise.cases.push_back(of(tiles));
  exercise.drawn = [of](Draw& draw) { return std::vector{of(draw.between(3, 100))}; };
  exercise.checks = {
      {"output", 15, "", "a transpose moves numbers: they must be equal, bit for bit"},
      {"memory", 5, "output", "every access in bounds and in order"},
      {"coalescing", 5, "output", "both matrices are walked through in order"},
      {"traffic", 10, "output", "each element goes through the tile once: one store, one load"},
      {"conflicts", 20, "traffic", "a tile exists in which neither side conflicts"},
      {"shared_bytes", 5, "output", why_these_bytes},
      {"time", 40, "output", "near the time of the solution"}};
  const auto tiles = (1u << 24) / (shape.rows * shape.cols);
  exercise.time = {TimeLimit::Peer::solution, 1.2, [=] { return turned_tiles(tiles, shape); }};
  exercise.way_check = "traffic";
  exercise.skeleton_fails = "conflicts";
  return exercise;
}

Exercise square() {
  auto exercise = turning("1_square", "one word that frees a column", {32, 32}, 33 * 32 * 4,
                          "one word of padding for each of 32 rows");
  exercise.hints = {
      "tile[x][y] is word 32 * x + y. For y = 0, write down the banks of x = 0, 1, 2 and 3.",
      "Going down a column, each step adds one pitch. A pitch of 32 words adds nothing to the "
      "bank. "
      "What should a step add so that 32 steps visit 32 banks?",
      "__shared__ float tile[kTile][kTile + 1]; the loops and subscripts stay as they are."};
  exercise.explanation = "31 conflicts a load became none for 128 bytes more. Any odd pitch would "
                         "have done; 33 is the "
                         "smallest that holds 32 words. The rows are still free: 32 words side by "
                         "side are in 32 banks "
                         "wherever they begin.";
  return exercise;
}

Exercise rectangle() {
  auto exercise = turning("2_rectangle", "where one word is not enough", {16, 32}, 34 * 16 * 4,
                          "two words of padding for each of 16 rows");
  exercise.hints = {
      "Lanes 0 to 15 of a warp read column c, lanes 16 to 31 column c + 1. With a pitch of 33, "
      "which banks does each half visit? Which do both?",
      "The column's 16 words begin in bank c. If they lie p banks apart, its neighbour's begin in "
      "bank c + 1 and lie p apart as well. For which p do the two interleave?",
      "Every second bank for one column, the ones between for the other: a step of two banks, so a "
      "pitch of 34 and kPad = 2."};
  exercise.explanation =
      "One conflict a load, 16 a tile, became none. With one word of padding the two columns cover "
      "banks c to c + 15 and c + 1 to c + 16: fifteen of them twice. The rule is not \"add one\". "
      "It "
      "is: look at what one warp touches at once, and choose the pitch for that. For 8 rows a warp "
      "reads four columns. What does that take?";
  return exercise;
}

Exercise sixteen_wide() {
  auto exercise =
      turning("3_sixteen_wide", "when one word a row makes both sides conflict", {16, 16},
              (16 * 16 + 16) * 4, "at most 16 words beside the 256 of the tile");
  exercise.hints = {
      "A warp stores rows r and r + 1. Where must row r + 1 begin so that the 32 words fill 32 "
      "banks? What does that say about words between the two rows?",
      "So two rows have to stay together, as one row of 32 banks: i = row * kTile + col is the "
      "element's place in the tile, and i / 32 its row of banks. Put the padding after each of "
      "these. A column then has two words in each; how far must it move on each time?",
      "return i + i / 32 * 2; and kWords = 256 + 8 * 2. Element (x, y) and its neighbour (x, y + "
      "1) "
      "take two banks, and the next pair of rows the next two."};
  exercise.explanation =
      "Loads and stores were 2-way, and both are free now. One way: two words after every 32. "
      "Stores fill 32 banks because a warp's two rows lie side by side; loads are free because "
      "each row of banks is two further on than the one above, and a warp reads two columns. One "
      "word after every 32 is the rule for columns that are read one at a time. The next exercise "
      "does it without any padding.";
  return exercise;
}

Exercise swizzle() {
  auto exercise = turning("4_swizzle", "no conflicts, and not one byte more than the tile",
                          {32, 32}, 32 * 32 * 4, "the tile itself, and nothing else");
  exercise.hints = {
      "A row's elements may lie in any order, since a row is 32 banks in any order. What must not "
      "happen is that one column has the same place in every row.",
      "Row r could be moved on by r places, around the end: column c is then at place (c + r) % "
      "32. "
      "Is every place taken once, for a fixed r? For a fixed c? There is an operation on bits with "
      "both properties that needs no % at all.",
      "return row * kTile + (col ^ row); or row * kTile + (col + row) % kTile."};
  exercise.explanation =
      "No conflicts in 4,096 bytes instead of 4,224: what 32 padded tiles waste is one tile more. "
      "For example col ^ row: for a fixed row it only reorders the row; for a fixed column it "
      "takes every place "
      "once, as row does. So both directions see 32 banks. Does it also solve exercise 3? Try "
      "(col ^ row) there.";
  return exercise;
}

} // namespace

std::vector<Exercise> paddings() {
  return {square(), rectangle(), sixteen_wide(), swizzle()};
}

} // namespace course::lab
