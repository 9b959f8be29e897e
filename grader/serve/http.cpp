#include "serve/http.hpp"

#include "system/descriptor.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <microhttpd.h>
#include <netinet/in.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <system_error>

namespace course::serve {
namespace {

using Clock = std::chrono::steady_clock;

struct Taking {
  Request& request;
  const std::string& user_header;
};

// Values that decide have to come once.
MHD_Result take_header(void* to, MHD_ValueKind, const char* name, const char* value) {
  auto& [request, user_header] = *static_cast<Taking*>(to);
  const auto put = [&](const char* wanted, std::string& field) {
    if (strcasecmp(name, wanted) != 0) return;
    if (!field.empty()) request.ambiguous = true;
    field = value ? value : "";
  };
  put("Host", request.host);
  put("Origin", request.origin);
  put("Cookie", request.cookie);
  put("Sec-Fetch-Site", request.site);
  put("Content-Type", request.content_type);
  put("If-None-Match", request.known);
  if (!user_header.empty()) put(user_header.c_str(), request.user);
  if (strcasecmp(name, "Transfer-Encoding") == 0) request.ambiguous = true;
  return MHD_YES;
}

MHD_Result count_length(void* to, MHD_ValueKind, const char* name, const char*) {
  if (strcasecmp(name, "Content-Length") == 0) ++*static_cast<int*>(to);
  return MHD_YES;
}

std::size_t leave_as_it_is(void*, MHD_Connection*, char* text) {
  return std::strlen(text);
}

system::Descriptor listener_at(std::uint16_t port) {
  system::Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int yes = 1;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (!socket || setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
      bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      listen(socket.get(), 64) != 0)
    throw std::system_error(errno, std::generic_category());
  return socket;
}

// A server that was killed has left its socket; one that lives holds the lock of its folder.
system::Descriptor listener_at(const std::filesystem::path& path) {
  system::Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.native().size() >= sizeof address.sun_path)
    throw std::system_error(ENAMETOOLONG, std::generic_category());
  std::strcpy(address.sun_path, path.c_str());
  std::error_code none;
  if (std::filesystem::is_socket(path, none)) std::filesystem::remove(path, none);
  if (!socket ||
      bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      chmod(path.c_str(), 0660) != 0 || listen(socket.get(), 64) != 0)
    throw std::system_error(errno, std::generic_category());
  return socket;
}

} // namespace

struct Http::Inside {
  // One for each TCP connection, which has one request at a time.
  struct Connection {
    MHD_Connection* of = nullptr;
    int socket = -1;
    std::optional<Clock::time_point> deadline; // none while it waits for us
    Request request;
    bool begun = false, asked = false, too_large = false, suspended = false;
    Ticket ticket = 0; // not 0: its reply comes later
    std::optional<Reply> reply;
  };

  HttpLimits limits;
  Handler handler;
  std::map<MHD_Connection*, Connection> connections;
  std::uint64_t tickets = 0;
  bool resumed = false; // a connection, which `work` has to see to: no descriptor says so
  MHD_Daemon* daemon = nullptr;
  int epoll = -1;

  MHD_Result queue(MHD_Connection* to, const Reply& reply) {
    auto* response = MHD_create_response_from_buffer(
        reply.body.size(), const_cast<char*>(reply.body.data()), MHD_RESPMEM_MUST_COPY);
    if (!response) return MHD_NO;
    if (!reply.type.empty()) MHD_add_response_header(response, "Content-Type", reply.type.c_str());
    for (const auto& [name, value] : reply.headers)
      MHD_add_response_header(response, name.c_str(), value.c_str());
    const auto queued = MHD_queue_response(to, static_cast<unsigned>(reply.status), response);
    MHD_destroy_response(response);
    return queued;
  }

  MHD_Result reply_now(Connection& connection, const Reply& reply) {
    connection.deadline = Clock::now() + limits.reply;
    return queue(connection.of, reply);
  }

  void begin(Connection& connection, const char* path, const char* method) {
    auto& request = connection.request;
    connection.begun = true;
    connection.deadline = Clock::now() + limits.request; // for its body
    request.method = method;
    request.path = path;
    Taking taking{request, limits.user_header};
    MHD_get_connection_values(connection.of, MHD_HEADER_KIND, take_header, &taking);
    int lengths = 0;
    MHD_get_connection_values(connection.of, MHD_HEADER_KIND, count_length, &lengths);
    if (lengths > 1) request.ambiguous = true;
    if (const char* key = MHD_lookup_connection_value(connection.of, MHD_GET_ARGUMENT_KIND, "key"))
      request.key = key;
  }

  MHD_Result access(MHD_Connection* of, const char* path, const char* method, const char* bytes,
                    std::size_t* size) {
    auto& connection = connections[of];
    if (!connection.begun) {
      begin(connection, path, method);
      return MHD_YES;
    }
    if (*size > 0) {
      auto& body = connection.request.body;
      if (body.size() + *size > limits.body) connection.too_large = true;
      // What is too large is not kept; its end is waited for only as long as any request's.
      if (!connection.too_large) body.append(bytes, *size);
      *size = 0;
      return MHD_YES;
    }
    if (connection.reply) return reply_now(connection, *connection.reply);
    if (connection.too_large) return reply_now(connection, {413, "text/plain", "size\n", {}});
    if (connection.asked) return MHD_YES;
    connection.asked = true;
    const auto ticket = ++tickets;
    connection.ticket = ticket;
    connection.deadline.reset();
    if (auto reply = handler(connection.request, ticket)) {
      connection.ticket = 0;
      return reply_now(connection, *reply);
    }
    if (connection.reply)
      return reply_now(connection, *connection.reply); // answered at once, after all
    connection.suspended = true;
    MHD_suspend_connection(of);
    return MHD_YES;
  }

  // A request is over: the connection may bring another.
  void forget(MHD_Connection* of) {
    const auto at = connections.find(of);
    if (at == connections.end()) return;
    auto& connection = at->second;
    const int socket = connection.socket;
    connection = {};
    connection.of = of;
    connection.socket = socket;
    connection.deadline = Clock::now() + limits.request;
  }

  void notice(MHD_Connection* of, MHD_ConnectionNotificationCode code) {
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
      connections.erase(of);
      return;
    }
    auto& connection = connections[of];
    connection.of = of;
    const auto* info = MHD_get_connection_info(of, MHD_CONNECTION_INFO_CONNECTION_FD);
    connection.socket = info ? info->connect_fd : -1;
    connection.deadline = Clock::now() + limits.request;
  }

  // libmicrohttpd knows silence, not slowness: whoever takes too long finds the connection shut.
  void shut_slow() {
    const auto now = Clock::now();
    for (auto& [of, connection] : connections) {
      if (!connection.deadline || now < *connection.deadline || connection.socket < 0) continue;
      shutdown(connection.socket, SHUT_RDWR);
      connection.deadline.reset();
    }
  }
};

Http::Http(const Listen& at, HttpLimits limits, Handler handler)
    : inside_(std::make_unique<Inside>()) {
  auto& in = *inside_;
  in.limits = limits;
  in.handler = std::move(handler);
  const auto socket = at.socket.empty() ? listener_at(at.port) : listener_at(at.socket);
  const auto access = [](void* self, MHD_Connection* of, const char* path, const char* method,
                         const char*, const char* bytes, std::size_t* size, void**) {
    return static_cast<Inside*>(self)->access(of, path, method, bytes, size);
  };
  const auto completed = [](void* self, MHD_Connection* of, void**, MHD_RequestTerminationCode) {
    static_cast<Inside*>(self)->forget(of);
  };
  const auto noticed = [](void* self, MHD_Connection* of, void**,
                          MHD_ConnectionNotificationCode code) {
    static_cast<Inside*>(self)->notice(of, code);
  };
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(limits.idle).count();
  in.daemon = MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, nullptr, nullptr,
                               +access, &in, MHD_OPTION_LISTEN_SOCKET,
                               fcntl(socket.get(), F_DUPFD_CLOEXEC, 0),      // which it closes
                               MHD_OPTION_NOTIFY_COMPLETED, +completed, &in, //
                               MHD_OPTION_NOTIFY_CONNECTION, +noticed, &in,  //
                               MHD_OPTION_UNESCAPE_CALLBACK, &leave_as_it_is, nullptr,        //
                               MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.memory,             //
                               MHD_OPTION_CONNECTION_LIMIT, limits.connections,               //
                               MHD_OPTION_CONNECTION_TIMEOUT, static_cast<unsigned>(seconds), //
                               MHD_OPTION_STRICT_FOR_CLIENT, 1,                               //
                               MHD_OPTION_END);
  if (!in.daemon) throw std::system_error(errno, std::generic_category());
  in.epoll = MHD_get_daemon_info(in.daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

Http::~Http() {
  for (auto& [of, connection] : inside_->connections)
    if (connection.suspended) {
      connection.reply = Reply{503, "text/plain", "end\n", {}};
      MHD_resume_connection(of);
    }
  MHD_run(inside_->daemon);
  MHD_stop_daemon(inside_->daemon);
}

std::uint16_t Http::port() const {
  sockaddr_in address{}; // of a socket in the file system, no more than its kind is written to it
  socklen_t size = sizeof address;
  const int socket = MHD_get_daemon_info(inside_->daemon, MHD_DAEMON_INFO_LISTEN_FD)->listen_fd;
  getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  return address.sin_family == AF_INET ? ntohs(address.sin_port) : 0;
}

int Http::descriptor() const {
  return inside_->epoll;
}

std::chrono::milliseconds Http::patience() const {
  constexpr std::chrono::milliseconds kMost{500}; // slowness is looked for so often
  if (inside_->resumed) return std::chrono::milliseconds(0);
  MHD_UNSIGNED_LONG_LONG left = 0;
  if (MHD_get_timeout(inside_->daemon, &left) != MHD_YES) return kMost;
  return std::min(kMost, std::chrono::milliseconds(left));
}

void Http::work() {
  inside_->shut_slow();
  inside_->resumed = false;
  MHD_run(inside_->daemon);
}

void Http::answer(Ticket ticket, Reply reply) {
  for (auto& [of, connection] : inside_->connections)
    if (connection.ticket == ticket) {
      connection.ticket = 0;
      connection.reply = std::move(reply);
      if (connection.suspended) {
        MHD_resume_connection(of);
        inside_->resumed = true;
      }
      connection.suspended = false;
      return;
    }
}

} // namespace course::serve
