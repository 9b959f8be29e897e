// cuTensorMapEncodeTiled, which programs ask the runtime for by name: maps of tensors for bulk
// copies, in an encoding that the emulated device reads.
#include "device/model/tensor_map.hpp"
#include "runtime/client/grader.hpp"
#include "runtime/client/refusal.hpp"

#include <cstring>
#include <dlfcn.h>
#include <iterator>
#include <string>

using namespace course::client;

namespace {

using course::model::TensorMap;

// CUresult, CUtensorMapDataType, CUtensorMapL2promotion of cuda.h.
constexpr int kSuccess = 0, kInvalidValue = 1, kNotSupported = 801;
constexpr int kFirstFloat = 6, kFirstTf32 = 11, kMostPromotion = 3;

// Bytes of an element, by CUtensorMapDataType; 0 for those that are not available.
int element_bytes(int type) {
  constexpr int kBytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return type >= 0 && type < static_cast<int>(std::size(kBytes)) ? kBytes[type] : 0;
}

int encode_tiled(void* map, int type, std::uint32_t rank, void* address, const std::uint64_t* size,
                 const std::uint64_t* stride, const std::uint32_t* box,
                 const std::uint32_t* element_stride, int interleave, int swizzle, int promotion,
                 int out_of_bounds) {
  constexpr const char* kCall = "cuTensorMapEncodeTiled";
  if (!map || !size || !box || !element_stride || (rank > 1 && !stride)) return kInvalidValue;
  if (rank < 1 || rank > course::model::kMostDimensions || swizzle < 0) return kInvalidValue;
  if (promotion < 0 || promotion > kMostPromotion) return kInvalidValue;
  if (element_bytes(type) == 0 || swizzle > 3 || interleave != 0) {
    refuse(kCall, "with this type, swizzle or interleave");
    return kNotSupported;
  }
  TensorMap made;
  made.address = reinterpret_cast<std::uint64_t>(address);
  made.rank = static_cast<std::uint8_t>(rank);
  made.element = static_cast<std::uint8_t>(element_bytes(type));
  made.floating = type >= kFirstFloat;
  made.rounds_to_tf32 = type >= kFirstTf32;
  made.fills_with_nan = out_of_bounds != 0;
  made.swizzle = static_cast<course::model::Swizzle>(swizzle);
  made.promotion = static_cast<std::uint8_t>(promotion);
  for (std::uint32_t d = 0; d < rank; ++d) {
    if (element_stride[d] != 1) {
      refuse(kCall, "with strides between elements");
      return kNotSupported;
    }
    made.size[d] = size[d];
    made.box[d] = box[d];
    made.stride[d] = d > 0 ? stride[d - 1] : made.element;
  }
  if (const std::string broken = course::model::broken_rule(made); !broken.empty()) {
    const bool is_clear = cudaPeekAtLastError() == cudaSuccess;
    ask(kCall, protocol::Failed{kInvalidValue, broken});
    if (is_clear) cudaGetLastError(); // which no call of the driver sets
    return kInvalidValue;
  }
  const auto bytes = course::model::encoded(made);
  std::memcpy(map, bytes.data(), bytes.size());
  return kSuccess;
}

// Of a program's own: a function of the driver API by its name, which this library has as well;
// those that are not executed refuse by name when they are called. Headers call the second version
// of a function as the first. nullptr: there is none.
void* driver_function(const std::string& name) {
  if (name == "cuTensorMapEncodeTiled") return reinterpret_cast<void*>(&encode_tiled);
  if (!is_live() || name.size() < 3 || !name.starts_with("cu") || name[2] < 'A' || name[2] > 'Z')
    return nullptr;
  Dl_info here;
  if (dladdr(reinterpret_cast<void*>(&encode_tiled), &here) == 0) return nullptr;
  static void* const library = dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  void* second = dlsym(library, (name + "_v2").c_str());
  return second ? second : dlsym(library, name.c_str());
}

cudaError_t entry_point(const char* call, const char* symbol, void** function,
                        cudaDriverEntryPointQueryResult* found) {
  if (!symbol || !function) return fail(call, cudaErrorInvalidValue, "a null pointer");
  *function = driver_function(symbol);
  const bool known = *function != nullptr;
  if (found) *found = known ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  if (known) return cudaSuccess;
  return static_cast<cudaError_t>(refuse(call, "of '" + std::string(symbol) + "'"));
}

} // namespace

extern "C" {

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* found) {
  return entry_point("cudaGetDriverEntryPointByVersion", symbol, function, found);
}
COURSE_ALSO(cudaGetDriverEntryPointByVersion_ptsz, cudaGetDriverEntryPointByVersion);
// The same without a version, which headers still declare.
cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long,
                                    cudaDriverEntryPointQueryResult* found) {
  return entry_point("cudaGetDriverEntryPoint", symbol, function, found);
}
cudaError_t cudaGetDriverEntryPoint_ptsz(const char* symbol, void** function, unsigned long long,
                                         cudaDriverEntryPointQueryResult* found) {
  return entry_point("cudaGetDriverEntryPoint", symbol, function, found);
}

} // extern "C"
