// Any bytes as what a compiler said: UTF-8 that steers no terminal.
#include "build/nvcc_messages.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace course::build {
namespace {

void require(bool holds) {
  if (!holds) __builtin_trap();
}

void clean(std::string_view words) {
  const Seen seen{"/run/jobs", "copy.cu", "2_pad.cu"};
  const std::string text = clean_messages(words, seen);
  require(plain_text(text) == text);
  require(std::count(text.begin(), text.end(), '\n') <= kMostLines + 1);
  for (const char c : text) require(static_cast<unsigned char>(c) >= ' ' || c == '\n' || c == '\t');
  clean_ptx(words, seen);
}

} // namespace
} // namespace course::build

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  course::build::clean({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
