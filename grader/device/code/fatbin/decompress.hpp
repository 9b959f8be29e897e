// The two compressions of fat binaries, by the libraries that are the reference for them.
#pragma once

#include "device/device.hpp"
#include "elf/elf_file.hpp"

namespace course::code {

// Exactly `size` bytes. Throws BadFatbin when the data is damaged or of another size, and when the
// grader was built without the library.
device::Bytes decompress_zstd(elf::View data, std::size_t size);
device::Bytes decompress_lz4(elf::View data, std::size_t size);

} // namespace course::code
