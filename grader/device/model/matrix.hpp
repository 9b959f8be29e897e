// ldmatrix and stmatrix: the eight lanes of each matrix name its eight rows of 16 bytes.
//
// Rule, measured on an H200 (data/README.md): for each matrix, its eight rows form a group, which
// costs the largest number of distinct words in one bank. Ideal is one wavefront a matrix.
#pragma once

#include "device/model/request.hpp"

namespace course::model {

// Matrices of a request: 1, 2 or 4, by its width. Matrix m has its rows from lanes 8m to 8m + 7;
// the offsets of later lanes are ignored, as by the hardware.
int matrices(const Request&);

// A matrix without an active lane costs nothing. (PTX leaves a partly active warp undefined.)
Passes matrix_passes(const Request&);

} // namespace course::model
