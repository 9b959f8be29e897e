// attack: makes the compiler write a library of a gigabyte
// against: 05_transpose/2_pad
// must: did_not_compile
// seconds: 90

int big[1 << 28] = {1};
void transpose(float* out, const float* in, int rows, int cols) {}
