// 11_async_memory/6_ladder: the whole ladder
//
// C = A B^T for any `m`, and `n` and `k` that are multiples of 8, none 0, as
// fast as cuBLAS. Put everything together: a ring of four stages that
// tensor maps fill, three of which are full at a time; a warp that asks for
// copies and two warpgroups that multiply, 64 x 256 of C each, by wgmma with
// 256 rows of B; and as many blocks as there are multiprocessors, each of which
// goes on to its next tile of C when it is done.
//
// The page is blank, but take what you need from exercises 1, 3 and 5.
//
//   ./course grade 11_async_memory/6_ladder    what is right, what is not
//   ./course hint  11_async_memory/6_ladder    one nudge more each time
#include <cuda.h>
#include <cuda_bf16.h>

#include <cuda/ptx>

// Your work begins here.
// TODO: the kernel, its maps and its launch.
void product(float* c, const __nv_bfloat16* a, const __nv_bfloat16* b, int m,
             int n, int k) {}
// Your work ends here.
