// HTTP/1.1 over TCP, by GNU libmicrohttpd, behind this header alone.
//
// Why that library: Debian 12 has it, Ubuntu 24.04 a later version with the same interface. It has
// been kept since 2007 for small servers inside programs, and was audited and is paid for as
// infrastructure. Its advisory of 2023 (CVE-2023-27371, the parser of forms, which is not used
// here) is mended in Debian's 0.9.75-6; those of 2025 are of an experimental WebSocket library
// beside it, which is not linked. It has limits of memory, connections and idle time, and can wait
// in somebody else's loop, so that this server has one thread and no lock. Its header is C and
// takes a moment to compile. Looked at as well: cpp-httplib (one header of ten thousand lines,
// several advisories of its parser in 2025, a thread for each connection), Boost.Beast (low level,
// slow to compile), civetweb (advisories that Debian 12 has not mended), libevent's evhttp (no
// limit of connections).
#pragma once

#include "serve/http_request.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace course::serve {

struct Reply {
  int status = 200;
  std::string type, body;
  std::vector<std::pair<std::string, std::string>> headers;
};

struct HttpLimits {
  std::string user_header = {}; // whose value becomes Request::user; empty: none's
  std::size_t body = kMostBody;
  std::size_t memory = 32 << 10; // of one connection: its headers have to fit
  unsigned connections = 128;
  std::chrono::milliseconds idle{20'000}; // between two pieces of one request or reply
  std::chrono::milliseconds request{
      30'000}; // from the first byte, or the last reply, to the last byte
  std::chrono::milliseconds reply{60'000}; // from its first byte to its last
};

// Where a server listens: at a port of 127.0.0.1, 0 for one that is free; or, where there is one,
// at a socket in the file system, which whoever may write to it can talk to. Never at an address
// that other machines reach.
struct Listen {
  std::uint16_t port = 0;
  std::filesystem::path socket = {};
};

// Everything happens inside of work(), in the thread that calls it.
class Http {
public:
  // A request whose reply comes later.
  using Ticket = std::uint64_t;
  // Nothing: answer(ticket, …) will be called.
  using Handler = std::function<std::optional<Reply>(const Request&, Ticket)>;

  // Throws std::system_error where the port is taken, or the socket cannot be made.
  Http(const Listen&, HttpLimits, Handler);
  ~Http();

  std::uint16_t port() const;                 // 0: it is a socket in the file system
  int descriptor() const;                     // readable: there is work
  std::chrono::milliseconds patience() const; // after so long there is work in any case
  void work();
  // Nothing happens where the other side has gone.
  void answer(Ticket, Reply);

private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

} // namespace course::serve
