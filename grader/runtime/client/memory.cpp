// Device memory: allocation, copies, fills.
//
// Which way a copy goes is told by the pointers, as CUDA's unified addressing does: a side that the
// kind calls device must be a device pointer, a side that it calls host may be either.
#include "runtime/client/caller.hpp"
#include "runtime/client/managed.hpp"
#include "runtime/client/registry.hpp"
#include "runtime/client/streams.hpp"
#include "runtime/client/work.hpp"

#include <algorithm>
#include <cstring>

using namespace course::client;
using course::runtime::Bytes;

namespace {

struct Rectangle { // of bytes
  std::size_t width = 0, height = 1;
};

constexpr const char* kNullPointer = "a null pointer";
constexpr std::size_t kPitchUnit = 512; // bytes, as cudaMallocPitch gives

bool is_kind(cudaMemcpyKind kind) {
  return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault;
}
bool writes_device(cudaMemcpyKind kind) {
  return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
}
bool reads_device(cudaMemcpyKind kind) {
  return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
}

std::size_t span_of(Rectangle size, std::size_t pitch) {
  return pitch * (size.height - 1) + size.width;
}

// Calls `piece(first row, rows, first byte of a row, bytes)` until the rectangle is covered, with
// at most kChunk bytes each, or the first error.
template <class Piece>
cudaError_t in_pieces(Rectangle size, Piece piece) {
  if (size.width > protocol::kChunk) {
    for (std::size_t row = 0; row < size.height; ++row) {
      for (std::size_t at = 0; at < size.width; at += protocol::kChunk) {
        const auto bytes = std::min(protocol::kChunk, size.width - at);
        if (const auto status = piece(row, std::size_t{1}, at, bytes)) return status;
      }
    }
    return cudaSuccess;
  }
  const auto most = protocol::kChunk / size.width;
  for (std::size_t row = 0; row < size.height; row += most) {
    const auto rows = std::min(most, size.height - row);
    if (const auto status = piece(row, rows, std::size_t{0}, size.width)) return status;
  }
  return cudaSuccess;
}

cudaError_t upload(const char* call, void* to, std::size_t to_pitch, const void* from,
                   std::size_t from_pitch, Rectangle size) {
  const auto whole = span_of(size, to_pitch);
  return in_pieces(size, [&](std::size_t row, std::size_t rows, std::size_t at, std::size_t width) {
    protocol::Upload message;
    const auto begin = row * to_pitch + at;
    message.to = {address_of(to) + begin, to_pitch};
    message.width = width;
    message.height = rows;
    message.extent = whole - begin;
    message.bytes.resize(rows * width);
    for (std::size_t i = 0; i < rows; ++i) {
      std::memcpy(message.bytes.data() + i * width,
                  static_cast<const std::byte*>(from) + (row + i) * from_pitch + at, width);
    }
    return tell(call, std::move(message));
  });
}

cudaError_t download(const char* call, void* to, std::size_t to_pitch, const void* from,
                     std::size_t from_pitch, Rectangle size) {
  const auto whole = span_of(size, from_pitch);
  return in_pieces(size, [&](std::size_t row, std::size_t rows, std::size_t at, std::size_t width) {
    protocol::Download message;
    const auto begin = row * from_pitch + at;
    message.from = {address_of(from) + begin, from_pitch};
    message.width = width;
    message.height = rows;
    message.extent = whole - begin;
    return ask<protocol::Data>(call, message, [&](const auto& data) {
      for (std::size_t i = 0; i < rows && (i + 1) * width <= data.bytes.size(); ++i) {
        std::memcpy(static_cast<std::byte*>(to) + (row + i) * to_pitch + at,
                    data.bytes.data() + i * width, width);
      }
    });
  });
}

cudaError_t copy(const char* call, void* to, std::size_t to_pitch, const void* from,
                 std::size_t from_pitch, Rectangle size, cudaMemcpyKind kind) {
  if (size.width == 0 || size.height == 0) return context_error(call);
  if (!is_kind(kind)) {
    return fail(call, cudaErrorInvalidMemcpyDirection, "no such kind of copy");
  }
  if (size.height > 1 && (to_pitch < size.width || from_pitch < size.width)) {
    return fail(call, cudaErrorInvalidPitchValue, "a pitch less than the width of a row");
  }
  if (!to || !from) return fail(call, cudaErrorInvalidValue, kNullPointer);
  if (writes_device(kind) && !is_device(to)) {
    return fail(call, cudaErrorInvalidValue,
                is_variable(to) ? "the destination is the name of a variable of the device, which "
                                  "cudaMemcpyToSymbol copies to"
                                : "the destination is not device memory");
  }
  if (reads_device(kind) && !is_device(from)) {
    return fail(call, cudaErrorInvalidValue,
                is_variable(from) ? "the source is the name of a variable of the device, which "
                                    "cudaMemcpyFromSymbol copies from"
                                  : "the source is not device memory");
  }
  if (is_device(to) && is_device(from)) {
    return tell(call, protocol::Copy{{address_of(to), to_pitch},
                                     {address_of(from), from_pitch},
                                     size.width,
                                     size.height});
  }
  if (is_device(to)) return upload(call, to, to_pitch, from, from_pitch, size);
  if (is_device(from)) return download(call, to, to_pitch, from, from_pitch, size);
  for (std::size_t row = 0; row < size.height; ++row) {
    std::memmove(static_cast<std::byte*>(to) + row * to_pitch,
                 static_cast<const std::byte*>(from) + row * from_pitch, size.width);
  }
  return context_error(call);
}

CopyWork work_of(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                 Rectangle size, cudaMemcpyKind kind) {
  return {{address_of(to), to_pitch, 0},
          {address_of(from), from_pitch, 0},
          size.width,
          size.height,
          1,
          kind};
}

// Host code has it as well.
bool is_shared(const void* pointer) {
  return is_managed(pointer) || is_pinned(pointer);
}

// A copy that the host waits for, unless it stays on the device. From ordinary memory of the host
// it returns once the bytes are on their way; that they come before later work is what programs
// count on, and what a GPU does.
cudaError_t copy_and_wait(const char* call, void* to, std::size_t to_pitch, const void* from,
                          std::size_t from_pitch, Rectangle size, cudaMemcpyKind kind) {
  if (const auto capturing = forbidden_in_capture(call, nullptr)) return capturing;
  const auto status = copy(call, to, to_pitch, from, from_pitch, size, kind);
  const bool stays = is_device(to) && is_device(from) &&
                     (kind == cudaMemcpyDeviceToDevice || !(is_shared(to) || is_shared(from)));
  if (status == cudaSuccess && !stays) host_waited(call, nullptr);
  return status;
}

// To memory of the host that is not page-locked, CUDA waits for the copy.
cudaError_t copy_in(cudaStream_t stream, const char* call, void* to, std::size_t to_pitch,
                    const void* from, std::size_t from_pitch, Rectangle size, cudaMemcpyKind kind) {
  if (const auto kept = captured(call, stream, work_of(to, to_pitch, from, from_pitch, size, kind)))
    return *kept;
  const OnStream on(stream);
  tell_touches(call);
  const auto status = copy(call, to, to_pitch, from, from_pitch, size, kind);
  if (status == cudaSuccess && !is_device(to) && !is_pinned(to)) host_waited(call, stream);
  if (status == cudaSuccess && (is_managed(to) || is_managed(from))) guard_managed(call);
  return status;
}

cudaError_t fill(const char* call, void* to, std::size_t pitch, int value, Rectangle size) {
  if (size.width == 0 || size.height == 0) return context_error(call);
  if (!is_device(to)) return fail(call, cudaErrorInvalidValue, "this is not device memory");
  return tell(call, protocol::Fill{{address_of(to), pitch},
                                   size.width,
                                   size.height,
                                   static_cast<std::uint8_t>(value)});
}

// A fill of elements of several bytes that are not all equal: what a copy of them would do.
cudaError_t fill_pattern(const char* call, const FillWork& fill) {
  Bytes row(fill.width * fill.element);
  for (std::size_t i = 0; i < fill.width; ++i)
    std::memcpy(row.data() + i * fill.element, &fill.value, fill.element);
  for (std::size_t y = 0; y < fill.height; ++y) {
    auto* to = static_cast<std::byte*>(fill.to) + y * fill.pitch;
    if (const auto status =
            copy(call, to, row.size(), row.data(), row.size(), {row.size()}, cudaMemcpyDefault))
      return status;
  }
  return cudaSuccess;
}

cudaError_t fill_in(cudaStream_t stream, const char* call, void* to, std::size_t pitch, int value,
                    Rectangle size) {
  const auto byte = static_cast<std::uint8_t>(value);
  if (const auto kept =
          captured(call, stream, FillWork{to, pitch, byte, 1, size.width, size.height}))
    return *kept;
  const OnStream on(stream);
  tell_touches(call);
  const auto status = fill(call, to, pitch, value, size);
  if (status == cudaSuccess && is_managed(to)) guard_managed(call);
  return status;
}

cudaError_t fill_now(const char* call, void* to, std::size_t pitch, int value, Rectangle size) {
  if (const auto capturing = forbidden_in_capture(call, nullptr)) return capturing;
  const auto status = fill(call, to, pitch, value, size);
  if (status == cudaSuccess && is_shared(to)) host_waited(call, nullptr);
  return status;
}

cudaError_t allocate(const char* call, void** out, std::size_t size) {
  if (!out) return fail(call, cudaErrorInvalidValue, "a null pointer for the address");
  *out = nullptr;
  if (const auto capturing = forbidden_in_capture(call)) return capturing;
  tell_called_from(call);
  return ask<protocol::Address>(call, protocol::Allocate{size}, [&](const auto& answer) {
    *out = reinterpret_cast<void*>(answer.address);
  });
}

cudaError_t release(const char* call, void* pointer) {
  if (const auto capturing = forbidden_in_capture(call)) return capturing;
  const auto status = tell(call, protocol::Free{address_of(pointer)});
  if (status == cudaSuccess) forget_managed(pointer);
  return status;
}

} // namespace

cudaError_t course::client::do_copy(const char* call, const CopyWork& work) {
  for (std::size_t z = 0; z < work.depth; ++z) {
    auto* to = reinterpret_cast<void*>(work.to.address + z * work.to.slice);
    const auto* from = reinterpret_cast<const void*>(work.from.address + z * work.from.slice);
    if (const auto status = copy(call, to, work.to.pitch, from, work.from.pitch,
                                 {work.width, work.height}, work.kind))
      return status;
  }
  return cudaSuccess;
}

cudaError_t course::client::do_fill(const char* call, const FillWork& work) {
  const unsigned byte = work.value & 0xff;
  const bool even = work.element == 1 || (work.element == 2 && work.value == byte * 0x101u) ||
                    work.value == byte * 0x01010101u;
  if (!even) return fill_pattern(call, work);
  return fill(call, work.to, work.pitch, static_cast<int>(byte),
              {work.width * work.element, work.height});
}

extern "C" {

cudaError_t cudaMalloc(void** out, size_t size) {
  return allocate("cudaMalloc", out, size);
}
cudaError_t cudaFree(void* pointer) {
  host_waited_for_all("cudaFree");
  return release("cudaFree", pointer);
}

cudaError_t cudaMallocPitch(void** out, size_t* pitch, size_t width, size_t height) {
  constexpr const char* kCall = "cudaMallocPitch";
  if (!out || !pitch) return fail(kCall, cudaErrorInvalidValue, "a null pointer for the answer");
  *out = nullptr;
  *pitch = 0;
  if (width == 0 || height == 0) return context_error(kCall);
  std::size_t rounded = 0, size = 0;
  if (__builtin_add_overflow(width, kPitchUnit - 1, &rounded) ||
      __builtin_mul_overflow(rounded / kPitchUnit * kPitchUnit, height, &size)) {
    return fail(kCall, cudaErrorMemoryAllocation, "more bytes than there are addresses");
  }
  const auto status = allocate(kCall, out, size);
  if (status == cudaSuccess) *pitch = rounded / kPitchUnit * kPitchUnit;
  return status;
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t size, cudaMemcpyKind kind) {
  return copy_and_wait("cudaMemcpy", to, size, from, size, {size}, kind);
}
COURSE_ALSO(cudaMemcpy_ptds, cudaMemcpy);

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t size, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copy_in(stream, "cudaMemcpyAsync", to, size, from, size, {size}, kind);
}
COURSE_ALSO(cudaMemcpyAsync_ptsz, cudaMemcpyAsync);

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  return copy_and_wait("cudaMemcpy2D", to, to_pitch, from, from_pitch, {width, height}, kind);
}
COURSE_ALSO(cudaMemcpy2D_ptds, cudaMemcpy2D);

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return copy_in(stream, "cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, {width, height},
                 kind);
}
COURSE_ALSO(cudaMemcpy2DAsync_ptsz, cudaMemcpy2DAsync);

cudaError_t cudaMemset(void* to, int value, size_t size) {
  return fill_now("cudaMemset", to, size, value, {size});
}
COURSE_ALSO(cudaMemset_ptds, cudaMemset);

cudaError_t cudaMemsetAsync(void* to, int value, size_t size, cudaStream_t stream) {
  return fill_in(stream, "cudaMemsetAsync", to, size, value, {size});
}
COURSE_ALSO(cudaMemsetAsync_ptsz, cudaMemsetAsync);

cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return fill_now("cudaMemset2D", to, pitch, value, {width, height});
}
COURSE_ALSO(cudaMemset2D_ptds, cudaMemset2D);

cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return fill_in(stream, "cudaMemset2DAsync", to, pitch, value, {width, height});
}
COURSE_ALSO(cudaMemset2DAsync_ptsz, cudaMemset2DAsync);

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return ask<protocol::Memory>("cudaMemGetInfo", protocol::MemoryInfo{}, [&](const auto& answer) {
    if (free) *free = answer.free;
    if (total) *total = answer.total;
  });
}

} // extern "C"
