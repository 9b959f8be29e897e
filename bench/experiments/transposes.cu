// Which of them makes a transpose fast: the shape of the tile, the threads of a block, the elements
// of a thread, or the absence of conflicts? Every combination is a kernel of its own, made from one
// template; a warp is always 32 neighbouring elements on both sides.
#include "experiment.cuh"

namespace {

// Where word `i` of a tile lies that is kWidth wide.
template <int kWidth, int kPitch>
struct Rows { // rows of kPitch words
  static __host__ __device__ constexpr int at(int i) { return i / kWidth * kPitch + i % kWidth; }
};
template <int kWords>
struct Spread { // kWords more after every 32, whatever the rows
  static __host__ __device__ constexpr int at(int i) { return i + i / 32 * kWords; }
};

// A block turns kHigh rows of kWide elements, kEach for each of its threads.
template <int kWide, int kHigh, int kEach, class Place>
__global__ void turn(float* out, const float* in, int side) {
  constexpr int kElements = kWide * kHigh, kThreads = kElements / kEach;
  __shared__ float tile[Place::at(kElements - 1) + 1];
  const int left = blockIdx.x * kWide, top = blockIdx.y * kHigh;
#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    const int i = threadIdx.x + e * kThreads;
    tile[Place::at(i)] = in[(top + i / kWide) * side + left + i % kWide];
  }
  __syncthreads();
#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    const int i = threadIdx.x + e * kThreads, row = i % kHigh, col = i / kHigh;
    out[(left + col) * side + top + row] = tile[Place::at(row * kWide + col)];
  }
}

// The same for a tile of 32 x 32 whose pitch comes with the launch.
__global__ void turn_dynamic(float* out, const float* in, int side, int pitch) {
  extern __shared__ float tile[];
  const int x = threadIdx.x % 32, y = threadIdx.x / 32;
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
#pragma unroll
  for (int r = 0; r < 32; r += 8) tile[(y + r) * pitch + x] = in[(top + y + r) * side + left + x];
  __syncthreads();
#pragma unroll
  for (int r = 0; r < 32; r += 8) out[(left + y + r) * side + top + x] = tile[x * pitch + y + r];
}

// No shared memory: a warp holds a tile of 32 x 32 in its registers, and turns it in five steps,
// exchanging half of them in each.
__global__ void turn_by_shuffles(float* out, const float* in, int side) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int left = (blockIdx.x * (blockDim.x / 32) + warp) * 32, top = blockIdx.y * 32;
  float x[32];
#pragma unroll
  for (int r = 0; r < 32; ++r) x[r] = in[(top + r) * side + left + lane];
#pragma unroll
  for (int half = 16; half > 0; half /= 2) {
    const bool upper = lane & half;
#pragma unroll
    for (int r = 0; r < 32; ++r) {
      if (r & half) continue;
      const float given = upper ? x[r] : x[r + half];
      const float got = __shfl_xor_sync(0xffffffff, given, half);
      if (upper)
        x[r] = got;
      else
        x[r + half] = got;
    }
  }
#pragma unroll
  for (int r = 0; r < 32; ++r) out[(left + r) * side + top + lane] = x[r];
}

__global__ void naive(float* out, const float* in, int side) {
  const int col = blockIdx.x * 16 + threadIdx.x % 16, row = blockIdx.y * 16 + threadIdx.x / 16;
  out[col * side + row] = in[row * side + col];
}

// A ceiling: no transpose, but the same bytes, kEach elements a thread.
template <int kEach>
__global__ void copy(float* out, const float* in) {
  const int first = blockIdx.x * blockDim.x * kEach + threadIdx.x;
  float x[kEach];
#pragma unroll
  for (int e = 0; e < kEach; ++e) x[e] = in[first + e * blockDim.x];
#pragma unroll
  for (int e = 0; e < kEach; ++e) out[first + e * blockDim.x] = x[e];
}

// The same bytes again, but never more than one load of a thread under way: `volatile` keeps the
// order, and a warp cannot issue a load behind a store that waits for its number.
__global__ void copy_in_series(float* out, const float* in, int each, int apart) {
  const int first = blockIdx.x * blockDim.x * (apart == 0 ? each : 1) + threadIdx.x;
  const int step = apart == 0 ? blockDim.x : apart;
#pragma unroll 1
  for (int e = 0; e < each; ++e) {
    float x;
    asm volatile("ld.global.f32 %0, [%1];" : "=f"(x) : "l"(in + first + e * step) : "memory");
    asm volatile("st.global.f32 [%0], %1;" : : "l"(out + first + e * step), "f"(x) : "memory");
  }
}

// A transpose by tiles of 32 x 32 and 256 threads, each element after the other on the way in.
__global__ void turn_in_series(float* out, const float* in, int side) {
  __shared__ float tile[32][33];
  const int x = threadIdx.x % 32, y = threadIdx.x / 32;
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
#pragma unroll 1
  for (int r = 0; r < 32; r += 8) {
    float value;
    const float* const from = in + (top + y + r) * side + left + x;
    asm volatile("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(from) : "memory");
    static_cast<volatile float*>(tile[y + r])[x] = value;
  }
  __syncthreads();
#pragma unroll
  for (int r = 0; r < 32; r += 8) out[(left + y + r) * side + top + x] = tile[x][y + r];
}

using Turns = experiment::Experiment<float>;

template <int kWide, int kHigh, int kEach, class Place>
void add(Turns& all, const char* layout, const float* in, int side) {
  const int threads = kWide * kHigh / kEach;
  const std::string name = std::to_string(kHigh) + "x" + std::to_string(kWide) + " " + layout +
                           " each " + std::to_string(kEach);
  float* const out = all.out;
  all.add(name, [=] {
    turn<kWide, kHigh, kEach, Place><<<dim3(side / kWide, side / kHigh), threads>>>(out, in, side);
  });
}

void compare(int side, int rounds) {
  const std::size_t count = std::size_t(side) * side;
  float* const in = contest::memory<float>(count);
  contest::random_numbers(in, count, 1u << 23);
  Turns all("transpose", side, in, count, count);
  float* const out = all.out;
  all.reference([=] { naive<<<dim3(side / 16, side / 16), 256>>>(out, in, side); });

  all.add(
      "cudaMemcpy",
      [=] { cudaMemcpyAsync(out, in, count * sizeof(float), cudaMemcpyDeviceToDevice); }, in);
  const auto blocks = [=](int each) { return static_cast<int>(count / 256 / each); };
  all.add(
      "copy each 1", [=] { copy<1><<<blocks(1), 256>>>(out, in); }, in);
  all.add(
      "copy each 2", [=] { copy<2><<<blocks(2), 256>>>(out, in); }, in);
  all.add(
      "copy each 4", [=] { copy<4><<<blocks(4), 256>>>(out, in); }, in);
  all.add(
      "copy each 4 in series", [=] { copy_in_series<<<blocks(4), 256>>>(out, in, 4, 0); }, in);
  // As many threads as the device holds, each with all that is left for it, one at a time.
  const int resident = 128 * 8 * 256; // 128 of the multiprocessors: no remainder
  all.add(
      "copy by resident threads in series",
      [=] {
        copy_in_series<<<resident / 256, 256>>>(out, in, static_cast<int>(count / resident),
                                                resident);
      },
      in);
  all.add("naive each 1", [=] { naive<<<dim3(side / 16, side / 16), 256>>>(out, in, side); });

  add<16, 16, 1, Rows<16, 16>>(all, "rows of 16", in, side);
  add<16, 16, 1, Rows<16, 17>>(all, "rows of 17", in, side);
  add<16, 16, 1, Spread<2>>(all, "free", in, side);
  add<16, 16, 4, Rows<16, 16>>(all, "rows of 16", in, side);
  add<16, 16, 4, Rows<16, 17>>(all, "rows of 17", in, side);
  add<16, 16, 4, Spread<2>>(all, "free", in, side);
  add<32, 32, 1, Rows<32, 32>>(all, "rows of 32", in, side);
  add<32, 32, 1, Rows<32, 33>>(all, "free", in, side);
  add<32, 32, 2, Rows<32, 33>>(all, "free", in, side);
  add<32, 32, 4, Rows<32, 32>>(all, "rows of 32", in, side);
  add<32, 32, 4, Rows<32, 33>>(all, "free", in, side);
  add<32, 32, 8, Rows<32, 33>>(all, "free", in, side);
  add<32, 8, 1, Rows<32, 36>>(all, "free", in, side);
  add<16, 64, 4, Spread<1>>(all, "free", in, side);
  add<64, 16, 4, Spread<2>>(all, "2-way", in, side);
  add<32, 16, 1, Rows<32, 34>>(all, "free", in, side);
  add<32, 16, 2, Rows<32, 34>>(all, "free", in, side);

  const dim3 grid(side / 32, side / 32);
  all.add("32x32 free each 4 in series", [=] { turn_in_series<<<grid, 256>>>(out, in, side); });
  const int bytes = 32 * 33 * sizeof(float);
  all.add("32x32 free each 4 dynamic",
          [=] { turn_dynamic<<<grid, 256, bytes>>>(out, in, side, 33); });
  all.add("32x32 rows of 32 each 4 dynamic",
          [=] { turn_dynamic<<<grid, 256, bytes>>>(out, in, side, 32); });
  all.add("32x32 by shuffles each 32",
          [=] { turn_by_shuffles<<<dim3(side / 128, side / 32), 128>>>(out, in, side); });
  all.hold(rounds);
  cudaFree(in);
}

} // namespace

int main(int count, char** arguments) {
  if (experiment::begin(count, arguments)) {
    compare(512, 0);
    return experiment::end();
  }
  compare(4096, 61);
  compare(8192, 31);
  return experiment::end();
}
