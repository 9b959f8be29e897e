// attack: hides the function
// against: 05_transpose/2_pad
// must: did_not_compile: does not define

static void transpose(float* out, const float* in, int rows, int cols) {}
void* used = (void*)transpose;
