// attack: has a name that a shell would run
// against: 05_transpose/2_pad
// must: failed launch
// named: $(touch owned);`touch owned`;.cu

void transpose(float* out, const float* in, int rows, int cols) {}
