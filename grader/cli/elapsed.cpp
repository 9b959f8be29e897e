#include "cli/elapsed.hpp"

#include "cli/screen.hpp"
#include "language/translate.hpp"
#include "progress/terminal_page.hpp"

#include <fmt/format.h>

#include <chrono>

namespace course::cli {
Elapsed::Elapsed(std::string what) : what_(std::move(what)) {
  if (can_rewrite_a_line()) thread_ = std::thread([this] { run(); });
}

Elapsed::~Elapsed() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard hold(mutex_);
    over_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Elapsed::run() {
  using namespace std::chrono_literals;
  std::unique_lock hold(mutex_);
  const auto columns = screen_of_errors(Colour::never).columns;
  bool shown = false;
  for (int seconds = 1; !changed_.wait_for(hold, 1s, [this] { return over_; }); ++seconds) {
    const auto line = "  " + tr("{}, {} s", what_, seconds);
    fmt::print(stderr, "\r\033[K{}", progress::cropped(line, columns - 1));
    std::fflush(stderr);
    shown = true;
  }
  if (shown) fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
}

} // namespace course::cli
