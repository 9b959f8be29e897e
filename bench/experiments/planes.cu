// What exercise 06_constant_memory/4_explain asks: pixels of four floats become four planes. Its
// three kernels, the one with a tile without conflicts too, and a pixel a thread by single floats.
#include "experiment.cuh"

namespace explained {
#include "../../solutions/06_constant_memory/4_explain.cu"
} // namespace explained

namespace {

using explained::kThreads;

// B with a word of padding behind every 32: no conflicts.
__global__ void padded_tile(float* out, const float* in, int n) {
  __shared__ float tile[4 * kThreads + 4 * kThreads / 32];
  const int t = threadIdx.x, first = blockIdx.x * kThreads, plane = t / 64;
  for (int e = 0; e < 4; ++e) {
    const int at = t + kThreads * e;
    tile[at + at / 32] = in[4 * first + at];
  }
  __syncthreads();
  for (int e = 0; e < 4; ++e) {
    const int pixel = t % 64 + 64 * e, at = 4 * pixel + plane;
    out[plane * n + first + pixel] = tile[at + at / 32];
  }
}

__global__ void four_loads(float* out, const float* in, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const volatile float* const from = in + 4 * i; // each load by itself
#pragma unroll
  for (int plane = 0; plane < 4; ++plane) out[plane * n + i] = from[plane];
}

void planes(int n, int rounds) {
  float* const in = contest::memory<float>(4 * std::size_t{1} * n);
  contest::random_numbers(in, 4 * std::size_t{1} * n, 1u << 23);
  experiment::Experiment<float> all("pixels into planes", n, in, 4 * std::size_t{1} * n,
                                    4 * std::size_t{1} * n);
  float* const out = all.out;
  const int blocks = n / kThreads;
  all.reference([=] { explained::c_pixel<<<blocks, kThreads>>>(out, in, n); });
  all.add(
      "cudaMemcpy",
      [=] { cudaMemcpyAsync(out, in, 16 * std::size_t{1} * n, cudaMemcpyDeviceToDevice); }, in);
  all.add("a float a thread", [=] { explained::a_float<<<4 * blocks, kThreads>>>(out, in, n); });
  all.add("a tile", [=] { explained::b_tile<<<blocks, kThreads>>>(out, in, n); });
  all.add("a tile without conflicts", [=] { padded_tile<<<blocks, kThreads>>>(out, in, n); });
  all.add("a pixel a thread", [=] { explained::c_pixel<<<blocks, kThreads>>>(out, in, n); });
  all.add("a pixel by four loads", [=] { four_loads<<<blocks, kThreads>>>(out, in, n); });
  all.hold(rounds);
  cudaFree(in);
}

} // namespace

int main(int count, char** arguments) {
  if (experiment::begin(count, arguments)) {
    planes(4096, 1);
  } else {
    planes(1 << 22, 61);
    planes(1 << 24, 31);
  }
  return experiment::end();
}
