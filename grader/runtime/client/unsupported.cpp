// One function for every name that NVIDIA's library exports. Each is weak: where another file of
// this library defines the call, that one is linked, and what is left here refuses by name.
//
// This file includes no CUDA header, whose prototypes would contradict these definitions. A call
// passes its arguments in vain, and reads the returned number as its cudaError_t or CUresult, which
// have one number for this.
#include "runtime/client/refusal.hpp"

#define COURSE_CUDA_FUNCTION(name)                                                                 \
  extern "C" __attribute__((weak)) int name();                                                     \
  extern "C" int name() {                                                                          \
    return course::client::refuse(#name);                                                          \
  }
#include "runtime/client/functions.def"
// The driver API, for which this library stands in as libcuda.so.1 too.
#include "runtime/client/driver_functions.def"
#undef COURSE_CUDA_FUNCTION

// cuBLAS and cuRAND, for which it stands in as well: blas/ and random.cpp compute some of them.
// Their numbers for what is not there are others, and programs know cuBLAS's calls without the
// "_v2" that its header adds.
namespace {
int refuse_of_curand(const char* name) {
  constexpr int kInternalError = 999; // CURAND_STATUS_INTERNAL_ERROR
  course::client::refuse(name);
  return kInternalError;
}
int refuse_of_cublas(std::string name) {
  constexpr int kNotSupported = 15; // CUBLAS_STATUS_NOT_SUPPORTED
  if (name.ends_with("_v2")) name.resize(name.size() - 3);
  course::client::refuse(name.c_str());
  return kNotSupported;
}
} // namespace
#define COURSE_CUDA_FUNCTION(name)                                                                 \
  extern "C" __attribute__((weak)) int name();                                                     \
  extern "C" int name() {                                                                          \
    return refuse_of_cublas(#name);                                                                \
  }
#include "runtime/client/blas/functions.def"
#undef COURSE_CUDA_FUNCTION

#define COURSE_CUDA_FUNCTION(name)                                                                 \
  extern "C" __attribute__((weak)) int name();                                                     \
  extern "C" int name() {                                                                          \
    return refuse_of_curand(#name);                                                                \
  }
#include "runtime/client/random_functions.def"
