// Kernels that a compiler rearranges: if-conversion, hoisting, sinking, unrolling, merging,
// elections. What each row is about stands above it; ../kernels.hpp says how "launch:" is read.
// Each kernel is measured on an H200.
// Long, as there are fifty of them.

// ---- Branches that become predicates or selects

// A load behind a condition.
// launch: predicated_load float, grid 2, block 128, n 200
__global__ void predicated_load(float* out, const float* in, int n) {
  __shared__ float tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = 1;
  if (in[i] > 32.0f) value = tile[(threadIdx.x * 4) & 127];
  if (i < n) out[i] = value;
}

// A store behind a condition.
// launch: predicated_store float, grid 2, block 128, n 200
__global__ void predicated_store(float* out, const float* in, int n) {
  __shared__ float tile[512];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = in[i];
  if (value > 32.0f) tile[(threadIdx.x * 4) & 511] = value;
  __syncthreads();
  if (value > 32.0f && i < n) out[i] = tile[(threadIdx.x * 4) & 511];
}

// A ternary with loads on both sides.
// launch: ternary_loads float, grid 2, block 128, n 256
__global__ void ternary_loads(float* out, const float* in, int n) {
  __shared__ float a[128], b[128];
  a[threadIdx.x] = in[threadIdx.x];
  b[threadIdx.x] = in[threadIdx.x + 128];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] > 32.0f ? a[(threadIdx.x * 2) & 127] : b[(threadIdx.x * 8) & 127];
  if (i == n) out[0] = 0;
}

// A select of two addresses, one load.
// launch: select_of_addresses float, grid 2, block 128, n 256
__global__ void select_of_addresses(float* out, const float* in, int n) {
  __shared__ float a[128], b[160];
  a[threadIdx.x] = in[threadIdx.x];
  b[threadIdx.x] = in[threadIdx.x + n];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float* from = in[i] > 32.0f ? a + ((threadIdx.x * 4) & 127) : b + threadIdx.x + 32;
  out[i] = threadIdx.x < 128 - 32 ? *from : 0;
}

// Stores on both sides of a branch, to different places.
// launch: stores_both_sides float, grid 2, block 128, n 256
__global__ void stores_both_sides(float* out, const float* in, int n) {
  __shared__ float tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = in[i];
  tile[threadIdx.x] = 0;
  tile[threadIdx.x + 128] = 0;
  __syncthreads();
  if (value > 32.0f)
    tile[(threadIdx.x * 2) & 127] = value;
  else
    tile[128 + ((threadIdx.x * 4) & 127)] = -value;
  __syncthreads();
  out[i] = tile[threadIdx.x] + tile[threadIdx.x + 128] + n;
}

// The same store in both branches, which is sunk behind them.
// launch: sunk_store float, grid 2, block 128, n 256
__global__ void sunk_store(float* out, const float* in, int n) {
  __shared__ float tile[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = in[i];
  if (value > 32.0f)
    tile[threadIdx.x] = value * 3;
  else
    tile[threadIdx.x] = value / 5 + n;
  __syncthreads();
  out[i] = tile[threadIdx.x ^ 1];
}

// The same load in both branches, which is hoisted before them.
// launch: hoisted_load float, grid 2, block 128, n 256
__global__ void hoisted_load(float* out, const float* in, int n) {
  __shared__ float tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x, at = (threadIdx.x * 4) & 127;
  float value;
  if (in[i] > 32.0f)
    value = tile[at] * 2 + n;
  else
    value = sqrtf(tile[at]) - n;
  out[i] = value;
}

// A load whose address does not change in a loop.
// launch: hoisted_of_loop float, grid 1, block 128, n 9
__global__ void hoisted_of_loop(float* out, const float* in, int n) {
  __shared__ float tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; ++k) sum = sum * 0.5f + tile[(threadIdx.x * 2) & 127];
  out[threadIdx.x] = sum;
}

// A load whose result one branch alone needs.
// launch: sunk_load float, grid 2, block 128, n 256
__global__ void sunk_load(float* out, const float* in, int n) {
  __shared__ float tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float early = tile[(threadIdx.x * 8) & 127], late = in[i];
  if (late > 48.0f) {
    out[i] = early;
    out[i + n] = sqrtf(early);
  } else {
    out[i] = late;
  }
}

// && and || that stop early.
// launch: short_circuit float, grid 2, block 128, n 256
__global__ void short_circuit(float* out, const float* in, int n) {
  __shared__ float a[128], b[128];
  a[threadIdx.x] = in[threadIdx.x];
  b[threadIdx.x] = in[n - 1 - threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x, at = (threadIdx.x * 4) & 127;
  const bool yes = (in[i] > 16.0f && a[at] > 8.0f) || b[at] > 60.0f;
  out[i] = yes ? 1 : 0;
}

// Nested conditions with a load in each.
// launch: nested_conditions float, grid 2, block 128, n 256
__global__ void nested_conditions(float* out, const float* in, int n) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  tile[threadIdx.x + 128] = in[threadIdx.x + n];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = tile[threadIdx.x];
  if (value > 16) {
    value += tile[(threadIdx.x * 2) & 255];
    if (value > 48) {
      value += tile[(threadIdx.x * 4) & 255];
      if (value > 80) value += tile[(threadIdx.x * 8) & 255];
    }
  }
  out[i] = value;
}

// ---- Who takes part

// One lane of the block.
// launch: one_thread float, grid 4, block 64, n 256
__global__ void one_thread(float* out, const float* in, int n) {
  __shared__ float total[2];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < n ? in[i] : 0;
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0) total[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = total[0] + total[1];
}

// One lane of each warp, elected by a vote.
// launch: elected_lane int, grid 2, block 128, n 256
__global__ void elected_lane(int* out, const int* in, int n) {
  __shared__ int count[4];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 4) count[threadIdx.x] = 0;
  __syncthreads();
  if (in[i] > 300) {
    const unsigned active = __activemask();
    if ((threadIdx.x & 31) == __ffs(active) - 1) atomicAdd(&count[in[i] & 3], __popc(active));
  }
  __syncthreads();
  if (threadIdx.x < 4) out[blockIdx.x * 4 + threadIdx.x] = count[threadIdx.x] + n;
}

// An atomic on one word by the whole warp, which one lane does.
// launch: aggregated_atomic int, grid 2, block 128, n 256
__global__ void aggregated_atomic(int* out, const int* in, int n) {
  __shared__ int count, most;
  if (threadIdx.x == 0) count = most = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] & 1) atomicAdd(&count, 1);
  atomicMax(&most, in[i]);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = count + most;
}

// An atomic whose result gives each thread a place.
// launch: atomic_places int, grid 2, block 128, n 256
__global__ void atomic_places(int* out, const int* in, int n) {
  __shared__ int next, list[128];
  if (threadIdx.x == 0) next = 0;
  list[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 32 && in[i] % 3 == 0) list[atomicAdd(&next, 1)] = i;
  __syncthreads();
  out[i] = list[threadIdx.x] + n;
}

// Warps that leave early.
// launch: early_exit float, grid 3, block 128, n 300
__global__ void early_exit(float* out, const float* in, int n) {
  __shared__ float tile[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  if (i >= n) return;
  float sum = tile[threadIdx.x];
  if (sum < 8.0f) return;
  sum += tile[threadIdx.x ^ 5];
  if (sum < 32.0f) return;
  out[i] = sum + tile[(threadIdx.x * 4) & 127];
}

// A branch that the whole warp takes or leaves.
// launch: warp_uniform float, grid 2, block 128, n 256
__global__ void warp_uniform(float* out, const float* in, int n) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  tile[threadIdx.x + 128] = in[threadIdx.x + n];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x, warp = threadIdx.x / 32;
  float value;
  if (warp & 1)
    value = tile[(threadIdx.x * 2) & 255] + tile[(threadIdx.x * 2 + 1) & 255];
  else
    value = tile[threadIdx.x];
  out[i] = value;
}

// A branch that all blocks take, on an argument.
// launch: uniform_argument float, grid 2, block 128, n 256
__global__ void uniform_argument(float* out, const float* in, int n) {
  __shared__ float tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value;
  if (n > 100)
    value = tile[(threadIdx.x * 4) & 127];
  else
    value = tile[threadIdx.x];
  out[i] = value;
}

// ---- Loops

// Unrolled by four, with a rest.
// launch: unrolled_with_rest float, grid 1, block 128, n 23
__global__ void unrolled_with_rest(float* out, const float* in, int n) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  tile[threadIdx.x + 128] = in[threadIdx.x + 128];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += tile[threadIdx.x + k * 3];
  out[threadIdx.x] = sum;
}

// Neighbours in an unrolled loop with a rest.
// launch: unrolled_neighbours float, grid 1, block 32, n 27
__global__ void unrolled_neighbours(float* out, const float* in, int n) {
  __shared__ float tile[32 * 32];
  for (int i = threadIdx.x; i < 32 * 32; i += 32) tile[i] = in[i];
  __syncthreads();
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < n; ++k) sum += tile[threadIdx.x * 32 + k];
  out[threadIdx.x] = sum;
}

// Fully unrolled neighbours.
// launch: unrolled_fully float, grid 1, block 64, n 64
__global__ void unrolled_fully(float* out, const float* in, int n) {
  __shared__ __align__(16) float tile[64 * 12];
  for (int i = threadIdx.x; i < 64 * 12; i += 64) tile[i] = in[i];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 10; ++k) sum += tile[threadIdx.x * 12 + k];
  out[threadIdx.x] = sum + n;
}

// Each lane has rounds of its own.
// launch: rounds_by_lane float, grid 1, block 128, n 128
__global__ void rounds_by_lane(float* out, const float* in, int n) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  tile[threadIdx.x + 128] = in[threadIdx.x + n];
  __syncthreads();
  float sum = 0;
  for (unsigned k = threadIdx.x; k < 256; k += threadIdx.x % 7 + 16) sum += tile[k];
  out[threadIdx.x] = sum;
}

// A loop with break.
// launch: loop_with_break float, grid 1, block 128, n 40
__global__ void loop_with_break(float* out, const float* in, int n) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  tile[threadIdx.x + 128] = in[threadIdx.x + 128];
  __syncthreads();
  int k = 0;
  for (; k < n; ++k) {
    if (tile[threadIdx.x + k] > 56.0f) break;
    if (tile[(threadIdx.x * 2 + k) & 255] < 4.0f) continue;
    k += tile[k] > 30.0f;
  }
  out[threadIdx.x] = k;
}

// A loop that searches, with its load at the end of a round.
// launch: loop_while float, grid 1, block 64, n 64
__global__ void loop_while(float* out, const float* in, int n) {
  __shared__ int next[128];
  for (int i = threadIdx.x; i < 128; i += 64) next[i] = (i * 37 + 11) & 127;
  __syncthreads();
  int at = threadIdx.x, rounds = 0;
  while (at != 64 && rounds < n) {
    at = next[at];
    ++rounds;
  }
  out[threadIdx.x] = in[at] + rounds;
}

// Nested loops, the inner one of a triangle.
// launch: nested_loops float, grid 1, block 32, n 8
__global__ void nested_loops(float* out, const float* in, int n) {
  __shared__ float tile[64][9];
  for (int i = threadIdx.x; i < 64 * 9; i += 32) tile[i / 9][i % 9] = in[i];
  __syncthreads();
  float sum = 0;
  for (int r = 0; r < n; ++r)
    for (int c = 0; c <= r; ++c) sum += tile[threadIdx.x + r][c] * tile[threadIdx.x][c];
  out[threadIdx.x] = sum;
}

// A software pipeline: the next round's load before this one's work.
// launch: pipelined float, grid 1, block 64, n 15
__global__ void pipelined(float* out, const float* in, int n) {
  __shared__ float tile[64 * 17];
  for (int i = threadIdx.x; i < 64 * 17; i += 64) tile[i] = in[i];
  __syncthreads();
  float next = tile[threadIdx.x * 17], sum = 0;
  for (int k = 1; k <= n; ++k) {
    const float now = next;
    if (k < n) next = tile[threadIdx.x * 17 + k];
    sum = sum * 0.5f + now;
  }
  out[threadIdx.x] = sum;
}

// A reduction tree with halving strides, known at compile time.
// launch: tree_known float, grid 2, block 128, n 256
__global__ void tree_known(float* out, const float* in, int n) {
  __shared__ float sums[128];
  const int i = blockIdx.x * 128 + threadIdx.x;
  sums[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
#pragma unroll
  for (int s = 64; s > 0; s /= 2) {
    if (threadIdx.x < s) sums[threadIdx.x] += sums[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

// The same, with strides that come in as a number.
// launch: tree_interleaved float, grid 2, block 128, n 128
__global__ void tree_interleaved(float* out, const float* in, int n) {
  __shared__ float sums[128];
  sums[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
  __syncthreads();
  for (int s = 1; s < n; s *= 2) {
    const int at = 2 * s * threadIdx.x;
    if (at < n) sums[at] += sums[at + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

// ---- Many ways

// A switch over what lanes read.
// launch: switch_table int, grid 2, block 128, n 256
__global__ void switch_table(int* out, const int* in, int n) {
  __shared__ int tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  tile[threadIdx.x + 128] = in[threadIdx.x + n];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = 0;
  switch (in[i] % 7) {
  case 0:
    value = tile[threadIdx.x];
    break;
  case 1:
    value = tile[(threadIdx.x * 2) & 255] + 1;
    break;
  case 2:
    value = tile[(threadIdx.x * 4) & 255] * 3;
    break;
  case 3:
    tile[threadIdx.x] = i;
    break;
  case 4:
    value = tile[threadIdx.x ^ 255] - 4;
    [[fallthrough]];
  case 5:
    value += tile[(threadIdx.x * 16) & 255];
    break;
  default:
    value = n;
    break;
  }
  out[i] = value;
}

// A switch that is the same for a warp.
// launch: switch_of_warps int, grid 1, block 256, n 256
__global__ void switch_of_warps(int* out, const int* in, int n) {
  __shared__ int tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  int value = 0;
  switch (threadIdx.x / 32) {
  case 0:
    value = tile[(threadIdx.x * 2) & 255];
    break;
  case 1:
    value = tile[(threadIdx.x * 4) & 255] * 5;
    break;
  case 2:
    value = tile[(threadIdx.x * 8) & 255] - n;
    break;
  case 3:
    value = tile[threadIdx.x] ^ 3;
    break;
  case 4:
    value = tile[255 - threadIdx.x] | 4;
    break;
  case 5:
    value = tile[0];
    break;
  }
  out[threadIdx.x] = value;
}

__device__ __forceinline__ int place_of(const int* keys, int count, int key) {
  int low = 0;
  while (count > 0) {
    const int half = count / 2;
    if (keys[low + half] < key) {
      low += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return low;
}

// An inlined search, called twice.
// launch: inlined_search int, grid 2, block 128, n 100
__global__ void inlined_search(int* out, const int* in, int n) {
  __shared__ int keys[128];
  keys[threadIdx.x] = threadIdx.x * 8;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = place_of(keys, n, in[i]) + place_of(keys, 128, in[i] ^ 5);
}

__device__ __noinline__ float called(const float* tile, int at, float factor) {
  return tile[at] * factor + tile[(at * 2) & 127];
}

// A function that is called, from two places.
// launch: called_twice float, grid 2, block 128, n 256
__global__ void called_twice(float* out, const float* in, int n) {
  __shared__ float tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = called(tile, threadIdx.x, 2.0f);
  if (value > 64.0f) value = called(tile, (threadIdx.x * 4) & 127, value);
  out[i] = value + n;
}

// ---- Elements

// Bytes in shared memory.
// launch: bytes_shared bytes, grid 2, block 128, n 128
__global__ void bytes_shared(unsigned char* out, const unsigned char* in, int n) {
  __shared__ unsigned char tile[512];
#pragma unroll
  for (int k = 0; k < 4; ++k) tile[threadIdx.x * 4 + k] = in[threadIdx.x * 4 + k];
  __syncthreads();
  int sum = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) sum += tile[((threadIdx.x * 4) ^ 64) + k] * (k + n);
  out[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<unsigned char>(sum);
}

// Halfwords, two neighbours a thread.
// launch: halfwords short, grid 2, block 128, n 128
__global__ void halfwords(short* out, const short* in, int n) {
  __shared__ short tile[256];
  tile[threadIdx.x * 2] = in[threadIdx.x];
  tile[threadIdx.x * 2 + 1] = in[threadIdx.x + n];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = static_cast<short>(tile[threadIdx.x] * tile[threadIdx.x + 1]);
}

struct Particle {
  float x, y, z, mass;
};
struct Odd {
  float x, y, z;
};

// Structs of four, all fields.
// launch: struct_all_fields float, grid 1, block 64, n 64
__global__ void struct_all_fields(float* out, const float* in, int n) {
  __shared__ Particle all[64];
  Particle& mine = all[threadIdx.x];
  mine.x = in[threadIdx.x];
  mine.y = in[threadIdx.x + 64];
  mine.z = in[threadIdx.x + 128];
  mine.mass = in[threadIdx.x + 192];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    const Particle& other = all[(threadIdx.x + k) & 63];
    sum += other.mass * (other.x + other.y * other.z);
  }
  out[threadIdx.x] = sum;
}

// Structs of four, two fields with a gap.
// launch: struct_two_fields float, grid 1, block 64, n 64
__global__ void struct_two_fields(float* out, const float* in, int n) {
  __shared__ Particle all[64];
  all[threadIdx.x] = {in[threadIdx.x], in[n + 1], in[threadIdx.x + 2], in[3]};
  __syncthreads();
  const Particle& other = all[threadIdx.x ^ 7];
  out[threadIdx.x] = other.x + other.mass;
  all[threadIdx.x].y = other.z;
  __syncthreads();
  out[threadIdx.x + 64] = all[63 - threadIdx.x].y;
}

// Structs of three.
// launch: struct_of_three float, grid 1, block 64, n 64
__global__ void struct_of_three(float* out, const float* in, int n) {
  __shared__ Odd all[64];
  all[threadIdx.x] = {in[threadIdx.x], in[threadIdx.x + 64], in[threadIdx.x + 128]};
  __syncthreads();
  const Odd other = all[(threadIdx.x + 1) & 63];
  out[threadIdx.x] = other.x + other.y * other.z + n;
}

// Doubles with a stride of two.
// launch: doubles double, grid 1, block 64, n 64
__global__ void doubles(double* out, const double* in, int n) {
  __shared__ double tile[128];
  tile[threadIdx.x * 2] = in[threadIdx.x];
  tile[threadIdx.x * 2 + 1] = in[threadIdx.x + n];
  __syncthreads();
  out[threadIdx.x] = tile[(threadIdx.x * 4) & 127] + tile[threadIdx.x];
}

// Two neighbours read under two different conditions.
// launch: neighbours_two_masks float, grid 2, block 64, n 128
__global__ void neighbours_two_masks(float* out, const float* in, int n) {
  __shared__ __align__(8) float tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  tile[threadIdx.x + 64] = in[threadIdx.x + 64];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = tile[threadIdx.x * 2];
  if (in[i] > 32.0f) value += tile[threadIdx.x * 2 + 1];
  out[i] = value + n;
}

// A row's end: a bound that cuts a vector.
// launch: cut_vector float, grid 1, block 64, n 251
__global__ void cut_vector(float* out, const float* in, int n) {
  __shared__ __align__(16) float tile[256];
  const int first = threadIdx.x * 4;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (first + k < n) tile[first + k] = in[first + k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (first + k < n) out[first + k] = tile[n - 1 - first - k];
}

// A local array whose index is not known.
// launch: local_array float, grid 1, block 64, n 5
__global__ void local_array(float* out, const float* in, int n) {
  __shared__ float tile[64];
  float mine[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) mine[k] = in[threadIdx.x + k];
  tile[threadIdx.x] = mine[(threadIdx.x * n) & 15];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 9] + mine[n];
}

// Stores that a later store to the same place makes useless.
// launch: dead_stores float, grid 1, block 128, n 128
__global__ void dead_stores(float* out, const float* in, int n) {
  __shared__ float tile[128];
  tile[threadIdx.x] = 1;
  tile[threadIdx.x] = in[threadIdx.x];
  tile[threadIdx.x] += n;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
}

// Loads whose values nobody needs.
// launch: dead_loads float, grid 1, block 128, n 128
__global__ void dead_loads(float* out, const float* in, int n) {
  __shared__ float tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const float unused = tile[(threadIdx.x * 4) & 127], used = tile[threadIdx.x ^ 3];
  out[threadIdx.x] = n > 5 ? used : used + unused * 0.0f;
}

// A value loaded again behind a barrier, and without one.
// launch: loaded_again float, grid 1, block 128, n 128
__global__ void loaded_again(float* out, const float* in, int n) {
  __shared__ float tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const float a = tile[threadIdx.x ^ 2], b = tile[threadIdx.x ^ 2];
  __syncthreads();
  const float c = tile[threadIdx.x ^ 2];
  out[threadIdx.x] = a + b * c + n;
}

// Volatile: nothing is merged or dropped.
// launch: volatile_neighbours float, grid 1, block 64, n 64
__global__ void volatile_neighbours(float* out, const float* in, int n) {
  __shared__ volatile float tile[256];
#pragma unroll
  for (int k = 0; k < 4; ++k) tile[threadIdx.x * 4 + k] = in[threadIdx.x + k];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x * 4] + tile[threadIdx.x * 4 + 1] + tile[threadIdx.x * 4] + n;
}

// Dynamic shared memory, two arrays in it.
// launch: dynamic_arrays float, grid 2, block 64, n 64, dynamic 1024
__global__ void dynamic_arrays(float* out, const float* in, int n) {
  extern __shared__ float memory[];
  float* a = memory;
  float* b = memory + n;
  a[threadIdx.x] = in[threadIdx.x];
  b[threadIdx.x * 2] = in[threadIdx.x + 1];
  b[threadIdx.x * 2 + 1] = 0;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = a[63 - threadIdx.x] * b[threadIdx.x * 2];
}

// A pointer that may be to shared or to global memory.
// launch: generic_pointer float, grid 2, block 64, n 128
__global__ void generic_pointer(float* out, const float* in, int n) {
  __shared__ float tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * 64 + threadIdx.x;
  const float* from = in[i] > 32.0f ? tile : in + n;
  out[i] = from[(threadIdx.x * 2) & 63];
}

// A transposition whose halves are exchanged under a condition.
// launch: bitonic_step float, grid 1, block 64, n 64
__global__ void bitonic_step(float* out, const float* in, int n) {
  __shared__ float keys[128];
  keys[threadIdx.x] = in[threadIdx.x];
  keys[threadIdx.x + n] = in[threadIdx.x + n];
  for (int size = 2; size <= 128; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const int at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      const bool up = ((2 * threadIdx.x) & size) == 0;
      const float a = keys[at], b = keys[at + stride];
      if ((a > b) == up) {
        keys[at] = b;
        keys[at + stride] = a;
      }
    }
  }
  __syncthreads();
  out[threadIdx.x] = keys[threadIdx.x];
  out[threadIdx.x + 64] = keys[threadIdx.x + 64];
}

// A stencil whose edge threads load more.
// launch: halo float, grid 3, block 64, n 190
__global__ void halo(float* out, const float* in, int n) {
  __shared__ float tile[64 + 4];
  const int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x + 2] = i < n ? in[i] : 0;
  if (threadIdx.x < 2) tile[threadIdx.x] = i >= 2 ? in[i - 2] : 0;
  if (threadIdx.x >= 62) tile[threadIdx.x + 4] = i + 2 < n ? in[i + 2] : 0;
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 5; ++k) sum += tile[threadIdx.x + k];
  if (i < n) out[i] = sum;
}

// Histogram with a merged flush.
// launch: histogram bytes, grid 2, block 128, n 1024
__global__ void histogram(unsigned* out, const unsigned char* in, int n) {
  __shared__ unsigned bins[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) bins[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&bins[in[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (bins[i]) atomicAdd(&out[i], bins[i]);
}

// A scan in shared memory with two buffers that change places.
// launch: scan_two_buffers int, grid 1, block 128, n 128
__global__ void scan_two_buffers(int* out, const int* in, int n) {
  __shared__ int sums[2][128];
  int now = 0;
  sums[0][threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int d = 1; d < n; d *= 2) {
    const int other = 1 - now;
    sums[other][threadIdx.x] = threadIdx.x >= d
                                   ? sums[now][threadIdx.x] + sums[now][threadIdx.x - d]
                                   : sums[now][threadIdx.x];
    now = other;
    __syncthreads();
  }
  out[threadIdx.x] = sums[now][threadIdx.x];
}
