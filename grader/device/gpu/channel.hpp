// Whole messages over a stream socket: a magic word, a length, the bytes.
#pragma once

#include "device/device.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace course::gpu {

using Deadline = std::chrono::steady_clock::time_point;

inline constexpr std::uint64_t kLongestMessage = 1ull << 36; // bytes

enum class ChannelError {
  closed,    // the other end is gone
  late,      // nothing, or not all, by the deadline
  malformed, // not a message, or longer than kLongestMessage
};

// `deadline` absent: waits for ever. The descriptor may block or not.
std::optional<ChannelError> send(int descriptor, const device::Bytes& message,
                                 std::optional<Deadline> deadline = {});
std::variant<device::Bytes, ChannelError> receive(int descriptor,
                                                  std::optional<Deadline> deadline = {});

} // namespace course::gpu
