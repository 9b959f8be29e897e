// attack: makes ptxas allocate registers for a million copies of a loop
// against: 05_transpose/2_pad
// must: did_not_compile
// must: failed output
// must: timed_out
// seconds: 150

__global__ void big(float* out) {
#pragma unroll
  for (int i = 0; i < 64; ++i)
#pragma unroll
    for (int j = 0; j < 64; ++j)
#pragma unroll
      for (int k = 0; k < 64; ++k) out[i * j + k] += sinf(out[i + j * k]);
}
void transpose(float* out, const float* in, int rows, int cols) {
  big<<<1, 1>>>(out);
}
