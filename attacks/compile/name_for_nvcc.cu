// attack: has a name that nvcc would take for an option
// against: 05_transpose/2_pad
// must: failed launch
// named: --compiler-options=-fplugin=evil.so.cu

void transpose(float* out, const float* in, int rows, int cols) {}
