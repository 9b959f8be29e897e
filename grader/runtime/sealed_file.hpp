// A file in memory that a program opens as well, by its path.
#pragma once

#include "system/descriptor.hpp"

#include <cstdint>
#include <string>

namespace course::runtime {

// Of `size` bytes for as long as it is: the program opens it too, and were it shorter, reading it
// here would be a SIGBUS. None: this computer has no room.
system::Descriptor sealed_file(const char* name, std::uint64_t size);

// By which the program opens it, while this process has it open.
std::string path_of(const system::Descriptor& file);

} // namespace course::runtime
