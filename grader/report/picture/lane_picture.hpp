// Pictures of one request to shared memory: which lane wants which word of which bank.
//
// Pure functions that return text of whole lines, for terminals and logs. Nothing is printed here,
// and nothing is asked of the terminal: the caller says how wide it is and whether it has colours.
#pragma once

#include <string>
#include <vector>

#include "device/model/older.hpp"
#include "device/model/request.hpp"

namespace course::report {

struct PictureOptions {
  int columns = 80;                      // the longest line; each picture has a least width below
  int indent = 2;                        // spaces before each line, counted in `columns`
  bool colour = false;                   // ANSI colours: what costs an extra pass is red
  model::Architecture architecture = {}; // whose banks; not set: as since compute capability 5.0
  std::vector<int> lanes = {}; // of lane_rows: in rising order, shown whatever else is left out
};

// What to do with lanes that do not fit in a line: leave some out, or start another line.
enum class Fit { shorten, wrap };

// Three rows, a column a lane; a lane that takes no part has dashes:
//
//   lane    0    1    2    3  ...   30   31
//   word    0   32   64   96  ...  960  992
//   bank    0    0    0    0  ...    0    0
//
// Shortened, it has at least two lanes, dots, and the last two lanes, whatever `columns` says;
// lanes that the caller wants shown stand between, with dots of their own.
std::string lane_rows(const model::Request&, Fit, const PictureOptions& = {});

// A column for each of the 32 banks, a row for each pass that the request takes, at most
// `most_rows` of them (at least 3), and a legend. A mark is the lane that is served:
//
//   bank    0       4       8       12      16      20      24      28
//   pass  1 0 . 1 . 2 . 3 . 4 . 5 . 6 . 7 . 8 . 9 . a . b . c . d . e . f .
//   pass  2 g . h . i . j . k . l . m . n . o . p . q . r . s . t . u . v .
//   lanes 0-9, a = 10 to v = 31
//
// Where a lane's turn is more than one pass (compare-and-swap, loops), rows are called turns. Below
// 73 columns and the indent, the columns move together; it is then 41 and the indent wide.
//
// Only for devices whose rules are those since 5.0; `architecture` is ignored. Empty when no lane
// is active or when there is no rule for the access.
std::string bank_rows(const model::Request&, int most_rows, const PictureOptions& = {});

} // namespace course::report
