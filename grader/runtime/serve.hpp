// A session over a socket.
#pragma once

#include "runtime/session.hpp"

#include <functional>

namespace course::runtime {

// Answers what comes on the stream `channel` until the session ends or the other side closes it,
// which may be never: something else must end the program when its time is over. A program that
// sends what is no frame, or does not take its replies, ends the session as malformed. Once
// `stopped` says so, nothing is answered any more.
void serve(
    Session&, int channel, const std::function<bool()>& stopped = [] { return false; });

} // namespace course::runtime
