// How many manners of preempting an execution at liberty (Order::Kind::at_liberty) has: its seed
// modulo this is the one it takes, so that whoever tries several orders can take all in turns. What
// each does is said by emulator/execute/liberties.hpp.
#pragma once

#include <cstdint>

namespace course::device {

inline constexpr std::uint64_t kManners = 3;

} // namespace course::device
