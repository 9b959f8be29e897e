#include "device/gpu/channel.hpp"

#include <doctest/doctest.h>

#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace course::gpu {
namespace {

struct Pair {
  int ends[2];
  Pair() { REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0); }
  ~Pair() {
    for (const int end : ends) {
      if (end >= 0) close(end);
    }
  }
  void close_first() {
    close(ends[0]);
    ends[0] = -1;
  }
};

Deadline later() {
  return std::chrono::steady_clock::now() + std::chrono::hours(1);
}

Deadline soon() {
  return std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
}

bool failed_with(const std::variant<device::Bytes, ChannelError>& result, ChannelError error) {
  return std::holds_alternative<ChannelError>(result) && std::get<ChannelError>(result) == error;
}

} // namespace

TEST_CASE("a message longer than the socket's buffer arrives whole") {
  Pair pair;
  device::Bytes message(40u << 20);
  for (std::size_t i = 0; i < message.size(); ++i) message[i] = static_cast<std::byte>(i * 7 >> 3);
  std::thread sender([&] { CHECK_FALSE(send(pair.ends[0], message)); });
  const auto received = receive(pair.ends[1]);
  sender.join();
  REQUIRE(std::holds_alternative<device::Bytes>(received));
  CHECK(std::get<device::Bytes>(received) == message);
}

TEST_CASE("an empty message is a message") {
  Pair pair;
  CHECK_FALSE(send(pair.ends[0], {}));
  CHECK(std::get<device::Bytes>(receive(pair.ends[1], later())).empty());
}

TEST_CASE("silence ends at the deadline") {
  Pair pair;
  CHECK(failed_with(receive(pair.ends[1], soon()), ChannelError::late));
}

TEST_CASE("a message that stops half-way ends at the deadline") {
  Pair pair;
  REQUIRE(write(pair.ends[0], "CWRKGPU1\x05\0\0\0\0\0\0\0ab", 18) == 18);
  CHECK(failed_with(receive(pair.ends[1], soon()), ChannelError::late));
}

TEST_CASE("a closed end is told apart from a late one") {
  Pair pair;
  pair.close_first();
  CHECK(failed_with(receive(pair.ends[1], later()), ChannelError::closed));
  const auto error = send(pair.ends[1], device::Bytes(8), later());
  REQUIRE(error);
  CHECK(*error == ChannelError::closed);
}

TEST_CASE("other words and impossible lengths are malformed") {
  Pair pair;
  REQUIRE(write(pair.ends[0], "GET / HTTP/1.1\r\n", 16) == 16);
  CHECK(failed_with(receive(pair.ends[1], later()), ChannelError::malformed));
  REQUIRE(write(pair.ends[0], "CWRKGPU1\xff\xff\xff\xff\xff\xff\xff\xff", 16) == 16);
  CHECK(failed_with(receive(pair.ends[1], later()), ChannelError::malformed));
}

} // namespace course::gpu
