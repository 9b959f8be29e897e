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
constexpr int kPredicted[] = {
    0,   // word[lane]: 32 words in 32 banks
    1,   // word[2 * lane]: lane l and lane l + 16 meet in one bank
    0,   // word[3 * lane]: 3 shares no factor with 32
    3,   // word[4 * lane]: eight banks with four words each
    31,  // word[32 * lane]: one bank
    0,   // word[33 * lane]: 33 % 32 is 1
    0,   // word[5]: one word, every lane is served
    1,   // word[lane % 2 * 32]: two words in bank 0
    0,   // letter[lane]: eight words, each for four lanes
    0,   // number[lane]: two passes, and 256 bytes need two
    0,   // quad[lane]: four passes, and 512 bytes need four
    1,   // pair[lane].x: the words of word[2 * lane]
    0,   // triple[lane].x: the words of word[3 * lane]
};
// Your work ends here.
//! [table]
static_assert(sizeof kPredicted == 13 * sizeof(int), "one number for each row");

void predict(int* out) {
  cudaMemcpy(out, kPredicted, sizeof kPredicted, cudaMemcpyHostToDevice);
}
