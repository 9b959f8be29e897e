// Tiles, reductions and copies through shared memory; the accesses that ptxas merges.

struct Four {
  float a, b, c, d;
};

__constant__ float weights[9] = {0.25f, 1.0f, 0.5f};
__device__ int table[2][3] = {{1, 2}, {3}};
__device__ int* into_table = &table[1][1];
__device__ const char* greeting = "hello";
__device__ double halves[4] = {0.5, -1.5, 1e-300};
__managed__ int managed_counter;

template <int N, class T>
__global__ void transpose(T* out, const T* __restrict__ in) {
  __shared__ T tile[N][N + 1];
  for (int k = 0; k < N; k += 8) tile[threadIdx.y + k][threadIdx.x] = in[k * N + threadIdx.x];
  __syncthreads();
  for (int k = 0; k < N; k += 8) out[k * N + threadIdx.x] = tile[threadIdx.x][threadIdx.y + k];
}
template __global__ void transpose<32, float>(float*, const float*);
template __global__ void transpose<16, double>(double*, const double*);
template __global__ void transpose<32, unsigned char>(unsigned char*, const unsigned char*);
template __global__ void transpose<32, float4>(float4*, const float4*);

__global__ void __launch_bounds__(256, 2) reduce(float* out, const float* in, int n) {
  extern __shared__ float sums[];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) sums[threadIdx.x] += sums[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

__global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float left[32][32], right[32][32];
  const int row = blockIdx.y * 32 + threadIdx.y;
  const int column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < n; tile += 32) {
    left[threadIdx.y][threadIdx.x] = a[row * n + tile + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < 32; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void fields(Four* out, int shift) {
  __shared__ Four cell[64];
  cell[threadIdx.x].a = shift;
  cell[threadIdx.x].b = shift + 1;
  cell[threadIdx.x].c = shift * 3;
  cell[threadIdx.x].d = shift - 1;
  __syncthreads();
  const Four four = cell[threadIdx.x ^ shift];
  out[threadIdx.x].a = four.a + four.b + four.c + four.d;
}

__global__ void small_types(unsigned char* out) {
  __shared__ unsigned char bytes[128];
  __shared__ short words[128];
  __shared__ signed char signed_bytes[64];
  signed_bytes[threadIdx.x] = out[threadIdx.x];
  words[threadIdx.x] = out[threadIdx.x] * 3;
  bytes[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] =
      bytes[threadIdx.x ^ 1] + words[threadIdx.x ^ 3] + signed_bytes[threadIdx.x ^ 9];
}

__global__ void tail(volatile float* out) {
  __shared__ volatile float sums[128];
  sums[threadIdx.x] = out[threadIdx.x];
  sums[threadIdx.x] += sums[threadIdx.x + 32];
  sums[threadIdx.x] += sums[threadIdx.x + 16];
  out[threadIdx.x] = sums[threadIdx.x];
}

__global__ void constants(float* out, int n) {
  out[threadIdx.x] =
      weights[threadIdx.x % 9] + weights[n] + table[n & 1][n % 3] + *into_table + halves[n & 3];
  managed_counter += greeting[n];
}
