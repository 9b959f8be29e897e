// attack: recurses without end
// against: 05_transpose/2_pad
// must: crashed: wrote to address

void transpose(float* out, const float* in, int rows, int cols) {
  volatile char frame[1 << 16];
  frame[0] = rows;
  transpose(out + frame[0], in, rows, cols);
  frame[1] = 0;
}
