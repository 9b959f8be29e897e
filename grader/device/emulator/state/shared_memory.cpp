#include "device/emulator/state/shared_memory.hpp"

#include <algorithm>

namespace course::emulator {

void SharedMemory::prepare(const Layout& layout) {
  layout_ = &layout;
  bytes_.resize(std::max<std::size_t>(bytes_.size(), layout.guarded_bytes()));
  std::fill_n(bytes_.begin(), layout.guarded_bytes(), std::byte{});
}

} // namespace course::emulator
