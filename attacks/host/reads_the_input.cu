// attack: computes on the CPU what the kernel should
// against: 05_transpose/2_pad
// must: crashed: read `in`, which is in the GPU

void transpose(float* out, const float* in, int rows, int cols) {
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) out[c * rows + r] = in[r * cols + c];
}
