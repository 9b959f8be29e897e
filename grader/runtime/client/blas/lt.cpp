// cuBLASLt, as far as programs that teach call it: a product described piece by piece, with a bias
// and an activation. Any plan of its heuristic is as good as another here, and needs no room.
#include "runtime/client/blas/gemm.hpp"

#include <cstring>

using namespace course::client;
using namespace course::client::blas;

namespace {

// cublasLtMatmulDescAttributes_t, cublasLtMatrixLayoutAttribute_t, cublasLtEpilogue_t.
enum DescAttribute {
  kCompute = 0,
  kScale = 1,
  kPointerMode = 2,
  kOpA = 3,
  kOpB = 4,
  kOpC = 5,
  kEpilogue = 7,
  kBias = 8,
  kBiasType = 26,
};
enum LayoutAttribute {
  kType = 0,
  kOrder = 1,
  kRows = 2,
  kColumns = 3,
  kPitch = 4,
  kBatch = 5,
  kStride = 6
};
constexpr std::uint32_t kPlain = 1, kRelu = 2, kWithBias = 4, kGelu = 32;

} // namespace

// What programs see as cublasLtMatmulDesc_t, cublasLtMatrixLayout_t and cublasLtMatmulPreference_t.
struct LtProduct {
  std::int32_t compute = 0, scale = 0, pointer_mode = 0, op_a = 0, op_b = 0, op_c = 0;
  std::uint32_t epilogue = kPlain;
  const void* bias = nullptr;
  std::int32_t bias_type = -1; // -1: that of the result
};
struct LtLayout {
  std::int32_t type = 0, order = 0, batch = 1;
  std::uint64_t rows = 0, columns = 0;
  std::int64_t pitch = 0, stride = 0;
};
struct LtPreference {};

namespace {

// Where an attribute is kept, and its size; nullptr: it is none that is known here.
struct Kept {
  void* at = nullptr;
  std::size_t size = 0;

  Kept() = default;
  template <class T>
  explicit Kept(T& member) : at(&member), size(sizeof member) {}
};

Kept kept(LtProduct& of, int attribute) {
  switch (attribute) {
  case kCompute:
    return Kept(of.compute);
  case kScale:
    return Kept(of.scale);
  case kPointerMode:
    return Kept(of.pointer_mode);
  case kOpA:
    return Kept(of.op_a);
  case kOpB:
    return Kept(of.op_b);
  case kOpC:
    return Kept(of.op_c);
  case kEpilogue:
    return Kept(of.epilogue);
  case kBias:
    return Kept(of.bias);
  case kBiasType:
    return Kept(of.bias_type);
  default:
    return {};
  }
}
Kept kept(LtLayout& of, int attribute) {
  switch (attribute) {
  case kType:
    return Kept(of.type);
  case kOrder:
    return Kept(of.order);
  case kRows:
    return Kept(of.rows);
  case kColumns:
    return Kept(of.columns);
  case kPitch:
    return Kept(of.pitch);
  case kBatch:
    return Kept(of.batch);
  case kStride:
    return Kept(of.stride);
  default:
    return {};
  }
}

template <class T>
Status set(const char* call, T* of, int attribute, const void* value, std::size_t size) {
  if (!of || !value) return wrong(call, kNoPlace);
  const Kept to = kept(*of, attribute);
  if (!to.at) {
    refuse(call, "of attribute " + std::to_string(attribute));
    return Status::not_supported;
  }
  if (size != to.size)
    return wrong(call,
                 std::to_string(size) + " bytes for an attribute of " + std::to_string(to.size));
  std::memcpy(to.at, value, size);
  return Status::success;
}

template <class T, class... With>
Status create(const char* call, T** to, With... with) {
  if (!is_live()) {
    refuse(call);
    return Status::not_supported;
  }
  if (!to) return wrong(call, kNoPlace);
  *to = new T{with...};
  return Status::success;
}

Matrix matrix_of(const void* at, const LtLayout& layout) {
  return {at, static_cast<cudaDataType>(layout.type), layout.pitch, layout.stride};
}

// A number of this type, in host memory.
bool is_zero(const void* number, int type) {
  constexpr char kZero[8] = {};
  return std::memcmp(number, kZero, bytes_of(static_cast<cudaDataType>(type))) == 0;
}

// Whether all of a product is computed here; what is not is refused by name.
bool is_here(const char* call, const LtProduct& of, const LtLayout& a, const LtLayout& b,
             const LtLayout& d) {
  if (of.pointer_mode > 1 || of.op_c)
    return refuse(call, "with a vector of alphas, or a transposed C"), false;
  if (a.order || b.order || d.order)
    return refuse(call, "with another order than by columns"), false;
  if (of.epilogue & ~(kPlain | kRelu | kWithBias | kGelu))
    return refuse(call, "with this epilogue"), false;
  if (of.scale != CUDA_R_32F && of.scale != CUDA_R_64F && of.scale != CUDA_R_16F)
    return refuse(call, "with this type for alpha and beta"), false;
  return true;
}

} // namespace

extern "C" {

Status cublasLtMatmulDescCreate(LtProduct** to, int compute, int scale) {
  return create("cublasLtMatmulDescCreate", to, compute, scale);
}
Status cublasLtMatmulDescDestroy(LtProduct* of) {
  delete of;
  return Status::success;
}
Status cublasLtMatmulDescSetAttribute(LtProduct* of, int attribute, const void* value,
                                      std::size_t size) {
  return set("cublasLtMatmulDescSetAttribute", of, attribute, value, size);
}

Status cublasLtMatrixLayoutCreate(LtLayout** to, int type, std::uint64_t rows,
                                  std::uint64_t columns, std::int64_t pitch) {
  const auto status = create("cublasLtMatrixLayoutCreate", to);
  if (status != Status::success) return status;
  **to = {type, 0, 1, rows, columns, pitch, 0};
  return status;
}
Status cublasLtMatrixLayoutDestroy(LtLayout* of) {
  delete of;
  return Status::success;
}
Status cublasLtMatrixLayoutSetAttribute(LtLayout* of, int attribute, const void* value,
                                        std::size_t size) {
  return set("cublasLtMatrixLayoutSetAttribute", of, attribute, value, size);
}

Status cublasLtMatmulPreferenceCreate(LtPreference** to) {
  return create("cublasLtMatmulPreferenceCreate", to);
}
Status cublasLtMatmulPreferenceDestroy(LtPreference* of) {
  delete of;
  return Status::success;
}
// Whatever is preferred, there is one way to do it.
Status cublasLtMatmulPreferenceSetAttribute(LtPreference*, int, const void*, std::size_t) {
  return Status::success;
}

// cublasLtMatmulHeuristicResult_t: a plan, which is nothing here.
struct LtHeuristic {
  std::uint64_t plan[8];
  std::size_t workspace;
  Status state;
  float waves;
  int reserved[4];
};
Status cublasLtMatmulAlgoGetHeuristic(Handle* handle, const LtProduct*, const LtLayout*,
                                      const LtLayout*, const LtLayout*, const LtLayout*,
                                      const LtPreference*, int wanted, LtHeuristic* results,
                                      int* found) {
  constexpr const char* kCall = "cublasLtMatmulAlgoGetHeuristic";
  if (!handle || !results || !found || wanted < 1) return wrong(kCall, kNoPlace);
  results[0] = {};
  results[0].waves = 1;
  *found = 1;
  return Status::success;
}

Status cublasLtMatmul(Handle* handle, const LtProduct* desc, const void* alpha, const void* a,
                      const LtLayout* a_layout, const void* b, const LtLayout* b_layout,
                      const void* beta, const void* c, const LtLayout* c_layout, void* d,
                      const LtLayout* d_layout, const void* /*plan*/, void* /*workspace*/,
                      std::size_t /*bytes*/, cudaStream_t stream) {
  constexpr const char* kCall = "cublasLtMatmul";
  if (!handle || !desc || !alpha || !beta || !a_layout || !b_layout || !c_layout || !d_layout)
    return wrong(kCall, kNoPlace);
  if (!is_here(kCall, *desc, *a_layout, *b_layout, *d_layout)) return Status::not_supported;
  if (c != d && (desc->pointer_mode == 1 || !is_zero(beta, desc->scale))) {
    refuse(kCall, "with a C that is added and not D");
    return Status::not_supported;
  }
  Handle in_stream = *handle;
  in_stream.stream = stream;
  in_stream.scalars_on_device = desc->pointer_mode == 1;
  Product of;
  of.call = kCall;
  of.handle = &in_stream;
  of.a_op = static_cast<Op>(desc->op_a);
  of.b_op = static_cast<Op>(desc->op_b);
  const bool turned = of.a_op != Op::none;
  of.size = {static_cast<std::int64_t>(d_layout->rows),
             static_cast<std::int64_t>(d_layout->columns),
             static_cast<std::int64_t>(turned ? a_layout->rows : a_layout->columns)};
  of.a = matrix_of(a, *a_layout);
  of.b = matrix_of(b, *b_layout);
  of.c = matrix_of(d, *d_layout);
  of.batch = d_layout->batch;
  if (desc->epilogue & kWithBias) of.after.bias = desc->bias;
  of.after.bias_type =
      static_cast<cudaDataType>(desc->bias_type < 0 ? d_layout->type : desc->bias_type);
  of.after.function = desc->epilogue & kRelu   ? Epilogue::Function::relu
                      : desc->epilogue & kGelu ? Epilogue::Function::gelu
                                               : Epilogue::Function::none;
  return mixed_product(of, alpha, beta, desc->compute);
}

} // extern "C"
