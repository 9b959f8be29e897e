// honest: keeps what no neighbour wants in registers

constexpr int kWidth = 256;

struct Pixel {
  float red, green, blue, alpha;
};

struct Row {
  float red[kWidth], blue[kWidth];
};

__global__ void grey(float* out, const float4* in) {
  __shared__ Row row;
  const int here = threadIdx.x;
  const int left = (here + kWidth - 1) % kWidth;
  const int right = (here + 1) % kWidth;
  const float4 pixel = in[blockIdx.x * kWidth + here];

  row.red[here] = pixel.x;
  row.blue[here] = pixel.z;
  __syncthreads();
  const float sum =
      0.25f * row.red[left] + 0.5f * pixel.y + 0.25f * row.blue[right];
  const float opaque = pixel.w;
  out[blockIdx.x * kWidth + here] = opaque * sum;
}

void grey_picture(float* out, const float4* in, int rows) {
  if (rows == 0) return;
  grey<<<rows, kWidth>>>(out, in);
}
