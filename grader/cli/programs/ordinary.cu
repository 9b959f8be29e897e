// Ten ordinary programs in one file, as people write them: each compares what the device made with
// plain C++ and returns how many elements differ. `course run` must execute all of it.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>

namespace cg = cooperative_groups;

template <typename T>
struct OnDevice { // an array of the device, with the host's contents
  T* at = nullptr;
  size_t count;
  explicit OnDevice(const std::vector<T>& from) : count(from.size()) {
    cudaMalloc(&at, count * sizeof(T));
    cudaMemcpy(at, from.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~OnDevice() { cudaFree(at); }
  std::vector<T> back() const {
    std::vector<T> made(count);
    cudaMemcpy(made.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost);
    return made;
  }
};

// ---- 1: a histogram, by atomics in shared memory

__global__ void histogram(const unsigned char* in, unsigned* out, int n) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[in[i]], 1u);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}
int check_histogram() {
  std::vector<unsigned char> in(20'000);
  std::vector<unsigned> want(256);
  for (size_t i = 0; i < in.size(); ++i) ++want[in[i] = static_cast<unsigned char>(i * i >> 3)];
  const OnDevice<unsigned char> bytes(in);
  const OnDevice<unsigned> bins(std::vector<unsigned>(256));
  histogram<<<4, 256>>>(bytes.at, bins.at, static_cast<int>(in.size()));
  return bins.back() != want;
}

// ---- 2: a tiled product

__global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float ta[16][16], tb[16][16];
  const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    ta[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
    tb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
int check_product() {
  const int n = 48;
  std::vector<float> a(n * n), b(n * n), want(n * n);
  for (int i = 0; i < n * n; ++i)
    a[i] = static_cast<float>(i % 7), b[i] = static_cast<float>(i % 5);
  for (int i = 0; i < n * n; ++i)
    for (int k = 0; k < n; ++k) want[i] += a[i / n * n + k] * b[k * n + i % n];
  const OnDevice<float> da(a), db(b), dc(want);
  cudaMemset(dc.at, 0, n * n * sizeof(float));
  product<<<dim3(3, 3), dim3(16, 16)>>>(da.at, db.at, dc.at, n);
  return dc.back() != want;
}

// ---- 3, 4: scans, in shared memory and by shuffles

__global__ void scan(int* data) {
  __shared__ int s[2][256];
  const int t = threadIdx.x;
  int now = 0;
  s[0][t] = data[t];
  __syncthreads();
  for (int by = 1; by < 256; by *= 2, now = 1 - now) {
    s[1 - now][t] = s[now][t] + (t >= by ? s[now][t - by] : 0);
    __syncthreads();
  }
  data[t] = s[now][t];
}
__global__ void warp_scan(int* data) {
  int value = data[threadIdx.x];
  for (int by = 1; by < 32; by *= 2) {
    const int other = __shfl_up_sync(~0u, value, by);
    if (threadIdx.x % 32 >= by) value += other;
  }
  data[threadIdx.x] = value;
}
int check_scans() {
  std::vector<int> in(256), want(256), of_warps(256);
  for (int i = 0; i < 256; ++i) {
    in[i] = i % 11 - 5;
    want[i] = in[i] + (i ? want[i - 1] : 0);
    of_warps[i] = in[i] + (i % 32 ? of_warps[i - 1] : 0);
  }
  const OnDevice<int> a(in), b(in);
  scan<<<1, 256>>>(a.at);
  warp_scan<<<1, 256>>>(b.at);
  return (a.back() != want) + (b.back() != of_warps);
}

// ---- 5: a reduction with cooperative groups

__device__ float total;
__global__ void reduce(const float* in, int n) {
  __shared__ float parts[32];
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  sum = cg::reduce(tile, sum, cg::plus<float>());
  if (tile.thread_rank() == 0) parts[tile.meta_group_rank()] = sum;
  block.sync();
  if (tile.meta_group_rank() != 0) return;
  sum = tile.thread_rank() < tile.meta_group_size() ? parts[tile.thread_rank()] : 0.0f;
  sum = cg::reduce(tile, sum, cg::plus<float>());
  if (tile.thread_rank() == 0) atomicAdd(&total, sum);
}
int check_reduction() {
  float* in;
  cudaMallocManaged(&in, 4096 * sizeof(float));
  for (int i = 0; i < 4096; ++i) in[i] = 0.25f;
  reduce<<<4, 128>>>(in, 4096);
  float by_symbol = 0, by_address = 0;
  cudaMemcpyFromSymbol(&by_symbol, total, sizeof(float));
  void* address;
  cudaGetSymbolAddress(&address, total);
  cudaMemcpy(&by_address, address, sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(in);
  return (by_symbol != 1024) + (by_address != 1024);
}

// ---- 6: gravity, with dynamic shared memory

__global__ void gravity(const float4* body, float* pull, int n) {
  extern __shared__ float4 tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += blockDim.x) {
    tile[threadIdx.x] = body[t + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < blockDim.x; ++k) {
      const float dx = tile[k].x - body[i].x, dy = tile[k].y - body[i].y;
      const float r = rsqrtf(dx * dx + dy * dy + 0.01f);
      sum += tile[k].w * dx * r * r * r;
    }
    __syncthreads();
  }
  pull[i] = sum;
}
int check_gravity() {
  const int n = 128;
  std::vector<float4> bodies(n);
  for (int i = 0; i < n; ++i) bodies[i] = make_float4(sinf(i), cosf(2 * i), 0, 1 + i % 3);
  const OnDevice<float4> body(bodies);
  const OnDevice<float> pull(std::vector<float>(n, 0));
  cudaFuncSetAttribute(gravity, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  gravity<<<n / 64, 64, 64 * sizeof(float4)>>>(body.at, pull.at, n);
  const auto got = pull.back();
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (const float4& other : bodies) {
      const double dx = double{other.x} - bodies[i].x, dy = double{other.y} - bodies[i].y;
      const double squared = dx * dx + dy * dy + 0.01;
      sum += other.w * dx / (squared * sqrt(squared));
    }
    wrong += !(fabs(got[i] - sum) < 1e-3 * (1 + fabs(sum)));
  }
  return wrong;
}

// ---- 7, 8: a stencil over a row and a convolution of an image, with weights in constant memory

__constant__ float weight[5];
__global__ void stencil(const float* in, float* out, int n) {
  __shared__ float s[128 + 4];
  const int i = blockIdx.x * 128 + threadIdx.x, at = threadIdx.x + 2;
  s[at] = i < n ? in[i] : 0;
  if (threadIdx.x < 2) {
    s[at - 2] = i >= 2 ? in[i - 2] : 0;
    s[at + 128] = i + 128 < n ? in[i + 128] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int k = -2; k <= 2; ++k) sum += weight[k + 2] * s[at + k];
  if (i < n) out[i] = sum;
}
__global__ void convolve(const char* in, size_t pitch, float* out, int width, int height) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int k = -2; k <= 2; ++k) {
    const int from = min(max(x + k, 0), width - 1);
    sum += weight[k + 2] * reinterpret_cast<const float*>(in + y * pitch)[from];
  }
  out[y * width + x] = sum;
}
int check_stencils() {
  const int width = 50, height = 20, n = width * height;
  const float weights[5] = {1, 2, 3, 2, 1};
  std::vector<float> in(n), row(n), image(n);
  for (int i = 0; i < n; ++i) in[i] = static_cast<float>(i % 17);
  for (int i = 0; i < n; ++i)
    for (int k = -2; k <= 2; ++k) {
      const int x = i % width + k;
      if (i + k >= 0 && i + k < n) row[i] += weights[k + 2] * in[i + k];
      image[i] += weights[k + 2] * in[i - i % width + (x < 0 ? 0 : x >= width ? width - 1 : x)];
    }
  cudaMemcpyToSymbol(weight, weights, sizeof weights);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  float* pinned;
  cudaHostAlloc(&pinned, n * sizeof(float), cudaHostAllocDefault);
  const OnDevice<float> from(in), to(std::vector<float>(n, 0)), made(std::vector<float>(n, 0));
  stencil<<<(n + 127) / 128, 128, 0, stream>>>(from.at, to.at, n);
  cudaMemcpyAsync(pinned, to.at, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += pinned[i] != row[i];
  char* pitched;
  size_t pitch;
  cudaMallocPitch(&pitched, &pitch, width * sizeof(float), height);
  cudaMemcpy2D(pitched, pitch, in.data(), width * sizeof(float), width * sizeof(float), height,
               cudaMemcpyHostToDevice);
  convolve<<<dim3(4, 2), dim3(16, 16)>>>(pitched, pitch, made.at, width, height);
  wrong += made.back() != image;
  cudaFree(pitched);
  cudaFreeHost(pinned);
  cudaStreamDestroy(stream);
  return wrong;
}

// ---- 9: a bitonic sort

__global__ void sort(unsigned* data) {
  __shared__ unsigned s[256];
  const unsigned t = threadIdx.x;
  s[t] = data[t];
  __syncthreads();
  for (unsigned size = 2; size <= 256; size *= 2)
    for (unsigned by = size / 2; by; by /= 2) {
      const unsigned other = t ^ by;
      if (other > t && (s[t] > s[other]) == ((t & size) == 0)) {
        const unsigned kept = s[t];
        s[t] = s[other];
        s[other] = kept;
      }
      __syncthreads();
    }
  data[t] = s[t];
}
int check_sort() {
  std::vector<unsigned> in(256);
  for (unsigned i = 0; i < 256; ++i) in[i] = i * 2654435761u >> 8;
  const OnDevice<unsigned> data(in);
  sort<<<1, 256>>>(data.at);
  const auto made = data.back();
  int wrong = 0;
  for (size_t i = 1; i < made.size(); ++i) wrong += made[i - 1] > made[i];
  return wrong;
}

// ---- 10: recursion, function pointers, local memory, half precision, barriers that reduce

__device__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__device__ int twice(int x) {
  return 2 * x;
}
__device__ int thrice(int x) {
  return 3 * x;
}
__device__ int (*table[2])(int) = {twice, thrice};
__global__ void items(int* calls, float* halves, int* barriers) {
  const int t = threadIdx.x;
  int local[16];
  for (int i = 0; i < 16; ++i) local[(i * 7 + t) % 16] = i;
  calls[t] = fibonacci(t % 9) + table[t % 2](t) + local[(7 + t) % 16];
  const __half h = __int2half_rn(t);
  const __half2 pair = __heq2(__halves2half2(h, hfloor(__hadd(h, h))), __float2half2_rn(4));
  const __nv_bfloat162 above = __hgt2(__float2bfloat162_rn(t * 0.5f), __float2bfloat162_rn(3));
  halves[t] = __low2float(pair) + 2 * __high2float(pair) + 4 * __low2float(above) +
              8 * (hexp(__float2half(0.0f)) == __float2half(1.0f));
  barriers[t] = __syncthreads_count(t % 2) + 1000 * __syncthreads_or(t == 40) +
                10'000 * __syncthreads_and(t < 64);
}
int check_items() {
  const OnDevice<int> calls(std::vector<int>(64)), barriers(std::vector<int>(64));
  const OnDevice<float> halves(std::vector<float>(64));
  items<<<1, 64>>>(calls.at, halves.at, barriers.at);
  const auto made = calls.back(), met = barriers.back();
  const auto half = halves.back();
  const int numbers[] = {0, 1, 1, 2, 3, 5, 8, 13, 21};
  int wrong = 0;
  for (int t = 0; t < 64; ++t) {
    wrong += made[t] != numbers[t % 9] + (t % 2 ? 3 : 2) * t + 1;
    wrong += half[t] != (t == 4) + 2 * (t == 2) + 4 * (t > 6) + 8;
    wrong += met[t] != 32 + 1000 + 10'000;
  }
  return wrong;
}

int main() {
  const struct {
    const char* name;
    int (*check)();
  } programs[] = {{"histogram", check_histogram}, {"product", check_product},
                  {"scans", check_scans},         {"reduction", check_reduction},
                  {"gravity", check_gravity},     {"stencils", check_stencils},
                  {"sort", check_sort},           {"items", check_items}};
  int wrong = 0;
  for (const auto& program : programs) {
    const int differ = program.check();
    const cudaError_t error = cudaGetLastError();
    wrong += differ || error;
    std::printf("%-10s %s\n", program.name,
                error    ? cudaGetErrorString(error)
                : differ ? "differs"
                         : "as expected");
  }
  return wrong;
}
