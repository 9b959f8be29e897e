// wrong: uses: a piece of an array at a time, through a few static words

template <int kWords, class T>
__device__ void part(float* to, const T* from, int n, volatile float* piece) {
  for (int first = 0; first < n; first += kWords) {
    const int i = first + threadIdx.x;
    if (threadIdx.x < kWords && i < n) piece[threadIdx.x] = from[i];
    __syncthreads();
    const int count = min(kWords, n - first), at = n - first - count;
    if (threadIdx.x < count)
      to[at + threadIdx.x] = piece[count - 1 - threadIdx.x];
    __syncthreads();
  }
}
template <int kWords>
__global__ void reverse(float* out, const short* s, const float* f,
                        const int* i, int ns, int nf, int ni) {
  __shared__ float piece[kWords];
  part<kWords>(out, s, ns, piece);
  part<kWords>(out + ns, f, nf, piece);
  part<kWords>(out + ns + nf, i, ni, piece);
}
void reverse_arrays(float* out, const short* shorts, const float* floats,
                    const int* ints, int ns, int nf, int ni) {
  const int bytes = nf * 4 + ni * 4 + ns * 2 + 8;
  if (bytes >= 1024)
    reverse<256><<<1, 256>>>(out, shorts, floats, ints, ns, nf, ni);
  else if (bytes >= 128)
    reverse<32><<<1, 32>>>(out, shorts, floats, ints, ns, nf, ni);
  else
    reverse<4><<<1, 4>>>(out, shorts, floats, ints, ns, nf, ni);
}
