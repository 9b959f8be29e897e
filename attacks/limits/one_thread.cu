// attack: lets one thread do everything
// against: 05_transpose/2_pad
// must: failed kernel, coalescing, traffic

__global__ void transpose_one(float* out, const float* in, int rows, int cols) {
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) out[c * rows + r] = in[r * cols + c];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_one<<<1, 1>>>(out, in, rows, cols);
}
