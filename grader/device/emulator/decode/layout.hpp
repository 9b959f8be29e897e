// Layout: where the arrays of a memory are (shared memory of a kernel, constant memory of a
// module).
//
// Arrays are laid out with gaps between them, so that a step over the end of one is not taken for
// an access to the next. An array starts as far into the 32 banks as it would in the hardware's
// layout, so the gaps change no conflict.
#pragma once

#include "device/code/inspect/declarations.hpp"
#include "device/message.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace course::emulator {

inline constexpr std::uint32_t kGap = 16 * 1024; // bytes, a multiple of a pass of the banks

struct Array {
  std::string name;                           // as in the source: "tile"; for messages. Empty: a
                                              // kernel's dynamic array without one, or several
  std::uint32_t begin = 0;                    // with gaps: what kernels see as its address
  std::uint32_t size = 0;                     // bytes
  std::uint32_t hardware = 0;                 // offset in the hardware's layout
  bool dynamic = false;                       // as large as the launch says
  std::optional<code::ArrayShape> shape = {}; // as declared, where that is known
};

class Layout {
public:
  // Places an array behind the others; returns its index.
  std::uint32_t add(std::string name, std::uint64_t size, std::uint32_t align);
  // Before all others: memory that the system keeps in each block, which no launch asks for and
  // whose place changes no bank.
  void reserve(std::string name, std::uint32_t size);
  void shape_last(code::ArrayShape);    // of the array that was placed last
  void resize_last(std::uint64_t size); // of the dynamic array, known at launch

  const std::vector<Array>& arrays() const { return arrays_; }
  // Bytes, from offset 0 on, that a block finds as zeros and no launch has asked for.
  std::uint32_t reserved_bytes() const { return reserved_ ? arrays_.front().size : 0; }
  std::uint64_t bytes() const;         // without gaps: what a launch asks the hardware for
  std::uint64_t guarded_bytes() const; // with them

  // Index of the array that begins at or before `at`.
  std::uint32_t array_at(std::uint32_t at) const;
  bool begins_array(std::uint32_t at) const; // one of some bytes
  bool inside(std::uint32_t array, std::uint32_t at, std::uint32_t width) const;
  std::uint32_t hardware_offset(std::uint32_t at) const;
  // Of the array at an offset in the hardware's layout; nullptr when there is none.
  const Array* array_on_hardware(std::uint64_t offset) const;

  // Of `width` bytes: "tile[1][0] (byte 132)", "byte 132 of tile" where it is not known how the
  // array is declared; "4 bytes past the end of tile (128 bytes)"; "just past the end of memory
  // (dynamic shared memory, 0 bytes at this launch)".
  device::Message describe(std::uint32_t at, std::uint32_t width) const;

private:
  bool only_reserved() const { return reserved_ && arrays_.size() == 1; }

  std::vector<Array> arrays_;
  bool reserved_ = false; // the first of them
};

} // namespace course::emulator
