// wrong: conflicts: an array of pairs, in which two lanes meet in a bank

constexpr int kWidth = 256;

struct Pixel {
  float red, green, blue, alpha;
};

struct Row {
  float2 red_green[kWidth], blue_alpha[kWidth];
};

__global__ void grey(float* out, const float4* in) {
  __shared__ Row row;
  const int here = threadIdx.x;
  const int left = (here + kWidth - 1) % kWidth;
  const int right = (here + 1) % kWidth;
  const float4 pixel = in[blockIdx.x * kWidth + here];

  row.red_green[here] = {pixel.x, pixel.y};
  row.blue_alpha[here] = {pixel.z, pixel.w};
  __syncthreads();
  const float sum = 0.25f * row.red_green[left].x +
                    0.5f * row.red_green[here].y +
                    0.25f * row.blue_alpha[right].x;
  const float opaque = row.blue_alpha[here].y;
  out[blockIdx.x * kWidth + here] = opaque * sum;
}

void grey_picture(float* out, const float4* in, int rows) {
  if (rows == 0) return;  // a grid must not be empty
  grey<<<rows, kWidth>>>(out, in);
}
