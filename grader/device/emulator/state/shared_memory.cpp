#include "device/emulator/state/shared_memory.hpp"

namespace course::emulator {

void SharedMemory::prepare(const Layout& layout) {
  layout_ = &layout;
  if (bytes_.size() < layout.guarded_bytes()) bytes_.resize(layout.guarded_bytes());
}

} // namespace course::emulator
