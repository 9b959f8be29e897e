// attack: defines the function without its types
// against: 05_transpose/2_pad
// must: did_not_compile: does not define

extern "C" void transpose(float* out, const float* in, int rows, int cols) {}
