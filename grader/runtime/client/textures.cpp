// Texture and surface objects.
#include "runtime/client/arrays.hpp"
#include "runtime/client/grader.hpp"

#include <map>
#include <mutex>

using namespace course::client;
using course::device::Texture;

namespace {

struct Objects {
  std::mutex mutex;
  struct Kept {
    cudaResourceDesc resource{};
    cudaTextureDesc texture{};
  };
  std::map<unsigned long long, Kept> all;
};
Objects& objects() {
  static auto& made = *new Objects; // a program's own exit handlers may still destroy some
  return made;
}

// Whether elements of this format can be read.
bool set_format(Texture& texture, const cudaChannelFormatDesc& format) {
  const int bits[] = {format.x, format.y, format.z, format.w};
  int channels = 0;
  while (channels < 4 && bits[channels] == format.x && format.x != 0) ++channels;
  for (int i = channels; i < 4; ++i)
    if (bits[i] != 0) return false;
  switch (format.f) {
  case cudaChannelFormatKindSigned:
    texture.format = Texture::Format::signed_integer;
    break;
  case cudaChannelFormatKindUnsigned:
    texture.format = Texture::Format::unsigned_integer;
    break;
  case cudaChannelFormatKindFloat:
    texture.format = Texture::Format::floating;
    break;
  default:
    return false;
  }
  texture.channels = static_cast<std::uint8_t>(channels);
  texture.bits = static_cast<std::uint8_t>(format.x);
  return channels == 1 || channels == 2 || channels == 4;
}

// What is behind the object. False after an error, which `status` is set to.
bool set_resource(const char* call, Texture& texture, const cudaResourceDesc& resource,
                  cudaError_t& status) {
  bool known = false;
  switch (resource.resType) {
  case cudaResourceTypeArray: {
    const auto* array = resource.res.array.array;
    if (!is_array(array)) {
      status = fail(call, cudaErrorInvalidValue, "this is not a CUDA array");
      return false;
    }
    known = set_format(texture, array->format);
    texture.address = array->address;
    texture.pitch = array->pitch();
    texture.slice = array->slice();
    texture.width = static_cast<std::uint32_t>(array->extent.width);
    texture.height = static_cast<std::uint32_t>(array->extent.height);
    texture.depth = static_cast<std::uint32_t>(array->extent.depth);
    texture.layered = array->flags & cudaArrayLayered;
    break;
  }
  case cudaResourceTypeLinear: {
    const auto& linear = resource.res.linear;
    known = set_format(texture, linear.desc);
    texture.address = address_of(linear.devPtr);
    texture.is_memory = true;
    if (known) texture.width = static_cast<std::uint32_t>(linear.sizeInBytes / texture.element());
    break;
  }
  case cudaResourceTypePitch2D: {
    const auto& pitched = resource.res.pitch2D;
    known = set_format(texture, pitched.desc);
    texture.address = address_of(pitched.devPtr);
    texture.pitch = pitched.pitchInBytes;
    texture.width = static_cast<std::uint32_t>(pitched.width);
    texture.height = static_cast<std::uint32_t>(pitched.height);
    constexpr std::size_t kTexturePitch = 32; // cudaDevAttrTexturePitchAlignment
    if (pitched.pitchInBytes % kTexturePitch != 0) {
      status = fail(call, cudaErrorInvalidValue,
                    "the pitch is not a multiple of 32 bytes; cudaMallocPitch gives one that is");
      return false;
    }
    break;
  }
  default:
    status = static_cast<cudaError_t>(refuse(call, "of a mipmapped array"));
    return false;
  }
  if (!known)
    status = fail(call, cudaErrorInvalidChannelDescriptor,
                  "an element has one, two or four channels of 8, 16 or 32 bits");
  return known;
}

cudaError_t make(const char* call, unsigned long long* out, const Texture& texture,
                 const cudaResourceDesc& resource, const cudaTextureDesc& how) {
  const auto status = ask<protocol::Address>(call, protocol::CreateTexture{texture},
                                             [&](const auto& answer) { *out = answer.address; });
  if (status != cudaSuccess) return status;
  const std::lock_guard lock(objects().mutex);
  objects().all[*out] = {resource, how};
  return cudaSuccess;
}

cudaError_t destroy(const char* call, unsigned long long object, bool surface) {
  {
    const std::lock_guard lock(objects().mutex);
    objects().all.erase(object);
  }
  return tell(call, protocol::DestroyTexture{object, surface});
}

// Copies what an object was made with, for who asks.
template <class T>
cudaError_t describe(const char* call, T* out, unsigned long long object, T Objects::Kept::*part) {
  const std::lock_guard lock(objects().mutex);
  const auto found = objects().all.find(object);
  if (found == objects().all.end() || !out)
    return fail(call, cudaErrorInvalidValue, out ? "this is no such object" : kNoPlace);
  *out = found->second.*part;
  return cudaSuccess;
}

} // namespace

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* out, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* how, const cudaResourceViewDesc* view) {
  constexpr const char* kCall = "cudaCreateTextureObject";
  if (!out || !resource || !how) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  *out = 0;
  if (view && view->format != cudaResViewFormatNone)
    return static_cast<cudaError_t>(refuse(kCall, "with a resource view"));
  if (how->sRGB) return static_cast<cudaError_t>(refuse(kCall, "of sRGB elements"));
  Texture texture;
  cudaError_t status = cudaSuccess;
  if (!set_resource(kCall, texture, *resource, status)) return status;
  for (std::size_t i = 0; i < texture.beyond.size(); ++i) {
    if (how->addressMode[i] > cudaAddressModeBorder)
      return fail(kCall, cudaErrorInvalidValue, "there is no such address mode");
    texture.beyond[i] = static_cast<Texture::Beyond>(how->addressMode[i]);
  }
  const bool integers = texture.format != Texture::Format::floating;
  texture.linear = how->filterMode == cudaFilterModeLinear;
  texture.as_fractions = how->readMode == cudaReadModeNormalizedFloat && integers;
  texture.normalised = how->normalizedCoords != 0;
  for (std::size_t i = 0; i < texture.border.size(); ++i) texture.border[i] = how->borderColor[i];
  if (texture.linear && integers && !texture.as_fractions)
    return fail(kCall, cudaErrorInvalidFilterSetting,
                "integers are not filtered: cudaFilterModePoint, or cudaReadModeNormalizedFloat");
  if (texture.as_fractions && texture.bits == 32)
    return fail(kCall, cudaErrorInvalidNormSetting,
                "integers of 32 bits are not read as fractions: cudaReadModeElementType");
  return make(kCall, out, texture, *resource, *how);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return destroy("cudaDestroyTextureObject", object, false);
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* out, cudaTextureObject_t object) {
  return describe("cudaGetTextureObjectResourceDesc", out, object, &Objects::Kept::resource);
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* out, cudaTextureObject_t object) {
  return describe("cudaGetTextureObjectTextureDesc", out, object, &Objects::Kept::texture);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* out, const cudaResourceDesc* resource) {
  constexpr const char* kCall = "cudaCreateSurfaceObject";
  if (!out || !resource) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  *out = 0;
  if (resource->resType != cudaResourceTypeArray)
    return fail(kCall, cudaErrorInvalidValue, "a surface is of an array");
  Texture texture;
  cudaError_t status = cudaSuccess;
  if (!set_resource(kCall, texture, *resource, status)) return status;
  if (!(resource->res.array.array->flags & cudaArraySurfaceLoadStore))
    return fail(kCall, cudaErrorInvalidValue,
                "the array was made without cudaArraySurfaceLoadStore");
  texture.surface = true;
  return make(kCall, out, texture, *resource, {});
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return destroy("cudaDestroySurfaceObject", object, true);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* out, cudaSurfaceObject_t object) {
  return describe("cudaGetSurfaceObjectResourceDesc", out, object, &Objects::Kept::resource);
}

} // extern "C"
