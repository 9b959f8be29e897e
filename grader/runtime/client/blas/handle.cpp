// Handles of cuBLAS, and the copies that its calls are made of.
#include "runtime/client/blas/blas.hpp"
#include "runtime/client/streams.hpp"
#include "runtime/client/work.hpp"

using namespace course::client;
using namespace course::client::blas;

namespace {

constexpr int kVersion = 130100; // of cuBLAS, as CUDA 13.0 has it

bool lives(const Handle* handle) {
  return handle && handle->lives == Handle::kLives;
}

CopySide side(const void* at, std::size_t pitch) {
  return {address_of(at), pitch, 0};
}

bool copy(const char* call, const Handle& handle, CopySide to, CopySide from, const Place& place,
          std::size_t element, cudaMemcpyKind kind) {
  CopyWork work{to,
                from,
                static_cast<std::size_t>(place.rows) * element,
                static_cast<std::size_t>(place.columns),
                1,
                kind};
  const CalledAs named(call);
  const OnStream on(handle.stream);
  return do_copy(call, work) == cudaSuccess;
}

} // namespace

namespace course::client::blas {

Status wrong(const char* call, std::string why) {
  ask(call, protocol::Failed{cudaErrorInvalidValue, std::move(why)});
  return Status::invalid_value;
}

Status begin(const char* call, const Handle* handle) {
  if (!is_live()) {
    refuse(call);
    return Status::not_supported;
  }
  if (!lives(handle)) {
    wrong(call, "a handle that cublasCreate has not made, or that is destroyed");
    return Status::not_initialized;
  }
  if (captured(call, handle->stream, EmptyWork{})) {
    refuse(call, "while its stream is captured");
    return Status::not_supported;
  }
  ask(call, protocol::Computed{});
  return Status::success;
}

bool fetch(const char* call, const Handle& handle, const Place& place, std::size_t element,
           void* to) {
  return copy(call, handle, side(to, static_cast<std::size_t>(place.rows) * element),
              side(place.at, static_cast<std::size_t>(place.pitch) * element), place, element,
              cudaMemcpyDeviceToHost);
}

bool store(const char* call, const Handle& handle, const Place& place, std::size_t element,
           const void* from) {
  return copy(call, handle, side(place.at, static_cast<std::size_t>(place.pitch) * element),
              side(from, static_cast<std::size_t>(place.rows) * element), place, element,
              cudaMemcpyHostToDevice);
}

} // namespace course::client::blas

extern "C" {

Status cublasCreate_v2(Handle** to) {
  constexpr const char* kCall = "cublasCreate";
  if (!is_live()) {
    refuse(kCall);
    return Status::not_supported;
  }
  if (!to) return wrong(kCall, kNoPlace);
  *to = new Handle;
  return Status::success;
}

Status cublasDestroy_v2(Handle* handle) {
  if (!lives(handle)) return Status::not_initialized;
  handle->lives = 0;
  delete handle;
  return Status::success;
}

// What is kept, and given back.
#define COURSE_KEEPS(set, get, type, member)                                                       \
  Status set(Handle* handle, type value) {                                                         \
    if (!lives(handle)) return Status::not_initialized;                                            \
    handle->member = value;                                                                        \
    return Status::success;                                                                        \
  }                                                                                                \
  Status get(Handle* handle, type* value) {                                                        \
    if (!lives(handle)) return Status::not_initialized;                                            \
    if (!value) return Status::invalid_value;                                                      \
    *value = handle->member;                                                                       \
    return Status::success;                                                                        \
  }
COURSE_KEEPS(cublasSetMathMode, cublasGetMathMode, int, math)
COURSE_KEEPS(cublasSetAtomicsMode, cublasGetAtomicsMode, int, atomics)
COURSE_KEEPS(cublasSetSmCountTarget, cublasGetSmCountTarget, int, multiprocessors)
COURSE_KEEPS(cublasSetStream_v2, cublasGetStream_v2, cudaStream_t, stream)

Status cublasSetPointerMode_v2(Handle* handle, int mode) {
  if (!lives(handle)) return Status::not_initialized;
  handle->scalars_on_device = mode == 1;
  return Status::success;
}
Status cublasGetPointerMode_v2(Handle* handle, int* mode) {
  if (!lives(handle)) return Status::not_initialized;
  if (!mode) return Status::invalid_value;
  *mode = handle->scalars_on_device ? 1 : 0;
  return Status::success;
}

// Nothing here needs room.
Status cublasSetWorkspace_v2(Handle* handle, void* /*workspace*/, std::size_t /*bytes*/) {
  return lives(handle) ? Status::success : Status::not_initialized;
}

Status cublasGetVersion_v2(Handle* /*handle*/, int* version) {
  if (!version) return Status::invalid_value;
  *version = kVersion;
  return Status::success;
}

const char* cublasGetStatusName(Status status) {
  switch (status) {
  case Status::success:
    return "CUBLAS_STATUS_SUCCESS";
  case Status::not_initialized:
    return "CUBLAS_STATUS_NOT_INITIALIZED";
  case Status::invalid_value:
    return "CUBLAS_STATUS_INVALID_VALUE";
  case Status::execution_failed:
    return "CUBLAS_STATUS_EXECUTION_FAILED";
  case Status::not_supported:
    return "CUBLAS_STATUS_NOT_SUPPORTED";
  }
  return "an unknown status";
}
const char* cublasGetStatusString(Status status) {
  return cublasGetStatusName(status);
}

// cuBLASLt: a handle, which much begins with. What it multiplies is in lt.cpp.
Status cublasLtCreate(Handle** to) {
  return cublasCreate_v2(to);
}
Status cublasLtDestroy(Handle* handle) {
  return cublasDestroy_v2(handle);
}
std::size_t cublasLtGetVersion() {
  return kVersion;
}

} // extern "C"
