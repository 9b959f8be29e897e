// Work that a program gives a stream, or a node of a graph: what it is, and doing it.
//
// A call that a stream executes makes a Work, and gives it to `captured`, which keeps it where the
// stream is being captured into a graph; otherwise it is done at once. A graph's nodes have the
// same Works, so that both do the same.
#pragma once

#include "runtime/client/grader.hpp"

#include <cuda_runtime_api.h>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace course::client {

struct KernelWork {
  const void* function = nullptr;
  dim3 grid, block;
  std::size_t shared = 0;
  runtime::Bytes arguments; // laid out as the kernel takes them
  bool cooperative = false;
  std::optional<dim3> cluster = std::nullopt; // that the host asks for
};
// Slices of rows of bytes: pitches lead from a row, and from a slice, to the next.
struct CopySide {
  std::uint64_t address = 0; // of the host, or of device memory
  std::size_t pitch = 0, slice = 0;
};
struct CopyWork {
  CopySide to, from;
  std::size_t width = 0, height = 1, depth = 1;
  cudaMemcpyKind kind = cudaMemcpyDefault;
};
struct FillWork { // width in elements
  void* to = nullptr;
  std::size_t pitch = 0;
  unsigned value = 0, element = 1;
  std::size_t width = 0, height = 1;
};
struct SymbolWork {
  const void* symbol = nullptr;
  void* other = nullptr;
  bool to_symbol = false;
  std::size_t size = 0, offset = 0;
  cudaMemcpyKind kind = cudaMemcpyDefault;
};
struct HostWork {
  cudaHostFn_t function = nullptr;
  void* data = nullptr;
};
struct RecordWork { // external: a node of the graph, and not only an order within a capture
  cudaEvent_t event = nullptr;
  bool external = false;
};
struct WaitWork {
  cudaEvent_t event = nullptr;
  bool external = false;
};
struct EmptyWork {};
struct GraphWork { // a graph as a node of another one
  std::shared_ptr<CUgraph_st> graph;
};
using Work = std::variant<EmptyWork, KernelWork, CopyWork, FillWork, SymbolWork, HostWork,
                          RecordWork, WaitWork, GraphWork>;

// Does the work, as this thread's stream of work (OnStream). Only what is in a graph records and
// waits here, and it orders streams alone.
cudaError_t perform(const char* call, const Work&);

enum class Outcome { read, not_read }; // by whoever asks for it
cudaError_t do_kernel(const char* call, const KernelWork&, Outcome = Outcome::read);
cudaError_t do_copy(const char* call, const CopyWork&);
cudaError_t do_fill(const char* call, const FillWork&);
cudaError_t do_symbol(const char* call, const SymbolWork&);

// The kernel's arguments, from a launch's. Nothing after an error, which `status` is set to.
std::optional<KernelWork> kernel_work(const char* call, const void* function, dim3 grid, dim3 block,
                                      void** arguments, std::size_t shared, cudaError_t& status);

// Pointers to each argument, which last as long as the work.
std::vector<void*> shown_arguments(KernelWork&);

// A copy as cudaMemcpy3D describes it; nothing after an error, which `status` is set to.
std::optional<CopyWork> copy_work(const char* call, const cudaMemcpy3DParms&, cudaError_t& status);

// Keeps the work as a node where this stream is being captured. What it gives is what the call
// returns; nothing: the stream is not, and the call does its work.
std::optional<cudaError_t> captured(const char* call, cudaStream_t, Work);

bool is_captured(cudaStream_t);

// What a call that cannot be part of a graph, and waits or allocates, says while a stream is being
// captured. It ends that capture.
cudaError_t forbidden_in_capture(const char* call);
// The same for a call that waits for one stream.
cudaError_t forbidden_in_capture(const char* call, cudaStream_t);

} // namespace course::client
