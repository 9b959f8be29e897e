// 07_shuffles/8_row_sums: a blank page, and the sum of each row
//
// out[r] becomes the sum of row r of a matrix, in[r * cols] to
// in[r * cols + cols - 1]. There may be no row at all; a row has at least one
// element, and no number has to divide another. The elements are whole numbers,
// so small that a float sum is exact in any order.
//
// The page is blank. Read each element once, by lanes that are neighbours, and
// let them hand their sums to each other by shuffles.
//
//   ./course grade 07_shuffles/8_row_sums    what is right, and what is not
//   ./course hint  07_shuffles/8_row_sums    one nudge more each time

//! [kernel]
// Your work begins here.
// TODO: the kernel, and its launch.
void row_sums(float* out, const float* in, int rows, int cols) {}
// Your work ends here.
//! [kernel]
