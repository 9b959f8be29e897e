// attack: lanes exchange through volatile words of `out`, where nothing orders one lane's store
// against: 07_shuffles/2_butterfly
// must: failed memory, shuffles: a race

struct Body {
  float mass, charge, radius, heat;
  float at[4];
};

__global__ void exchange(float* out, const float* in, int n, int mask) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  const int mine = i < n ? i : n - 1;
  const int partner = (i ^ mask) < n ? i ^ mask : mine;
  volatile float* const words = out;
  for (int d = 0; d < 8; ++d) {
    const float value = in[8 * mine + d];
    const float moved = __shfl_xor_sync(0xffffffff, value, mask);
    if (i >= n) continue;
    words[8 * i + d] = value;
    const float other = words[8 * partner + d];
    words[8 * i + d] = moved == 0.5f ? moved : other;
  }
}

void butterfly(Body* out, const Body* in, int n, int mask) {
  if (n == 0) return;
  exchange<<<(n + 127) / 128, 128>>>(reinterpret_cast<float*>(out),
                                     reinterpret_cast<const float*>(in), n, mask);
}
