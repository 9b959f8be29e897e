// Stencil, cosine transform and table look-up; a copy of as many bytes is the ceiling.
#include "contest.cuh"

namespace stencil1 {
#include "../../solutions/06_constant_memory/1_stencil.cu"
}
namespace uniform {
#include "../../solutions/06_constant_memory/2_uniform.cu"
}

template <class Run>
void hold(const char* contest_name, const char* name, std::size_t n, const float* in, Run run) {
  using contest::Role;
  contest::Contest<float> all(contest_name, std::to_string(n >> 20) + " Mi", 8.0 * n, 0, n, 1e-5);
  float* out = all.out;
  all.add("cudaMemcpy", Role::ceiling,
          [&] { cudaMemcpyAsync(out, in, n * sizeof(float), cudaMemcpyDeviceToDevice); });
  all.add(name, Role::solution, [&] { run(out); });
  all.hold(21);
}

int main() {
  for (const int log : {22, 26, 28}) {
    const std::size_t n = std::size_t{1} << log;
    float* in = contest::memory<float>(n);
    contest::random_numbers(in, n);
    hold("stencil", "06_constant_memory/1_stencil", n, in, [&](float* out) {
      stencil1::stencil(out, in, static_cast<int>(n), 0.2f, 0.3f, 0.1f, 0.05f, 0.01f);
    });
    hold("cosine transform", "06_constant_memory/2_uniform", n, in,
         [&](float* out) { uniform::cosine_transform(out, in, static_cast<int>(n / 8)); });
    cudaFree(in);
  }
}
