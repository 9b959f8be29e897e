// Pairs: a kernel with a mistake, and its mended twin.
__global__ void neighbour_buggy(int* out, const int* in) {
  __shared__ int s[256];
  s[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = s[(threadIdx.x + 1) % 256];
}
__global__ void neighbour_mended(int* out, const int* in) {
  __shared__ int s[256];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[(threadIdx.x + 1) % 256];
}

__global__ void two_uses_buggy(int* out, const int* in) {
  __shared__ int s[256];
  int sum = 0;
  for (int k = 0; k < 4; ++k) {
    s[threadIdx.x] = in[k * 256 + threadIdx.x];
    __syncthreads();
    sum += s[255 - threadIdx.x];
  }
  out[threadIdx.x] = sum;
}
__global__ void two_uses_mended(int* out, const int* in) {
  __shared__ int s[256];
  int sum = 0;
  for (int k = 0; k < 4; ++k) {
    s[threadIdx.x] = in[k * 256 + threadIdx.x];
    __syncthreads();
    sum += s[255 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void warp_tail_buggy(int* out, const int* in) { // lockstep is not guaranteed
  __shared__ int s[64];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32) {
    volatile int* v = s;
    v[threadIdx.x] += v[threadIdx.x + 32];
    v[threadIdx.x] += v[threadIdx.x + 16];
    v[threadIdx.x] += v[threadIdx.x + 8];
    v[threadIdx.x] += v[threadIdx.x + 4];
    v[threadIdx.x] += v[threadIdx.x + 2];
    v[threadIdx.x] += v[threadIdx.x + 1];
  }
  if (threadIdx.x == 0) out[0] = s[0];
}
__global__ void warp_tail_mended(int* out, const int* in) {
  __shared__ int s[64];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32) {
    int sum = s[threadIdx.x] + s[threadIdx.x + 32];
    for (int d = 16; d > 0; d /= 2) {
      __syncwarp();
      s[threadIdx.x] = sum;
      __syncwarp();
      sum += s[(threadIdx.x + d) % 32];
    }
    if (threadIdx.x == 0) out[0] = sum;
  }
}

__global__ void divergent_barrier_buggy(int* out, const int* in) {
  __shared__ int s[64];
  s[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x < 16) {
    s[threadIdx.x] += 1;
    __syncthreads();
  }
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void divergent_barrier_mended(int* out, const int* in) {
  __shared__ int s[64];
  s[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x < 16) s[threadIdx.x] += 1;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}

__global__ void early_return_buggy(int* out, const int* in, int n) {
  __shared__ int s[64];
  if (threadIdx.x >= n) return;
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[n - 1 - threadIdx.x];
}
__global__ void early_return_mended(int* out, const int* in, int n) {
  __shared__ int s[64];
  if (threadIdx.x < n) s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < n) out[threadIdx.x] = s[n - 1 - threadIdx.x];
}

__global__ void halo_buggy(int* out, const int* in) { // the outer elements are never written
  __shared__ int s[66];
  s[threadIdx.x + 1] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 2];
}
__global__ void halo_mended(int* out, const int* in) {
  __shared__ int s[66];
  s[threadIdx.x + 1] = in[threadIdx.x];
  if (threadIdx.x == 0) s[0] = s[65] = 0;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 2];
}

__global__ void double_buffer_buggy(int* out, const int* in) { // both halves are the same
  __shared__ int s[2][64];
  int sum = 0;
  s[0][threadIdx.x] = in[threadIdx.x];
  for (int k = 0; k < 4; ++k) {
    __syncthreads();
    if (k < 3) s[0][threadIdx.x] = in[(k + 1) * 64 + threadIdx.x];
    sum += s[0][63 - threadIdx.x];
  }
  out[threadIdx.x] = sum;
}
__global__ void double_buffer_mended(int* out, const int* in) {
  __shared__ int s[2][64];
  int sum = 0;
  s[0][threadIdx.x] = in[threadIdx.x];
  for (int k = 0; k < 4; ++k) {
    __syncthreads();
    if (k < 3) s[(k + 1) % 2][threadIdx.x] = in[(k + 1) * 64 + threadIdx.x];
    sum += s[k % 2][63 - threadIdx.x];
  }
  out[threadIdx.x] = sum;
}

__global__ void same_element_buggy(int* out, const int* in) { // the last to write wins
  __shared__ int s[1];
  s[0] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[0];
}
__global__ void same_element_mended(int* out, const int* in) {
  __shared__ int s[1];
  if (threadIdx.x == 0) s[0] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[0];
}

__global__ void histogram_buggy(int* out, const int* in) {
  __shared__ int s[16];
  if (threadIdx.x < 16) s[threadIdx.x] = 0;
  __syncthreads();
  s[in[threadIdx.x] & 15] += 1;
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = s[threadIdx.x];
}
__global__ void histogram_mended(int* out, const int* in) {
  __shared__ int s[16];
  if (threadIdx.x < 16) s[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&s[in[threadIdx.x] & 15], 1);
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = s[threadIdx.x];
}

__global__ void bytes_buggy(char* out, const char* in) { // narrower than a word
  __shared__ char s[64];
  s[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void bytes_mended(char* out, const char* in) {
  __shared__ char s[64];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}

__global__ void half_sync_buggy(int* out, const int* in) { // the mask names the wrong half
  __shared__ int s[32];
  s[threadIdx.x] = in[threadIdx.x];
  __syncwarp(threadIdx.x < 16 ? 0x0000ffff : 0xffff0000);
  out[threadIdx.x] = s[threadIdx.x ^ 16];
}
__global__ void half_sync_mended(int* out, const int* in) {
  __shared__ int s[32];
  s[threadIdx.x] = in[threadIdx.x];
  __syncwarp(threadIdx.x < 16 ? 0x0000ffff : 0xffff0000);
  out[threadIdx.x] = s[threadIdx.x ^ 8];
}
