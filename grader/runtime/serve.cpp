#include "runtime/serve.hpp"

#include <array>
#include <cerrno>
#include <poll.h>
#include <sys/socket.h>

namespace course::runtime {

namespace {

// A program waits for replies, but for a few short ones, so there is room; a large one it has to
// read meanwhile.
constexpr int kReplyTimeout = 10'000;     // ms
constexpr std::size_t kMostAtOnce = 4096; // bytes of replies

bool send_all(int channel, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto sent = send(channel, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
    } else if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      pollfd room{channel, POLLOUT, 0};
      if (poll(&room, 1, kReplyTimeout) == 0) return false;
    } else if (sent == 0 || errno != EINTR) {
      return true; // it is gone, which the next read will say
    }
  }
  return true;
}

} // namespace

void serve(Session& session, int channel, const std::function<bool()>& stopped) {
  protocol::Frames frames;
  std::array<std::byte, 64 << 10> buffer;
  while (session.end() == Session::End::open) {
    const auto got = recv(channel, buffer.data(), buffer.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    frames.append(std::span(buffer).first(static_cast<std::size_t>(got)));
    Bytes replies; // to calls that have come together
    const auto reply = [&] {
      if (!send_all(channel, replies)) session.malformed("does not take the replies to its calls");
      replies.clear();
    };
    while (const auto frame = frames.next()) {
      const Bytes one = session.handle(*frame);
      if (stopped()) return;
      replies.insert(replies.end(), one.begin(), one.end());
      if (replies.size() >= kMostAtOnce || session.end() != Session::End::open) reply();
      if (session.end() != Session::End::open) return;
    }
    reply();
    if (frames.fault()) session.malformed(*frames.fault());
  }
}

} // namespace course::runtime
