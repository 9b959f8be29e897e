// attack: copies past the end of a symbol
// against: 05_transpose/2_pad
// must: failed output

__constant__ float few[4];
__global__ void nothing(float* out) {
  out[0] = few[0];
}

void transpose(float* out, const float* in, int rows, int cols) {
  static const float many[4096] = {};
  cudaMemcpyToSymbol(few, many, sizeof many);
  nothing<<<1, 1>>>(out);
}
