// The product of solutions/08_tiled_product/5_library.cu with its choices left open: how far along
// k a step goes (STEP) and how many are under way (STAGES); how many floats of A are read at once
// along k (RUN); what is read before it is multiplied (AHEAD: 0 nothing, 1 of B, 2 of A too); in
// which order a thread's products are made (ORDER); whether a sum goes to its own lane before it is
// stored (FREED); how many steps along k are in one body of code (BODY); whether a warp lies 8 x 4
// (LANES 0, 1) or 4 x 8 (2, 3), and whether neighbours agree about what they read (0, 2); whether
// the tile is 256 x 128 (TALL); whether copies all start with a step (SPREAD 0), or a part of them
// every 8 * SPREAD along k; and how many rows of blocks go along together (GROUP).
#include <cuda_pipeline.h>

namespace {

constexpr int kRows = TALL ? 256 : 128, kCols = TALL ? 128 : 256, kStep = STEP, kThreads = 256,
              kStages = STAGES;
constexpr int kHigh = 16, kWide = 8, kRun = RUN, kBody = BODY;
constexpr int kParts = SPREAD ? kStep / (8 * SPREAD) : 1;
constexpr bool kPairs = LANES % 2 == 0;
constexpr int kLanesHigh = LANES < 2 ? 8 : 4, kLanesWide = 32 / kLanesHigh;
constexpr int kGroup = GROUP;
struct Tiles {
  float a[kRows][kStep + 4];
  float b[kStep][kCols];
};
struct Place {
  int e, f;
};

// The i-th product of a thread: row e, column f.
__device__ constexpr Place place(int i) {
  const int gray_e = (i >> 1) & 1, gray_f = ((i >> 1) ^ i) & 1, square = i / 4;
  switch (ORDER) {
  case 0:
    return {i / kWide, i % kWide};
  case 1:
    return {square / (kWide / 2) * 2 + gray_e, square % (kWide / 2) * 2 + gray_f};
  case 2:
    return {i / kWide, i / kWide % 2 ? kWide - 1 - i % kWide : i % kWide};
  case 3:
    return {i / kHigh % 2 ? kHigh - 1 - i % kHigh : i % kHigh, i / kHigh};
  case 4:
    return {square % (kHigh / 2) * 2 + gray_e, square / (kHigh / 2) * 2 + gray_f};
  case 5: {
    const int e = square / (kWide / 2), f = square % (kWide / 2);
    const int turned = e % 2 ? kWide / 2 - 1 - f : f;
    return {e * 2 + gray_e, turned * 2 + (e % 2 ? 1 - gray_f : gray_f)};
  }
  case 9: {
    const int e = square % (kHigh / 2), f = square / (kHigh / 2);
    const int turned = f % 2 ? kHigh / 2 - 1 - e : e;
    return {turned * 2 + (f % 2 ? 1 - gray_e : gray_e), f * 2 + gray_f};
  }
  case 6: { // strips of two rows: down, right, up, right
    const int pair = i % (2 * kWide), f = pair / 2;
    return {i / (2 * kWide) * 2 + (f % 2 ? 1 - pair % 2 : pair % 2), f};
  }
  case 8: { // strips of four rows
    const int strip = i % (4 * kWide), f = strip / 4;
    return {i / (4 * kWide) * 4 + (f % 2 ? 3 - strip % 4 : strip % 4), f};
  }
  default: { // strips of two columns
    const int pair = i % (2 * kHigh), e = pair / 2;
    return {e, i / (2 * kHigh) * 2 + (e % 2 ? 1 - pair % 2 : pair % 2)};
  }
  }
}

// One of kParts parts of a tile.
template <int kHeight, int kWidth, int kPitch, int kParts>
__device__ void fetch(float* tile, const float* in, int rows, int cols, int top, int left,
                      int part) {
  constexpr int kAtOnce = 4 * kThreads / kWidth, kPart = kHeight / kParts;
  const int y = threadIdx.x / (kWidth / 4) + part * kPart, x = threadIdx.x % (kWidth / 4) * 4;
#pragma unroll
  for (int e = 0; e < kPart; e += kAtOnce) {
    const int row = top + y + e, col = left + x;
    __pipeline_memcpy_async(tile + (y + e) * kPitch + x, in + row * cols + col, 16,
                            row < rows && col < cols ? 0 : 16);
  }
}

struct alignas(4 * kRun) Run {
  float at[kRun];
};

__global__ void __launch_bounds__(kThreads)
    multiply(float* c, const float* a, const float* b, int m, int n, int k) {
  extern __shared__ __align__(16) unsigned char raw[];
  Tiles* const tiles = reinterpret_cast<Tiles*>(raw);
  const int across = (n + kCols - 1) / kCols, down = (m + kRows - 1) / kRows;
  const int first_row = blockIdx.x / (kGroup * across) * kGroup;
  const int high = min(kGroup, down - first_row), in_group = blockIdx.x % (kGroup * across);
  const int top = (first_row + in_group % high) * kRows, left = in_group / high * kCols;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int lane_y = kPairs ? lane % 2 + lane / (2 * kLanesWide) * 2 : lane / kLanesWide;
  const int lane_x = kPairs ? lane / 2 % kLanesWide : lane % kLanesWide;
  constexpr int kWarpsWide = kCols / (kLanesWide * kWide);
  const int y = lane_y + warp / kWarpsWide * kLanesHigh * kHigh;
  const int x = warp % kWarpsWide * kLanesWide * kWide + lane_x * 4;
  const auto fetch_both = [=](int stage, int first, int part) {
    fetch<kRows, kStep, kStep + 4, kParts>(tiles[stage].a[0], a, m, k, top, first, part);
    fetch<kStep, kCols, kCols, kParts>(tiles[stage].b[0], b, k, n, first, left, part);
  };
  float sum[kHigh][kWide] = {};
  for (int stage = 0; stage < kStages - 1; ++stage) {
    for (int part = 0; part < kParts; ++part)
      if (stage * kStep < k) fetch_both(stage, stage * kStep, part);
    __pipeline_commit();
  }
  int now = 0;
  for (int first = 0; first < k; first += kStep) {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();
    const int ahead = first + (kStages - 1) * kStep;
    const int next = now == 0 ? kStages - 1 : now - 1;
    if (kParts == 1 && ahead < k) fetch_both(next, ahead, 0);
    const Tiles& tile = tiles[now];
    const auto load_a = [&](Run(&to)[kHigh], int i) {
#pragma unroll
      for (int e = 0; e < kHigh; ++e)
        to[e] = *reinterpret_cast<const Run*>(&tile.a[y + kLanesHigh * e][i]);
    };
    const auto load_b = [&](float4(&to)[kWide / 4], int i) {
#pragma unroll
      for (int f = 0; f < kWide / 4; ++f)
        to[f] = *reinterpret_cast<const float4*>(&tile.b[i][x + 4 * kLanesWide * f]);
    };
    Run from_a[AHEAD > 1 ? 2 : 1][kHigh];
    float4 from_b[AHEAD ? 2 : 1][kWide / 4];
    if (AHEAD > 1) load_a(from_a[0], 0);
    if (AHEAD) load_b(from_b[0], 0);
#pragma unroll(kBody)
    for (int i = 0; i < kStep; ++i) {
      const int part = AHEAD > 1 ? i / kRun % 2 : 0, at = AHEAD ? i % 2 : 0;
      if (kParts > 1 && i % (kStep / kParts) == 0 && ahead < k)
        fetch_both(next, ahead, i / (kStep / kParts));
      if (i % kRun == 0) {
        if (AHEAD < 2) load_a(from_a[0], i);
        if (AHEAD > 1 && i + kRun < kStep) load_a(from_a[1 - part], i + kRun);
      }
      if (AHEAD == 0) load_b(from_b[0], i);
      if (AHEAD && i + 1 < kStep) load_b(from_b[1 - at], i + 1);
#pragma unroll
      for (int p = 0; p < kHigh * kWide; ++p) {
        const Place to = place(p);
        sum[to.e][to.f] += from_a[part][to.e].at[i % kRun] * (&from_b[at][to.f / 4].x)[to.f % 4];
      }
    }
    __pipeline_commit();
    if (++now == kStages) now = 0;
  }
#pragma unroll
  for (int e = 0; e < kHigh; ++e) {
#pragma unroll
    for (int f = 0; f < kWide; f += 4) {
      const int row = top + y + kLanesHigh * e, col = left + x + kLanesWide * f;
      float4 four;
      for (int i = 0; i < 4; ++i)
        (&four.x)[i] = FREED ? __shfl_sync(0xffffffff, sum[e][f + i], lane) : sum[e][f + i];
      if (row < m && col < n) *reinterpret_cast<float4*>(c + row * n + col) = four;
    }
  }
}

} // namespace

extern "C" int product(float* c, const float* a, const float* b, int m, int n, int k) {
  constexpr int kBytes = kStages * sizeof(Tiles);
  static const bool ready =
      cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes) ==
      cudaSuccess;
  multiply<<<(n + kCols - 1) / kCols*((m + kRows - 1) / kRows), kThreads, kBytes>>>(c, a, b, m, n,
                                                                                    k);
  cudaFuncAttributes attributes{};
  cudaFuncGetAttributes(&attributes, multiply);
  return ready ? attributes.numRegs : -1;
}
