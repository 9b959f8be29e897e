// Any bytes as a line of the log: an event that can be written again, or nothing.
#include "progress/event.hpp"

#include <cstddef>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace course::progress;
  const auto event = event_of({reinterpret_cast<const char*>(bytes), size});
  if (!event || event->kind == Event::Kind::unknown) return 0;
  if (event->run.ideal > event->run.wavefronts) __builtin_trap();
  const std::string line = line_of(*event);
  if (line.find('\n') + 1 != line.size()) __builtin_trap();
  const auto again = event_of(std::string_view(line).substr(0, line.size() - 1));
  if (line.size() <= 64 * 1024 && (!again || line_of(*again) != line)) __builtin_trap();
  return 0;
}
