// What matrix units add up, bit for bit: products drawn from a seed, of every instruction with sums
// of floating point that the emulated device has, as a table of bits. An H200 printed
// book/data/h200/matrix_sums.csv with it, which emulator/execute/matrix_sums_test.cpp holds the
// emulated device to.
//
//   nvcc -gencode arch=compute_90a,code=sm_90a -O2 -o matrix_sums bench/matrix_sums.cu
//   ./matrix_sums [TILES [SEED [SUMS]]]     # of each instruction and family: TILES products, SUMS
//   sums of each
//
// Costs 176 TILES launches of one warpgroup, and prints 176 TILES SUMS rows. `./course run`
// executes it as well.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

constexpr int kRows = 16, kColumns = 8; // of the part of a product that one warp has
constexpr int kMostWords = 8;           // of 32 bits, along a row of A or a column of B

// C and D are floats, or two halves a register. A has four registers, or two where a row has four
// words.
struct Fragments {
  uint32_t a[4], b[2], d[4];
};

#define FLOATS(d) "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
#define A4_B2(f) "r"(f.a[0]), "r"(f.a[1]), "r"(f.a[2]), "r"(f.a[3]), "r"(f.b[0]), "r"(f.b[1])
#define LONG(name, modifiers)                                                                      \
  struct name {                                                                                    \
    static __device__ void run(Fragments& f, uint64_t, int) {                                      \
      asm volatile("mma.sync.aligned." modifiers                                                   \
                   " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"                           \
                   : FLOATS(f.d)                                                                   \
                   : A4_B2(f));                                                                    \
    }                                                                                              \
  };
#define SHORT(name, modifiers)                                                                     \
  struct name {                                                                                    \
    static __device__ void run(Fragments& f, uint64_t, int) {                                      \
      asm volatile("mma.sync.aligned." modifiers " {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};"      \
                   : FLOATS(f.d)                                                                   \
                   : "r"(f.a[0]), "r"(f.a[1]), "r"(f.b[0]));                                       \
    }                                                                                              \
  };
#define LONG_HALVES(name, modifiers)                                                               \
  struct name {                                                                                    \
    static __device__ void run(Fragments& f, uint64_t, int) {                                      \
      asm volatile("mma.sync.aligned." modifiers " {%0,%1},{%2,%3,%4,%5},{%6,%7},{%0,%1};"         \
                   : "+r"(f.d[0]), "+r"(f.d[1])                                                    \
                   : A4_B2(f));                                                                    \
    }                                                                                              \
  };
#define SHORT_HALVES(name, modifiers)                                                              \
  struct name {                                                                                    \
    static __device__ void run(Fragments& f, uint64_t, int) {                                      \
      asm volatile("mma.sync.aligned." modifiers " {%0,%1},{%2,%3},{%4},{%0,%1};"                  \
                   : "+r"(f.d[0]), "+r"(f.d[1])                                                    \
                   : "r"(f.a[0]), "r"(f.a[1]), "r"(f.b[0]));                                       \
    }                                                                                              \
  };
// `more`: whether B is transposed, which only 16-bit numbers may be.
#define BEGIN_WGMMA "{.reg .pred p; setp.ne.b32 p, "
#define END_WGMMA "; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;}"
#define GROUP(name, modifiers, more)                                                               \
  struct name {                                                                                    \
    static __device__ void run(Fragments& f, uint64_t b, int adds) {                               \
      asm volatile(BEGIN_WGMMA                                                                     \
                   "%9, 0; wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned." modifiers      \
                   " {%0,%1,%2,%3},{%4,%5,%6,%7},%8,p,1,1" more END_WGMMA                          \
                   : FLOATS(f.d)                                                                   \
                   : "r"(f.a[0]), "r"(f.a[1]), "r"(f.a[2]), "r"(f.a[3]), "l"(b), "r"(adds));       \
    }                                                                                              \
  };
#define GROUP_HALVES(name, modifiers, more)                                                        \
  struct name {                                                                                    \
    static __device__ void run(Fragments& f, uint64_t b, int adds) {                               \
      asm volatile(BEGIN_WGMMA                                                                     \
                   "%7, 0; wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned." modifiers      \
                   " {%0,%1},{%2,%3,%4,%5},%6,p,1,1" more END_WGMMA                                \
                   : "+r"(f.d[0]), "+r"(f.d[1])                                                    \
                   : "r"(f.a[0]), "r"(f.a[1]), "r"(f.a[2]), "r"(f.a[3]), "l"(b), "r"(adds));       \
    }                                                                                              \
  };
LONG(Bf16, "m16n8k16.row.col.f32.bf16.bf16.f32")
SHORT(Bf16Short, "m16n8k8.row.col.f32.bf16.bf16.f32")
LONG(F16, "m16n8k16.row.col.f32.f16.f16.f32")
SHORT(F16Short, "m16n8k8.row.col.f32.f16.f16.f32")
LONG(Tf32, "m16n8k8.row.col.f32.tf32.tf32.f32")
SHORT(Tf32Short, "m16n8k4.row.col.f32.tf32.tf32.f32")
LONG(E4m3, "m16n8k32.row.col.f32.e4m3.e4m3.f32")
LONG(E5m2, "m16n8k32.row.col.f32.e5m2.e5m2.f32")
LONG(E4m3ByE5m2, "m16n8k32.row.col.f32.e4m3.e5m2.f32")
LONG_HALVES(Halves, "m16n8k16.row.col.f16.f16.f16.f16")
SHORT_HALVES(HalvesShort, "m16n8k8.row.col.f16.f16.f16.f16")
LONG_HALVES(E4m3Halves, "m16n8k32.row.col.f16.e4m3.e4m3.f16")
LONG_HALVES(E5m2Halves, "m16n8k32.row.col.f16.e5m2.e5m2.f16")
GROUP(GroupBf16, "m64n8k16.f32.bf16.bf16", ",0")
GROUP(GroupF16, "m64n8k16.f32.f16.f16", ",0")
GROUP(GroupTf32, "m64n8k8.f32.tf32.tf32", "")
GROUP(GroupE4m3, "m64n8k32.f32.e4m3.e4m3", "")
GROUP(GroupE5m2, "m64n8k32.f32.e5m2.e5m2", "")
GROUP(GroupE4m3ByE5m2, "m64n8k32.f32.e4m3.e5m2", "")
GROUP_HALVES(GroupHalves, "m64n8k16.f16.f16.f16", ",0")
GROUP_HALVES(GroupE4m3Halves, "m64n8k32.f16.e4m3.e4m3", "")
GROUP_HALVES(GroupE5m2Halves, "m64n8k32.f16.e5m2.e5m2", "")

// One tile: A by rows, B by columns, C and D by rows, each row of `words` words. Warps of a
// warpgroup have the same A, and the first stores.
template <typename Instruction>
__global__ void product(const uint32_t* a, const uint32_t* b, const uint32_t* c, uint32_t* d,
                        int words, bool halves, int adds, int times) {
  __shared__ __align__(1024) uint32_t tile[64]; // B, as two core matrices
  if (threadIdx.x < 8 * words) {
    const int column = threadIdx.x / words, word = threadIdx.x % words;
    tile[word / 4 * 32 + column * 4 + word % 4] = b[threadIdx.x];
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const int across = threadIdx.x % 32 / 4, along = threadIdx.x % 4, last = words - 4;
  Fragments f = {{a[across * words + along], a[(across + 8) * words + along],
                  a[across * words + along + last], a[(across + 8) * words + along + last]},
                 {b[across * words + along], b[across * words + along + last]},
                 {}};
  const int held = halves ? 2 : 4, each = held / 2; // registers, and of a row
  for (int i = 0; i < held; ++i)
    f.d[i] = c[(across + i / each * 8) * 4 * each + along * each + i % each];
  const uint64_t at = __cvta_generic_to_shared(tile);
  const uint64_t descriptor =
      (at & 0x3ffff) >> 4 | uint64_t{128 >> 4} << 16 | uint64_t{256 >> 4} << 32;
  for (int i = 0; i < times; ++i) Instruction::run(f, descriptor, adds);
  if (threadIdx.x < 32)
    for (int i = 0; i < held; ++i)
      d[(across + i / each * 8) * 4 * each + along * each + i % each] = f.d[i];
}

uint64_t state;
uint32_t draw() { // splitmix64
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return static_cast<uint32_t>(z >> 32);
}
int below(int n) {
  return static_cast<int>(draw() % static_cast<uint32_t>(n));
}

struct Format {
  int bits, exponent, mantissa;
  int bias() const { return (1 << (exponent - 1)) - 1; }
};
constexpr Format kF32{32, 8, 23}, kF16{16, 5, 10}, kBf16{16, 8, 7}, kTf32{32, 8, 10},
    kE4m3{8, 4, 3}, kE5m2{8, 5, 2};

enum Family { near, far, tiny, large, special, cancelling, whole, all_bits, kFamilies };
constexpr const char* kFamilyNames[] = {"near",    "far",        "tiny",  "large",
                                        "special", "cancelling", "whole", "all bits"};

// The bits of a number: of a sign, an exponent without its bias, and a mantissa, in the first bits
// of what it is stored in.
uint32_t packed(const Format& format, bool sign, int exponent, uint32_t mantissa) {
  const int most =
      (1 << format.exponent) - (format.exponent == 4 ? 1 : 2); // e4m3 has no infinities
  int field = exponent + format.bias();
  field = field < 0 ? 0 : field > most ? most : field;
  mantissa &= (1u << format.mantissa) - 1;
  if (format.exponent == 4 && field == 15 && mantissa == 7) mantissa = 6;
  const uint32_t number = (uint32_t{sign} << format.exponent | static_cast<uint32_t>(field))
                              << format.mantissa |
                          mantissa;
  return number << (format.bits - 1 - format.exponent - format.mantissa);
}

uint32_t drawn(const Format& format, Family family, int spread) {
  const bool sign = draw() & 1;
  const uint32_t mantissa = draw();
  const int span = below(2 * spread + 1) - spread, least = -format.bias(),
            most = 1 << (format.exponent - 1);
  switch (family) {
  case near:
    return packed(format, sign, below(3) - 1, mantissa);
  case far:
    return below(8) == 0 ? 0 : packed(format, sign, span, mantissa);
  case tiny:
    return packed(format, sign, below(2) ? least + below(4) : below(8) - 4, mantissa);
  case large:
    return packed(format, sign, (format.bits == 8 ? most : most / 2 + 1) - below(4), mantissa);
  case special: {
    const uint32_t all = ((1u << format.exponent) - 1) << format.mantissa;
    const int shift = format.bits - 1 - format.exponent - format.mantissa;
    const int which = below(24);
    if (which < 2)
      return (all | (format.exponent == 4 ? 7 : which)) << shift | uint32_t{sign}
                                                                       << (format.bits - 1);
    if (which < 12) return uint32_t{sign} << (format.bits - 1); // zeros
    return packed(format, sign, span, mantissa);
  }
  case cancelling:
    return packed(format, sign, span / 2, mantissa);
  case whole:
    return packed(format, sign, below(3), mantissa & ~0u << (format.mantissa - 2));
  default:
    return format.bits == 32
               ? draw()
               : draw() & ((1u << format.bits) - 1); // what tf32 does not have as well
  }
}

struct Kind {
  const char* name;
  Format a, b, sum;
  int words, depth;
  void (*run)(const uint32_t*, const uint32_t*, const uint32_t*, uint32_t*, int, bool, int, int);
};
const Kind kKinds[] = {
    {"mma bf16", kBf16, kBf16, kF32, 8, 16, product<Bf16>},
    {"mma bf16 k8", kBf16, kBf16, kF32, 4, 8, product<Bf16Short>},
    {"mma f16", kF16, kF16, kF32, 8, 16, product<F16>},
    {"mma f16 k8", kF16, kF16, kF32, 4, 8, product<F16Short>},
    {"mma tf32", kTf32, kTf32, kF32, 8, 8, product<Tf32>},
    {"mma tf32 k4", kTf32, kTf32, kF32, 4, 4, product<Tf32Short>},
    {"mma e4m3", kE4m3, kE4m3, kF32, 8, 32, product<E4m3>},
    {"mma e5m2", kE5m2, kE5m2, kF32, 8, 32, product<E5m2>},
    {"mma e4m3 e5m2", kE4m3, kE5m2, kF32, 8, 32, product<E4m3ByE5m2>},
    {"mma f16 to f16", kF16, kF16, kF16, 8, 16, product<Halves>},
    {"mma f16 to f16 k8", kF16, kF16, kF16, 4, 8, product<HalvesShort>},
    {"mma e4m3 to f16", kE4m3, kE4m3, kF16, 8, 32, product<E4m3Halves>},
    {"mma e5m2 to f16", kE5m2, kE5m2, kF16, 8, 32, product<E5m2Halves>},
    {"wgmma bf16", kBf16, kBf16, kF32, 8, 16, product<GroupBf16>},
    {"wgmma f16", kF16, kF16, kF32, 8, 16, product<GroupF16>},
    {"wgmma tf32", kTf32, kTf32, kF32, 8, 8, product<GroupTf32>},
    {"wgmma e4m3", kE4m3, kE4m3, kF32, 8, 32, product<GroupE4m3>},
    {"wgmma e5m2", kE5m2, kE5m2, kF32, 8, 32, product<GroupE5m2>},
    {"wgmma e4m3 e5m2", kE4m3, kE5m2, kF32, 8, 32, product<GroupE4m3ByE5m2>},
    {"wgmma f16 to f16", kF16, kF16, kF16, 8, 16, product<GroupHalves>},
    {"wgmma e4m3 to f16", kE4m3, kE4m3, kF16, 8, 32, product<GroupE4m3Halves>},
    {"wgmma e5m2 to f16", kE5m2, kE5m2, kF16, 8, 32, product<GroupE5m2Halves>},
};

struct Tile { // of which A and B are packed, `words` words a row
  uint32_t a[kRows * kMostWords], b[kColumns * kMostWords], c[kRows * kColumns],
      d[kRows * kColumns];
};

void draw_operand(uint32_t* words, int rows, const Kind& kind, const Format& format, Family family,
                  int spread) {
  const int each = 32 / format.bits;
  for (int i = 0; i < rows * kind.words; ++i) {
    words[i] = 0;
    for (int e = 0; e < each; ++e) words[i] |= drawn(format, family, spread) << e * format.bits;
  }
}

Tile draw_tile(const Kind& kind, Family family) {
  const int spreads[] = {1, 2, 4, 6, 12, 20};
  int spread = spreads[below(6)];
  if (kind.a.bits != 32 && kind.a.exponent < 8 && spread > 6) spread = kind.a.exponent == 4 ? 3 : 6;
  Tile tile{};
  draw_operand(tile.a, kRows, kind, kind.a, family, spread);
  draw_operand(tile.b, kColumns, kind, kind.b, family, spread);
  if (family == cancelling) // the second half of a sum takes the first away again, nearly
    for (int row = 0; row < kRows; ++row)
      for (int w = 0; w < kind.words / 2; ++w) {
        uint32_t signs = 0;
        for (int bit = kind.a.bits - 1; bit < 32; bit += kind.a.bits) signs |= 1u << bit;
        uint32_t& other = tile.a[row * kind.words + w + kind.words / 2];
        if (below(4)) other = tile.a[row * kind.words + w] ^ signs;
      }
  if (family == cancelling)
    for (int column = 0; column < kColumns; ++column)
      for (int w = 0; w < kind.words / 2; ++w)
        if (below(8))
          tile.b[column * kind.words + w + kind.words / 2] = tile.b[column * kind.words + w];
  const bool halves = kind.sum.bits == 16;
  const int each = halves ? 2 : 1;
  const bool zero = below(5) == 0;
  for (int i = 0; i < kRows * kColumns / each; ++i) {
    tile.c[i] = 0;
    for (int e = 0; e < each && !zero; ++e)
      tile.c[i] |= drawn(kind.sum, family, halves ? 6 : spread) << e * 16;
  }
  return tile;
}

void print_words(const uint32_t* words, int count) {
  for (int i = 0; i < count; ++i) std::printf("%s%08x", i ? " " : ",", words[i]);
}

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "matrix_sums: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

int main(int argc, char** argv) {
  const int tiles = argc > 1 ? std::atoi(argv[1]) : 1, sums = argc > 3 ? std::atoi(argv[3]) : 6;
  state = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  Tile* there = nullptr;
  check(cudaMalloc(&there, sizeof(Tile)));
  std::printf("instruction,family,depth,times,adds,c,a,b,d\n");
  for (const Kind& kind : kKinds)
    for (int family = 0; family < kFamilies; ++family)
      for (int i = 0; i < tiles; ++i) {
        Tile tile = draw_tile(kind, static_cast<Family>(family));
        const bool halves = kind.sum.bits == 16, group = kind.name[0] == 'w';
        const int times = i % 8 == 6 ? 2 : 1, adds = group && i % 8 == 7 ? 0 : 1;
        check(cudaMemcpy(there, &tile, sizeof tile, cudaMemcpyDefault));
        kind.run<<<1, group ? 128 : 32>>>(there->a, there->b, there->c, there->d, kind.words,
                                          halves, adds, times);
        check(cudaMemcpy(&tile, there, sizeof tile, cudaMemcpyDefault));
        for (int s = 0; s < sums; ++s) {
          const int row = below(kRows), column = below(kColumns);
          const auto at = [&](const uint32_t* of) {
            const int number = row * kColumns + column;
            return halves ? of[number / 2] >> number % 2 * 16 & 0xffff : of[number];
          };
          std::printf("%s,%s,%d,%d,%d,%08x", kind.name, kFamilyNames[family], kind.depth, times,
                      adds, at(tile.c));
          print_words(tile.a + row * kind.words, kind.words);
          print_words(tile.b + column * kind.words, kind.words);
          std::printf(",%08x\n", at(tile.d));
        }
      }
  check(cudaFree(there));
}
