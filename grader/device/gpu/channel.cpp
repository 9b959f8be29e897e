#include "device/gpu/channel.hpp"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace course::gpu {
namespace {

struct Header {
  std::uint64_t magic = 0x31'55'50'47'4b'52'57'43; // "CWRKGPU1"
  std::uint64_t length = 0;
};

// Waits until the descriptor is ready for `events`.
std::optional<ChannelError> wait_for(int descriptor, short events,
                                     std::optional<Deadline> deadline) {
  using namespace std::chrono;
  for (;;) {
    int milliseconds = -1;
    if (deadline) {
      const auto left = duration_cast<std::chrono::milliseconds>(*deadline - steady_clock::now());
      milliseconds = static_cast<int>(std::clamp<std::int64_t>(left.count() + 1, 0, 1 << 30));
    }
    pollfd entry{descriptor, events, 0};
    const int ready = poll(&entry, 1, milliseconds);
    if (ready > 0) return {};
    if (ready == 0) return ChannelError::late;
    if (errno != EINTR) return ChannelError::closed;
  }
}

std::optional<ChannelError> send_all(int descriptor, const void* data, std::size_t size,
                                     std::optional<Deadline> deadline) {
  const auto* at = static_cast<const char*>(data);
  while (size > 0) {
    if (const auto error = wait_for(descriptor, POLLOUT, deadline)) return error;
    const ssize_t sent = ::send(descriptor, at, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (sent <= 0) return ChannelError::closed;
    at += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return {};
}

std::optional<ChannelError> receive_all(int descriptor, void* data, std::size_t size,
                                        std::optional<Deadline> deadline) {
  auto* at = static_cast<char*>(data);
  while (size > 0) {
    if (const auto error = wait_for(descriptor, POLLIN, deadline)) return error;
    const ssize_t got = ::recv(descriptor, at, size, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return ChannelError::closed;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return {};
}

} // namespace

std::optional<ChannelError> send(int descriptor, const device::Bytes& message,
                                 std::optional<Deadline> deadline) {
  Header header;
  header.length = message.size();
  if (const auto error = send_all(descriptor, &header, sizeof header, deadline)) return error;
  return send_all(descriptor, message.data(), message.size(), deadline);
}

std::variant<device::Bytes, ChannelError> receive(int descriptor,
                                                  std::optional<Deadline> deadline) {
  Header header;
  if (const auto error = receive_all(descriptor, &header, sizeof header, deadline)) return *error;
  if (header.magic != Header{}.magic || header.length > kLongestMessage)
    return ChannelError::malformed;

  // The length is a claim: memory is taken as the bytes arrive.
  constexpr std::size_t kPart = 16u << 20;
  device::Bytes message;
  while (message.size() < header.length) {
    const std::size_t have = message.size();
    message.resize(have + std::min<std::size_t>(kPart, header.length - have));
    if (const auto error =
            receive_all(descriptor, message.data() + have, message.size() - have, deadline))
      return *error;
  }
  return message;
}

} // namespace course::gpu
