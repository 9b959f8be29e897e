// Undo: what memory was before some work, so that it can be put back; and which words the work
// touched.
#pragma once

#include "device/emulator/check/footprint.hpp"

#include <bitset>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace course::emulator {

class Undo {
public:
  // Of a copy or a fill that is about to write there. Once it has: settle().
  static Undo of(Allocation&, std::uint64_t offset, std::uint64_t size);
  // The same of bytes that are in no allocation, and that its work alone changes.
  static Undo of(std::byte*, std::uint64_t size);

  // Only bytes that the work changed: host code may have changed others since. The memory has to be
  // there still.
  void apply() const;
  // What came behind becomes a part of it.
  void add(Undo&& later);
  // The work has been done again, in another order perhaps.
  void settle();

  // Whether both touch a word that one of them changes.
  bool meets(const Undo&) const;
  // Whether the work touched what malloc has given to kernels.
  bool is_on_heap() const;
  std::uint64_t bytes() const;

private:
  friend class Footprint;
  using Place = std::pair<Allocation*, std::uint64_t>; // and the index of a page in it
  struct Page {
    std::unique_ptr<FootprintPage::Before> before;
    std::bitset<kPageBytes> changed = {};
  };
  using Words = std::bitset<kPageBytes / 4>;
  struct Touched {
    Words any, changed;
  };
  static void settle(const Place&, Page&);

  struct Apart { // from allocations
    std::byte* at = nullptr;
    device::Bytes before;
  };

  std::map<Place, Page> pages_;
  std::vector<Apart> apart_;
  std::map<Place, Touched> words_;
};

} // namespace course::emulator
