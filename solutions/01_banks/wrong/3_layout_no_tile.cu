// wrong: coalescing, traffic: the neighbours are read from global memory

constexpr int kWidth = 256;

struct Pixel {
  float red, green, blue, alpha;
};

__global__ void grey(float* out, const float4* in) {
  const float4* const row = in + blockIdx.x * kWidth;
  const int here = threadIdx.x;
  const int left = (here + kWidth - 1) % kWidth;
  const int right = (here + 1) % kWidth;
  const float4 pixel = in[blockIdx.x * kWidth + here];

  const float sum = 0.25f * row[left].x + 0.5f * pixel.y + 0.25f * row[right].z;
  const float opaque = pixel.w;
  out[blockIdx.x * kWidth + here] = opaque * sum;
}

void grey_picture(float* out, const float4* in, int rows) {
  if (rows == 0) return;  // a grid must not be empty
  grey<<<rows, kWidth>>>(out, in);
}
