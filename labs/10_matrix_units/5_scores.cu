// 10_matrix_units/5_scores: who looks at whom
//
// Attention: there are `m` queries and `n` keys, 64 numbers of bf16 each.
// `m` or `n` may be 0; `n` is a multiple of 8. The score of a query and a key
// is an eighth of their product, and p[i][j] becomes the share of key j for
// query i: exp(score) over the sum of exp(score) of the row. From 89 on exp is
// infinite, and scores may be larger: take the largest from all of them first.
//
// The page is blank. Products are for the matrix units, and keys come through
// shared memory, each time for 32 queries of a block or more. What cannot be
// saved is the time to write `p`.
//
//   ./course grade 10_matrix_units/5_scores    what is right, and what is not
//   ./course hint  10_matrix_units/5_scores    one nudge more each time
#include <cuda_bf16.h>
#include <cuda_pipeline.h>

// Your work begins here.
// TODO: the kernel, and its launch.
void scores(float* p, const __nv_bfloat16* queries, const __nv_bfloat16* keys,
            int m, int n) {}
// Your work ends here.
