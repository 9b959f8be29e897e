// attack: defines the function weakly and expects the harness to have a better one
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched

__attribute__((weak)) void transpose(float* out, const float* in, int rows, int cols) {}
