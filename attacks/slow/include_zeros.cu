// attack: includes a device that never ends
// against: 05_transpose/2_pad
// must: did_not_compile
// seconds: 90

#include "/dev/zero"
void transpose(float* out, const float* in, int rows, int cols) {}
