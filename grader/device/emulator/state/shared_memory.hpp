// Shared memory of one block: its arrays, its bytes, and who accessed them.
#pragma once

#include "device/emulator/check/race.hpp"
#include "device/emulator/decode/access.hpp"
#include "device/emulator/decode/layout.hpp"

#include <vector>

namespace course::emulator {

class SharedMemory {
public:
  void prepare(const Layout&, std::uint32_t granule); // before a launch

  std::byte* bytes() { return bytes_.data(); }
  Shadow& shadow() { return shadow_; }
  const Layout& layout() const { return *layout_; }

private:
  const Layout* layout_ = nullptr;
  std::vector<std::byte> bytes_;
  Shadow shadow_;
};

} // namespace course::emulator
