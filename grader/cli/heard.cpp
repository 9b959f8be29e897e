#include "cli/heard.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <unistd.h>

namespace course::cli {
namespace {

void write_all(int to, const char* bytes, std::size_t size) {
  while (size > 0) {
    const auto written = write(to, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return; // nobody reads it any more
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
}

} // namespace

Heard::Heard(int to) : to_(to) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe for a program's output");
  ours_ = system::Descriptor(ends[0]);
  theirs_ = system::Descriptor(ends[1]);
  thread_ = std::thread([this] { listen(); });
}

const std::string& Heard::end() {
  theirs_.reset();
  over_ = true;
  if (thread_.joinable()) thread_.join();
  return text_;
}

// A process that the program left behind may hold its end for ever.
void Heard::listen() {
  char bytes[65536];
  for (;;) {
    pollfd come{ours_.get(), POLLIN, 0};
    const bool last = over_;
    const int ready = poll(&come, 1, 50);
    if (ready < 0 && errno != EINTR) return;
    if (ready == 0 && last) return;
    if (ready <= 0) continue;
    const auto size = read(ours_.get(), bytes, sizeof bytes);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return;
    if (to_ >= 0) write_all(to_, bytes, static_cast<std::size_t>(size));
    text_.append(bytes, std::min(static_cast<std::size_t>(size), kMost - text_.size()));
  }
}

} // namespace course::cli
