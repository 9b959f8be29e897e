// The connection of this process to the grader, and the errors of CUDA calls.
//
// This folder is our libcudart.so.13: a thin layer that turns CUDA calls into messages. Every call
// goes the same way: check what only this process can check, ask the grader, keep the error.
#pragma once

#include "device/model/known_gpus.hpp"
#include "runtime/client/refusal.hpp"
#include "runtime/cuda_error.hpp"
#include "runtime/device_window.hpp"
#include "runtime/protocol.hpp"

#include <cuda_runtime_api.h>
#include <string>
#include <utility>
#include <variant>

namespace course::client {

namespace protocol = runtime::protocol;

struct Answer {
  cudaError_t status = cudaSuccess;
  protocol::Payload payload;
};

// One request and its reply. Sets the thread's last error. Without a grader: cudaErrorNoDevice.
Answer ask(const char* call, protocol::Request request);

// The same for a call of which only the status counts.
inline cudaError_t tell(const char* call, protocol::Request request) {
  return ask(call, std::move(request)).status;
}

// The same for a launch of which nobody reads the status: the thread's last error is set when the
// reply is read, before whatever could tell the difference, so that launches need not wait for each
// other's.
void post_launch(const char* call, protocol::Launch launch);
// Reads the replies to such launches.
void settle();

// The same for a call that is answered with a T; `take` is given it when the call succeeded.
template <class T, class Take>
cudaError_t ask(const char* call, protocol::Request request, Take take) {
  auto answer = ask(call, std::move(request));
  if (answer.status != cudaSuccess) return answer.status;
  if (auto* payload = std::get_if<T>(&answer.payload)) take(*payload);
  return cudaSuccess;
}

// What calls say of a pointer to write to that is null.
inline constexpr const char* kNoPlace = "a null pointer for the answer";

// The GPU that this program has, as it is told.
const model::Gpu& described();

// Whether `course run` has started this process: a student's host process is not live.
bool is_live();

// Reports an error that was found here, and sets the thread's last error.
cudaError_t fail(const char* call, cudaError_t, std::string why = {});

// While it lives, what this thread asks is asked by this call: the driver API does its work by
// calls of the runtime.
class CalledAs {
public:
  explicit CalledAs(const char* call);
  CalledAs(const CalledAs&) = delete;
  ~CalledAs();

private:
  const char* before_;
};

// Whether this thread has asked for something of the device by the runtime, since this was asked
// last: the runtime then makes the device's primary context the thread's, where it has none.
bool take_use_of_runtime();

// The error that every call gives since a kernel failed; cudaSuccess until then. For calls that the
// grader need not hear of.
cudaError_t context_error(const char* call);

// Whether it is an address of memory that CUDA allocates.
inline bool is_of_cuda(const void* pointer) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  return (address >= runtime::kFirstAddress && address < runtime::kLastManagedVariable) ||
         address >= runtime::kFirstVariable;
}
// Whether it points to memory of the program's own that the device has as well (registered.cpp).
bool is_registered(const void* pointer);

// Whether the device has memory there.
inline bool is_device(const void* pointer) {
  return is_of_cuda(pointer) || is_registered(pointer);
}
inline std::uint64_t address_of(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

// While it lives, this thread's default stream is its own.
class DefaultStreamOfThread {
public:
  DefaultStreamOfThread();
  DefaultStreamOfThread(const DefaultStreamOfThread&) = delete;
  ~DefaultStreamOfThread();

private:
  bool before_;
};

// A call as programs make it that are compiled with `--default-stream per-thread`.
template <auto kCall>
struct OfThread;
template <class Result, class... Arguments, Result (*kCall)(Arguments...)>
struct OfThread<kCall> {
  static Result make(Arguments... arguments) {
    const DefaultStreamOfThread own;
    return kCall(named(arguments)...);
  }

private:
  template <class Argument>
  static Argument named(Argument argument) {
    return argument;
  }
  static cudaStream_t named(cudaStream_t stream) { return stream ? stream : cudaStreamPerThread; }
};

} // namespace course::client

// A second name of a call: the one for a default stream of each thread. It can be made of the type
// of a call alone by the linker's help.
#define COURSE_ALSO(other, call)                                                                   \
  extern "C" {                                                                                     \
  [[gnu::used]] static auto* other##_address() {                                                   \
    return &course::client::OfThread<&call>::make;                                                 \
  }                                                                                                \
  decltype(call) other __attribute__((ifunc(#other "_address")));                                  \
  }
