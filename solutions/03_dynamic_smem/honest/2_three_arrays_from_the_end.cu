// honest: walks through the arrays from their ends, and asks for eight bytes
// too many

#include <cstddef>

constexpr int kThreads = 256;

template <class T>
__device__ void load(T* to, const T* from, int n) {
#pragma unroll 1
  for (int i = n - 1 - static_cast<int>(threadIdx.x); i >= 0; i -= kThreads)
    to[i] = from[i];
}

template <class T>
__device__ void store_reversed(float* to, const T* from, int n) {
  for (int i = threadIdx.x; i < n; i += kThreads) to[i] = from[n - 1 - i];
}

__global__ void reverse(float* out, const short* in_s, const float* in_f,
                        const int* in_i, int ns, int nf, int ni) {
  extern __shared__ __align__(16) unsigned char memory[];
  float* const floats = reinterpret_cast<float*>(memory);
  int* const ints = reinterpret_cast<int*>(floats + nf);
  short* const shorts = reinterpret_cast<short*>(ints + ni);

  load(shorts, in_s, ns);
  load(floats, in_f, nf);
  load(ints, in_i, ni);
  __syncthreads();
  store_reversed(out, shorts, ns);
  store_reversed(out + ns, floats, nf);
  store_reversed(out + ns + nf, ints, ni);
}

void reverse_arrays(float* out, const short* shorts, const float* floats,
                    const int* ints, int ns, int nf, int ni) {
  const std::size_t bytes = 4 * std::size_t(nf + ni) + 2 * ns + 8;
  reverse<<<1, kThreads, bytes>>>(out, shorts, floats, ints, ns, nf, ni);
}
