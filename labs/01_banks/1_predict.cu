// 01_banks/1_predict: how many passes too many?
//
// The 32 lanes of a warp read shared memory. Word k, four bytes, is in bank
// k % 32. In one pass a bank serves one word, to every lane that wants it, so a
// pass carries at most 128 bytes. Reads of 8 bytes per lane are served half a
// warp at a time, reads of 16 bytes a quarter at a time: their 256 and 512
// bytes need those passes, and that is no conflict. Conflicts are the passes
// beyond what the bytes need.
//
// There is no kernel to write. For each read below, predict the conflicts on an
// H200. Fill all rows before you grade: they are judged together, and you are
// told how many are right, not which. `lane` is 0 to 31. The arrays hold float
// `word`, char `letter`, double `number`, float4 `quad`, and structs of two and
// of three floats, `pair` and `triple`.
//
//   ./course grade 01_banks/1_predict    how many rows are right
//   ./course hint  01_banks/1_predict    one nudge more each time

#include <cuda_runtime.h>

//! [table]
// Your work begins here.
// TODO: the conflicts of each read, a number from 0 to 31.
constexpr int kPredicted[] = {
    -1,  // word[lane]
    -1,  // word[2 * lane]
    -1,  // word[3 * lane]
    -1,  // word[4 * lane]
    -1,  // word[32 * lane]
    -1,  // word[33 * lane]
    -1,  // word[5]
    -1,  // word[lane % 2 * 32]
    -1,  // letter[lane]
    -1,  // number[lane]
    -1,  // quad[lane]
    -1,  // pair[lane].x
    -1,  // triple[lane].x
};
// Your work ends here.
//! [table]
static_assert(sizeof kPredicted == 13 * sizeof(int), "one number for each row");

void predict(int* out) {
  cudaMemcpy(out, kPredicted, sizeof kPredicted, cudaMemcpyHostToDevice);
}
