// CUDA arrays, copies to and from them, and copies in three dimensions.
#include "runtime/client/arrays.hpp"

#include "runtime/client/caller.hpp"
#include "runtime/client/managed.hpp"
#include "runtime/client/streams.hpp"
#include "runtime/client/work.hpp"

#include <map>
#include <memory>
#include <mutex>

using namespace course::client;

namespace {

constexpr const char* kNoArray = "this is not a CUDA array";
constexpr std::size_t kPitchBytes = 512; // as cudaMallocPitch gives

struct Arrays {
  std::mutex mutex;
  std::map<cudaArray_const_t, std::unique_ptr<cudaArray>> all;
};
Arrays& arrays() {
  static auto& made = *new Arrays; // a program's own exit handlers may still free
  return made;
}

// Of one element; 0 for what is no format.
std::size_t bytes_of(const cudaChannelFormatDesc& format) {
  const int bits[] = {format.x, format.y, format.z, format.w};
  int channels = 0;
  for (; channels < 4 && bits[channels] != 0; ++channels)
    if (bits[channels] != format.x) return 0;
  for (int i = channels; i < 4; ++i)
    if (bits[i] != 0) return 0;
  const bool size = format.x == 8 || format.x == 16 || format.x == 32;
  if (!size || channels == 0 || channels == 3 || format.f > cudaChannelFormatKindFloat) return 0;
  return static_cast<std::size_t>(format.x) / 8 * static_cast<std::size_t>(channels);
}

cudaError_t make_array(const char* call, cudaArray_t* out, const cudaChannelFormatDesc* format,
                       cudaExtent extent, unsigned flags) {
  if (!out || !format) return fail(call, cudaErrorInvalidValue, kNoPlace);
  *out = nullptr;
  if (const auto capturing = forbidden_in_capture(call)) return capturing;
  constexpr unsigned kKnown = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayTextureGather;
  if (flags & ~kKnown)
    return static_cast<cudaError_t>(refuse(call, "for cube maps, sparse or deferred arrays"));
  auto array = std::make_unique<cudaArray>();
  array->format = *format;
  array->extent = extent;
  array->flags = flags;
  array->element = bytes_of(*format);
  if (array->element == 0 || extent.width == 0)
    return fail(call, cudaErrorInvalidValue,
                "an element has one, two or four channels of 8, 16 or 32 bits, and an array has "
                "elements");
  constexpr std::size_t kMost = 1 << 28;
  if (extent.width > kMost || extent.height > kMost || extent.depth > kMost ||
      array->slice() > (1ull << 40) / array->slices())
    return fail(call, cudaErrorInvalidValue, "more elements than an array can have");
  tell_called_from(call);
  const auto status =
      ask<protocol::Address>(call, protocol::Allocate{array->slice() * array->slices()},
                             [&](const auto& answer) { array->address = answer.address; });
  if (status != cudaSuccess) return status;
  const std::lock_guard lock(arrays().mutex);
  *out = array.get();
  arrays().all[*out] = std::move(array);
  return cudaSuccess;
}

// A rectangle between an array and rows of bytes.
struct Window {
  std::size_t x = 0, y = 0; // bytes and rows
  std::size_t width = 0, height = 1;
};

bool holds(const cudaArray& array, const Window& window) {
  return window.x <= array.pitch() && window.width <= array.pitch() - window.x &&
         window.y <= array.rows() && window.height <= array.rows() - window.y;
}

CopySide side(const cudaArray& array, std::size_t x, std::size_t y, std::size_t z = 0) {
  return {array.address + z * array.slice() + y * array.pitch() + x, array.pitch(), array.slice()};
}

cudaError_t copy_now(const char* call, const CopyWork& work) {
  if (const auto capturing = forbidden_in_capture(call, nullptr)) return capturing;
  const auto status = do_copy(call, work);
  if (status == cudaSuccess) host_waited(call, nullptr);
  return status;
}

cudaError_t copy_in(const char* call, const CopyWork& work, cudaStream_t stream) {
  if (const auto kept = captured(call, stream, work)) return *kept;
  const OnStream on(stream);
  const auto status = do_copy(call, work);
  const auto* to = reinterpret_cast<const void*>(work.to.address);
  if (status == cudaSuccess && !is_device(to) && !is_pinned(to)) host_waited(call, stream);
  return status;
}

// nullopt after an error, which `status` is set to.
std::optional<CopyWork> to_array(const char* call, cudaArray_const_t array, const Window& window,
                                 const void* from, std::size_t pitch, cudaMemcpyKind kind,
                                 cudaError_t& status) {
  if (!is_array(array) || !holds(*array, window)) {
    status = fail(call, cudaErrorInvalidValue,
                  is_array(array) ? "it goes past the end of the array" : kNoArray);
    return std::nullopt;
  }
  return CopyWork{side(*array, window.x, window.y),
                  {address_of(from), pitch, 0},
                  window.width,
                  window.height,
                  1,
                  kind};
}

std::optional<CopyWork> from_array(const char* call, void* to, std::size_t pitch,
                                   cudaArray_const_t array, const Window& window,
                                   cudaMemcpyKind kind, cudaError_t& status) {
  auto work = to_array(call, array, window, to, pitch, kind, status);
  if (work) std::swap(work->to, work->from);
  return work;
}

// One side of a copy in three dimensions, where it begins; `elements`: positions and the extent's
// width are in elements of this size.
bool side_of(cudaArray_const_t array, const cudaPitchedPtr& pointer, const cudaPos& at,
             const cudaExtent& extent, std::size_t elements, CopySide& out) {
  if (!array) {
    out = {address_of(pointer.ptr) + at.z * pointer.pitch * pointer.ysize + at.y * pointer.pitch +
               at.x,
           pointer.pitch, pointer.pitch * pointer.ysize};
    return pointer.ptr != nullptr;
  }
  if (!is_array(array) || at.z > array->slices() || extent.depth > array->slices() - at.z)
    return false;
  const Window window{at.x * array->element, at.y, extent.width * elements, extent.height};
  out = side(*array, window.x, window.y, at.z);
  return holds(*array, window);
}

} // namespace

bool course::client::is_array(cudaArray_const_t array) {
  const std::lock_guard lock(arrays().mutex);
  return arrays().all.contains(array);
}

std::optional<CopyWork> course::client::copy_work(const char* call, const cudaMemcpy3DParms& of,
                                                  cudaError_t& status) {
  const auto wrong = [&](const char* why) {
    status = fail(call, cudaErrorInvalidValue, why);
    return std::nullopt;
  };
  const auto one_of = [](const auto* array, const void* pointer) {
    return (array != nullptr) != (pointer != nullptr);
  };
  if (!one_of(of.srcArray, of.srcPtr.ptr) || !one_of(of.dstArray, of.dstPtr.ptr))
    return wrong("each side is an array or a pointer, and one of both");
  const auto* array = of.srcArray ? of.srcArray : of.dstArray;
  if (array && !is_array(array)) return wrong(kNoArray);
  const std::size_t element = array ? array->element : 1;
  CopyWork work;
  if (!side_of(of.srcArray, of.srcPtr, of.srcPos, of.extent, element, work.from) ||
      !side_of(of.dstArray, of.dstPtr, of.dstPos, of.extent, element, work.to))
    return wrong("it goes past the end of an array");
  work.width = of.extent.width * element;
  work.height = of.extent.height;
  work.depth = of.extent.depth;
  work.kind = of.kind;
  return work;
}

extern "C" {

cudaError_t cudaMallocArray(cudaArray_t* out, const cudaChannelFormatDesc* format, size_t width,
                            size_t height, unsigned flags) {
  return make_array("cudaMallocArray", out, format, {width, height, 0}, flags);
}

cudaError_t cudaMalloc3DArray(cudaArray_t* out, const cudaChannelFormatDesc* format,
                              cudaExtent extent, unsigned flags) {
  return make_array("cudaMalloc3DArray", out, format, extent, flags);
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  constexpr const char* kCall = "cudaFreeArray";
  if (!array) return context_error(kCall);
  if (!is_array(array)) return fail(kCall, cudaErrorInvalidValue, kNoArray);
  host_waited_for_all(kCall);
  const auto status = tell(kCall, protocol::Free{array->address});
  const std::lock_guard lock(arrays().mutex);
  arrays().all.erase(array);
  return status;
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array) {
  if (!is_array(array)) return fail("cudaArrayGetInfo", cudaErrorInvalidValue, kNoArray);
  if (format) *format = array->format;
  if (extent) *extent = array->extent;
  if (flags) *flags = array->flags;
  return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  constexpr const char* kCall = "cudaGetChannelDesc";
  if (!is_array(array)) return fail(kCall, cudaErrorInvalidValue, kNoArray);
  if (!format) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  *format = array->format;
  return cudaSuccess;
}

// ---- copies of rectangles

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  constexpr const char* kCall = "cudaMemcpy2DToArray";
  cudaError_t status = cudaSuccess;
  const auto work = to_array(kCall, to, {x, y, width, height}, from, pitch, kind, status);
  return work ? copy_now(kCall, *work) : status;
}
COURSE_ALSO(cudaMemcpy2DToArray_ptds, cudaMemcpy2DToArray);

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  constexpr const char* kCall = "cudaMemcpy2DToArrayAsync";
  cudaError_t status = cudaSuccess;
  const auto work = to_array(kCall, to, {x, y, width, height}, from, pitch, kind, status);
  return work ? copy_in(kCall, *work, stream) : status;
}
COURSE_ALSO(cudaMemcpy2DToArrayAsync_ptsz, cudaMemcpy2DToArrayAsync);

cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
  constexpr const char* kCall = "cudaMemcpy2DFromArray";
  cudaError_t status = cudaSuccess;
  const auto work = from_array(kCall, to, pitch, from, {x, y, width, height}, kind, status);
  return work ? copy_now(kCall, *work) : status;
}
COURSE_ALSO(cudaMemcpy2DFromArray_ptds, cudaMemcpy2DFromArray);

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  constexpr const char* kCall = "cudaMemcpy2DFromArrayAsync";
  cudaError_t status = cudaSuccess;
  const auto work = from_array(kCall, to, pitch, from, {x, y, width, height}, kind, status);
  return work ? copy_in(kCall, *work, stream) : status;
}
COURSE_ALSO(cudaMemcpy2DFromArrayAsync_ptsz, cudaMemcpy2DFromArrayAsync);

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width, size_t height, cudaMemcpyKind kind) {
  constexpr const char* kCall = "cudaMemcpy2DArrayToArray";
  cudaError_t status = cudaSuccess;
  auto work = to_array(kCall, to, {to_x, to_y, width, height}, nullptr, 0, kind, status);
  const auto other =
      from_array(kCall, nullptr, 0, from, {from_x, from_y, width, height}, kind, status);
  if (!work || !other) return status;
  work->from = other->from;
  return copy_now(kCall, *work);
}
COURSE_ALSO(cudaMemcpy2DArrayToArray_ptds, cudaMemcpy2DArrayToArray);

// Of bytes, from a place in the array on: CUDA calls it obsolete.
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t count,
                              cudaMemcpyKind kind) {
  constexpr const char* kCall = "cudaMemcpyToArray";
  if (!is_array(to)) return fail(kCall, cudaErrorInvalidValue, kNoArray);
  const std::size_t at = y * to->pitch() + x;
  if (at > to->slice() || count > to->slice() - at)
    return fail(kCall, cudaErrorInvalidValue, "it goes past the end of the array");
  return copy_now(kCall,
                  {{to->address + at, count, 0}, {address_of(from), count, 0}, count, 1, 1, kind});
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t count,
                                cudaMemcpyKind kind) {
  constexpr const char* kCall = "cudaMemcpyFromArray";
  if (!is_array(from)) return fail(kCall, cudaErrorInvalidValue, kNoArray);
  const std::size_t at = y * from->pitch() + x;
  if (at > from->slice() || count > from->slice() - at)
    return fail(kCall, cudaErrorInvalidValue, "it goes past the end of the array");
  return copy_now(kCall,
                  {{address_of(to), count, 0}, {from->address + at, count, 0}, count, 1, 1, kind});
}

// ---- three dimensions

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* of) {
  constexpr const char* kCall = "cudaMemcpy3D";
  if (!of) return fail(kCall, cudaErrorInvalidValue, "a null pointer");
  cudaError_t status = cudaSuccess;
  const auto work = copy_work(kCall, *of, status);
  return work ? copy_now(kCall, *work) : status;
}
COURSE_ALSO(cudaMemcpy3D_ptds, cudaMemcpy3D);

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* of, cudaStream_t stream) {
  constexpr const char* kCall = "cudaMemcpy3DAsync";
  if (!of) return fail(kCall, cudaErrorInvalidValue, "a null pointer");
  cudaError_t status = cudaSuccess;
  const auto work = copy_work(kCall, *of, status);
  return work ? copy_in(kCall, *work, stream) : status;
}
COURSE_ALSO(cudaMemcpy3DAsync_ptsz, cudaMemcpy3DAsync);

cudaError_t cudaMalloc3D(cudaPitchedPtr* out, cudaExtent extent) {
  constexpr const char* kCall = "cudaMalloc3D";
  if (!out) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  *out = {nullptr, 0, extent.width, extent.height};
  std::size_t size = 0;
  if (extent.width > SIZE_MAX - kPitchBytes ||
      __builtin_mul_overflow(extent.height, extent.depth, &size) ||
      __builtin_mul_overflow((extent.width + kPitchBytes - 1) / kPitchBytes * kPitchBytes, size,
                             &size))
    return fail(kCall, cudaErrorMemoryAllocation, "more bytes than there are addresses");
  if (size == 0) return context_error(kCall);
  const auto status = cudaMalloc(&out->ptr, size);
  if (status == cudaSuccess)
    out->pitch = (extent.width + kPitchBytes - 1) / kPitchBytes * kPitchBytes;
  return status;
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent,
                              cudaStream_t stream) {
  for (std::size_t z = 0; z < extent.depth; ++z)
    if (const auto status =
            cudaMemset2DAsync(static_cast<std::byte*>(to.ptr) + z * to.pitch * to.ysize, to.pitch,
                              value, extent.width, extent.height, stream))
      return status;
  return cudaSuccess;
}
COURSE_ALSO(cudaMemset3DAsync_ptsz, cudaMemset3DAsync);

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  if (const auto capturing = forbidden_in_capture("cudaMemset3D", nullptr)) return capturing;
  return cudaMemset3DAsync(to, value, extent, nullptr);
}
COURSE_ALSO(cudaMemset3D_ptds, cudaMemset3D);

// ---- between devices, of which there is one

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           size_t size) {
  constexpr const char* kCall = "cudaMemcpyPeer";
  if (to_device != 0 || from_device != 0)
    return fail(kCall, cudaErrorInvalidDevice, "there is one device, 0");
  return cudaMemcpy(to, from, size, cudaMemcpyDeviceToDevice);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t size, cudaStream_t stream) {
  constexpr const char* kCall = "cudaMemcpyPeerAsync";
  if (to_device != 0 || from_device != 0)
    return fail(kCall, cudaErrorInvalidDevice, "there is one device, 0");
  return cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToDevice, stream);
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  return fail("cudaDeviceEnablePeerAccess", cudaErrorInvalidDevice,
              "there is one device, 0, which needs no leave for its own memory");
}
cudaError_t cudaDeviceDisablePeerAccess(int) {
  return fail("cudaDeviceDisablePeerAccess", cudaErrorInvalidDevice, "there is one device, 0");
}
cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int) {
  return fail("cudaDeviceGetP2PAttribute", cudaErrorInvalidDevice, "there is one device, 0");
}

} // extern "C"
