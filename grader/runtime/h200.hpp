// An H200 as the CUDA runtime describes it, beside what device/model knows of its multiprocessors.
//
// Source: cudaDeviceGetAttribute on an H200 (driver 580, CUDA 13.0). client/attributes.def has all
// of the attributes; these are the ones that the session's rules depend on.
#pragma once

#include "device/model/occupancy.hpp"

#include <cstdint>

namespace course::runtime::h200 {

inline constexpr std::uint32_t kMultiprocessors = 132;
inline constexpr std::uint32_t kThreadsPerBlock = model::kH200Multiprocessor.threads_a_block;
inline constexpr std::uint32_t kBlockDim[3] = {1024, 1024, 64};
inline constexpr std::uint32_t kGridDim[3] = {2147483647, 65535, 65535};

// Bytes a block, without and with cudaFuncSetAttribute.
inline constexpr std::uint32_t kSharedPerBlock =
    model::kH200Multiprocessor.shared_bytes_without_opt_in;
inline constexpr std::uint32_t kSharedPerBlockOptIn =
    model::kH200Multiprocessor.shared_bytes_a_block;

inline constexpr std::uint32_t kRegistersPerBlock = model::kH200Multiprocessor.registers;
inline constexpr std::uint64_t kMemory = 150'109'880'320; // bytes

} // namespace course::runtime::h200
