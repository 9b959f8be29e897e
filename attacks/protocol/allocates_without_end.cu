// attack: allocates a byte at a time for ever
// against: 05_transpose/2_pad
// must: timed_out
// must: not_measurable: asked for more

void transpose(float* out, const float* in, int rows, int cols) {
  float* mine = nullptr;
  for (;;) cudaMalloc(&mine, 1);
}
