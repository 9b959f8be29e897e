// Vectors of cuBLAS, products of a matrix with one, and matrices that are added or copied. Sums are
// added in the order of the elements, of floats in floats, which an H200 does in an order of its
// own.
#include "runtime/client/blas/blas.hpp"

#include <algorithm>
#include <cmath>
#include <string>

using namespace course::client::blas;

namespace {

// `count` elements, every `step`th one. With a step below 0 the first is the last in memory, as
// BLAS has it, and packed elements come in that order.
struct Vector {
  const void* at = nullptr;
  std::int64_t count = 0, step = 1;

  Place place() const {
    return {at, 1, std::max<std::int64_t>(count, 0), std::max<std::int64_t>(std::abs(step), 1)};
  }
};

template <class T>
bool fetch(const char* call, const Handle& handle, const Vector& vector, std::vector<T>& to) {
  if (!course::client::blas::fetch(call, handle, vector.place(), to)) return false;
  if (vector.step < 0) std::ranges::reverse(to);
  return true;
}
template <class T>
bool store(const char* call, const Handle& handle, const Vector& vector, std::vector<T> from) {
  if (vector.step < 0) std::ranges::reverse(from);
  return course::client::blas::store(call, handle, vector.place(), from);
}

// Calls `work` of what a vector holds, and gives back the number that it makes of it.
template <class T, class R, class Work>
Status reduced(const char* call, Handle* handle, const Vector& x, R* result, Work work) {
  if (const auto not_begun = begin(call, handle); not_begun != Status::success) return not_begun;
  if (!result) return wrong(call, course::client::kNoPlace);
  std::vector<T> elements;
  if (x.count > 0 && x.step > 0 && !fetch(call, *handle, x, elements))
    return Status::execution_failed;
  return done(give(call, *handle, result, static_cast<R>(work(elements))));
}

// Calls `work` of what both vectors hold, and keeps what it leaves in y.
template <class T, class Work>
Status changed(const char* call, Handle* handle, const Vector& x, const Vector& y, Work work) {
  if (const auto not_begun = begin(call, handle); not_begun != Status::success) return not_begun;
  if (y.count <= 0) return Status::success;
  std::vector<T> from, to;
  if (!fetch(call, *handle, x, from) || !fetch(call, *handle, y, to))
    return Status::execution_failed;
  return work(from, to) ? done(store(call, *handle, y, to)) : Status::execution_failed;
}

// The element that `is_better` than those before it, counted from 1; 0 where there is none.
template <class T, class Better>
int best(const std::vector<T>& elements, Better is_better) {
  if (elements.empty()) return 0;
  std::size_t at = 0;
  for (std::size_t i = 1; i < elements.size(); ++i)
    if (is_better(std::abs(elements[i]), std::abs(elements[at]))) at = i;
  return static_cast<int>(at) + 1;
}

// y = alpha * op(A) * x + beta * y; `a_op` of a matrix of m rows and n columns.
template <class T>
Status times_vector(const char* call, Handle* handle, Op a_op, std::int64_t m, std::int64_t n,
                    const T* alpha, const T* a, std::int64_t pitch, Vector x, const T* beta,
                    Vector y) {
  if (const auto not_begun = begin(call, handle); not_begun != Status::success) return not_begun;
  if (!is_op(a_op)) return wrong(call, "an operation that is none of N, T and C");
  if (m < 0 || n < 0) return wrong(call, "a size less than 0");
  if (pitch < std::max<std::int64_t>(m, 1)) return wrong(call, "lda is less than the rows of A");
  if (x.step == 0 || y.step == 0) return wrong(call, "a stride of 0");
  const bool turned = a_op != Op::none;
  x.count = turned ? m : n;
  y.count = turned ? n : m;
  if (m == 0 || n == 0) return Status::success;
  T by{}, keep{};
  std::vector<T> matrix, from, to(static_cast<std::size_t>(y.count));
  if (!scalar(call, *handle, alpha, by) || !scalar(call, *handle, beta, keep) ||
      !course::client::blas::fetch(call, *handle, Place{a, m, n, pitch}, matrix) ||
      !fetch(call, *handle, x, from) || (keep != T{} && !fetch(call, *handle, y, to)))
    return Status::execution_failed;
  for (std::int64_t row = 0; row < y.count; ++row) {
    T sum{};
    for (std::int64_t i = 0; i < x.count; ++i)
      sum += matrix[static_cast<std::size_t>(turned ? row * m + i : i * m + row)] *
             from[static_cast<std::size_t>(i)];
    auto& out = to[static_cast<std::size_t>(row)];
    out = by * sum + (keep != T{} ? keep * out : T{});
  }
  return done(store(call, *handle, y, std::move(to)));
}

// C = alpha * op(A) + beta * op(B).
template <class T>
Status added(const char* call, Handle* handle, Op a_op, Op b_op, std::int64_t m, std::int64_t n,
             const T* alpha, const T* a, std::int64_t lda, const T* beta, const T* b,
             std::int64_t ldb, T* c, std::int64_t ldc) {
  if (const auto not_begun = begin(call, handle); not_begun != Status::success) return not_begun;
  if (!is_op(a_op) || !is_op(b_op)) return wrong(call, "an operation that is none of N, T and C");
  if (m < 0 || n < 0) return wrong(call, "a size less than 0");
  if (ldc < std::max<std::int64_t>(m, 1)) return wrong(call, "ldc is less than the rows of C");
  T of_a{}, of_b{};
  if (!scalar(call, *handle, alpha, of_a) || !scalar(call, *handle, beta, of_b))
    return Status::execution_failed;
  std::vector<T> sum(static_cast<std::size_t>(m * n));
  const auto add = [&](Op op, const T* at, std::int64_t pitch, T by) {
    if (by == T{}) return true;
    const bool turned = op != Op::none;
    const Place place{at, turned ? n : m, turned ? m : n, pitch};
    std::vector<T> elements;
    if (!course::client::blas::fetch(call, *handle, place, elements)) return false;
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = 0; i < m; ++i)
        sum[static_cast<std::size_t>(j * m + i)] +=
            by * elements[static_cast<std::size_t>(turned ? i * n + j : j * m + i)];
    return true;
  };
  return done(add(a_op, a, lda, of_a) && add(b_op, b, ldb, of_b) &&
              course::client::blas::store(call, *handle, Place{c, m, n, ldc}, sum));
}

// A = alpha * x * y' + A.
template <class T>
Status outer_product(const char* call, Handle* handle, std::int64_t m, std::int64_t n,
                     const T* alpha, const Vector& x, const Vector& y, T* a, std::int64_t pitch) {
  if (const auto not_begun = begin(call, handle); not_begun != Status::success) return not_begun;
  if (m < 0 || n < 0) return wrong(call, "a size less than 0");
  if (pitch < std::max<std::int64_t>(m, 1)) return wrong(call, "lda is less than the rows of A");
  if (m == 0 || n == 0) return Status::success;
  const Place place{a, m, n, pitch};
  T by{};
  std::vector<T> rows, columns, matrix;
  if (!scalar(call, *handle, alpha, by) || !fetch(call, *handle, x, rows) ||
      !fetch(call, *handle, y, columns) ||
      !course::client::blas::fetch(call, *handle, place, matrix))
    return Status::execution_failed;
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = 0; i < m; ++i)
      matrix[static_cast<std::size_t>(j * m + i)] +=
          by * rows[static_cast<std::size_t>(i)] * columns[static_cast<std::size_t>(j)];
  return done(course::client::blas::store(call, *handle, place, matrix));
}

// Between host and device, column after column; the stream is the default one, and it is waited
// for.
Status copied(const char* call, std::int64_t rows, std::int64_t columns, std::int64_t element,
              const void* from, std::int64_t from_pitch, void* to, std::int64_t to_pitch,
              cudaMemcpyKind kind) {
  if (rows < 0 || columns < 0 || element <= 0 || from_pitch < rows || to_pitch < rows)
    return wrong(call, "a size or a pitch that does not fit");
  if (rows == 0 || columns == 0) return Status::success;
  const course::client::CalledAs named(call);
  const auto bytes = [&](std::int64_t elements) {
    return static_cast<std::size_t>(elements * element);
  };
  return done(cudaMemcpy2D(to, bytes(to_pitch), from, bytes(from_pitch), bytes(rows),
                           static_cast<std::size_t>(columns), kind) == cudaSuccess);
}

} // namespace

extern "C" {

#define COURSE_VECTORS(T, S, s)                                                                    \
  Status cublas##S##axpy_v2(Handle* handle, int n, const T* alpha, const T* x, int x_step, T* y,   \
                            int y_step) {                                                          \
    return changed<T>("cublas" #S "axpy", handle, {x, n, x_step}, {y, n, y_step},                  \
                      [&](const std::vector<T>& from, std::vector<T>& to) {                        \
                        T by{};                                                                    \
                        if (!scalar("cublas" #S "axpy", *handle, alpha, by)) return false;         \
                        for (std::size_t i = 0; i < to.size(); ++i) to[i] += by * from[i];         \
                        return true;                                                               \
                      });                                                                          \
  }                                                                                                \
  Status cublas##S##scal_v2(Handle* handle, int n, const T* alpha, T* x, int step) {               \
    return changed<T>("cublas" #S "scal", handle, {x, n, step}, {x, n, step},                      \
                      [&](const std::vector<T>&, std::vector<T>& to) {                             \
                        T by{};                                                                    \
                        if (!scalar("cublas" #S "scal", *handle, alpha, by)) return false;         \
                        for (T & each : to) each *= by;                                            \
                        return true;                                                               \
                      });                                                                          \
  }                                                                                                \
  Status cublas##S##copy_v2(Handle* handle, int n, const T* x, int x_step, T* y, int y_step) {     \
    if (const auto not_begun = begin("cublas" #S "copy", handle); not_begun != Status::success)    \
      return not_begun;                                                                            \
    std::vector<T> elements;                                                                       \
    return done(n <= 0 ||                                                                          \
                (fetch("cublas" #S "copy", *handle, Vector{x, n, x_step}, elements) &&             \
                 store("cublas" #S "copy", *handle, Vector{y, n, y_step}, std::move(elements))));  \
  }                                                                                                \
  Status cublas##S##swap_v2(Handle* handle, int n, T* x, int x_step, T* y, int y_step) {           \
    return changed<T>("cublas" #S "swap", handle, {x, n, x_step}, {y, n, y_step},                  \
                      [&](const std::vector<T>& from, std::vector<T>& to) {                        \
                        const auto before = std::exchange(to, from);                               \
                        return store("cublas" #S "swap", *handle, Vector{x, n, x_step}, before);   \
                      });                                                                          \
  }                                                                                                \
  Status cublas##S##dot_v2(Handle* handle, int n, const T* x, int x_step, const T* y, int y_step,  \
                           T* result) {                                                            \
    return reduced<T>(                                                                             \
        "cublas" #S "dot", handle, {x, n, x_step}, result, [&](const std::vector<T>& from) {       \
          std::vector<T> other;                                                                    \
          T sum{};                                                                                 \
          if (from.empty() || !fetch("cublas" #S "dot", *handle, Vector{y, n, y_step}, other))     \
            return sum;                                                                            \
          for (std::size_t i = 0; i < from.size(); ++i) sum += from[i] * other[i];                 \
          return sum;                                                                              \
        });                                                                                        \
  }                                                                                                \
  Status cublas##S##nrm2_v2(Handle* handle, int n, const T* x, int step, T* result) {              \
    return reduced<T>("cublas" #S "nrm2", handle, {x, n, step}, result,                            \
                      [](const std::vector<T>& from) {                                             \
                        double sum = 0;                                                            \
                        for (const T each : from) sum += static_cast<double>(each) * each;         \
                        return std::sqrt(sum);                                                     \
                      });                                                                          \
  }                                                                                                \
  Status cublas##S##asum_v2(Handle* handle, int n, const T* x, int step, T* result) {              \
    return reduced<T>("cublas" #S "asum", handle, {x, n, step}, result,                            \
                      [](const std::vector<T>& from) {                                             \
                        T sum{};                                                                   \
                        for (const T each : from) sum += std::abs(each);                           \
                        return sum;                                                                \
                      });                                                                          \
  }                                                                                                \
  Status cublasI##s##amax_v2(Handle* handle, int n, const T* x, int step, int* result) {           \
    return reduced<T>("cublasI" #s "amax", handle, {x, n, step}, result,                           \
                      [](const auto& from) { return best(from, std::greater<>()); });              \
  }                                                                                                \
  Status cublasI##s##amin_v2(Handle* handle, int n, const T* x, int step, int* result) {           \
    return reduced<T>("cublasI" #s "amin", handle, {x, n, step}, result,                           \
                      [](const auto& from) { return best(from, std::less<>()); });                 \
  }                                                                                                \
  Status cublas##S##gemv_v2(Handle* handle, Op a_op, int m, int n, const T* alpha, const T* a,     \
                            int lda, const T* x, int x_step, const T* beta, T* y, int y_step) {    \
    return times_vector("cublas" #S "gemv", handle, a_op, m, n, alpha, a, lda, {x, 0, x_step},     \
                        beta, {y, 0, y_step});                                                     \
  }                                                                                                \
  Status cublas##S##ger_v2(Handle* handle, int m, int n, const T* alpha, const T* x, int x_step,   \
                           const T* y, int y_step, T* a, int lda) {                                \
    return outer_product("cublas" #S "ger", handle, m, n, alpha, {x, m, x_step}, {y, n, y_step},   \
                         a, lda);                                                                  \
  }                                                                                                \
  Status cublas##S##geam(Handle* handle, Op a_op, Op b_op, int m, int n, const T* alpha,           \
                         const T* a, int lda, const T* beta, const T* b, int ldb, T* c, int ldc) { \
    return added("cublas" #S "geam", handle, a_op, b_op, m, n, alpha, a, lda, beta, b, ldb, c,     \
                 ldc);                                                                             \
  }
COURSE_VECTORS(float, S, s)
COURSE_VECTORS(double, D, d)

Status cublasSetVector(int n, int element, const void* from, int from_step, void* to, int to_step) {
  return copied("cublasSetVector", 1, n, element, from, from_step, to, to_step,
                cudaMemcpyHostToDevice);
}
Status cublasGetVector(int n, int element, const void* from, int from_step, void* to, int to_step) {
  return copied("cublasGetVector", 1, n, element, from, from_step, to, to_step,
                cudaMemcpyDeviceToHost);
}
Status cublasSetMatrix(int rows, int columns, int element, const void* from, int from_pitch,
                       void* to, int to_pitch) {
  return copied("cublasSetMatrix", rows, columns, element, from, from_pitch, to, to_pitch,
                cudaMemcpyHostToDevice);
}
Status cublasGetMatrix(int rows, int columns, int element, const void* from, int from_pitch,
                       void* to, int to_pitch) {
  return copied("cublasGetMatrix", rows, columns, element, from, from_pitch, to, to_pitch,
                cudaMemcpyDeviceToHost);
}

} // extern "C"
