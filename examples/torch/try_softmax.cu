// A small main for softmax.cu, which is as it would be for PyTorch.
#include "softmax.cu"

#include <cmath>
#include <cstdio>

int main() {
  const auto x = torch::randn({64, 1000}, torch::kCUDA);
  const auto y = softmax(x).cpu(), host = x.cpu();
  double worst = 0;
  for (int row = 0; row < 64; ++row) {
    double sum = 0;
    for (int c = 0; c < 1000; ++c) sum += std::exp(host.number(row * 1000 + c));
    for (int c = 0; c < 1000; ++c) {
      const double right = std::exp(host.number(row * 1000 + c)) / sum;
      worst = std::fmax(worst, std::fabs(y.number(row * 1000 + c) / right - 1));
    }
  }
  std::printf("largest relative error: %.1e\n", worst);
  return worst < 1e-5 ? 0 : 1;
}
