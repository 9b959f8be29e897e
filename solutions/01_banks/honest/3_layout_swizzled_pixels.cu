// honest: leaves the colours of a pixel together, and turns them by the pixel

constexpr int kWidth = 256;

struct Pixel {
  float red, green, blue, alpha;
};

// Eight pixels are a row of banks; 8 pixels on, the colours have moved by one.
struct Row {
  float word[4 * kWidth];

  __device__ static int place(int pixel, int colour) {
    return 4 * pixel + (colour + pixel / 8) % 4;
  }
};

__global__ void grey(float* out, const float4* in) {
  __shared__ Row row;
  const int here = threadIdx.x;
  const int left = (here + kWidth - 1) % kWidth;
  const int right = (here + 1) % kWidth;
  const float4 pixel = in[blockIdx.x * kWidth + here];

  row.word[Row::place(here, 0)] = pixel.x;
  row.word[Row::place(here, 1)] = pixel.y;
  row.word[Row::place(here, 2)] = pixel.z;
  row.word[Row::place(here, 3)] = pixel.w;
  __syncthreads();
  const float sum = 0.25f * row.word[Row::place(left, 0)] +
                    0.5f * row.word[Row::place(here, 1)] +
                    0.25f * row.word[Row::place(right, 2)];
  const float opaque = row.word[Row::place(here, 3)];
  out[blockIdx.x * kWidth + here] = opaque * sum;
}

void grey_picture(float* out, const float4* in, int rows) {
  if (rows == 0) return;
  grey<<<rows, kWidth>>>(out, in);
}
