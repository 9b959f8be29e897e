// Products by warpgroups (wgmma), as they are written for Hopper: a tile of bf16 from a ring of
// four stages, which tensor maps fill and two warpgroups multiply; and one product of each type.
// Numbers are small integers, so that every sum is exact. An argument is the size, a multiple of
// 128. WRONG=1: no fence of proxies. 2: a stage is released before its product is waited for. 3:
// results are used without a wait. 4: the map has no swizzle, and the descriptor has one. 5: no
// wgmma.fence.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <type_traits>
#include <vector>

#ifndef WRONG
#define WRONG 0
#endif

int wrong = 0;

// ---- instructions

__device__ uint32_t address(const void* shared) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(shared));
}
// Rows of 128 bytes along K with their swizzle, groups of eight rows 1,024 bytes apart.
__device__ uint64_t descriptor(const void* tile) {
  return (address(tile) & 0x3ffff) >> 4 | uint64_t{1} << 16 | uint64_t{1024 >> 4} << 32 |
         uint64_t{1} << 62;
}
__device__ void fence_products() {
#if WRONG != 5
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#endif
}
__device__ void commit_products() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int kLeft>
__device__ void wait_for_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kLeft) : "memory");
}
__device__ void initialise(uint64_t& barrier, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(&barrier)), "r"(count)
               : "memory");
}
__device__ void arrive(uint64_t& barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(&barrier)) : "memory");
}
__device__ void expect(uint64_t& barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(&barrier)),
               "r"(bytes)
               : "memory");
}
__device__ void wait(uint64_t& barrier, int parity) {
  asm volatile("{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
               "@!p bra again;\n}" ::"r"(address(&barrier)),
               "r"(parity)
               : "memory");
}
__device__ void bring(void* to, const CUtensorMap& map, int x, int y, uint64_t& barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
               "[%0], [%1, {%2, %3}], [%4];" ::"r"(address(to)),
               "l"(&map), "r"(x), "r"(y), "r"(address(&barrier))
               : "memory");
}

#define FOUR(c, d, i) c(d[i]), c(d[i + 1]), c(d[i + 2]), c(d[i + 3])
#define SIXTEEN(c, d, i) FOUR(c, d, i), FOUR(c, d, i + 4), FOUR(c, d, i + 8), FOUR(c, d, i + 12)
#define REGISTERS_16 "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15"
#define REGISTERS_32 REGISTERS_16 ",%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31"
#define REGISTERS_64                                                                               \
  REGISTERS_32                                                                                     \
  ",%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,"      \
  "%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"

// 64 rows by 128 columns, 16 along K.
__device__ void multiply(float (&d)[64], uint64_t a, uint64_t b, int adds) {
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {" REGISTERS_64
               "}, %64, %65, p, 1, 1, 0, 0;\n}"
               : SIXTEEN("+f", d, 0), SIXTEEN("+f", d, 16), SIXTEEN("+f", d, 32),
                 SIXTEEN("+f", d, 48)
               : "l"(a), "l"(b), "r"(adds)
               : "memory");
}

// ---- the ring

constexpr int kStages = 4, kTile = 128, kDepth = 64; // of a stage
struct Stage {
  __nv_bfloat16 a[kTile][kDepth], b[kTile][kDepth];
};

__global__ void __launch_bounds__(384, 1)
    products(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
             float* c, int size) {
  extern __shared__ __align__(1024) Stage stages[];
  __shared__ uint64_t full[kStages], empty[kStages];
  const int group = threadIdx.x / 128, row = blockIdx.y * kTile, column = blockIdx.x * kTile;
  if (threadIdx.x == 0) {
    for (int s = 0; s < kStages; ++s) {
      initialise(full[s], 1);
      initialise(empty[s], 2);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (group == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0) {
      for (int step = 0; step < size / kDepth; ++step) {
        const int s = step % kStages;
        wait(empty[s], (step / kStages & 1) ^ 1);
        expect(full[s], sizeof(Stage));
        bring(stages[s].a, map_a, step * kDepth, row, full[s]);
        bring(stages[s].b, map_b, step * kDepth, column, full[s]);
      }
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    const int half = (group - 1) * 64, lane = threadIdx.x % 32, warp = threadIdx.x % 128 / 32;
    float d[64];
    for (int step = 0; step < size / kDepth; ++step) {
      const int s = step % kStages;
      wait(full[s], step / kStages & 1);
      fence_products();
      const uint64_t a = descriptor(stages[s].a[half]), b = descriptor(stages[s].b);
      for (int k = 0; k < kDepth / 16; ++k) multiply(d, a + 2 * k, b + 2 * k, step + k > 0);
      commit_products();
#if WRONG == 2
      if (threadIdx.x % 128 == 0) arrive(empty[s]);
      wait_for_products<1>();
#else
      wait_for_products<1>();
      if (threadIdx.x % 128 == 0 && step > 0) arrive(empty[(step - 1) % kStages]);
#endif
    }
#if WRONG != 3
    wait_for_products<0>();
#endif
    for (int j = 0; j < 16; ++j)
      for (int i = 0; i < 4; ++i)
        c[(row + half + warp * 16 + lane / 4 + i / 2 * 8) * size + column + j * 8 + lane % 4 * 2 +
          i % 2] = d[j * 4 + i];
  }
}

template <class T>
struct OnDevice {
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

CUtensorMap map_of(__nv_bfloat16* matrix, int size) {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault,
                                   &found);
  CUtensorMap map;
  const cuuint64_t extent[] = {cuuint64_t(size), cuuint64_t(size)};
  const cuuint64_t pitch[] = {size * sizeof(__nv_bfloat16)};
  const cuuint32_t box[] = {kDepth, kTile}, steps[] = {1, 1};
  const auto swizzle = WRONG == 4 ? CU_TENSOR_MAP_SWIZZLE_NONE : CU_TENSOR_MAP_SWIZZLE_128B;
  const auto made = reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(entry)(
      &map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, matrix, extent, pitch, box, steps,
      CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (made != CUDA_SUCCESS) printf("no tensor map: %d\n", int(made)), ++wrong;
  return map;
}

int number(int i, int j) {
  return (i * 7 + j * 3 + i * j % 11) % 5 - 2;
}

void check_ring(int size) {
  std::vector<__nv_bfloat16> a(size * size), b(size * size);
  for (int i = 0; i < size; ++i)
    for (int k = 0; k < size; ++k) {
      a[i * size + k] = __nv_bfloat16(float(number(i, k)));
      b[i * size + k] = __nv_bfloat16(float(number(k, i + 1)));
    }
  OnDevice<__nv_bfloat16> of_a(a), of_b(b);
  OnDevice<float> of_c(std::vector<float>(size * size));
  const int shared = kStages * sizeof(Stage);
  cudaFuncSetAttribute(products, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  products<<<dim3(size / kTile, size / kTile), 384, shared>>>(map_of(of_a.at, size),
                                                              map_of(of_b.at, size), of_c.at, size);
  const auto c = of_c.back();
  int differ = 0;
  for (int i = 0; i<size; i += size> 256 ? 37 : 1)
    for (int j = 0; j < size; ++j) {
      int sum = 0;
      for (int k = 0; k < size; ++k) sum += number(i, k) * number(k, j + 1);
      differ += c[i * size + j] != sum;
    }
  printf("ring of %d: %d differ\n", size, differ);
  wrong += differ;
}

// ---- one product of each type, A from shared memory and from registers

template <class In>
struct Multiply; // 64 x 64, 32 bytes along K

#define PRODUCT(IN, D, CONSTRAINT, WORDS, TAIL, TAIL_OWN)                                          \
  template <>                                                                                      \
  struct Multiply<IN> {                                                                            \
    using Out = D;                                                                                 \
    static __device__ void shared(D (&d)[32], uint64_t a, uint64_t b) {                            \
      asm volatile("wgmma.mma_async.sync.aligned.m64n64" WORDS " {" REGISTERS_32                   \
                   "}, %32, %33, 1" TAIL ";"                                                       \
                   : SIXTEEN(CONSTRAINT, d, 0), SIXTEEN(CONSTRAINT, d, 16)                         \
                   : "l"(a), "l"(b)                                                                \
                   : "memory");                                                                    \
    }                                                                                              \
    static __device__ void own(D (&d)[32], const uint32_t (&a)[4], uint64_t b) {                   \
      asm volatile("wgmma.mma_async.sync.aligned.m64n64" WORDS " {" REGISTERS_32                   \
                   "}, {%32, %33, %34, %35}, %36, 1" TAIL_OWN ";"                                  \
                   : SIXTEEN(CONSTRAINT, d, 0), SIXTEEN(CONSTRAINT, d, 16)                         \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b)                            \
                   : "memory");                                                                    \
    }                                                                                              \
  };
PRODUCT(__nv_bfloat16, float, "+f", "k16.f32.bf16.bf16", ", 1, 1, 0, 0", ", 1, 1, 0")
PRODUCT(half, float, "+f", "k16.f32.f16.f16", ", 1, 1, 0, 0", ", 1, 1, 0")
PRODUCT(float, float, "+f", "k8.f32.tf32.tf32", ", 1, 1", ", 1, 1")
PRODUCT(__nv_fp8_e4m3, float, "+f", "k32.f32.e4m3.e4m3", ", 1, 1", ", 1, 1")
PRODUCT(__nv_fp8_e5m2, float, "+f", "k32.f32.e5m2.e5m2", ", 1, 1", ", 1, 1")
PRODUCT(int8_t, int, "+r", "k32.s32.s8.s8", "", "")
PRODUCT(uint8_t, int, "+r", "k32.s32.u8.u8", "", "")

// A and B of 64 rows, 128 bytes along K each. `exact`: as stored in `d`; both ways of A, one behind
// the other.
template <class In>
__global__ void one_tile(const uint4* in, typename Multiply<In>::Out* out) {
  using Out = typename Multiply<In>::Out;
  __shared__ __align__(1024) uint4 a[64][8], b[64][8];
  for (int i = threadIdx.x; i < 512; i += 128) {
    const int row = i / 8, chunk = i % 8;
    a[row][chunk ^ row % 8] = in[i];
    b[row][chunk ^ row % 8] = in[512 + i];
  }
#if WRONG != 1
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
  __syncthreads();
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const auto* words = reinterpret_cast<const uint32_t*>(in);
  Out d[32], e[32];
  for (int i = 0; i < 32; ++i) d[i] = e[i] = 0;
  fence_products();
  for (int k = 0; k < 4; ++k) Multiply<In>::shared(d, descriptor(a) + 2 * k, descriptor(b) + 2 * k);
  commit_products();
  wait_for_products<0>();
  for (int k = 0; k < 4; ++k) {
    uint32_t own[4]; // of eight words along K: lane % 4, and four on
    for (int i = 0; i < 4; ++i)
      own[i] = words[(warp * 16 + lane / 4 + i % 2 * 8) * 32 + k * 8 + lane % 4 + i / 2 * 4];
    fence_products();
    Multiply<In>::own(e, own, descriptor(b) + 2 * k);
    commit_products();
    wait_for_products<0>();
  }
  for (int i = 0; i < 32; ++i) {
    const int row = warp * 16 + lane / 4 + i / 2 % 2 * 8, column = i / 4 * 8 + lane % 4 * 2 + i % 2;
    out[row * 64 + column] = d[i];
    out[4096 + row * 64 + column] = e[i];
  }
}

template <class In>
float value(const In& x) {
  return float(x);
}

template <class In>
void check_type(const char* name) {
  constexpr int kAlong = 128 / sizeof(In);
  std::vector<uint4> in(1024);
  std::vector<In> numbers(2 * 64 * kAlong);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = In(float(int(i * 13 % 7 + i / 64) % 4 - (std::is_unsigned<In>::value ? 0 : 2)));
  memcpy(in.data(), numbers.data(), in.size() * sizeof(uint4));
  OnDevice<uint4> of_in(in);
  OnDevice<typename Multiply<In>::Out> of_out(std::vector<typename Multiply<In>::Out>(2 * 4096));
  one_tile<In><<<1, 128>>>(of_in.at, of_out.at);
  const auto out = of_out.back();
  int differ = 0;
  for (int row = 0; row < 64; ++row)
    for (int column = 0; column < 64; ++column) {
      float sum = 0;
      for (int k = 0; k < kAlong; ++k)
        sum += value(numbers[row * kAlong + k]) * value(numbers[(64 + column) * kAlong + k]);
      differ += out[row * 64 + column] != sum;
      differ += out[4096 + row * 64 + column] != sum;
    }
  printf("%s: %d differ\n", name, differ);
  wrong += differ;
}

int main(int count, char** arguments) {
  check_ring(count > 1 ? atoi(arguments[1]) : 384);
  check_type<__nv_bfloat16>("bf16");
  check_type<half>("f16");
  check_type<float>("tf32");
  check_type<__nv_fp8_e4m3>("e4m3");
  check_type<__nv_fp8_e5m2>("e5m2");
  check_type<int8_t>("s8");
  check_type<uint8_t>("u8");
  const cudaError_t error = cudaDeviceSynchronize();
  printf("wgmma: wrong %d, %s\n", wrong, cudaGetErrorName(error));
  return wrong != 0 || error != cudaSuccess;
}
