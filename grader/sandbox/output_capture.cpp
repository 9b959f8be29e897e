#include "output_capture.hpp"

#include <array>
#include <cerrno>

namespace course::sandbox {

OutputCapture::OutputCapture(system::Descriptor pipe, std::uint64_t limit)
    : pipe_(std::move(pipe)), limit_(limit) {}

void OutputCapture::read() {
  std::array<char, 1 << 16> chunk;
  while (pipe_) {
    const ssize_t count = ::read(pipe_.get(), chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return pipe_.reset();
    text_.append(chunk.data(), count);
    if (text_.size() <= limit_) continue;
    text_.resize(limit_);
    past_limit_ = true;
    // The program's next write fails; it is about to be ended anyway.
    pipe_.reset();
  }
}

} // namespace course::sandbox
