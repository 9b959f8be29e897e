// 04_reduction/7_largest: a blank page, and the largest of each piece
//
// Every 1,024 elements of `in` are a piece; the last may have fewer. For piece
// p, out[2 * p] becomes its largest element, and out[2 * p + 1] the place of
// that in the piece, from 0 to 1,023. Where the largest is there several times,
// it is the first that counts. There may be no element at all.
//
// The page is blank. Read each element once, by neighbouring lanes, and let the
// threads of a block find out in shared memory whose is the largest.
//
//   ./course grade 04_reduction/7_largest    what is right, and what is not
//   ./course hint  04_reduction/7_largest    one nudge more each time

//! [kernel]
// Your work begins here.
// TODO: the kernel, and its launch.
void largest(float* out, const float* in, int n) {}
// Your work ends here.
//! [kernel]
