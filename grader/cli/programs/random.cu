// cuRAND, as programs draw their inputs: by the host's interface (link it: -l curand) and in
// kernels. Its twins, by the argument: 1: there is room for one number too few. 2: they are drawn
// in another stream than the kernel that reads them. 3: an odd number of normal ones. 4: what is
// not drawn here.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <curand.h>
#include <curand_kernel.h>
#include <vector>

constexpr int n = 1 << 14;
int wrong = 0;
void expect(bool holds, const char* what) {
  if (holds) return;
  printf("%s does not hold\n", what);
  ++wrong;
}
#define CHECK(call) expect((call) == CURAND_STATUS_SUCCESS, #call)

__global__ void scale(float* data, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] *= by;
}
__global__ void throw_dice(float* uniform, float* normal, unsigned long long seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState state;
  curand_init(seed + i, 0, 0, &state);
  uniform[i] = curand_uniform(&state);
  normal[i] = curand_normal(&state);
  curandStatePhilox4_32_10_t other;
  curand_init(seed + i, 0, 0, &other);
  const float4 four = curand_uniform4(&other);
  if (four.x <= 0 || four.w > 1) uniform[i] = -1;
}

// Mean and deviation of what the device has.
template <class T>
void is_like(const T* on_device, double mean, double deviation, const char* what) {
  std::vector<T> all(n);
  cudaMemcpy(all.data(), on_device, n * sizeof(T), cudaMemcpyDeviceToHost);
  double sum = 0, squares = 0;
  for (const T each : all) sum += each, squares += double(each) * each;
  const double is = sum / n, spread = std::sqrt(squares / n - is * is);
  expect(std::abs(is - mean) < 0.03 && std::abs(spread - deviation) < 0.03, what);
}

int main(int argc, char** argv) {
  const int twin = argc > 1 ? atoi(argv[1]) : 0;
  float *floats = nullptr, *others = nullptr;
  double* doubles = nullptr;
  unsigned* words = nullptr;
  cudaMalloc(&floats, (n - (twin == 1)) * sizeof(float));
  cudaMalloc(&others, n * sizeof(float));
  cudaMalloc(&doubles, n * sizeof(double));
  cudaMalloc(&words, n * sizeof(unsigned));
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  curandGenerator_t generator;
  CHECK(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
  CHECK(curandSetPseudoRandomGeneratorSeed(generator, 1234));
  if (twin == 2) CHECK(curandSetStream(generator, stream));
  CHECK(curandGenerateUniform(generator, floats, n));
  if (twin == 2) scale<<<n / 256, 256>>>(floats, 2);
  if (twin == 4) curandGeneratePoisson(generator, words, n, 4);
  const float deviation = 1 / std::sqrt(12.0f);
  if (!twin) is_like(floats, 0.5, deviation, "uniform");
  CHECK(curandGenerateUniformDouble(generator, doubles, n));
  is_like(doubles, 0.5, deviation, "uniform double");
  CHECK(curandGenerateNormal(generator, others, twin == 3 ? n - 1 : n, 1, 2));
  is_like(others, 1, 2, "normal");
  CHECK(curandGenerateNormalDouble(generator, doubles, n, 0, 1));
  is_like(doubles, 0, 1, "normal double");
  CHECK(curandGenerateLogNormal(generator, others, n, 0, 0.5f));
  is_like(others, std::exp(0.125), std::exp(0.125) * std::sqrt(std::exp(0.25) - 1), "log-normal");
  CHECK(curandGenerate(generator, words, n));
  std::vector<unsigned> one(n), same(n);
  cudaMemcpy(one.data(), words, n * 4, cudaMemcpyDeviceToHost);
  unsigned bits = 0;
  for (const unsigned each : one) bits |= each;
  expect(bits == ~0u && one[0] != one[1], "words");
  CHECK(curandSetPseudoRandomGeneratorSeed(generator, 7));
  CHECK(curandGenerate(generator, words, n));
  cudaMemcpy(one.data(), words, n * 4, cudaMemcpyDeviceToHost);
  CHECK(curandDestroyGenerator(generator));
  // A generator of the host draws the same.
  CHECK(curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_DEFAULT));
  CHECK(curandSetPseudoRandomGeneratorSeed(generator, 7));
  CHECK(curandGenerate(generator, same.data(), n));
  expect(one == same, "the same seed");
  CHECK(curandDestroyGenerator(generator));

  throw_dice<<<n / 256, 256>>>(floats, others, 42);
  if (!twin) is_like(floats, 0.5, deviation, "curand_uniform");
  is_like(others, 0, 1, "curand_normal");
  cudaFree(floats), cudaFree(others), cudaFree(doubles), cudaFree(words);
  cudaStreamDestroy(stream);
  printf("random: wrong %d\n", wrong);
  return wrong != 0;
}
