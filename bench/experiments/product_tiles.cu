// Times each library named on the command line, which has `product` of product_tiles.cuh, in turn
// with cuBLAS sgemm.
#include "../contest/contest.cuh"

#include <cublas_v2.h>
#include <dlfcn.h>

using Product = int (*)(float*, const float*, const float*, int, int, int);

float timed(const std::function<void()>& run) {
  static cudaEvent_t before = nullptr, after = nullptr;
  if (before == nullptr) cudaEventCreate(&before), cudaEventCreate(&after);
  cudaEventRecord(before);
  run();
  cudaEventRecord(after);
  contest::must(cudaEventSynchronize(after), "a product");
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, before, after);
  return milliseconds;
}
float median(std::vector<float> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

int main(int count, char** words) {
  const int n = std::atoi(words[1]), rounds = std::atoi(words[2]);
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 1;
  cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH);
  const float one = 1, zero = 0;
  const std::size_t all = std::size_t(n) * n;
  float *a = contest::memory<float>(all), *b = contest::memory<float>(all),
        *c = contest::memory<float>(all), *right = contest::memory<float>(all);
  contest::random_numbers(a, all, 16);
  contest::random_numbers(b, all, 15);
  auto* unequal = contest::memory<unsigned long long>(1);
  const auto library = [&] {
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n, a, n, &zero, right, n);
  };
  for (int i = 0; i < 300; ++i) library();
  std::puts("name,registers,unequal,ms,cublas_ms,ratio");
  for (int i = 3; i < count; ++i) {
    void* const found = dlopen(words[i], RTLD_NOW | RTLD_LOCAL);
    const auto product = found ? reinterpret_cast<Product>(dlsym(found, "product")) : nullptr;
    if (product == nullptr) {
      std::printf("%s,none\n", words[i]);
      continue;
    }
    cudaMemset(c, 0xff, all * sizeof(float));
    const int registers = product(c, a, b, n, n, n);
    unsigned long long wrong = 0;
    cudaMemset(unequal, 0, sizeof wrong);
    contest::count_unequal<<<1024, 256>>>(c, right, all, 0.0, unequal);
    cudaMemcpy(&wrong, unequal, sizeof wrong, cudaMemcpyDeviceToHost);
    std::vector<float> ours, theirs, ratios;
    for (int round = -1; round < rounds; ++round) {
      const float theirs_now = timed(library), ours_now = timed([&] { product(c, a, b, n, n, n); });
      if (round < 0) continue;
      ours.push_back(ours_now), theirs.push_back(theirs_now),
          ratios.push_back(theirs_now / ours_now);
    }
    std::printf("%s,%d,%llu,%.4f,%.4f,%.4f\n", words[i], registers, wrong, median(ours),
                median(theirs), median(ratios));
    std::fflush(stdout);
  }
}
