// Times contestants on the GPU in one interleaved run, and prints a line for each of them:
//
//   row <tab> contest <tab> size <tab> name <tab> role <tab> seconds <tab> bytes <tab> flops
//
// Role: solution (of the course), library (what a user would pick instead), ceiling (a copy).
// Contestants take turns and change places from round to round, on a cold L2; seconds are medians
// of CUDA events. A contestant whose result is not the reference's is printed as wrong, not timed.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace contest {

inline void must(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

// Device memory for as long as the program runs.
template <class T>
T* memory(std::size_t count) {
  void* pointer = nullptr;
  must(cudaMalloc(&pointer, std::max<std::size_t>(count, 1) * sizeof(T)), "cudaMalloc");
  return static_cast<T*>(pointer);
}

// Small whole numbers, by position: sums of them are exact where they stay small.
template <class T>
__global__ void fill(T* to, std::size_t count, unsigned range) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x) {
    unsigned x = static_cast<unsigned>(i) * 2654435761u;
    x ^= x >> 15;
    to[i] = static_cast<T>(x % range) - static_cast<T>(range / 2);
  }
}
template <class T>
void random_numbers(T* to, std::size_t count, unsigned range = 200) {
  fill<<<1024, 256>>>(to, count, range);
}

template <class T>
__global__ void count_unequal(const T* a, const T* b, std::size_t count, double tolerance,
                              unsigned long long* unequal) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x) {
    const double x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
    if (!(fabs(x - y) <= tolerance * fmax(1.0, fabs(y)))) atomicAdd(unequal, 1ull);
  }
}

__global__ void read_all(const float4* from, std::size_t count, float* sink) {
  float sum = 0;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x)
    sum += from[i].x;
  if (sum == -1.0f) *sink = sum;
}

enum class Role { solution, library, ceiling };

template <class T>
class Contest {
public:
  // `bytes` read and written and `flops` by one run; results of `count` elements are compared.
  Contest(std::string name, std::string size, double bytes, double flops, std::size_t count,
          double tolerance = 0)
      : name_(std::move(name)), size_(std::move(size)), bytes_(bytes), flops_(flops), count_(count),
        tolerance_(tolerance), out(memory<T>(count)), reference_(memory<T>(count)) {}
  ~Contest() {
    cudaFree(out);
    cudaFree(reference_);
  }

  // The first library that is added makes the reference. A ceiling has no result.
  void add(const std::string& name, Role role, std::function<void()> run) {
    contestants_.push_back({name, role, std::move(run), {}});
  }

  void hold(int rounds = 15) {
    const std::size_t scratch_bytes = 128u << 20;
    static float4* scratch = [] {
      auto* made = memory<float4>((128u << 20) / sizeof(float4));
      must(cudaMemset(made, 0, 128u << 20), "cudaMemset");
      return made;
    }();
    check();
    cudaEvent_t before, after;
    must(cudaEventCreate(&before), "event");
    must(cudaEventCreate(&after), "event");
    const std::size_t n = contestants_.size();
    for (int round = -2; round < rounds; ++round) {
      for (std::size_t i = 0; i < n; ++i) {
        auto& one = contestants_[(i + static_cast<std::size_t>(round + 2)) % n];
        if (one.wrong) continue;
        read_all<<<528, 512>>>(scratch, scratch_bytes / sizeof(float4), nullptr);
        cudaEventRecord(before);
        one.run();
        cudaEventRecord(after);
        must(cudaEventSynchronize(after), one.name.c_str());
        float milliseconds = 0;
        cudaEventElapsedTime(&milliseconds, before, after);
        if (round >= 0) one.seconds.push_back(milliseconds * 1e-3);
      }
    }
    for (auto& one : contestants_) {
      if (one.wrong) {
        std::printf("wrong\t%s\t%s\t%s\n", name_.c_str(), size_.c_str(), one.name.c_str());
        continue;
      }
      std::sort(one.seconds.begin(), one.seconds.end());
      const char* roles[] = {"solution", "library", "ceiling"};
      std::printf("row\t%s\t%s\t%s\t%s\t%.9g\t%.0f\t%.0f\n", name_.c_str(), size_.c_str(),
                  one.name.c_str(), roles[static_cast<int>(one.role)],
                  one.seconds[one.seconds.size() / 2], bytes_, flops_);
    }
    std::fflush(stdout);
    cudaEventDestroy(before);
    cudaEventDestroy(after);
  }

private:
  struct Contestant {
    std::string name;
    Role role;
    std::function<void()> run;
    std::vector<double> seconds;
    bool wrong = false;
  };

  void check() {
    auto* unequal = memory<unsigned long long>(1);
    bool have_reference = false;
    for (const bool libraries : {true, false}) {
      for (auto& one : contestants_) {
        if (one.role == Role::ceiling || (one.role == Role::library) != libraries) continue;
        must(cudaMemset(out, 0xff, count_ * sizeof(T)), "cudaMemset");
        one.run();
        must(cudaDeviceSynchronize(), one.name.c_str());
        if (!have_reference) {
          must(cudaMemcpy(reference_, out, count_ * sizeof(T), cudaMemcpyDeviceToDevice), "copy");
          have_reference = true;
          continue;
        }
        unsigned long long found = 0;
        must(cudaMemset(unequal, 0, sizeof found), "cudaMemset");
        count_unequal<<<1024, 256>>>(out, reference_, count_, tolerance_, unequal);
        must(cudaMemcpy(&found, unequal, sizeof found, cudaMemcpyDeviceToHost), "copy");
        one.wrong = found != 0;
      }
    }
    cudaFree(unequal);
  }

  std::string name_, size_;
  double bytes_, flops_;
  std::size_t count_;
  double tolerance_;
  std::vector<Contestant> contestants_;

public:
  T* out;

private:
  T* reference_;
};

} // namespace contest
