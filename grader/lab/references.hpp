// Kinds of right answers, by the names that an exercise's data call them: `reference =
// "transpose"`.
#pragma once

#include "lab/exercise.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace course::lab {

// What each of the operands holds, the output nothing; and the shape's variables.
using Inputs = std::vector<Floats>;
using Variable = std::function<double(const std::string& name)>;
struct KindOfReference {
  Floats (*compute)(const Inputs&, const Variable&);
  std::vector<std::string> variables; // that it reads
};

// name | what it computes | the variables that it reads
// transpose            | a matrix, turned                                | rows, cols
// transposed_tiles     | tiles one behind another, each turned           | rows, cols
// tiles_both_ways      | the tiles, and then the tiles turned            | rows, cols
// grey_picture         | a grey for each pixel of four floats            | width
// reversed_arrays      | each input backwards, one behind another        |
// differences          | of elements that are so far apart               | apart
// sums                 | of so many elements each, `sums` of them        | each, sums
// largest_and_place    | of pieces of so many elements each              | each
// running_sums         | of all before, and itself                       |
// running_sums_in_groups | of those before in a group, and itself        | each
// ends                 | of arrays of n, at the ends of pieces of so many | n, each
// nine_points          | a stencil of two times four neighbours          | c0 … c4
// cosine_transform     | of eight points a group                         | n
// cosines              | of the entries whose codes are given            |
// moves                | broadcast, up, down, around, in groups          | width
// exchange             | structs of eight floats, with a partner         | mask
// product              | C = A B                                         | m, n, k
// walsh_hadamard       | sums and differences by each bit of an index    | cols
// product_of_rows      | C = A B^T: rows of A by rows of B               | m, n, k
// attention            | the same, over 8, and softmax of each row       | m, n, k
// histogram            | how many elements each bin has                  | bins
// sums_by_bin          | of the second input's, by the first one's bins  | bins
// places               | how many before it, in its group, have its bin  | bins, each
// sorted_in_groups     | the elements of each group, the smallest first  | each
// slanted_blur         | 11 x 11 neighbours times a Gaussian             | rows, cols, a, b, c
// shares_of_rows       | softmax of each row                             | rows, cols
// predictions          | the conflicts of predict.hpp's questions        |
const std::map<std::string, KindOfReference>& kinds_of_references();

} // namespace course::lab
