#include "serve/http.hpp"

#include "system/descriptor.hpp"

#include <doctest/doctest.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>

using namespace course::serve;

TEST_CASE("an answer that comes later goes out at once, though no descriptor says so") {
  constexpr std::string_view kRequest = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  Http::Ticket waiting = 0;
  Http http({}, {}, [&](const Request&, Http::Ticket ticket) -> std::optional<Reply> {
    waiting = ticket;
    return std::nullopt;
  });
  const course::system::Descriptor page(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(http.port());
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(connect(page.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  REQUIRE(send(page.get(), kRequest.data(), kRequest.size(), 0) ==
          static_cast<ssize_t>(kRequest.size()));
  while (waiting == 0) {
    pollfd ready{http.descriptor(), POLLIN, 0};
    poll(&ready, 1, static_cast<int>(http.patience().count()));
    http.work();
  }
  http.answer(waiting, {200, "text/plain", "here it is", {}});
  CHECK(http.patience().count() == 0);
  http.work();
  char reply[1024];
  const auto size = recv(page.get(), reply, sizeof reply, MSG_DONTWAIT);
  REQUIRE(size > 0);
  CHECK(std::string_view(reply, static_cast<std::size_t>(size)).ends_with("here it is"));
}
