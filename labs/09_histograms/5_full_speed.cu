// 09_histograms/5_full_speed: as fast as the elements can be read
//
// out[b] becomes the number of elements of `in` that are b, for each b from 0
// to 255, and no element is anything else. There are from none to 2^25 of them,
// in any order, sorted, or all the same, which must not cost time; `in` begins
// at a multiple of 256 bytes. The page is blank. The limit is the speed of
// memory: a library's histogram is the one to beat. So let a lane load four
// elements at once, and let every multiprocessor have work, in no more blocks
// than it has room for at a time.
//
//   ./course grade 09_histograms/5_full_speed    what is right, and what is not
//   ./course hint  09_histograms/5_full_speed    one nudge more each time

//! [kernel]
// Your work begins here.
// TODO: the kernel, and its launch.
void histogram(int* out, const int* in, int n) {}
// Your work ends here.
//! [kernel]
