// Memory of the program's own that the device has as well (cudaHostRegister): kernels read and
// write arrays of malloc, new and static ones, where they are, and copies from them are
// asynchronous. What is registered to be read only is read. Its twins, by the argument: 1: the host
// reads before it has waited for the copy. 2: it reads what a kernel writes. 3: a kernel writes
// past what was registered. 4: memory that is not registered. 5, 6, 7, 8: a store, an atomic, a
// vector store and a bulk copy to memory that is registered to be read only. 9: as 3, past what
// cudaMallocHost has given.
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <vector>

constexpr int n = 3000;
static int numbers[n];

__global__ void add(const int* a, const int* b, int* sum, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) sum[i] = a[i] + b[i];
}
__global__ void twice(int* data, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] *= 2;
}

// Each to be refused.
__global__ void writes(int* data, int twin) {
  const bool third = threadIdx.x == 3;
  if (twin == 5 && third) data[threadIdx.x] = 1;
  if (twin == 6 && third) atomicAdd(data + 3, 1);
  if (twin == 7 && third) *reinterpret_cast<int4*>(data + 4) = int4{};
  if (twin != 8) return;
  __shared__ alignas(16) int words[4];
  if (threadIdx.x) return;
  words[0] = words[1] = words[2] = words[3] = 1;
  asm volatile("fence.proxy.async;" ::: "memory");
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 16;" ::"l"(data),
               "r"(static_cast<unsigned>(__cvta_generic_to_shared(words)))
               : "memory");
  asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
}

int twin = 0, wrong = 0;
void expect(cudaError_t got, cudaError_t wanted, const char* what) {
  if (got == wanted) return;
  printf("%s: %s\n", what, cudaGetErrorName(got));
  ++wrong;
}
#define CHECK(call) expect(call, cudaSuccess, #call)

#define GIVES(call, status) expect(call, status, #call)

// What may be registered, and what calls say of it: as an H200 answers with CUDA 13.0.
void codes() {
  auto* memory = static_cast<char*>(aligned_alloc(4096, 1 << 16));
  for (int i = 0; i < 1 << 16; ++i) memory[i] = char(i % 100);
  void *there = nullptr, *on_device = nullptr, *pinned = nullptr, *managed = nullptr;
  GIVES(cudaHostGetDevicePointer(&there, memory, 0), cudaErrorInvalidValue);
  CHECK(cudaHostRegister(memory + 100, 1000, 0));
  wrong += memory[99] != 99 || memory[100] != 0 || memory[4095] != 95;
  const auto type = [&](const void* p) {
    cudaPointerAttributes of;
    CHECK(cudaPointerGetAttributes(&of, p));
    return of.type;
  };
  wrong += type(memory + 100) != cudaMemoryTypeHost || type(memory + 1099) != cudaMemoryTypeHost;
  wrong += type(memory + 99) != cudaMemoryTypeUnregistered;
  wrong += type(memory + 1100) != cudaMemoryTypeUnregistered;
  CHECK(cudaHostGetDevicePointer(&there, memory + 200, 0));
  wrong += there != memory + 200;
  GIVES(cudaHostGetDevicePointer(&there, memory + 100, 1), cudaErrorInvalidValue);
  GIVES(cudaHostRegister(memory + 100, 1000, 0), cudaErrorHostMemoryAlreadyRegistered);
  GIVES(cudaHostRegister(memory + 500, 5000, 0), cudaErrorHostMemoryAlreadyRegistered);
  GIVES(cudaHostRegister(memory + 1050, 100, 0), cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaHostRegister(memory + 2000, 5000, 0)); // beside it in a page
  CHECK(cudaHostRegister(memory, 50, 0));
  CHECK(cudaMemset(memory + 100, 3, 4));
  CHECK(cudaMemset(memory + 6996, 4, 4));
  CHECK(cudaDeviceSynchronize());
  wrong += memory[99] != 99 || memory[103] != 3 || memory[104] != 4 || memory[6999] != 4;
  CHECK(cudaMalloc(&on_device, 4096));
  memory[1099] = 77;
  CHECK(cudaMemcpy(on_device, memory + 100, 1000, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(memory + 6000, on_device, 1000, cudaMemcpyDeviceToHost));
  wrong += memory[6999] != 77 || memory[6000] != 3;
  GIVES(cudaHostUnregister(memory + 104), cudaErrorInvalidValue);
  GIVES(cudaHostUnregister(nullptr), cudaErrorInvalidValue);
  GIVES(cudaFreeHost(memory + 100), cudaErrorInvalidValue);
  CHECK(cudaHostUnregister(memory + 100));
  GIVES(cudaHostUnregister(memory + 100), cudaErrorHostMemoryNotRegistered);
  wrong += type(memory + 100) != cudaMemoryTypeUnregistered;
  wrong += memory[103] != 3 || memory[1099] != 77; // it keeps what it holds
  CHECK(cudaMemset(memory + 2000, 5, 5000));       // and its neighbour its pages
  CHECK(cudaDeviceSynchronize());
  wrong += memory[2000] != 5 || memory[1999] != 99;
  CHECK(cudaHostUnregister(memory + 2000));
  CHECK(cudaHostUnregister(memory));
  wrong += memory[2000] != 5 || memory[49] != 49 || memory[9000] != 0;
  for (const unsigned flags : {1u, 2u, 3u, 8u, 11u}) {
    CHECK(cudaHostRegister(memory + 8192, 4096, flags));
    unsigned told = 0;
    if (cudaHostGetFlags(&told, memory + 9000) != cudaSuccess) ++wrong;
    if (!(flags & cudaHostRegisterReadOnly)) wrong += told != (flags | cudaHostRegisterMapped);
    CHECK(cudaHostUnregister(memory + 8192));
    GIVES(cudaHostRegister(memory + 8192, 4096, flags | 4), cudaErrorInvalidValue);
    GIVES(cudaHostRegister(memory + 8192, 4096, flags | 16), cudaErrorInvalidValue);
  }
  free(memory);
  GIVES(cudaHostRegister(nullptr, 100, 0), cudaErrorInvalidValue);
  GIVES(cudaHostRegister(memory, 0, 0), cudaErrorInvalidValue);
  GIVES(cudaHostRegister(reinterpret_cast<void*>(4096), 4096, 0), cudaErrorInvalidValue);
  GIVES(cudaHostRegister(on_device, 4096, 0), cudaErrorInvalidValue);
  CHECK(cudaMallocHost(&pinned, 4096));
  GIVES(cudaHostRegister(pinned, 4096, 0), cudaErrorInvalidValue);
  GIVES(cudaHostUnregister(pinned), cudaErrorInvalidValue);
  CHECK(cudaMallocManaged(&managed, 4096));
  GIVES(cudaHostRegister(managed, 4096, 0), cudaErrorInvalidValue);
  CHECK(cudaFree(managed));
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFree(on_device));
}

// Memory that kernels may read: as an H200 answers.
void read_only() {
  constexpr unsigned kReadOnly = cudaHostRegisterReadOnly;
  int host[2] = {}, *sum = nullptr;
  CHECK(cudaMalloc(&sum, 4096));
  auto* memory = static_cast<int*>(
      mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  for (int i = 0; i < 2048; ++i) memory[i] = i;
  CHECK(cudaHostRegister(memory, 4096, kReadOnly));
  GIVES(cudaMemset(memory, 0, 4), cudaErrorInvalidValue);
  GIVES(cudaMemcpy(memory, sum, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  GIVES(cudaMemcpy(memory, host, 4, cudaMemcpyDefault), cudaErrorInvalidValue);
  CHECK(cudaMemcpy(sum, memory, 4096, cudaMemcpyHostToDevice));
  add<<<1, 1024>>>(memory, memory, sum, 1024);
  CHECK(cudaMemcpy(host, sum + 1022, 8, cudaMemcpyDeviceToHost));
  wrong += host[0] != 2044 || host[1] != 2046 || memory[3] != 3;
  memory[7] = 77; // for the host it is as it was
  if (twin >= 5) {
    writes<<<1, 32>>>(memory, twin);
    GIVES(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    for (int i = 0; i < 7; ++i) wrong += memory[i] != i;
    printf("read only: wrong %d\n", wrong);
    exit(wrong != 0);
  }
  CHECK(cudaHostUnregister(memory));
  CHECK(cudaHostRegister(memory, 4096, 0));
  CHECK(cudaMemset(memory, 0, 4));
  CHECK(cudaHostUnregister(memory));
  wrong += memory[0] != 0 || memory[7] != 77;
  wrong += mprotect(memory + 1024, 4096, PROT_READ) != 0;
  GIVES(cudaHostRegister(memory + 1024, 4096, 0), cudaErrorInvalidValue);
  CHECK(cudaHostRegister(memory + 1024, 4096, kReadOnly));
  add<<<1, 1024>>>(memory + 1024, memory + 1024, sum, 1024);
  CHECK(cudaMemcpy(host, sum, 8, cudaMemcpyDeviceToHost));
  wrong += host[0] != 2048 || host[1] != 2050;
  CHECK(cudaHostUnregister(memory + 1024));
  munmap(memory, 8192);
  CHECK(cudaFree(sum));
}

int main(int argc, char** argv) {
  if (argc > 1) twin = atoi(argv[1]);
  if (!twin) codes();
  if (!twin || (twin >= 5 && twin <= 8)) read_only();
  std::vector<int> a(n), before(n); // neighbours, which share pages
  int* sum = nullptr;
  if (twin == 9)
    CHECK(cudaMallocHost(&sum, n * sizeof(int)));
  else
    sum = static_cast<int*>(malloc(n * sizeof(int)));
  for (int i = 0; i < n; ++i) a[i] = i, numbers[i] = 7 * i, before[i] = -1;
  CHECK(cudaHostRegister(a.data(), n * sizeof(int), cudaHostRegisterDefault));
  CHECK(cudaHostRegister(numbers, sizeof numbers, cudaHostRegisterPortable));
  if (twin != 4 && twin != 9) CHECK(cudaHostRegister(sum, n * sizeof(int), cudaHostRegisterMapped));
  int* there = nullptr;
  CHECK(cudaHostGetDevicePointer(&there, numbers, 0));
  wrong += there != numbers;
  add<<<(n + 255) / 256, 256>>>(a.data(), numbers, sum, twin == 3 || twin == 9 ? n + 1 : n);
  if (twin == 2) printf("in flight: %d\n", sum[1500]);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) wrong += sum[i] != 8 * i || before[i] != -1;

  int* on_device = nullptr;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMalloc(&on_device, sizeof numbers));
  CHECK(cudaMemcpyAsync(on_device, numbers, sizeof numbers, cudaMemcpyHostToDevice, stream));
  twice<<<(n + 255) / 256, 256, 0, stream>>>(on_device, n);
  CHECK(cudaMemcpyAsync(numbers, on_device, sizeof numbers, cudaMemcpyDeviceToHost, stream));
  if (twin == 1) printf("on its way: %d\n", numbers[1500]);
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < n; ++i) wrong += numbers[i] != 14 * i;

  CHECK(cudaHostUnregister(a.data()));
  CHECK(cudaHostUnregister(numbers));
  if (twin != 4) CHECK(cudaHostUnregister(sum));
  for (int i = 0; i < n; ++i) wrong += numbers[i] != 14 * i || sum[i] != 8 * i || a[i] != i;
  free(sum);
  CHECK(cudaFree(on_device));
  CHECK(cudaStreamDestroy(stream));
  printf("registered: wrong %d\n", wrong);
  return wrong != 0;
}
