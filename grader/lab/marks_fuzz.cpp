// Any bytes as an exercise's file, and as a skeleton beside its solution.
#include "lab/marks.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace course;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto half = text.find('\0'); // the solution begins behind it
  const auto skeleton = text.substr(0, half);
  const auto solution = half == text.npos ? text : text.substr(half + 1);

  const auto marked = lab::cut(skeleton);
  if (marked.complaints.empty()) {
    if (marked.kept.size() != marked.work.size() + 1) __builtin_trap();
    std::string whole = marked.kept[0];
    for (std::size_t i = 0; i < marked.work.size(); ++i)
      whole += marked.work[i] + marked.kept[i + 1];
    if (whole != skeleton && whole != std::string(skeleton) + "\n") __builtin_trap();
  }
  lab::differences(skeleton, solution);
  lab::form(skeleton, "// 05_transpose/2_pad: no bank conflicts");
  lab::confession(skeleton);
  return 0;
}
