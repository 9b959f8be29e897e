// Which stream a call's work goes to, and what the host waits for: what the grader has to know to
// find races between streams. It hears of it only once the program has made a stream.
#pragma once

#include <cstdint>
#include <driver_types.h>

namespace course::client {

// The work that this thread asks for while it lives is of that stream.
class OnStream {
public:
  explicit OnStream(cudaStream_t);
  ~OnStream();
  OnStream(const OnStream&) = delete;
};

// The host has waited for a stream, or for everything.
void host_waited(const char* call, cudaStream_t);
void host_waited_for_all(const char* call);

// For the connection: the stream of this thread's work; 0 is the default one.
std::uint32_t stream_of_work();

} // namespace course::client
