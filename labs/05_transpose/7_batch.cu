// 05_transpose/7_batch: a blank page, and many matrices at once
//
// `in` has `count` matrices of `rows` x `cols` floats, one after another, and
// `out` becomes their transposes, of `cols` x `rows`, in the same order. All
// three are any numbers up to a million, 0 too: a few large matrices, or 70,000
// of 3 x 2. There is one launch for all of them.
//
// The page is blank, and all that this lab asked for still counts: sectors, the
// way through a tile, its banks, and the edges of each matrix.
//
//   ./course grade 05_transpose/7_batch    what is right, and what is not
//   ./course hint  05_transpose/7_batch    one nudge more each time

//! [kernel]
// Your work begins here.
// TODO: the kernel, and its launch.
void transpose_all(float* out, const float* in, int count, int rows, int cols) {
}
// Your work ends here.
//! [kernel]
