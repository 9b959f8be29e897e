// One call that multiplies matrices, whatever its name and its types.
#pragma once

#include "runtime/client/blas/blas.hpp"
#include "runtime/client/blas/product.hpp"

namespace course::client::blas {

// What cuBLASLt does to the result before it is rounded and stored: a bias for each row, and then a
// function of each number.
struct Epilogue {
  enum class Function { none, relu, gelu } function = Function::none;
  const void* bias = nullptr; // in device memory; nullptr: none
  cudaDataType bias_type = CUDA_R_32F;
};

struct Matrix {
  const void* at = nullptr;
  cudaDataType type = CUDA_R_32F;
  std::int64_t pitch = 0;  // elements between columns
  std::int64_t stride = 0; // between the matrices of a batch
};

struct Product {
  const char* call = nullptr;
  const Handle* handle = nullptr;
  Op a_op = Op::none, b_op = Op::none;
  Extents size;
  Matrix a, b, c;
  std::int64_t batch = 1;
  bool by_pointers = false; // a, b and c are arrays of pointers, in device memory
  Epilogue after = {};
};

// Of an element; 0: none that is computed here.
std::size_t bytes_of(cudaDataType);

// The types are whatever the call says, and so is the one of alpha and beta. `compute`:
// cublasComputeType_t.
Status mixed_product(const Product&, const void* alpha, const void* beta, int compute);

} // namespace course::client::blas
