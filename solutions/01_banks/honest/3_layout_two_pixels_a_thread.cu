// honest: lets half as many threads take two pixels each, half a row apart

constexpr int kWidth = 256;

struct Pixel {
  float red, green, blue, alpha;
};

struct Row {
  float red[kWidth], blue[kWidth];
};

__global__ void grey(float* out, const float4* in) {
  __shared__ Row row;
  float4 pixels[2];
  for (int h = 0; h < 2; ++h) {
    const int at = threadIdx.x + h * kWidth / 2;
    const float4 p = pixels[h] = __ldg(in + blockIdx.x * kWidth + at);
    row.red[at] = p.x, row.blue[at] = p.z;
  }
  __syncthreads();
  for (int h = 0; h < 2; ++h) {
    const int here = threadIdx.x + h * kWidth / 2;
    const int left = (here + kWidth - 1) % kWidth;
    const int right = (here + 1) % kWidth;
    const float4 pixel = pixels[h];

    const float sum =
        0.25f * row.red[left] + 0.5f * pixel.y + 0.25f * row.blue[right];
    const float opaque = pixel.w;
    out[blockIdx.x * kWidth + here] = opaque * sum;
  }
}

void grey_picture(float* out, const float4* in, int rows) {
  if (rows == 0) return;
  grey<<<rows, kWidth / 2>>>(out, in);
}
