// What a program prints on one of its streams, up to a limit.
#pragma once

#include "system/descriptor.hpp"

#include <cstdint>
#include <string>

namespace course::sandbox {

class OutputCapture {
public:
  OutputCapture() = default;
  // `pipe` is the reading end; it must not block.
  OutputCapture(system::Descriptor pipe, std::uint64_t limit);

  int descriptor() const { return pipe_.get(); } // -1 once there is nothing more to read
  void read(); // what is there now; closes at the stream's end and past the limit
  bool past_limit() const { return past_limit_; }
  std::string take() { return std::move(text_); } // at most `limit` bytes

private:
  system::Descriptor pipe_;
  std::uint64_t limit_ = 0;
  std::string text_;
  bool past_limit_ = false;
};

} // namespace course::sandbox
