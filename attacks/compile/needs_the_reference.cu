// attack: declares the reference and lets the linker find it
// against: 05_transpose/2_pad
// must: did_not_compile

void reference(float*, const float*, int, int);
void transpose(float* out, const float* in, int rows, int cols) {
  reference(out, in, rows, cols);
}
