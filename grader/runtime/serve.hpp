// A session over a socket.
#pragma once

#include "runtime/session.hpp"

namespace course::runtime {

// Answers what comes on the stream `channel` until the session ends or the other side closes it,
// which may be never: something else must end the program when its time is over. A program that
// sends what is no frame, or does not take its replies, ends the session as malformed.
void serve(Session&, int channel);

} // namespace course::runtime
