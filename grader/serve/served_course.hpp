// For tests: a small course, a book of a few files, and a server of both, for one student or for a
// class, in a process of its own, which is talked to over a socket. Instead of `course` there is a
// script: it says what it was asked, grades and runs at once, and never ends where a file says
// "endless".
#pragma once

#include "lab/labs.hpp"
#include "progress/event.hpp"
#include "serve/server.hpp"
#include "system/descriptor.hpp"
#include "system/file.hpp"
#include "system/fork.hpp"
#include "system/stream.hpp"
#include "system/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <arpa/inet.h>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <netinet/in.h>
#include <optional>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

namespace course::serve {

namespace fs = std::filesystem;

inline constexpr const char* kId = "05_transpose/2_pad";
inline constexpr const char* kKey = "0123456789abcdef0123456789abcdef";
inline constexpr const char* kSecret = "a secret of somebody else\n";

inline constexpr const char* kProgram = R"sh(#!/bin/sh
if [ "$3" = grade ]; then
  echo "$4" >>"$(dirname "$0")/graded"
  mkdir -p "$(dirname "$COURSE_STATE")"
  cat "$(dirname "$0")/event" >>"$COURSE_STATE"
  while grep -q endless "$COURSE_WORK/labs/$4.cu"; do sleep 0.05; done
  echo "graded $4 in $2"
  printf '{"verdict": "passed"}' >"$8"
elif [ "$3" = play ]; then
  while grep -q endless "$6"; do sleep 0.05; done
  echo "played $(cat "$6") in $2"
  printf '{"ending": "ran"}' >"$5"
else
  echo "told $3 $4 $5"
fi
)sh";

enum class For { one, a_class };

class ServedCourse {
public:
  using MakesLogin = std::function<std::unique_ptr<Login>()>;

  // `login`: how they come, where it is neither the key nor a header.
  explicit ServedCourse(const std::function<void(Settings&)>& change = {}, For whom = For::one,
                        MakesLogin login = {})
      : change_(change), for_(whom), login_(std::move(login)) {
    const fs::path source = COURSE_SOURCE_DIR;
    for (const char* tree : {"labs", "solutions"}) {
      fs::create_directories(root() / tree);
      fs::copy(source / tree / "05_transpose", root() / tree / "05_transpose",
               fs::copy_options::recursive);
    }
    system::write_file(file(), "as it began\n");
    system::write_file(folder_.path() / "secret", kSecret);
    system::write_file(folder_.path() / "program", kProgram);
    fs::permissions(folder_.path() / "program", fs::perms::owner_all);
    const auto book = folder_.path() / "book";
    fs::create_directories(book / "zh");
    system::write_file(book / "index.html", "<html><body>the book</body></html>");
    system::write_file(book / "zh" / "index.html", "<html><body>zh</body></html>");
    system::write_file(book / "book.js", "1;");
    system::write_file(book / ".hidden", kSecret);
    fs::create_symlink(folder_.path() / "secret", book / "link.html");
    fs::create_directory_symlink(folder_.path(), book / "linked");
    progress::Event event;
    event.kind = progress::Event::Kind::run;
    event.exercise = kId;
    event.time = progress::now();
    system::write_file(folder_.path() / "event", progress::line_of(event));
    fs::create_directories(class_folder());
    system::write_file(class_folder() / "roster.csv", "id,name\nanna,Anna\nbert,Bert\ncarl,Carl\n");
    system::write_file(class_folder() / "instructors.csv", "id,name\nprof,Pat\n");
    start();
  }
  ~ServedCourse() { end(SIGTERM); }

  void end(int signal) {
    kill(process_, signal);
    system::await(process_);
  }
  void start_again() { start(); }
  ServedCourse(const ServedCourse&) = delete;

  fs::path root() const { return folder_.path() / "course"; }
  fs::path file() const { return root() / "labs" / (std::string(kId) + ".cu"); }
  fs::path class_folder() const { return folder_.path() / "class"; }
  fs::path graded() const { return folder_.path() / "graded"; } // a line for each grading
  fs::path secret() const { return folder_.path() / "secret"; }
  std::uint16_t port() const { return port_; }
  std::string host() const { return fmt::format("127.0.0.1:{}", port_); }
  std::string cookie() const { return fmt::format("course_{}={}", port_, kKey); }

  system::Descriptor connected() const {
    system::Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port_);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) ==
            0);
    return socket;
  }

  // All that comes until the server shuts the connection.
  static std::string rest_of(const system::Descriptor& socket) {
    std::string text;
    char bytes[4096];
    for (;;) {
      const auto count = recv(socket.get(), bytes, sizeof bytes, 0);
      if (count <= 0) return text;
      text.append(bytes, count);
    }
  }
  std::string talk(const std::string& bytes) const {
    const auto socket = connected();
    send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    return rest_of(socket);
  }

  // As the page does it.
  std::string get(const std::string& path) const {
    return talk(
        fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nConnection: close\r\n\r\n", path,
                    host(), cookie()));
  }
  // `who`: of a class, whom the server in front names.
  std::string post(const std::string& name, const nlohmann::json& body,
                   const std::string& who = "") const {
    const auto text = body.dump();
    return talk(
        fmt::format("POST /api/{} HTTP/1.1\r\nHost: {}\r\nOrigin: http://{}\r\nCookie: {}\r\n"
                    "X-User: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n"
                    "Connection: close\r\n\r\n{}",
                    name, host(), host(), cookie(), who, text.size(), text));
  }
  nlohmann::json asked(const std::string& name, const nlohmann::json& body,
                       const std::string& who = "") const {
    const auto reply = post(name, body, who);
    return nlohmann::json::parse(body_of(reply), nullptr, false);
  }

  // 0: the connection was shut without a word.
  static int status_of(const std::string& reply) {
    return reply.size() > 12 && reply.starts_with("HTTP/1.") ? std::stoi(reply.substr(9, 3)) : 0;
  }
  static std::string body_of(const std::string& reply) {
    const auto end = reply.find("\r\n\r\n");
    return end == reply.npos ? "" : reply.substr(end + 4);
  }

private:
  system::TemporaryFolder folder_{"course_served"};
  pid_t process_ = -1;
  std::uint16_t port_ = 0;

  std::function<void(Settings&)> change_;
  For for_;
  MakesLogin login_;

  void start() {
    auto pipe = system::make_pipe();
    REQUIRE(pipe);
    process_ = system::fork_child(SIGKILL);
    if (process_ == 0) serve(*pipe);
    pipe->write.reset();
    const auto said = system::read_all(pipe->read.get(), 100);
    REQUIRE(said);
    REQUIRE_FALSE(said->empty());
    port_ = static_cast<std::uint16_t>(std::stoi(*said));
  }

  std::unique_ptr<ServedClass> open_class() const {
    ServedClass::Means means;
    means.exercises = &lab::exercises(root());
    means.skeleton = [](const lab::Exercise&) { return "as it began\n"; };
    means.grader = "a grader";
    means.now = [] { return std::int64_t{1'797'000'000}; };
    auto of = std::make_unique<ServedClass>(class_folder(), std::move(means));
    of->prepare();
    return of;
  }

  [[noreturn]] void serve(system::Pipe& pipe) const {
    static volatile std::sig_atomic_t told = 0;
    std::signal(SIGTERM, [](int) { told = 1; });
    std::signal(SIGPIPE, SIG_IGN);
    Settings settings;
    settings.root = root();
    settings.book = folder_.path() / "book";
    settings.program = folder_.path() / "program";
    settings.progress_file = root() / ".course" / "progress.jsonl";
    settings.refused = "no key\n";
    settings.not_noted = "not noted\n";
    settings.requests_per_second = 100'000;
    if (change_) change_(settings);
    {
      std::unique_ptr<ServedClass> of;
      std::unique_ptr<Login> login = std::make_unique<KeyLogin>(kKey);
      if (for_ == For::a_class) {
        of = open_class();
        settings.limits.user_header = "X-User";
        login = std::make_unique<HeaderLogin>(
            [&class_of = *of](const std::string& name) { return class_of.named(name); });
      }
      if (login_) login = login_();
      Server server(std::move(settings), std::move(login), of.get());
      system::write_all(pipe.write.get(), std::to_string(server.port()));
      pipe.write.reset();
      server.run([] { return told == 0; });
    }
    _exit(0);
  }
};

} // namespace course::serve
