// Stands for <torch/extension.h> where a PyTorch extension's kernels are to run without PyTorch.
//
// It has what extensions of a kernel or two call: dense tensors on the device, their sizes, types
// and pointers, a few ways to make them, TORCH_CHECK, PYBIND11_MODULE (which binds nothing), the
// current stream. Mathematics on tensors, autograd and views are not here: what is missing does not
// compile. A tensor owns an allocation of its own, so that an access past its end is one past an
// allocation. Copies of a tensor share it. Numbers drawn are the same in each run.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

// What a type is called, and what it is on the device.
#define TORCH_STANDIN_TYPES(X)                                                                     \
  X(Float, float)                                                                                  \
  X(Double, double)                                                                                \
  X(Half, __half)                                                                                  \
  X(BFloat16, __nv_bfloat16)                                                                       \
  X(Float8_e5m2, __nv_fp8_e5m2)                                                                    \
  X(Float8_e4m3fn, __nv_fp8_e4m3)                                                                  \
  X(Byte, std::uint8_t)                                                                            \
  X(Char, std::int8_t)                                                                             \
  X(Short, std::int16_t)                                                                           \
  X(Int, std::int32_t)                                                                             \
  X(Long, std::int64_t)                                                                            \
  X(Bool, bool)

namespace c10 {

#define TORCH_STANDIN_NAME(name, type) name,
enum class ScalarType { TORCH_STANDIN_TYPES(TORCH_STANDIN_NAME) };
#undef TORCH_STANDIN_NAME

enum class DeviceType { CPU, CUDA };

inline std::ostream& operator<<(std::ostream& out, ScalarType type) {
  static const char* const names[] = {
#define TORCH_STANDIN_WORD(name, type) #name,
      TORCH_STANDIN_TYPES(TORCH_STANDIN_WORD)
#undef TORCH_STANDIN_WORD
  };
  return out << names[static_cast<int>(type)];
}

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <typename... Words>
[[noreturn]] void fail(const char* file, int line, const Words&... words) {
  std::ostringstream said;
  said << file << ':' << line << ": ";
  (said << ... << words);
  throw Error(said.str());
}

inline void check_cuda(cudaError_t error, const char* file, int line) {
  if (error != cudaSuccess) fail(file, line, cudaGetErrorString(error));
}

} // namespace c10

#define TORCH_CHECK(condition, ...)                                                                \
  do {                                                                                             \
    if (!(condition)) c10::fail(__FILE__, __LINE__, #condition " is not so. ", ##__VA_ARGS__);     \
  } while (false)
#define TORCH_INTERNAL_ASSERT TORCH_CHECK
#define C10_CUDA_CHECK(call) c10::check_cuda((call), __FILE__, __LINE__)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
#define AT_CUDA_CHECK C10_CUDA_CHECK
#define AT_ASSERT TORCH_CHECK
#define AT_ASSERTM TORCH_CHECK

namespace torch {

using c10::DeviceType;
using c10::ScalarType;
using Dtype = ScalarType;
using IntArrayRef = std::vector<std::int64_t>;

#define TORCH_STANDIN_CONSTANT(name, type) inline constexpr ScalarType k##name = ScalarType::name;
TORCH_STANDIN_TYPES(TORCH_STANDIN_CONSTANT)
#undef TORCH_STANDIN_CONSTANT
inline constexpr ScalarType kFloat16 = kHalf, kFloat32 = kFloat, kFloat64 = kDouble, kUInt8 = kByte,
                            kInt8 = kChar, kInt16 = kShort, kInt32 = kInt, kInt64 = kLong;
inline constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA;

inline std::size_t bytes_of(ScalarType type) {
  switch (type) {
#define TORCH_STANDIN_BYTES(name, type)                                                            \
  case ScalarType::name:                                                                           \
    return sizeof(type);
    TORCH_STANDIN_TYPES(TORCH_STANDIN_BYTES)
#undef TORCH_STANDIN_BYTES
  }
  return 0;
}

class Device {
public:
  Device(DeviceType type, int index = 0) : type_(type), index_(index) {}
  DeviceType type() const { return type_; }
  int index() const { return index_; }
  bool is_cuda() const { return type_ == kCUDA; }
  bool is_cpu() const { return type_ == kCPU; }
  bool operator==(const Device& other) const { return type_ == other.type_; }
  bool operator!=(const Device& other) const { return type_ != other.type_; }

private:
  DeviceType type_;
  int index_;
};

class TensorOptions {
public:
  TensorOptions() = default;
  TensorOptions(ScalarType type) : type_(type) {}
  TensorOptions(Device device) : device_(device) {}
  TensorOptions(DeviceType type) : device_(type) {}
  TensorOptions dtype(ScalarType type) const { return {type, device_}; }
  TensorOptions device(Device device) const { return {type_, device}; }
  TensorOptions device(DeviceType type, int index = 0) const { return {type_, {type, index}}; }
  TensorOptions requires_grad(bool) const { return *this; }
  ScalarType dtype() const { return type_; }
  Device device() const { return device_; }

private:
  TensorOptions(ScalarType type, Device device) : type_(type), device_(device) {}
  ScalarType type_ = kFloat;
  Device device_ = kCPU;
};

inline std::ostream& operator<<(std::ostream& out, const TensorOptions& options) {
  return out << options.dtype() << (options.device().is_cuda() ? " on cuda" : " on cpu");
}

// Rows of numbers without gaps, the last index counting fastest.
class Tensor {
public:
  Tensor() = default;
  Tensor(IntArrayRef sizes, TensorOptions options) : sizes_(std::move(sizes)), options_(options) {
    void* memory = nullptr;
    if (is_cuda()) {
      if (nbytes() > 0) C10_CUDA_CHECK(cudaMalloc(&memory, nbytes()));
      memory_ = {memory, [](void* gone) { cudaFree(gone); }};
    } else {
      memory_ = {::operator new(nbytes()), [](void* gone) { ::operator delete(gone); }};
    }
  }

  bool defined() const { return memory_ != nullptr; }
  std::int64_t dim() const { return static_cast<std::int64_t>(sizes_.size()); }
  std::int64_t size(std::int64_t dim) const { return sizes_.at(from_front(dim)); }
  const IntArrayRef& sizes() const { return sizes_; }
  std::int64_t numel() const {
    std::int64_t count = 1;
    for (const std::int64_t size : sizes_) count *= size;
    return count;
  }
  std::int64_t stride(std::int64_t dim) const {
    std::int64_t step = 1;
    for (std::size_t at = from_front(dim) + 1; at < sizes_.size(); ++at) step *= sizes_[at];
    return step;
  }
  std::size_t element_size() const { return bytes_of(options_.dtype()); }
  std::size_t nbytes() const { return static_cast<std::size_t>(numel()) * element_size(); }

  TensorOptions options() const { return options_; }
  ScalarType dtype() const { return options_.dtype(); }
  ScalarType scalar_type() const { return options_.dtype(); }
  Device device() const { return options_.device(); }
  bool is_cuda() const { return options_.device().is_cuda(); }
  bool is_contiguous() const { return true; }
  Tensor contiguous() const { return *this; }

  void* data_ptr() const { return memory_.get(); }
  template <typename T>
  T* data_ptr() const {
    TORCH_CHECK(sizeof(T) == element_size(), "A tensor of ", dtype(), " was asked for its ",
                sizeof(T), "-byte elements.");
    return static_cast<T*>(data_ptr());
  }
  Tensor to(Device device) const {
    if (device == options_.device()) return *this;
    Tensor copy(sizes_, options_.device(device));
    C10_CUDA_CHECK(cudaMemcpy(copy.data_ptr(), data_ptr(), nbytes(), cudaMemcpyDefault));
    return copy;
  }
  Tensor cpu() const { return to(kCPU); }
  Tensor cuda() const { return to(kCUDA); }
  Tensor clone() const {
    Tensor copy(sizes_, options_);
    C10_CUDA_CHECK(cudaMemcpy(copy.data_ptr(), data_ptr(), nbytes(), cudaMemcpyDefault));
    return copy;
  }
  Tensor& zero_() {
    if (nbytes() == 0) return *this;
    if (is_cuda())
      C10_CUDA_CHECK(cudaMemset(data_ptr(), 0, nbytes()));
    else
      std::fill_n(static_cast<char*>(data_ptr()), nbytes(), char{0});
    return *this;
  }

  // Element `at` of a copy on the host, as a number, and back.
  double number(std::int64_t at) const;
  void set_number(std::int64_t at, double value);
  template <typename T>
  T item() const {
    TORCH_CHECK(numel() == 1, "It has ", numel(), " elements.");
    return static_cast<T>(cpu().number(0));
  }

private:
  std::size_t from_front(std::int64_t dim) const {
    return static_cast<std::size_t>(dim < 0 ? dim + this->dim() : dim);
  }

  IntArrayRef sizes_;
  TensorOptions options_;
  std::shared_ptr<void> memory_;
};

inline double Tensor::number(std::int64_t at) const {
  switch (dtype()) {
#define TORCH_STANDIN_GET(name, type)                                                              \
  case ScalarType::name:                                                                           \
    return static_cast<double>(static_cast<float>(static_cast<const type*>(data_ptr())[at]));
    TORCH_STANDIN_TYPES(TORCH_STANDIN_GET)
#undef TORCH_STANDIN_GET
  }
  return 0;
}

inline void Tensor::set_number(std::int64_t at, double value) {
  switch (dtype()) {
#define TORCH_STANDIN_SET(name, type)                                                              \
  case ScalarType::name:                                                                           \
    static_cast<type*>(data_ptr())[at] = static_cast<type>(static_cast<float>(value));             \
    break;
    TORCH_STANDIN_TYPES(TORCH_STANDIN_SET)
#undef TORCH_STANDIN_SET
  }
}

// ---- how tensors are made

template <typename Next>
Tensor made_of(IntArrayRef sizes, TensorOptions options, Next next) {
  Tensor made(std::move(sizes), options.device(kCPU));
  for (std::int64_t at = 0; at < made.numel(); ++at) made.set_number(at, next(at));
  return made.to(options.device());
}

inline Tensor empty(IntArrayRef sizes, TensorOptions options = {}) {
  return {std::move(sizes), options};
}
inline Tensor zeros(IntArrayRef sizes, TensorOptions options = {}) {
  return empty(std::move(sizes), options).zero_();
}
inline Tensor full(IntArrayRef sizes, double value, TensorOptions options = {}) {
  return made_of(std::move(sizes), options, [&](std::int64_t) { return value; });
}
inline Tensor ones(IntArrayRef sizes, TensorOptions options = {}) {
  return full(std::move(sizes), 1, options);
}
inline Tensor arange(std::int64_t count, TensorOptions options = {}) {
  return made_of({count}, options, [](std::int64_t at) { return static_cast<double>(at); });
}
inline std::mt19937_64& generator() {
  static std::mt19937_64 it(0);
  return it;
}
inline void manual_seed(std::uint64_t seed) {
  generator().seed(seed);
}
inline Tensor rand(IntArrayRef sizes, TensorOptions options = {}) {
  std::uniform_real_distribution<double> draw(0, 1);
  return made_of(std::move(sizes), options, [&](std::int64_t) { return draw(generator()); });
}
inline Tensor randn(IntArrayRef sizes, TensorOptions options = {}) {
  std::normal_distribution<double> draw(0, 1);
  return made_of(std::move(sizes), options, [&](std::int64_t) { return draw(generator()); });
}
inline Tensor empty_like(const Tensor& like) {
  return empty(like.sizes(), like.options());
}
inline Tensor zeros_like(const Tensor& like) {
  return zeros(like.sizes(), like.options());
}
inline Tensor ones_like(const Tensor& like) {
  return ones(like.sizes(), like.options());
}
inline Tensor rand_like(const Tensor& like) {
  return rand(like.sizes(), like.options());
}
inline Tensor randn_like(const Tensor& like) {
  return randn(like.sizes(), like.options());
}

namespace cuda {
inline cudaStream_t getCurrentCUDAStream() {
  return nullptr;
}
} // namespace cuda

// What PYBIND11_MODULE is given: it binds nothing.
struct Bindings {
  template <typename... Anything>
  Bindings& def(const Anything&...) {
    return *this;
  }
  const char*& doc() {
    static const char* words = "";
    return words;
  }
};
template <typename Function>
Function* wrap_pybind_function(Function* function) {
  return function;
}

} // namespace torch

namespace at {
using namespace torch;
namespace cuda {
using torch::cuda::getCurrentCUDAStream;
struct CUDAGuard {
  template <typename Device>
  explicit CUDAGuard(const Device&) {}
};
struct OptionalCUDAGuard : CUDAGuard {
  using CUDAGuard::CUDAGuard;
};
} // namespace cuda
} // namespace at

namespace c10 {
using torch::Device;
namespace cuda {
using at::cuda::CUDAGuard;
using at::cuda::getCurrentCUDAStream;
using at::cuda::OptionalCUDAGuard;
} // namespace cuda
} // namespace c10

namespace pybind11 {
struct arg {
  explicit arg(const char*) {}
  template <typename Value>
  arg& operator=(const Value&) {
    return *this;
  }
  arg& none(bool = true) { return *this; }
};
} // namespace pybind11
namespace py = pybind11;

#ifndef TORCH_EXTENSION_NAME
#define TORCH_EXTENSION_NAME torch_extension
#endif
#define PYBIND11_MODULE(name, module) [[maybe_unused]] static void name(torch::Bindings& module)

// Calls the lambda with scalar_t as the type that `type` names.
#define TORCH_STANDIN_CASE(name, cpp, ...)                                                         \
  case c10::ScalarType::name: {                                                                    \
    using scalar_t = cpp;                                                                          \
    __VA_ARGS__();                                                                                 \
    break;                                                                                         \
  }
#define TORCH_STANDIN_DISPATCH(type, what, cases)                                                  \
  [&] {                                                                                            \
    switch (type) {                                                                                \
      cases default : c10::fail(__FILE__, __LINE__, what, " is not there for ", type);             \
    }                                                                                              \
  }()
#define AT_DISPATCH_FLOATING_TYPES(type, what, ...)                                                \
  TORCH_STANDIN_DISPATCH(type, what,                                                               \
                         TORCH_STANDIN_CASE(Float, float, __VA_ARGS__)                             \
                             TORCH_STANDIN_CASE(Double, double, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(type, what, ...)                                       \
  TORCH_STANDIN_DISPATCH(type, what,                                                               \
                         TORCH_STANDIN_CASE(Float, float, __VA_ARGS__)                             \
                             TORCH_STANDIN_CASE(Double, double, __VA_ARGS__)                       \
                                 TORCH_STANDIN_CASE(Half, __half, __VA_ARGS__))
