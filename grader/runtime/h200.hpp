// The limits of model::kH200 in the words and types of the CUDA runtime.
#pragma once

#include "device/model/architecture.hpp"

#include <cstdint>

namespace course::runtime::h200 {

inline constexpr std::uint32_t kMultiprocessors = model::kH200.multiprocessors;
inline constexpr std::uint32_t kThreadsPerBlock = model::kH200.multiprocessor.threads_a_block;
inline constexpr auto kBlockDim = model::kH200.block_dim;
inline constexpr auto kGridDim = model::kH200.grid_dim;

// Bytes a block, without and with cudaFuncSetAttribute.
inline constexpr std::uint32_t kSharedPerBlock =
    model::kH200.multiprocessor.shared_bytes_without_opt_in;
inline constexpr std::uint32_t kSharedPerBlockOptIn =
    model::kH200.multiprocessor.shared_bytes_a_block;

inline constexpr std::uint32_t kRegistersPerBlock = model::kH200.multiprocessor.registers;
inline constexpr std::uint64_t kMemory = model::kH200.memory; // bytes

} // namespace course::runtime::h200
