// cuBLAS for programs under `course run`: what is common to its calls.
//
// The library talks to a GPU by itself, so it cannot run here; and most programs that teach want it
// for one product to compare their own kernel with. What such programs call is computed on the
// host, in loops of ours: the same bits on every machine, which a library that is tuned to the
// processor does not promise. Operands are copied from device memory and back as work of the
// handle's stream, so bounds and races between streams are looked for as in a copy. Nothing of it
// is counted. It is kinder than the library in one thing: a call is done when it returns.
//
// Declarations are our own, by the documented binary interface (cuBLAS 13.1), since its header is
// not installed wherever nvcc is. Matrices stand column after column. No call is for a student's
// launcher: there, each is refused by name.
#pragma once

#include "runtime/client/grader.hpp"

#include <cstddef>
#include <cstdint>
#include <library_types.h>
#include <vector>

namespace course::client::blas {

// cublasStatus_t.
enum class Status : int {
  success = 0,
  not_initialized = 1,
  invalid_value = 7,
  execution_failed = 13,
  not_supported = 15,
};

// cublasOperation_t: real numbers have no conjugate, so its third is a transpose.
enum class Op : int { none = 0, transpose = 1, conjugate = 2 };
inline bool is_op(Op op) {
  return op >= Op::none && op <= Op::conjugate;
}

// cublasContext, which programs see as a pointer. Owned by the program: cublasDestroy ends it.
struct Handle {
  static constexpr std::uint32_t kLives = 0xb1a5b1a5;
  std::uint32_t lives = kLives;
  cudaStream_t stream = nullptr;
  bool scalars_on_device = false; // cublasPointerMode_t
  int math = 0, atomics = 0, multiprocessors = 0;
};

// Whether the call may be answered: it comes from a program, with a handle that lives. Else the
// grader has been told why, and the status is what the call gives.
Status begin(const char* call, const Handle*);

// Tells the grader that an argument is wrong, as the report says it.
Status wrong(const char* call, std::string why);

// A rectangle of elements in device memory: `columns` of `rows`, `pitch` elements from one column
// to the next. A vector with a stride is one whose columns have one row.
struct Place {
  const void* at = nullptr;
  std::int64_t rows = 0, columns = 1, pitch = 0;
};

// Copies from and to device memory, as work of the handle's stream. Elements are packed on the
// host.
bool fetch(const char* call, const Handle&, const Place&, std::size_t element, void* to);
bool store(const char* call, const Handle&, const Place&, std::size_t element, const void* from);

template <class T>
bool fetch(const char* call, const Handle& handle, const Place& place, std::vector<T>& to) {
  to.resize(static_cast<std::size_t>(place.rows * place.columns));
  return to.empty() || fetch(call, handle, place, sizeof(T), to.data());
}
template <class T>
bool store(const char* call, const Handle& handle, const Place& place, const std::vector<T>& from) {
  return from.empty() || store(call, handle, place, sizeof(T), from.data());
}

// A number that a call is given by pointer: of the host, or where the pointer mode says so, of the
// device.
template <class T>
bool scalar(const char* call, const Handle& handle, const T* from, T& to) {
  if (!handle.scalars_on_device) return to = *from, true;
  return fetch(call, handle, {from, 1, 1, 1}, sizeof(T), &to);
}
template <class T>
bool give(const char* call, const Handle& handle, T* to, const T& value) {
  if (!handle.scalars_on_device) return *to = value, true;
  return store(call, handle, {to, 1, 1, 1}, sizeof(T), &value);
}

inline Status done(bool copied) {
  return copied ? Status::success : Status::execution_failed;
}

} // namespace course::client::blas
