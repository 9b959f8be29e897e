// cuBLAS, as programs call it to compare their own kernels with: products, vectors, modes. Link it:
// -l cublas -l cublasLt. Its twins, by the argument: 1: C has room for one row too few. 2: the
// product is in another stream than the kernel that makes its A. 3: lda is the number of columns of
// A. 4: a call that is not computed here.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>

constexpr int m = 65, n = 33, k = 17;
int wrong = 0;
void expect(bool holds, const char* what) {
  if (holds) return;
  printf("%s does not hold\n", what);
  ++wrong;
}
#define CHECK(call) expect((call) == CUBLAS_STATUS_SUCCESS, #call)

// Whole numbers, so that every order of additions gives the same.
__global__ void fill(float* to, int count, int step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = static_cast<float>(i * step % 13 - 6);
}
std::vector<float> filled(int count, int step) {
  std::vector<float> all(count);
  for (int i = 0; i < count; ++i) all[i] = static_cast<float>(i * step % 13 - 6);
  return all;
}
std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> c(m * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      for (int p = 0; p < k; ++p) c[j * m + i] += a[p * m + i] * b[j * k + p];
  return c;
}
template <class T>
T* on_device(const std::vector<T>& values) {
  T* to = nullptr;
  cudaMalloc(&to, values.size() * sizeof(T));
  cudaMemcpy(to, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return to;
}
template <class T>
std::vector<T> on_host(const T* from, int count) {
  std::vector<T> values(count);
  cudaMemcpy(values.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost);
  return values;
}
template <class T>
std::vector<T> as(const std::vector<float>& from) {
  std::vector<T> to;
  for (const float each : from) to.push_back(static_cast<T>(each));
  return to;
}

int main(int argc, char** argv) {
  const int twin = argc > 1 ? atoi(argv[1]) : 0;
  const auto a = filled(m * k, 7), b = filled(k * n, 5), right = product(a, b);
  const float one = 1, minus = -1, zero = 0;
  cublasHandle_t handle;
  CHECK(cublasCreate(&handle));
  CHECK(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH));

  // A is made by a kernel in a stream, and multiplied in the same.
  cudaStream_t stream, other;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  float *da, *dc, *db = on_device(b);
  cudaMalloc(&da, m * k * sizeof(float));
  cudaMalloc(&dc, (twin == 1 ? m * n - m : m * n) * sizeof(float));
  fill<<<(m * k + 127) / 128, 128, 0, stream>>>(da, m * k, 7);
  CHECK(cublasSetStream(handle, twin == 2 ? other : stream));
  CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, da, twin == 3 ? k : m, db, k,
                    &zero, dc, m));
  cudaDeviceSynchronize();
  if (twin == 4)
    cublasSsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, m, k, &one, da, m, &zero, dc, m);
  if (twin) return 0;
  CHECK(cublasSetStream(handle, nullptr));
  expect(on_host(dc, m * n) == right, "C = A B");

  // The same by transposes, C' = B' A', turned back and taken away from C.
  float *dt, *sum;
  cudaMalloc(&dt, m * n * sizeof(float));
  cudaMalloc(&sum, sizeof(float));
  CHECK(cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_T, n, m, k, &one, db, k, da, m, &zero, dt, n));
  CHECK(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, &one, dt, n, &minus, dc, m, dc, m));
  CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  CHECK(cublasSasum(handle, m * n, dc, 1, sum));
  CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  expect(on_host(sum, 1)[0] == 0, "C - C'' = 0");

  // Other types: doubles, halves that are added as floats, and bfloat16 twice by pointers.
  const double d_one = 1, d_zero = 0;
  double *xa = on_device(as<double>(a)), *xb = on_device(as<double>(b)), *xc;
  cudaMalloc(&xc, m * n * sizeof(double));
  CHECK(
      cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &d_one, xa, m, xb, k, &d_zero, xc, m));
  expect(on_host(xc, m * n) == as<double>(right), "of doubles");
  auto *ha = on_device(as<__half>(a)), *hb = on_device(as<__half>(b));
  CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, ha, CUDA_R_16F, m, hb,
                     CUDA_R_16F, k, &zero, dc, CUDA_R_32F, m, CUBLAS_COMPUTE_32F,
                     CUBLAS_GEMM_DEFAULT));
  expect(on_host(dc, m * n) == right, "of halves");
  auto *ba = on_device(as<__nv_bfloat16>(a)), *bb = on_device(as<__nv_bfloat16>(b));
  const void **pa = on_device(std::vector<const void*>{ba, ba}),
             **pb = on_device(std::vector<const void*>{bb, bb});
  void** pc = on_device(std::vector<void*>{dc, dt});
  CHECK(cublasGemmBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, pa, CUDA_R_16BF, m, pb,
                            CUDA_R_16BF, k, &zero, pc, CUDA_R_32F, m, 2, CUBLAS_COMPUTE_32F,
                            CUBLAS_GEMM_DEFAULT));
  expect(on_host(dt, m * n) == right, "of bfloat16");

  // Vectors: a matrix times one, its first row by a stride, and the second of two largest.
  CHECK(cublasSgemv(handle, CUBLAS_OP_N, m, k, &one, da, m, db, 1, &zero, dt, 1));
  expect(on_host(dt, m) == std::vector<float>(right.begin(), right.begin() + m), "A times b");
  float dot = 0, exact = 0;
  CHECK(cublasSdot(handle, k, da, m, db, 1, &dot));
  for (int p = 0; p < k; ++p) exact += a[p * m] * b[p];
  expect(dot == exact, "the first row times b");
  const std::vector<float> peaks{1, -3, 3, 2};
  float* dp = on_device(peaks);
  int at = 0;
  CHECK(cublasIsamax(handle, 4, dp, 1, &at));
  expect(at == 2, "the first of the largest");
  CHECK(cublasSscal(handle, 2, &minus, dp, 2));
  expect(on_host(dp, 4) == std::vector<float>{-1, -3, -3, 2}, "every other times -1");

  // Piece by piece: A from its transpose, a bias for each row, and no negative number.
  std::vector<float> turned(m * k), bias(m), rectified = right;
  for (int i = 0; i < m; ++i) bias[i] = static_cast<float>(i % 5 - 2);
  for (int i = 0; i < m; ++i)
    for (int p = 0; p < k; ++p) turned[i * k + p] = a[p * m + i];
  for (int i = 0; i < m * n; ++i) rectified[i] = fmaxf(right[i] + bias[i % m], 0);
  float *dturned = on_device(turned), *dbias = on_device(bias);
  cublasLtHandle_t light;
  cublasLtMatmulDesc_t desc;
  cublasLtMatrixLayout_t la, lb, lc;
  cublasLtMatmulPreference_t preference;
  cublasLtMatmulHeuristicResult_t plan;
  const cublasOperation_t transpose = CUBLAS_OP_T;
  const cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_RELU_BIAS;
  int plans = 0;
  CHECK(cublasLtCreate(&light));
  CHECK(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &transpose,
                                       sizeof transpose));
  CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue,
                                       sizeof epilogue));
  CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &dbias,
                                       sizeof dbias));
  CHECK(cublasLtMatrixLayoutCreate(&la, CUDA_R_32F, k, m, k));
  CHECK(cublasLtMatrixLayoutCreate(&lb, CUDA_R_32F, k, n, k));
  CHECK(cublasLtMatrixLayoutCreate(&lc, CUDA_R_32F, m, n, m));
  CHECK(cublasLtMatmulPreferenceCreate(&preference));
  CHECK(cublasLtMatmulAlgoGetHeuristic(light, desc, la, lb, lc, lc, preference, 1, &plan, &plans));
  expect(plans == 1 && plan.state == CUBLAS_STATUS_SUCCESS, "a plan");
  CHECK(cublasLtMatmul(light, desc, &one, dturned, la, db, lb, &zero, dc, lc, dc, lc, &plan.algo,
                       nullptr, 0, nullptr));
  expect(on_host(dc, m * n) == rectified, "relu(A B + bias)");
  CHECK(cublasLtMatmulPreferenceDestroy(preference));
  for (const auto layout : {la, lb, lc}) CHECK(cublasLtMatrixLayoutDestroy(layout));
  CHECK(cublasLtMatmulDescDestroy(desc));
  CHECK(cublasLtDestroy(light));

  CHECK(cublasDestroy(handle));
  printf("blas: wrong %d\n", wrong);
  return wrong == 0 ? 0 : 1;
}
