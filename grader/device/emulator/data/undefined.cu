// Kernels in pairs: each reads what nothing has written. In NAME_used the value decides something;
// in NAME_dropped it is copied, masked out, overwritten or handed on, and decides nothing. One
// block of 64 threads; in[i] is i, spare has 64 words that nothing has written.
#define KERNEL(name) extern "C" __global__ void name(int* out, const int* in, int* spare)

struct Flags {
  unsigned char head : 8, tail : 8;
  bool a : 1, b : 1, c : 1, d : 1;
};

// A branch, an address, a store.
KERNEL(branch_used) {
  __shared__ int s[64];
  if (threadIdx.x < 32) s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int value = s[threadIdx.x];
  if (value > 7) asm volatile("st.global.u32 [%0], 1;" ::"l"(out + threadIdx.x));
}
KERNEL(branch_dropped) {
  __shared__ int s[64];
  if (threadIdx.x < 32) s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int value = *(volatile int*)&s[threadIdx.x];
  if ((threadIdx.x < 32) & (value > 7))
    asm volatile("st.global.u32 [%0], 1;" ::"l"(out + threadIdx.x));
}
KERNEL(address_used) {
  __shared__ int s[64];
  const int value = s[threadIdx.x];
  out[value & 63] = 1;
}
KERNEL(address_dropped) {
  __shared__ int s[64];
  const int value = *(volatile int*)&s[threadIdx.x];
  out[threadIdx.x + ((value & 64) >> 7)] = 1;
}
KERNEL(sum_used) {
  __shared__ int s[64];
  if (threadIdx.x < 32) s[threadIdx.x] = 1;
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 33; ++i) sum += s[i];
  out[threadIdx.x] = sum;
}
KERNEL(sum_dropped) {
  __shared__ int s[64];
  if (threadIdx.x < 32) s[threadIdx.x] = 1;
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 33; ++i) {
    const int next = *(volatile int*)&s[i];
    sum += i < 32 ? next : 0;
  }
  out[threadIdx.x] = sum;
}

// Through shared memory, local memory, lanes, a call.
KERNEL(copy_used) {
  __shared__ int s[64], t[64];
  t[threadIdx.x] = *(volatile int*)&s[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = t[63 - threadIdx.x];
}
KERNEL(copy_dropped) {
  __shared__ int s[64], t[64];
  *(volatile int*)&t[threadIdx.x] = *(volatile int*)&s[threadIdx.x];
  __syncthreads();
  t[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = t[63 - threadIdx.x];
}
KERNEL(flags_used) {
  __shared__ __align__(4) unsigned char raw[64 * sizeof(Flags)];
  Flags* flags = (Flags*)raw + threadIdx.x;
  asm("" : "+l"(flags)); // or the compiler knows what is undefined, and takes what it likes
  flags->a = true;
  flags->b = in[threadIdx.x] > 3;
  out[threadIdx.x] = flags->c ? 1 : 2;
}
KERNEL(flags_dropped) {
  __shared__ __align__(4) unsigned char raw[64 * sizeof(Flags)];
  Flags* flags = (Flags*)raw + threadIdx.x;
  asm("" : "+l"(flags)); // or the compiler knows what is undefined, and takes what it likes
  flags->a = true;
  flags->b = in[threadIdx.x] > 3;
  __syncthreads();
  out[threadIdx.x] = ((Flags*)raw + 63 - threadIdx.x)->b ? 1 : 2;
}
KERNEL(local_used) {
  volatile int values[8];
  values[in[threadIdx.x] & 3] = 1;
  out[threadIdx.x] = values[4 + (in[threadIdx.x] & 3)];
}
KERNEL(local_dropped) {
  volatile int values[8], others[8];
  values[in[threadIdx.x] & 3] = 1;
  others[in[threadIdx.x] & 3] = values[4 + (in[threadIdx.x] & 3)];
  others[in[threadIdx.x] & 3] = 2;
  out[threadIdx.x] = values[in[threadIdx.x] & 3] + others[in[threadIdx.x] & 3];
}
KERNEL(tree_used) {
  __shared__ int s[64];
  if (threadIdx.x < 12) s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x >= 32) return;
  int sum = *(volatile int*)&s[threadIdx.x];
  for (int step = 8; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x == 0) out[0] = sum;
}
KERNEL(tree_dropped) {
  __shared__ int s[64];
  if (threadIdx.x < 16) s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x >= 32) return;
  int sum = *(volatile int*)&s[threadIdx.x];
  for (int step = 8; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x == 0) out[0] = sum;
}
KERNEL(vote_used) {
  __shared__ int s[64];
  if (threadIdx.x < 16) s[threadIdx.x] = 0;
  __syncthreads();
  const bool any = __any_sync(~0u, *(volatile int*)&s[threadIdx.x & 31] > 0);
  if (any) asm volatile("st.global.u32 [%0], 1;" ::"l"(out + threadIdx.x));
}
KERNEL(vote_dropped) {
  __shared__ int s[64];
  if (threadIdx.x < 16) s[threadIdx.x] = 1;
  __syncthreads();
  const bool any = __any_sync(~0u, *(volatile int*)&s[threadIdx.x & 31] > 0);
  if (any) asm volatile("st.global.u32 [%0], 1;" ::"l"(out + threadIdx.x));
}
__device__ __noinline__ int chosen(int first, int second, bool which) {
  return which ? first : second;
}
KERNEL(call_used) {
  __shared__ int s[64];
  out[threadIdx.x] = chosen(*(volatile int*)&s[threadIdx.x], in[threadIdx.x], threadIdx.x == 40);
}
KERNEL(call_dropped) {
  __shared__ int s[64];
  out[threadIdx.x] = chosen(*(volatile int*)&s[threadIdx.x], in[threadIdx.x], threadIdx.x == 64);
}

// As the merge of two runs: the element behind the last is read, and not looked at.
__device__ void merge(int* s, int first, int second, int* out, bool beyond) {
  volatile int* run = s;
  int i = 0, j = first, x = run[i], y = run[j];
  for (int q = 0; q < first + second + beyond; ++q) {
    const bool other = j < first + second && (i >= first || y < x);
    out[q] = other ? y : x;
    if (other)
      y = run[++j];
    else
      x = run[++i];
  }
}
KERNEL(merge_used) {
  __shared__ int s[64];
  if (threadIdx.x < 8) s[threadIdx.x] = in[threadIdx.x] * 2 % 7;
  __syncthreads();
  if (threadIdx.x == 0) merge(s, 4, 5, out, false);
}
KERNEL(merge_dropped) {
  __shared__ int s[64];
  if (threadIdx.x < 8) s[threadIdx.x] = in[threadIdx.x] * 2 % 7;
  __syncthreads();
  if (threadIdx.x == 0) merge(s, 4, 4, out, false);
}

// In global memory, and by an atomic.
KERNEL(global_used) {
  out[threadIdx.x] = spare[threadIdx.x] + 1;
}
KERNEL(global_dropped) {
  const int value = *(volatile int*)&spare[threadIdx.x];
  out[threadIdx.x] = (value & 1) > 1 ? 2 : in[threadIdx.x];
}
KERNEL(field_used) {
  Flags* flags = (Flags*)spare + threadIdx.x;
  flags->a = true;
  out[threadIdx.x] = flags->c ? 1 : 2;
}
KERNEL(field_dropped) {
  Flags* flags = (Flags*)spare + threadIdx.x;
  flags->a = true;
  flags->b = false;
  out[threadIdx.x] = flags->b ? 1 : 2;
}
KERNEL(atomic_used) {
  __shared__ int s[64];
  atomicAdd(out, s[threadIdx.x]);
}
KERNEL(atomic_dropped) {
  __shared__ int s[64];
  const int value = *(volatile int*)&s[threadIdx.x];
  atomicAdd(out, value & 0);
}

// Read too early: another thread writes it, and it is the order of the two that is wrong.
KERNEL(early_used) {
  __shared__ int s[64];
  if (threadIdx.x < 32) out[threadIdx.x] = s[32 + threadIdx.x];
  if (threadIdx.x >= 32) s[threadIdx.x] = in[threadIdx.x];
}

// The same by all lanes at once, and by each alone: in some lanes undefined bits decide.
__device__ __forceinline__ void decide(int* out, const int* in, volatile int* spare) {
  const int t = threadIdx.x, n = in[t];
  int sum = 0;
  if (spare[t] & n & 1) sum += 1;
  if ((spare[t] | ~(n & 2)) == -1) sum += 2;
  if (((spare[t] ^ n) & n & 4) == 4) sum += 4;
  if (((spare[t] & n) << 28) > 0) sum += 8;
  if ((n & 8 ? spare[t] : 5) < 6) sum += 16;
  if ((spare[t] + n) * (n & 1)) sum += 32;
  if ((unsigned)(spare[t] & 15) < (unsigned)(n & 31)) sum += 64;
  const long long wide = (long long)spare[t] << (n & 63);
  if ((int)wide == 0) sum += 128;
  if ((__popc(spare[t]) & n & 16) && __byte_perm(spare[t], n, 0x4440 | (n & 7)) > 9) sum += 256;
  if ((float)(spare[t] & n) > 0.5f) sum += 512;
  out[t] = n & 32 ? sum : 0;
}
KERNEL(lanes_together) {
  decide(out, in, spare);
}
KERNEL(lanes_alone) {
#pragma unroll 1
  for (int one = 0; one < 64; ++one)
    if (threadIdx.x == one) decide(out, in, spare);
}
