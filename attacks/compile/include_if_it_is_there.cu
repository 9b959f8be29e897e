// attack: asks whether the solution is there, and includes it if so
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched

#if __has_include("@ROOT@/solutions/05_transpose/2_pad.cu")
#include "@ROOT@/solutions/05_transpose/2_pad.cu"
#else
void transpose(float* out, const float* in, int rows, int cols) {}
#endif
