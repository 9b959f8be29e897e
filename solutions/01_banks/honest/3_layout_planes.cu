// honest: has one array with a plane a colour, and helpers that index it

constexpr int kWidth = 256;

struct Pixel {
  float red, green, blue, alpha;
};

struct Row {
  float plane[4][kWidth];

  __device__ void put(int at, float4 p) {
    plane[0][at] = p.x, plane[1][at] = p.y, plane[2][at] = p.z,
    plane[3][at] = p.w;
  }
  __device__ float get(int colour, int at) const { return plane[colour][at]; }
};

__global__ void grey(float* out, const float4* in) {
  __shared__ Row row;
  const int here = threadIdx.x;
  const int left = (here + kWidth - 1) % kWidth;
  const int right = (here + 1) % kWidth;
  const float4 pixel = in[blockIdx.x * kWidth + here];

  row.put(here, pixel);
  __syncthreads();
  const float sum = 0.25f * row.get(0, left) + 0.5f * row.get(1, here) +
                    0.25f * row.get(2, right);
  const float opaque = row.get(3, here);
  out[blockIdx.x * kWidth + here] = opaque * sum;
}

void grey_picture(float* out, const float4* in, int rows) {
  if (rows == 0) return;
  grey<<<rows, kWidth>>>(out, in);
}
