// __constant__ and __device__ variables, which host code names by the address of a stand-in.
#include "runtime/client/managed.hpp"
#include "runtime/client/registry.hpp"
#include "runtime/client/streams.hpp"
#include "runtime/client/work.hpp"

#include <algorithm>
#include <cstring>

using namespace course::client;

namespace {

constexpr const char* kDirection = "this kind of copy goes the other way, or nowhere";

// Variables are filled and read by messages: what the device has elsewhere, or shares with the
// host, comes and goes by way of this process.
cudaError_t copy_by_host(const char* call, void* to, const void* from, std::size_t size) {
  return do_copy(call, CopyWork{{address_of(to), size, 0}, {address_of(from), size, 0}, size});
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
  // A size past the variable's end is refused by what the message says of it, without the bytes:
  // they may not be there either.
  const bool fits = offset <= variable->info.size && size <= variable->info.size - offset;
  std::vector<std::byte> there;
  if (is_device(from)) {
    if (!is_live()) return static_cast<cudaError_t>(refuse(call, "from device memory"));
    if (fits) there.resize(size);
    if (fits && (status = copy_by_host(call, there.data(), from, size))) return status;
    from = there.data();
  } else if (kind == cudaMemcpyDeviceToDevice) {
    return fail(call, cudaErrorInvalidValue, "the source is not device memory");
  }
  for (std::size_t at = 0; at < size; at += protocol::kChunk) {
    const auto bytes = std::min(protocol::kChunk, size - at);
    const auto* begin = static_cast<const std::byte*>(from) + at;
    protocol::SymbolUpload message{variable->info.id, offset + at, size - at, {}};
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
  const bool on_device = is_device(to);
  if (on_device && !is_live()) return static_cast<cudaError_t>(refuse(call, "to device memory"));
  if (kind == cudaMemcpyDeviceToDevice && !on_device) {
    return fail(call, cudaErrorInvalidValue, "the destination is not device memory");
  }
  std::vector<std::byte> there;
  for (std::size_t at = 0; at < size; at += protocol::kChunk) {
    const auto bytes = std::min(protocol::kChunk, size - at);
    status = ask<protocol::Data>(
        call, protocol::SymbolDownload{variable->info.id, offset + at, bytes, size - at},
        [&](const auto& data) {
          const auto count = std::min(bytes, data.bytes.size());
          if (on_device)
            there.assign(data.bytes.begin(), data.bytes.begin() + static_cast<long>(count));
          else
            std::memcpy(static_cast<std::byte*>(to) + at, data.bytes.data(), count);
        });
    if (status) return status;
    auto* const part = static_cast<std::byte*>(to) + at;
    if (on_device && (status = copy_by_host(call, part, there.data(), there.size()))) return status;
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
