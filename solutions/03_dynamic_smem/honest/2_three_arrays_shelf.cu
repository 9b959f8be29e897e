// honest: takes each array from a shelf that aligns

#include <cstddef>

constexpr int kThreads = 256;

template <class T>
__device__ void load(T* to, const T* from, int n) {
  for (int i = threadIdx.x; i < n; i += kThreads) to[i] = from[i];
}

template <class T>
__device__ void store_reversed(float* to, const T* from, int n) {
  for (int i = threadIdx.x; i < n; i += kThreads) to[i] = from[n - 1 - i];
}

struct Shelf {
  unsigned char* next;

  template <class T>
  __device__ T* take(int count) {
    const auto at = (reinterpret_cast<std::size_t>(next) + alignof(T) - 1) /
                    alignof(T) * alignof(T);
    T* const taken = reinterpret_cast<T*>(at);
    next = reinterpret_cast<unsigned char*>(taken + count);
    return taken;
  }
};

__global__ void reverse(float* out, const short* in_s, const float* in_f,
                        const int* in_i, int ns, int nf, int ni) {
  extern __shared__ __align__(16) unsigned char memory[];
  Shelf shelf{memory};
  int* const ints = shelf.take<int>(ni);
  short* const shorts = shelf.take<short>(ns);
  float* const floats = shelf.take<float>(nf);

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
  const int bytes = 4 * ni + (2 * ns + 3) / 4 * 4 + 4 * nf;
  reverse<<<1, kThreads, bytes>>>(out, shorts, floats, ints, ns, nf, ni);
}
