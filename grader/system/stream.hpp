// Bytes through descriptors, all of them.
#pragma once

#include "system/descriptor.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace course::system {

struct Pipe {
  Descriptor read, write; // closed by exec
};
std::optional<Pipe> make_pipe(); // nothing, with errno, where there are no more descriptors

// False where not all could be written, with errno.
bool write_all(int to, std::string_view bytes);

// To the end. Nothing when there are more than `most` bytes, or they cannot be read.
std::optional<std::string> read_all(int from, std::size_t most);

} // namespace course::system
