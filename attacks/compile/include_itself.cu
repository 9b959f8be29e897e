// attack: includes itself twice, and again
// against: 05_transpose/2_pad
// must: did_not_compile

#include __FILE__
#include __FILE__
void transpose(float* out, const float* in, int rows, int cols) {}
