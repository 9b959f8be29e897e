#include "runtime/cuda_error.hpp"

namespace course::runtime {

namespace {
constexpr const char* kUnknownCode = "unrecognized error code";
}

const char* error_name(std::uint32_t code) {
  switch (code) {
#define COURSE_CUDA_ERROR(number, name, text)                                                      \
  case number:                                                                                     \
    return #name;
#include "runtime/cuda_error.def"
#undef COURSE_CUDA_ERROR
  default:
    return kUnknownCode;
  }
}

const char* error_text(std::uint32_t code) {
  switch (code) {
#define COURSE_CUDA_ERROR(number, name, text)                                                      \
  case number:                                                                                     \
    return text;
#include "runtime/cuda_error.def"
#undef COURSE_CUDA_ERROR
  default:
    return kUnknownCode;
  }
}

} // namespace course::runtime
