// control: keeps the order, and rounds the end of the shorts up
// against: 03_dynamic_smem/2_three_arrays
// must: passed

constexpr int kThreads = 256;

template <class T>
__device__ void load(T* to, const T* from, int n) {
  for (int i = threadIdx.x; i < n; i += kThreads) to[i] = from[i];
}

template <class T>
__device__ void store_reversed(float* to, const T* from, int n) {
  for (int i = threadIdx.x; i < n; i += kThreads) to[i] = from[n - 1 - i];
}

__host__ __device__ int behind_shorts(int ns) {
  const int size = sizeof(float);
  return (ns * static_cast<int>(sizeof(short)) + size - 1) / size * size;
}

__global__ void reverse(float* out, const short* in_s, const float* in_f, const int* in_i, int ns,
                        int nf, int ni) {
  extern __shared__ __align__(16) unsigned char memory[];
  short* const shorts = reinterpret_cast<short*>(memory);
  float* const floats = reinterpret_cast<float*>(memory + behind_shorts(ns));
  int* const ints = reinterpret_cast<int*>(floats + nf);

  load(shorts, in_s, ns);
  load(floats, in_f, nf);
  load(ints, in_i, ni);
  __syncthreads();
  store_reversed(out, shorts, ns);
  store_reversed(out + ns, floats, nf);
  store_reversed(out + ns + nf, ints, ni);
}

void reverse_arrays(float* out, const short* shorts, const float* floats, const int* ints, int ns,
                    int nf, int ni) {
  const int bytes = behind_shorts(ns) + nf * sizeof(float) + ni * sizeof(int);
  reverse<<<1, kThreads, bytes>>>(out, shorts, floats, ints, ns, nf, ni);
}
