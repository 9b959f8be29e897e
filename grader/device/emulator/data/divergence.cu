// Lanes that part and meet again.
__global__ void collatz(int* steps, const int* in) { // trip counts differ
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int n = in[i], count = 0;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    ++count;
  }
  steps[i] = count;
}

__global__ void nested(int* out, const int* in, int n) { // break, continue, early return, switch
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int k = 0; k < 20; ++k) {
    if (in[i] % 3 == k % 3) continue;
    if (sum > in[i]) break;
    for (int j = 0; j < in[i] % 5; ++j) {
      if (j == k) break;
      switch ((j + in[i]) % 6) {
      case 0:
        sum += 1;
        break;
      case 1:
        sum += k;
        break;
      case 2:
        sum ^= j;
        break;
      case 3:
        sum -= 2;
        break;
      default:
        sum += 7;
      }
    }
  }
  out[i] = sum;
}

__global__ void meets_again(unsigned* out, const int* in) { // who is active where
  const int lane = threadIdx.x;
  unsigned mask = 0;
  if (in[lane] > 3)
    mask = __activemask();
  else
    mask = ~__activemask();
  out[lane] = mask;
  out[32 + lane] = __activemask();
}

__device__ __noinline__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__global__ void recursion(int* out, const int* in) {
  out[threadIdx.x] = fibonacci(in[threadIdx.x]);
}
__device__ __noinline__ int endless_call(int n) {
  return n == -1 ? 0 : 1 + endless_call(n + 1) * n;
}
__global__ void endless_recursion(int* out) {
  out[threadIdx.x] = endless_call(threadIdx.x);
}

__device__ __noinline__ int twice(int x) {
  return 2 * x;
}
__device__ __noinline__ int square(int x) {
  return x * x;
}
__global__ void through_pointers(int* out, const int* in) {
  int (*f)(int) = in[threadIdx.x] % 2 ? twice : square;
  out[threadIdx.x] = f(in[threadIdx.x]);
}

__global__ void spin_lock(int* counter, int* lock) { // lanes of a warp take turns
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *(volatile int*)counter += 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
__global__ void spin_lock_loop(int* counter, int* lock) { // the winner leaves the loop first
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *(volatile int*)counter += 1;
  __threadfence();
  atomicExch(lock, 0);
}
__global__ void endless(int* out) {
  while (*(volatile int*)out == 0) {
  }
}
