// What an access or a fence asks of the order of memory, beyond being strong.
#pragma once

#include <cstdint>

namespace course::emulator {

enum class Scope : std::uint8_t { block, cluster, device }; // whom it is meant for

struct MemoryOrder {
  Scope scope = Scope::device;
  bool cluster = false;  // its scope is the cluster, which may be more than the block
  bool releases = false; // what came before is ordered before it, as by a fence
  bool acquires = false; // what comes after is ordered after it, as by a fence
  bool reads = true;     // of an atomic: the new value depends on the old one, or that is wanted
  bool decides = false;  // of a load: its value is compared with constants
  bool only_decides = false; // and goes nowhere

  // Whether threads of other blocks of the cluster are among those whom it is meant for.
  bool is_beyond_block() const { return scope != Scope::block || cluster; }
};

} // namespace course::emulator
