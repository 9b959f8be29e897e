// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace course::model {

// 1024 as "1,024", whatever the process's locale.
std::string grouped(std::uint64_t);

} // namespace course::model
