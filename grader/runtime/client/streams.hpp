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
  explicit OnStream(std::uint32_t number); // as the grader knows it
  ~OnStream();
  OnStream(const OnStream&) = delete;
};

// The host has waited for a stream, or for everything.
void host_waited(const char* call, cudaStream_t);
void host_waited_for_all(const char* call);

// What a call that names none gives its work to.
cudaStream_t default_stream();

bool is_stream(cudaStream_t);
bool is_legacy_stream(cudaStream_t);
bool waits_for_legacy(cudaStream_t); // it is a blocking stream
bool is_event(cudaEvent_t);

// A graph's branches are streams of their own to the grader, with events between them.
std::uint32_t number_of_stream(cudaStream_t);
std::uint32_t make_inner_stream(const char* call);
std::uint32_t make_inner_event();
void record_inner(const char* call, std::uint32_t stream, std::uint32_t event);
void wait_inner(const char* call, std::uint32_t stream, std::uint32_t event);
void host_waited_inner(const char* call, std::uint32_t event);
void host_waited_for_number(const char* call, std::uint32_t stream);
// Of this thread's stream of work.
cudaError_t record_event(const char* call, cudaEvent_t);
cudaError_t wait_event(const char* call, cudaEvent_t);

// For the connection: the stream of this thread's work; 0 is the default one.
std::uint32_t stream_of_work();
// The next launch in the stream of work may begin before the one before it there has ended.
void begin_early(const char* call);
// Something has been put into a stream.
void note_work(std::uint32_t stream);

} // namespace course::client
