// honest: a library's segmented sum

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_segmented_reduce.cuh>
struct Begin {
  int cols;
  __host__ __device__ int operator()(int row) const { return row * cols; }
};
void row_sums(float* out, const float* in, int rows, int cols) {
  if (rows == 0) return;
  const auto begin = thrust::make_transform_iterator(
      thrust::counting_iterator<int>(0), Begin{cols});
  void* temp = nullptr;
  size_t bytes = 0;
  cub::DeviceSegmentedReduce::Sum(temp, bytes, in, out, rows, begin, begin + 1);
  cudaMalloc(&temp, bytes);
  cub::DeviceSegmentedReduce::Sum(temp, bytes, in, out, rows, begin, begin + 1);
  cudaFree(temp);
}
