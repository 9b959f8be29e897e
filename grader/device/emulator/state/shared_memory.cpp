#include "device/emulator/state/shared_memory.hpp"

namespace course::emulator {

void SharedMemory::prepare(const Layout& layout, std::uint32_t granule) {
  layout_ = &layout;
  if (bytes_.size() < layout.guarded_bytes()) bytes_.resize(layout.guarded_bytes());
  shadow_.resize(static_cast<std::uint32_t>(layout.guarded_bytes()), granule);
}

} // namespace course::emulator
