// A PyTorch extension of one kernel, as it would be built by torch.utils.cpp_extension: softmax of
// each row of a matrix, a block for each row.
#include <torch/extension.h>

constexpr int kThreads = 256;

// All threads' values merged, in every thread. `part` has a float for each of kThreads.
template <typename Merge>
__device__ float of_block(float* part, float mine, Merge merge) {
  part[threadIdx.x] = mine;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] = merge(part[threadIdx.x], part[threadIdx.x + half]);
    __syncthreads();
  }
  const float all = part[0];
#ifdef MENDED
  __syncthreads(); // the next call writes part again
#endif
  return all;
}

__global__ void softmax_kernel(const float* x, float* y, int columns) {
  __shared__ float part[kThreads];
  const float* row = x + static_cast<std::size_t>(blockIdx.x) * columns;
  float largest = -INFINITY, sum = 0;
  for (int c = threadIdx.x; c < columns; c += kThreads) largest = fmaxf(largest, row[c]);
  largest = of_block(part, largest, [](float a, float b) { return fmaxf(a, b); });
  for (int c = threadIdx.x; c < columns; c += kThreads) sum += expf(row[c] - largest);
  sum = of_block(part, sum, [](float a, float b) { return a + b; });
  for (int c = threadIdx.x; c < columns; c += kThreads)
    y[static_cast<std::size_t>(blockIdx.x) * columns + c] = expf(row[c] - largest) / sum;
}

torch::Tensor softmax(torch::Tensor x) {
  TORCH_CHECK(x.is_cuda() && x.dim() == 2 && x.scalar_type() == torch::kFloat32,
              "x is a matrix of floats on the GPU");
  auto y = torch::empty_like(x);
  softmax_kernel<<<x.size(0), kThreads, 0, torch::cuda::getCurrentCUDAStream()>>>(
      x.data_ptr<float>(), y.data_ptr<float>(), static_cast<int>(x.size(1)));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("softmax", &softmax, "softmax of each row");
}
