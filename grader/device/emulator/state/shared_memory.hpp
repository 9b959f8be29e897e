// Shared memory of one block: its arrays and its bytes.
#pragma once

#include "device/emulator/decode/layout.hpp"

#include <cstddef>
#include <vector>

namespace course::emulator {

class SharedMemory {
public:
  // Before a launch, which finds zeros where nothing has written.
  void prepare(const Layout&);

  std::byte* bytes() { return bytes_.data(); }
  const Layout& layout() const { return *layout_; }

private:
  const Layout* layout_ = nullptr;
  std::vector<std::byte> bytes_;
};

} // namespace course::emulator
