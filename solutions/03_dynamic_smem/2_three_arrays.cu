// 03_dynamic_smem/2_three_arrays: short, float and int in one allocation
//
// `out` gets three arrays, each reversed, one after the other: `shorts` with
// `ns` elements, `floats` with `nf`, `ints` with `ni`, all as floats. One block
// carries them through shared memory. A kernel has only one dynamic allocation,
// so the three share it, and you say where each begins. Below, they follow each
// other without a gap: with 128 shorts that works. With 127 the floats begin at
// byte 254, and a float must lie at a multiple of 4. And no bytes were asked
// for yet. Make it right for any sizes, with at most 8 bytes more than the
// elements need.
//
//   ./course grade 03_dynamic_smem/2_three_arrays    what is right, what is not
//   ./course hint  03_dynamic_smem/2_three_arrays    one nudge more each time

constexpr int kThreads = 256;

//! [copies]
template <class T>
__device__ void load(T* to, const T* from, int n) {
  for (int i = threadIdx.x; i < n; i += kThreads) to[i] = from[i];
}

template <class T>
__device__ void store_reversed(float* to, const T* from, int n) {
  for (int i = threadIdx.x; i < n; i += kThreads) to[i] = from[n - 1 - i];
}
//! [copies]

//! [kernel]
__global__ void reverse(float* out, const short* in_s, const float* in_f,
                        const int* in_i, int ns, int nf, int ni) {
  extern __shared__ __align__(16) unsigned char memory[];
  // Your work begins here.
  // The widest elements first: whatever their number, what follows them needs
  // no more alignment than they leave.
  float* const floats = reinterpret_cast<float*>(memory);
  int* const ints = reinterpret_cast<int*>(floats + nf);
  short* const shorts = reinterpret_cast<short*>(ints + ni);
  // Your work ends here.

  load(shorts, in_s, ns);
  load(floats, in_f, nf);
  load(ints, in_i, ni);
  __syncthreads();
  store_reversed(out, shorts, ns);
  store_reversed(out + ns, floats, nf);
  store_reversed(out + ns + nf, ints, ni);
}
//! [kernel]

void reverse_arrays(float* out, const short* shorts, const float* floats,
                    const int* ints, int ns, int nf, int ni) {
  // Your work begins here.
  const int bytes = nf * sizeof(float) + ni * sizeof(int) + ns * sizeof(short);
  // Your work ends here.
  reverse<<<1, kThreads, bytes>>>(out, shorts, floats, ints, ns, nf, ni);
}
