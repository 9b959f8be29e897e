// Products of matrices: cublasSgemm and its like, for one product, for many at a stride, and for
// many by pointers. A half is multiplied and added as a float and rounded once, at the end; so is
// what asks for TF32 or for sums of halves, which an H200 rounds more often.
#include "runtime/client/blas/gemm.hpp"
#include "runtime/client/blas/small_floats.hpp"

#include <algorithm>
#include <cmath>
#include <string>

using namespace course::client::blas;
using course::client::refuse;

std::size_t course::client::blas::bytes_of(cudaDataType type) {
  switch (type) {
  case CUDA_R_16F:
  case CUDA_R_16BF:
    return 2;
  case CUDA_R_32F:
    return 4;
  case CUDA_R_64F:
    return 8;
  default:
    return 0;
  }
}

namespace {

// cublasComputeType_t, without those that are emulated on integers or are integers.
bool computes_floats(int compute) {
  return (compute >= 64 && compute <= 69) || compute == 74 || compute == 75 || compute == 77;
}
bool computes_doubles(int compute) {
  return compute == 70 || compute == 71;
}

const void* moved(const Matrix& matrix, std::int64_t number) {
  return static_cast<const std::byte*>(matrix.at) +
         number * matrix.stride * static_cast<std::int64_t>(bytes_of(matrix.type));
}

template <class T, class As>
bool fetch_as(const Product& of, const Place& place, std::vector<As>& to) {
  std::vector<T> elements;
  if (!fetch(of.call, *of.handle, place, elements)) return false;
  to.resize(elements.size());
  for (std::size_t i = 0; i < to.size(); ++i)
    to[i] = static_cast<As>(static_cast<std::conditional_t<sizeof(T) == 2, float, T>>(elements[i]));
  return true;
}
template <class As>
bool fetch_as(const Product& of, cudaDataType type, const Place& place, std::vector<As>& to) {
  switch (type) {
  case CUDA_R_16F:
    return fetch_as<Half>(of, place, to);
  case CUDA_R_16BF:
    return fetch_as<Bf16>(of, place, to);
  case CUDA_R_32F:
    return fetch_as<float>(of, place, to);
  default:
    return fetch_as<double>(of, place, to);
  }
}

template <class T, class From>
bool store_as(const Product& of, const Place& place, const std::vector<From>& from) {
  std::vector<T> elements(from.size());
  for (std::size_t i = 0; i < from.size(); ++i)
    elements[i] =
        static_cast<T>(static_cast<std::conditional_t<sizeof(T) == 2, float, T>>(from[i]));
  return store(of.call, *of.handle, place, elements);
}
template <class From>
bool store_as(const Product& of, cudaDataType type, const Place& place,
              const std::vector<From>& from) {
  switch (type) {
  case CUDA_R_16F:
    return store_as<Half>(of, place, from);
  case CUDA_R_16BF:
    return store_as<Bf16>(of, place, from);
  case CUDA_R_32F:
    return store_as<float>(of, place, from);
  default:
    return store_as<double>(of, place, from);
  }
}

// op(X) with `rows` rows and `columns` columns, packed.
template <class T>
bool operand(const Product& of, const Matrix& matrix, const void* at, Op op, std::int64_t rows,
             std::int64_t columns, std::vector<T>& to) {
  const bool turned = op != Op::none;
  const Place place{at, turned ? columns : rows, turned ? rows : columns, matrix.pitch};
  if (!turned) return fetch_as(of, matrix.type, place, to);
  std::vector<T> as_it_stands;
  if (!fetch_as(of, matrix.type, place, as_it_stands)) return false;
  to.resize(as_it_stands.size());
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      to[static_cast<std::size_t>(j * rows + i)] =
          as_it_stands[static_cast<std::size_t>(i * columns + j)];
  return true;
}

// As documented, by its approximation with a hyperbolic tangent.
template <class T>
T gelu(T x) {
  constexpr T kScale = static_cast<T>(0.7978845608028654), kCubic = static_cast<T>(0.044715);
  return x / 2 * (1 + std::tanh(kScale * (x + kCubic * x * x * x)));
}

template <class T>
bool finish(const Product& of, std::vector<T>& c) {
  const auto rows = static_cast<std::size_t>(of.size.m);
  std::vector<T> bias;
  if (of.after.bias) {
    const Place place{of.after.bias, of.size.m, 1, of.size.m};
    if (!fetch_as(of, of.after.bias_type, place, bias)) return false;
    for (std::size_t i = 0; i < c.size(); ++i) c[i] += bias[i % rows];
  }
  if (of.after.function == Epilogue::Function::relu)
    for (T& each : c) each = std::max(each, T{});
  if (of.after.function == Epilogue::Function::gelu)
    for (T& each : c) each = gelu(each);
  return true;
}

template <class T>
bool multiply(const Product& of, const void* a_at, const void* b_at, const void* c_at, T alpha,
              T beta) {
  const auto& [m, n, k] = of.size;
  std::vector<T> a, b, before;
  if (alpha != T{} &&
      (!operand(of, of.a, a_at, of.a_op, m, k, a) || !operand(of, of.b, b_at, of.b_op, k, n, b)))
    return false;
  const Place place{c_at, m, n, of.c.pitch};
  if (beta != T{} && !fetch_as(of, of.c.type, place, before)) return false;
  // What is multiplied by 0 is not looked at: it may be NaN, or what nobody has written.
  auto c = alpha != T{} ? sums(of.size, std::span<const T>(a), std::span<const T>(b))
                        : std::vector<T>(static_cast<std::size_t>(m * n));
  for (std::size_t i = 0; i < c.size(); ++i)
    c[i] = alpha * c[i] + (beta != T{} ? beta * before[i] : T{});
  return finish(of, c) && store_as(of, of.c.type, place, c);
}

bool pointers(const Product& of, const Matrix& matrix, std::vector<const void*>& to) {
  return fetch(of.call, *of.handle, {matrix.at, of.batch, 1, of.batch}, to);
}

template <class T>
bool multiply_all(const Product& of, T alpha, T beta) {
  std::vector<const void*> a, b, c;
  if (of.by_pointers &&
      (!pointers(of, of.a, a) || !pointers(of, of.b, b) || !pointers(of, of.c, c)))
    return false;
  for (std::int64_t i = 0; i < of.batch; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool copied =
        of.by_pointers ? multiply(of, a[at], b[at], c[at], alpha, beta)
                       : multiply(of, moved(of.a, i), moved(of.b, i), moved(of.c, i), alpha, beta);
    if (!copied) return false;
  }
  return true;
}

std::string too_short(const char* name, std::int64_t pitch, std::int64_t rows) {
  return std::string("ld") + name + " is " + std::to_string(pitch) + ", less than the " +
         std::to_string(rows) + " rows of " + name;
}

// What is wrong with the arguments; empty: nothing.
std::string fault_of(const Product& of) {
  const auto& [m, n, k] = of.size;
  if (!is_op(of.a_op) || !is_op(of.b_op)) return "an operation that is none of N, T and C";
  if (m < 0 || n < 0 || k < 0 || of.batch < 0) return "a size less than 0";
  const auto a_rows = of.a_op == Op::none ? m : k, b_rows = of.b_op == Op::none ? k : n;
  if (of.a.pitch < std::max<std::int64_t>(a_rows, 1)) return too_short("a", of.a.pitch, a_rows);
  if (of.b.pitch < std::max<std::int64_t>(b_rows, 1)) return too_short("b", of.b.pitch, b_rows);
  if (of.c.pitch < std::max<std::int64_t>(m, 1)) return too_short("c", of.c.pitch, m);
  return "";
}

// Of a call that has begun.
template <class T>
Status computed(const Product& of, const T* alpha, const T* beta) {
  const auto& handle = *of.handle;
  if (auto why = fault_of(of); !why.empty()) return wrong(of.call, std::move(why));
  if (of.size.m == 0 || of.size.n == 0 || of.batch == 0) return Status::success;
  T by{}, keep{};
  return done(scalar(of.call, handle, alpha, by) && scalar(of.call, handle, beta, keep) &&
              multiply_all(of, by, keep));
}

template <class T>
Status product(const Product& of, const T* alpha, const T* beta) {
  const auto begun = begin(of.call, of.handle);
  return begun == Status::success ? computed(of, alpha, beta) : begun;
}

constexpr int kSumsOfHalves = 64; // CUBLAS_COMPUTE_16F

// Since CUDA 11 a program may name a type to compute in by a cudaDataType, in C.
int compute_of(int type) {
  switch (type) {
  case CUDA_R_32F:
    return 68;
  case CUDA_R_64F:
    return 70;
  case CUDA_R_16F:
    return kSumsOfHalves;
  default:
    return type;
  }
}

} // namespace

Status course::client::blas::mixed_product(const Product& of, const void* alpha, const void* beta,
                                           int compute) {
  if (const auto begun = begin(of.call, of.handle); begun != Status::success) return begun;
  for (const auto* matrix : {&of.a, &of.b, &of.c})
    if (bytes_of(matrix->type) == 0) {
      refuse(of.call, "with numbers that are not real ones of 16, 32 or 64 bits");
      return Status::not_supported;
    }
  if (computes_doubles(compute))
    return computed(of, static_cast<const double*>(alpha), static_cast<const double*>(beta));
  if (!computes_floats(compute)) {
    refuse(of.call, "with this type to compute in");
    return Status::not_supported;
  }
  if (compute > 65)
    return computed(of, static_cast<const float*>(alpha), static_cast<const float*>(beta));
  Half by{}, keep{}; // sums of halves have halves for alpha and beta
  if (!scalar(of.call, *of.handle, static_cast<const Half*>(alpha), by) ||
      !scalar(of.call, *of.handle, static_cast<const Half*>(beta), keep))
    return Status::execution_failed;
  auto host = *of.handle;
  host.scalars_on_device = false;
  auto with_numbers = of;
  with_numbers.handle = &host;
  const auto alpha_number = static_cast<float>(by), beta_number = static_cast<float>(keep);
  return computed(with_numbers, &alpha_number, &beta_number);
}

extern "C" {

#define COURSE_GEMM(name, call, T, type)                                                           \
  Status name(Handle* handle, Op a_op, Op b_op, int m, int n, int k, const T* alpha, const T* a,   \
              int lda, const T* b, int ldb, const T* beta, T* c, int ldc) {                        \
    return product(                                                                                \
        Product{                                                                                   \
            call, handle, a_op, b_op, {m, n, k}, {a, type, lda}, {b, type, ldb}, {c, type, ldc}},  \
        alpha, beta);                                                                              \
  }
COURSE_GEMM(cublasSgemm_v2, "cublasSgemm", float, CUDA_R_32F)
COURSE_GEMM(cublasDgemm_v2, "cublasDgemm", double, CUDA_R_64F)

#define COURSE_STRIDED_GEMM(name, T, type)                                                         \
  Status name(Handle* handle, Op a_op, Op b_op, int m, int n, int k, const T* alpha, const T* a,   \
              int lda, long long a_stride, const T* b, int ldb, long long b_stride, const T* beta, \
              T* c, int ldc, long long c_stride, int batch) {                                      \
    return product(Product{#name,                                                                  \
                           handle,                                                                 \
                           a_op,                                                                   \
                           b_op,                                                                   \
                           {m, n, k},                                                              \
                           {a, type, lda, a_stride},                                               \
                           {b, type, ldb, b_stride},                                               \
                           {c, type, ldc, c_stride},                                               \
                           batch},                                                                 \
                   alpha, beta);                                                                   \
  }
COURSE_STRIDED_GEMM(cublasSgemmStridedBatched, float, CUDA_R_32F)
COURSE_STRIDED_GEMM(cublasDgemmStridedBatched, double, CUDA_R_64F)

#define COURSE_BATCHED_GEMM(name, T, type)                                                         \
  Status name(Handle* handle, Op a_op, Op b_op, int m, int n, int k, const T* alpha,               \
              const T* const* a, int lda, const T* const* b, int ldb, const T* beta, T* const* c,  \
              int ldc, int batch) {                                                                \
    return product(Product{#name,                                                                  \
                           handle,                                                                 \
                           a_op,                                                                   \
                           b_op,                                                                   \
                           {m, n, k},                                                              \
                           {a, type, lda},                                                         \
                           {b, type, ldb},                                                         \
                           {c, type, ldc},                                                         \
                           batch,                                                                  \
                           true},                                                                  \
                   alpha, beta);                                                                   \
  }
COURSE_BATCHED_GEMM(cublasSgemmBatched, float, CUDA_R_32F)
COURSE_BATCHED_GEMM(cublasDgemmBatched, double, CUDA_R_64F)

Status cublasHgemm(Handle* handle, Op a_op, Op b_op, int m, int n, int k, const void* alpha,
                   const void* a, int lda, const void* b, int ldb, const void* beta, void* c,
                   int ldc) {
  constexpr const char* kCall = "cublasHgemm";
  return mixed_product(Product{kCall,
                               handle,
                               a_op,
                               b_op,
                               {m, n, k},
                               {a, CUDA_R_16F, lda},
                               {b, CUDA_R_16F, ldb},
                               {c, CUDA_R_16F, ldc}},
                       alpha, beta, kSumsOfHalves);
}

Status cublasHgemmStridedBatched(Handle* handle, Op a_op, Op b_op, int m, int n, int k,
                                 const void* alpha, const void* a, int lda, long long a_stride,
                                 const void* b, int ldb, long long b_stride, const void* beta,
                                 void* c, int ldc, long long c_stride, int batch) {
  constexpr const char* kCall = "cublasHgemmStridedBatched";
  return mixed_product(Product{kCall,
                               handle,
                               a_op,
                               b_op,
                               {m, n, k},
                               {a, CUDA_R_16F, lda, a_stride},
                               {b, CUDA_R_16F, ldb, b_stride},
                               {c, CUDA_R_16F, ldc, c_stride},
                               batch},
                       alpha, beta, kSumsOfHalves);
}

Status cublasSgemmEx(Handle* handle, Op a_op, Op b_op, int m, int n, int k, const float* alpha,
                     const void* a, cudaDataType a_type, int lda, const void* b,
                     cudaDataType b_type, int ldb, const float* beta, void* c, cudaDataType c_type,
                     int ldc) {
  constexpr const char* kCall = "cublasSgemmEx";
  return mixed_product(Product{kCall,
                               handle,
                               a_op,
                               b_op,
                               {m, n, k},
                               {a, a_type, lda},
                               {b, b_type, ldb},
                               {c, c_type, ldc}},
                       alpha, beta, compute_of(CUDA_R_32F));
}

Status cublasGemmEx(Handle* handle, Op a_op, Op b_op, int m, int n, int k, const void* alpha,
                    const void* a, cudaDataType a_type, int lda, const void* b, cudaDataType b_type,
                    int ldb, const void* beta, void* c, cudaDataType c_type, int ldc, int compute,
                    int /*algorithm*/) {
  constexpr const char* kCall = "cublasGemmEx";
  return mixed_product(Product{kCall,
                               handle,
                               a_op,
                               b_op,
                               {m, n, k},
                               {a, a_type, lda},
                               {b, b_type, ldb},
                               {c, c_type, ldc}},
                       alpha, beta, compute_of(compute));
}

Status cublasGemmStridedBatchedEx(Handle* handle, Op a_op, Op b_op, int m, int n, int k,
                                  const void* alpha, const void* a, cudaDataType a_type, int lda,
                                  long long a_stride, const void* b, cudaDataType b_type, int ldb,
                                  long long b_stride, const void* beta, void* c,
                                  cudaDataType c_type, int ldc, long long c_stride, int batch,
                                  int compute, int /*algorithm*/) {
  constexpr const char* kCall = "cublasGemmStridedBatchedEx";
  return mixed_product(Product{kCall,
                               handle,
                               a_op,
                               b_op,
                               {m, n, k},
                               {a, a_type, lda, a_stride},
                               {b, b_type, ldb, b_stride},
                               {c, c_type, ldc, c_stride},
                               batch},
                       alpha, beta, compute_of(compute));
}

Status cublasGemmBatchedEx(Handle* handle, Op a_op, Op b_op, int m, int n, int k, const void* alpha,
                           const void* const* a, cudaDataType a_type, int lda, const void* const* b,
                           cudaDataType b_type, int ldb, const void* beta, void* const* c,
                           cudaDataType c_type, int ldc, int batch, int compute,
                           int /*algorithm*/) {
  constexpr const char* kCall = "cublasGemmBatchedEx";
  return mixed_product(Product{kCall,
                               handle,
                               a_op,
                               b_op,
                               {m, n, k},
                               {a, a_type, lda},
                               {b, b_type, ldb},
                               {c, c_type, ldc},
                               batch,
                               true},
                       alpha, beta, compute_of(compute));
}

} // extern "C"
