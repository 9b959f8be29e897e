// Managed memory as textbooks use it: __managed__ variables and cudaMallocManaged, shared by host
// code and kernels without a copy, with prefetches and advice.
// Its twins, by the argument: 1: host code reads a result before it has waited for the kernel that
// makes it. 2: host code writes an input that the kernel may still be reading. 3: as 1, by a
// function of the C library. 4: it has seen the flag of a kernel that has fenced for the device
// alone. 5: of one that has not fenced.
#include <cstdio>
#include <cstdlib>
#include <cstring>

__managed__ int calls;
__managed__ float weights[256] = {1, 2, 3};
__device__ __managed__ double total;

__global__ void weigh(float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= weights[i % 256];
  if (i == 0) ++calls;
}
__global__ void add_up(const float* values, int n) {
  double mine = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) mine += values[i];
  atomicAdd(&total, mine);
}

// Host code looks at a flag while a kernel runs: that is what volatile and a fence for the system
// are for.
__managed__ volatile int done;
__global__ void tells() {
  __threadfence_system();
  done = 1;
}

__managed__ volatile int ready;
template <int twin>
__global__ void hands_over(float* values) {
  values[0] = 42;
  if (twin == 4)
    __threadfence();
  else if (twin != 5)
    __threadfence_system();
  ready = 1;
}

// Its flag and what it says are in one page.
struct Note {
  volatile int ready;
  int text[7];
};
__managed__ Note note;
template <bool kFences>
__global__ void writes_note() {
  note.text[3] = 42;
  if (kFences) __threadfence_system();
  note.ready = 1;
}

int main(int argc, char** argv) {
  const int twin = argc > 1 ? atoi(argv[1]) : 0;
  const int n = 10'000;
  float* values = nullptr;
  if (cudaMallocManaged(&values, n * sizeof(float)) != cudaSuccess) return 1;
  int wrong = weights[2] != 3 || weights[3] != 0;
  for (int i = 0; i < n; ++i) values[i] = float(i % 100);
  for (int i = 0; i < 256; ++i) weights[i] = float(i % 7);

  const cudaMemLocation device{cudaMemLocationTypeDevice, 0}, host{cudaMemLocationTypeHost, 0};
  cudaMemAdvise(values, n * sizeof(float), cudaMemAdviseSetReadMostly, device);
  cudaMemAdvise(values, n * sizeof(float), cudaMemAdviseSetPreferredLocation, device);
  cudaMemPrefetchAsync(values, n * sizeof(float), device, 0, nullptr);
  int read_mostly = 0, preferred = -7;
  cudaMemRangeGetAttribute(&read_mostly, sizeof(int), cudaMemRangeAttributeReadMostly, values,
                           n * sizeof(float));
  cudaMemRangeGetAttribute(&preferred, sizeof(int), cudaMemRangeAttributePreferredLocation, values,
                           n * sizeof(float));
  cudaPointerAttributes attributes{};
  cudaPointerGetAttributes(&attributes, values);
  wrong += read_mostly != 1 || preferred != 0 || attributes.type != cudaMemoryTypeManaged;

  for (int round = 0; round < 2; ++round) {
    weigh<<<(n + 255) / 256, 256>>>(values, n);
    if (twin == 1) printf("in flight: %g\n", values[5000]);
    if (twin == 2) weights[0] = 1;
    if (twin == 3) {
      float some[64];
      memcpy(some, values + 5000, sizeof some);
      printf("in flight: %g\n", some[0]);
    }
    cudaDeviceSynchronize();
  }
  add_up<<<1, 256>>>(values, n);
  cudaMemPrefetchAsync(values, n * sizeof(float), host, 0, nullptr);
  cudaDeviceSynchronize();

  tells<<<1, 1>>>();
  while (done == 0) {
  }
  cudaDeviceSynchronize();

  const float first = values[0];
  (twin == 4 ? hands_over<4> : twin == 5 ? hands_over<5> : hands_over<0>)<<<1, 1>>>(values);
  while (ready == 0) {
  }
  wrong += values[0] != 42;
  cudaDeviceSynchronize();
  values[0] = first;

  (twin == 6 ? writes_note<false> : writes_note<true>)<<<1, 1>>>();
  if (twin == 7) wrong += note.text[3] != 42;
  while (note.ready == 0) {
  }
  wrong += note.text[3] != 42;
  cudaDeviceSynchronize();

  double expected = 0;
  for (int i = 0; i < n; ++i) {
    const float weight = i % 256 % 7;
    expected += double(float(i % 100) * weight * weight);
  }
  wrong += total != expected || calls != 2;
  printf("managed: total %.0f, calls %d, wrong %d\n", total, calls, wrong);
  cudaFree(values);
  return wrong != 0 || cudaGetLastError() != cudaSuccess;
}
