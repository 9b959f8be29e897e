// attack: has a name that clears the terminal
// against: 05_transpose/2_pad
// must: failed launch
// named: 2_pad\x1b[2J\x07\xff\x0apassed.cu

void transpose(float* out, const float* in, int rows, int cols) {}
