// __constant__ and __device__ variables, which host code names by the address of a stand-in.
#include "runtime/client/grader.hpp"
#include "runtime/client/managed.hpp"
#include "runtime/client/registry.hpp"
#include "runtime/client/streams.hpp"
#include "runtime/client/work.hpp"

#include <algorithm>
#include <cstring>

using namespace course::client;

namespace {

constexpr const char* kDirection = "this kind of copy goes the other way, or nowhere";

enum class Way { to_symbol, from_symbol };

// To or from memory of the device, which pinned memory of a program is as well.
cudaError_t copy_on_device(const char* call, const Variable& variable, Way way, const void* memory,
                           std::size_t size, std::size_t offset) {
  if (!is_live()) {
    return static_cast<cudaError_t>(
        refuse(call, way == Way::to_symbol ? "from device memory" : "to device memory"));
  }
  if (offset > variable.info.size || size > variable.info.size - offset)
    return fail(call, cudaErrorInvalidValue, "it goes past the end of the variable");
  protocol::Rows symbol{0, size};
  const auto status =
      ask<protocol::Address>(call, protocol::SymbolAddress{variable.info.id},
                             [&](const auto& answer) { symbol.address = answer.address + offset; });
  if (status) return status;
  tell_touches(call);
  const protocol::Rows other{address_of(memory), size};
  return tell(call, way == Way::to_symbol ? protocol::Copy{symbol, other, size, 1}
                                          : protocol::Copy{other, symbol, size, 1});
}

cudaError_t to_symbol(const char* call, const void* symbol, const void* from, std::size_t size,
                      std::size_t offset, cudaMemcpyKind kind) {
  cudaError_t status = cudaSuccess;
  const Variable* variable = find_variable(call, symbol, status);
  if (!variable) return status;
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice &&
      kind != cudaMemcpyDefault) {
    return fail(call, cudaErrorInvalidMemcpyDirection, kDirection);
  }
  if (size == 0) return context_error(call);
  if (!from) return fail(call, cudaErrorInvalidValue, "a null pointer for the source");
  if (is_device(from)) return copy_on_device(call, *variable, Way::to_symbol, from, size, offset);
  if (kind == cudaMemcpyDeviceToDevice) {
    return fail(call, cudaErrorInvalidValue, "the source is not device memory");
  }
  for (std::size_t at = 0; at < size; at += protocol::kChunk) {
    const auto bytes = std::min(protocol::kChunk, size - at);
    const auto* begin = static_cast<const std::byte*>(from) + at;
    protocol::SymbolUpload message{variable->info.id, offset + at, size - at, {}};
    // A size past the variable's end is refused by what the message says of it, without the bytes:
    // they may not be there either.
    const bool fits = offset <= variable->info.size && size <= variable->info.size - offset;
    if (fits) message.bytes.assign(begin, begin + bytes);
    if ((status = tell(call, std::move(message)))) return status;
  }
  return cudaSuccess;
}

cudaError_t from_symbol(const char* call, void* to, const void* symbol, std::size_t size,
                        std::size_t offset, cudaMemcpyKind kind) {
  cudaError_t status = cudaSuccess;
  const Variable* variable = find_variable(call, symbol, status);
  if (!variable) return status;
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice &&
      kind != cudaMemcpyDefault) {
    return fail(call, cudaErrorInvalidMemcpyDirection, kDirection);
  }
  if (size == 0) return context_error(call);
  if (!to) return fail(call, cudaErrorInvalidValue, "a null pointer for the destination");
  if (is_device(to)) return copy_on_device(call, *variable, Way::from_symbol, to, size, offset);
  if (kind == cudaMemcpyDeviceToDevice) {
    return fail(call, cudaErrorInvalidValue, "the destination is not device memory");
  }
  for (std::size_t at = 0; at < size; at += protocol::kChunk) {
    const auto bytes = std::min(protocol::kChunk, size - at);
    status = ask<protocol::Data>(
        call, protocol::SymbolDownload{variable->info.id, offset + at, bytes, size - at},
        [&](const auto& data) {
          std::memcpy(static_cast<std::byte*>(to) + at, data.bytes.data(),
                      std::min(bytes, data.bytes.size()));
        });
    if (status) return status;
  }
  return cudaSuccess;
}

} // namespace

cudaError_t course::client::do_symbol(const char* call, const SymbolWork& work) {
  if (work.to_symbol)
    return to_symbol(call, work.symbol, work.other, work.size, work.offset, work.kind);
  return from_symbol(call, work.other, work.symbol, work.size, work.offset, work.kind);
}

extern "C" {

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t size, size_t offset,
                               cudaMemcpyKind kind) {
  if (const auto capturing = forbidden_in_capture("cudaMemcpyToSymbol", nullptr)) return capturing;
  const auto status = to_symbol("cudaMemcpyToSymbol", symbol, from, size, offset, kind);
  if (status == cudaSuccess) host_waited("cudaMemcpyToSymbol", nullptr);
  return status;
}
COURSE_ALSO(cudaMemcpyToSymbol_ptds, cudaMemcpyToSymbol);

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t size,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  const SymbolWork work{symbol, const_cast<void*>(from), true, size, offset, kind};
  if (const auto kept = captured("cudaMemcpyToSymbolAsync", stream, work)) return *kept;
  const OnStream on(stream);
  return to_symbol("cudaMemcpyToSymbolAsync", symbol, from, size, offset, kind);
}
COURSE_ALSO(cudaMemcpyToSymbolAsync_ptsz, cudaMemcpyToSymbolAsync);

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t size, size_t offset,
                                 cudaMemcpyKind kind) {
  if (const auto capturing = forbidden_in_capture("cudaMemcpyFromSymbol", nullptr))
    return capturing;
  const auto status = from_symbol("cudaMemcpyFromSymbol", to, symbol, size, offset, kind);
  if (status == cudaSuccess) host_waited("cudaMemcpyFromSymbol", nullptr);
  return status;
}
COURSE_ALSO(cudaMemcpyFromSymbol_ptds, cudaMemcpyFromSymbol);

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t size, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  constexpr const char* kCall = "cudaMemcpyFromSymbolAsync";
  const SymbolWork work{symbol, to, false, size, offset, kind};
  if (const auto kept = captured(kCall, stream, work)) return *kept;
  const OnStream on(stream);
  const auto status = from_symbol(kCall, to, symbol, size, offset, kind);
  if (status == cudaSuccess && !is_pinned(to)) host_waited(kCall, stream);
  return status;
}
COURSE_ALSO(cudaMemcpyFromSymbolAsync_ptsz, cudaMemcpyFromSymbolAsync);

cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  constexpr const char* kCall = "cudaGetSymbolSize";
  cudaError_t status = cudaSuccess;
  const Variable* variable = find_variable(kCall, symbol, status);
  if (!variable) return status;
  if (!size) return fail(kCall, cudaErrorInvalidValue, "a null pointer for the answer");
  *size = variable->info.size;
  return cudaSuccess;
}

cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
  constexpr const char* kCall = "cudaGetSymbolAddress";
  cudaError_t status = cudaSuccess;
  const Variable* variable = find_variable(kCall, symbol, status);
  if (!variable) return status;
  if (!address) return fail(kCall, cudaErrorInvalidValue, "a null pointer for the answer");
  return ask<protocol::Address>(
      kCall, protocol::SymbolAddress{variable->info.id},
      [&](const auto& answer) { *address = reinterpret_cast<void*>(answer.address); });
}

} // extern "C"
