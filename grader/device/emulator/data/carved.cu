// Several arrays in one piece of dynamic shared memory. Of each kernel n is 40, and a block has 64
// threads and 1,024 bytes.
extern __shared__ int memory[];

// Wrong: values begin n words behind, and there are as many numbers as threads.
__global__ void by_count(int* out, const int* in, int n) {
  int* number = memory;
  float* value = reinterpret_cast<float*>(memory + n);
  const int t = threadIdx.x;
  value[t] = in[t];
  __syncthreads();
  number[t] = t;
  __syncthreads();
  out[t] = value[number[t]];
}
// Wrong: bytes and words are mixed up.
__global__ void by_bytes(int* out, const int* in, int) {
  int* first = memory;
  int* second = reinterpret_cast<int*>(reinterpret_cast<char*>(memory) + blockDim.x);
  const int t = threadIdx.x;
  first[t] = in[t];
  __syncthreads();
  second[t] = in[t + 1];
  __syncthreads();
  out[t] = first[39 - t % 40] + second[t];
}

// Right: as many values as threads.
__global__ void by_threads(int* out, const int* in, int n) {
  int* number = memory;
  float* value = reinterpret_cast<float*>(memory + blockDim.x);
  const int t = threadIdx.x;
  value[t] = in[t];
  __syncthreads();
  number[t] = t % n;
  __syncthreads();
  out[t] = value[number[t]];
}
// Right: all of it is set to zeros by the first name.
__global__ void zeros_first(int* out, const int* in, int n) {
  const int t = threadIdx.x;
  for (int i = t; i < 2 * n; i += blockDim.x) memory[i] = 0;
  __syncthreads();
  int* second = memory + n;
  if (t < n - 4) second[t] = in[t];
  __syncthreads();
  out[t] = memory[t] + memory[t + 16];
}
// Right: a sum of all before each, up and down one tree.
__global__ void scan(int* out, const int* in, int n) {
  const int t = threadIdx.x, half = blockDim.x;
  memory[t] = in[t];
  memory[t + half] = in[t + n];
  int offset = 1;
  for (int d = half; d > 0; d /= 2, offset *= 2) {
    __syncthreads();
    if (t < d) memory[offset * (2 * t + 2) - 1] += memory[offset * (2 * t + 1) - 1];
  }
  if (t == 0) memory[2 * half - 1] = 0;
  for (int d = 1; d <= half; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (t >= d) continue;
    const int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1, left = memory[a];
    memory[a] = memory[b];
    memory[b] += left;
  }
  __syncthreads();
  out[t] = memory[t] + memory[t + half];
}
// Right: a halo of n words at each side.
__global__ void stencil(int* out, const int* in, int n) {
  const int t = threadIdx.x;
  memory[t + n] = in[t];
  if (t < n) {
    memory[t] = -in[t];
    memory[t + n + blockDim.x] = -in[t];
  }
  __syncthreads();
  int sum = 0;
  for (int i = 0; i <= 2 * n; ++i) sum += memory[t + i];
  out[t] = sum;
}
// Right: when the first arrays have done, their memory is that of another.
__global__ void used_again(int* out, const int* in, int n) {
  int *first = memory, *second = memory + blockDim.x;
  const int t = threadIdx.x;
  first[t] = in[t];
  second[t] = in[t + 1];
  __syncthreads();
  const int sum = t < 20 ? first[63 - t] + second[t] : 0; // some of it nobody reads
  __syncthreads();
  int* third = memory + n;
  third[t] = sum;
  __syncthreads();
  out[t] = third[63 - t];
}
// Right: in each round both are written before they are read.
__global__ void rounds(int* out, const int* in, int n) {
  int *first = memory, *second = memory + n, sum = 0;
  const int t = threadIdx.x;
  for (int round = 0; round < 3; ++round) {
    first[t] = in[t] + round;
    __syncthreads();
    if (t < n) sum += first[n - 1 - t];
    __syncthreads();
    second[t] = sum;
    __syncthreads();
    sum += second[63 - t];
    __syncthreads();
  }
  out[t] = sum;
}
// Right: one word is put in the place of what was there.
__global__ void sentinel(int* out, const int* in, int n) {
  const int t = threadIdx.x;
  memory[t] = in[t];
  __syncthreads();
  if (t == n) memory[n] = in[t] + t;
  __syncthreads();
  out[t] = memory[63 - t];
}
// Right: two buffers take turns.
__global__ void turns(int* out, const int* in, int n) {
  int *from = memory, *to = memory + blockDim.x;
  const int t = threadIdx.x;
  from[t] = in[t];
  __syncthreads();
  for (int d = 1; d < n; d *= 2) {
    to[t] = t >= d ? from[t] + from[t - d] : from[t];
    __syncthreads();
    int* const other = from;
    from = to;
    to = other;
  }
  out[t] = from[t];
}
// Right: what a tile loses in shared memory is copied there again.
__global__ void refilled(int* out, const int* in, int n) {
  int *tile = memory, *sums = memory + n;
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  sums[t] = in[t + 1];
  __syncthreads();
  int sum = sums[t];
  __syncthreads();
  tile[t] = in[t] + sum;
  __syncthreads();
  out[t] = tile[63 - t];
}
