// Over 400 lines, as all of it is about two kinds of handles that no other file may see into.
//
// Streams and events. Work is done in the order in which the program asks for it, so a stream keeps
// nothing, and an event that is recorded has happened. The grader is told of what they order, to
// find races between streams. Who asks whether work is done hears once that it is not, as on a GPU:
// whoever goes on then has not waited.
//
// CUDA reads the memory of a handle that was destroyed and crashes; here that is
// cudaErrorInvalidResourceHandle.
#include "runtime/client/streams.hpp"

#include "runtime/client/grader.hpp"
#include "runtime/client/managed.hpp"
#include "runtime/client/work.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

// The types that the API names and hides.
struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;
  unsigned long long id = 0;
  std::uint32_t number = 0;                      // for the grader
  std::map<int, cudaStreamAttrValue> attributes; // hints, which nothing here depends on
};
struct CUevent_st {
  unsigned flags = 0;
  std::uint32_t number = 0; // for the grader
  bool recorded = false;
  std::optional<std::uint64_t> behind_work; // not asked about yet: Handles::waits when recorded
  std::chrono::steady_clock::time_point at; // when it was last recorded
};

using namespace course::client;

namespace {

constexpr const char* kNoStream = "this is not a stream";
constexpr const char* kNoEvent = "this is not an event";
constexpr const char* kNoAttribute = "no such attribute of a stream, or no value of it";
constexpr unsigned long long kDefaultStreamId = 7, kFirstStreamId = 13; // as on an H200
constexpr int kGreatestPriority = -5;

// Never destroyed: a program's own exit handlers may still use them.
struct Handles {
  std::mutex mutex;
  std::map<cudaStream_t, std::unique_ptr<CUstream_st>> streams;
  std::map<cudaEvent_t, std::unique_ptr<CUevent_st>> events;
  CUstream_st standard{0, 0, kDefaultStreamId, 0, {}};
  unsigned long long next_id = kFirstStreamId;
  std::uint32_t next_event = 0;
  std::set<std::uint32_t> busy;       // streams with work that nobody has waited for or asked about
  std::uint64_t waits = 0;            // of the host, for anything
  std::atomic<std::uint32_t> made{0}; // streams, cudaStreamPerThread of each thread included
};

Handles& handles() {
  static auto& made = *new Handles;
  return made;
}

bool is_default(cudaStream_t stream) {
  return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

bool is_of_streams(cudaStreamAttrID which) {
  return which == cudaStreamAttributeAccessPolicyWindow || which == cudaStreamAttributePriority ||
         which == cudaStreamAttributeSynchronizationPolicy ||
         which == cudaStreamAttributeMemSyncDomain || which == cudaStreamAttributeMemSyncDomainMap;
}

// nullptr: not a stream.
CUstream_st* find(cudaStream_t stream) {
  if (is_default(stream)) return &handles().standard;
  const std::lock_guard lock(handles().mutex);
  return handles().streams.contains(stream) ? stream : nullptr;
}

using What = course::device::StreamCall::What;

cudaError_t tell_of(const char* call, What what, std::uint32_t stream, std::uint32_t event = 0) {
  return tell(call, protocol::StreamCall{static_cast<std::uint8_t>(what), stream, event});
}

bool any_streams() {
  return handles().made.load() != 0;
}

thread_local bool has_own_default = false;

// 0 also for what is no stream.
std::uint32_t number_of(cudaStream_t stream) {
  if (!stream) stream = default_stream();
  if (stream == cudaStreamPerThread) {
    thread_local std::uint32_t own = 0;
    if (own == 0) {
      own = ++handles().made;
      tell_of("cudaStreamPerThread", What::create_blocking, own);
    }
    return own;
  }
  const CUstream_st* found = find(stream);
  return found ? found->number : 0;
}

thread_local std::optional<std::uint32_t> work_stream;

CUevent_st* find(cudaEvent_t event) {
  const std::lock_guard lock(handles().mutex);
  return handles().events.contains(event) ? event : nullptr;
}

cudaError_t make_stream(const char* call, cudaStream_t* out, unsigned flags, int priority) {
  if (!out) return fail(call, cudaErrorInvalidValue, kNoPlace);
  if (flags & ~static_cast<unsigned>(cudaStreamNonBlocking)) {
    return fail(call, cudaErrorInvalidValue, "no such flag");
  }
  if (const auto lost = context_error(call)) return lost;
  const std::lock_guard lock(handles().mutex);
  auto made = std::make_unique<CUstream_st>();
  made->flags = flags;
  made->priority = std::min(0, std::max(kGreatestPriority, priority));
  made->id = handles().next_id++;
  made->number = ++handles().made;
  const auto number = made->number;
  *out = made.get();
  handles().streams[*out] = std::move(made);
  return tell_of(call, flags ? What::create_non_blocking : What::create_blocking, number);
}

cudaError_t make_event(const char* call, cudaEvent_t* out, unsigned flags) {
  constexpr unsigned kFlags =
      cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  if (!out) return fail(call, cudaErrorInvalidValue, kNoPlace);
  if (flags & ~kFlags) return fail(call, cudaErrorInvalidValue, "no such flag");
  if (const auto lost = context_error(call)) return lost;
  const std::lock_guard lock(handles().mutex);
  auto made = std::make_unique<CUevent_st>();
  made->flags = flags;
  made->number = ++handles().next_event;
  *out = made.get();
  handles().events[*out] = std::move(made);
  return cudaSuccess;
}

void note_recorded(CUevent_st& event, std::uint32_t stream) {
  const std::lock_guard lock(handles().mutex);
  event.behind_work.reset();
  if (handles().busy.contains(stream)) event.behind_work = handles().waits;
}

cudaError_t record(const char* call, cudaEvent_t event, cudaStream_t stream, bool external) {
  CUevent_st* found = find(event);
  if (!found) return fail(call, cudaErrorInvalidResourceHandle, kNoEvent);
  if (!find(stream)) return fail(call, cudaErrorInvalidResourceHandle, kNoStream);
  if (const auto lost = context_error(call)) return lost;
  if (const auto kept = captured(call, stream, RecordWork{event, external})) return *kept;
  found->recorded = true;
  found->at = std::chrono::steady_clock::now();
  note_recorded(*found, number_of(stream));
  return any_streams() ? tell_of(call, What::record, number_of(stream), found->number)
                       : cudaSuccess;
}

cudaError_t wait_for(const char* call, cudaStream_t stream) {
  if (!find(stream)) return fail(call, cudaErrorInvalidResourceHandle, kNoStream);
  if (const auto capturing = forbidden_in_capture(call, stream)) return capturing;
  const auto status = tell(call, protocol::Synchronize{});
  if (status == cudaSuccess) host_waited(call, stream);
  return status;
}

// The host has waited: for all that there is, or, where there are streams, for what is named.
void waited(const char* call, What what, std::uint32_t stream, std::uint32_t event = 0) {
  {
    const std::lock_guard lock(handles().mutex);
    handles().busy.clear();
    ++handles().waits;
  }
  if (!any_streams()) return release_managed(call);
  open_managed(call);
  tell_of(call, what, stream, event);
  guard_managed(call);
}

cudaError_t wait_for(const char* call, cudaEvent_t event) {
  const CUevent_st* found = find(event);
  if (!found) return fail(call, cudaErrorInvalidResourceHandle, kNoEvent);
  if (const auto capturing = forbidden_in_capture(call)) return capturing;
  const auto status = tell(call, protocol::Synchronize{});
  if (status == cudaSuccess) waited(call, What::host_waits_event, 0, found->number);
  return status;
}

// Whether this is the first question about a stream's work.
bool is_busy(std::uint32_t stream) {
  const std::lock_guard lock(handles().mutex);
  return handles().busy.erase(stream) != 0;
}
bool is_busy(cudaEvent_t event) {
  const std::lock_guard lock(handles().mutex);
  return handles().events.contains(event) &&
         std::exchange(event->behind_work, std::nullopt) == handles().waits;
}

} // namespace

namespace course::client {

void begin_early(const char* call) {
  tell_of(call, What::begins_early, stream_of_work());
}

void note_work(std::uint32_t stream) {
  const std::lock_guard lock(handles().mutex);
  handles().busy.insert(stream);
}

OnStream::OnStream(cudaStream_t stream) {
  work_stream = number_of(stream);
}
OnStream::OnStream(std::uint32_t number) {
  work_stream = number;
}
OnStream::~OnStream() {
  work_stream.reset();
}

DefaultStreamOfThread::DefaultStreamOfThread() : before_(std::exchange(has_own_default, true)) {}
DefaultStreamOfThread::~DefaultStreamOfThread() {
  has_own_default = before_;
}
cudaStream_t default_stream() {
  return has_own_default ? cudaStreamPerThread : nullptr;
}

void host_waited(const char* call, cudaStream_t stream) {
  waited(call, What::host_waits, number_of(stream));
}
void host_waited_for_all(const char* call) {
  waited(call, What::host_waits_for_all, 0);
}

std::uint32_t stream_of_work() {
  return work_stream ? *work_stream : number_of(nullptr);
}

bool is_stream(cudaStream_t stream) {
  return find(stream) != nullptr;
}
bool is_legacy_stream(cudaStream_t stream) {
  return (!stream && !has_own_default) || stream == cudaStreamLegacy;
}
bool waits_for_legacy(cudaStream_t stream) {
  const CUstream_st* found = find(stream);
  return found && !(found->flags & cudaStreamNonBlocking);
}
bool is_event(cudaEvent_t event) {
  return find(event) != nullptr;
}

std::uint32_t number_of_stream(cudaStream_t stream) {
  return number_of(stream);
}

std::uint32_t make_inner_stream(const char* call) {
  const std::uint32_t number = ++handles().made;
  tell_of(call, What::create_non_blocking, number);
  return number;
}

std::uint32_t make_inner_event() {
  const std::lock_guard lock(handles().mutex);
  return ++handles().next_event;
}

void record_inner(const char* call, std::uint32_t stream, std::uint32_t event) {
  tell_of(call, What::record, stream, event);
}
void wait_inner(const char* call, std::uint32_t stream, std::uint32_t event) {
  tell_of(call, What::wait, stream, event);
}

void host_waited_inner(const char* call, std::uint32_t event) {
  waited(call, What::host_waits_event, 0, event);
}
void host_waited_for_number(const char* call, std::uint32_t stream) {
  waited(call, What::host_waits, stream);
}

cudaError_t record_event(const char* call, cudaEvent_t event) {
  CUevent_st* found = find(event);
  if (!found) return fail(call, cudaErrorInvalidResourceHandle, kNoEvent);
  found->recorded = true;
  found->at = std::chrono::steady_clock::now();
  note_recorded(*found, stream_of_work());
  return any_streams() ? tell_of(call, What::record, stream_of_work(), found->number) : cudaSuccess;
}

cudaError_t wait_event(const char* call, cudaEvent_t event) {
  const CUevent_st* found = find(event);
  if (!found) return fail(call, cudaErrorInvalidResourceHandle, kNoEvent);
  return any_streams() ? tell_of(call, What::wait, stream_of_work(), found->number) : cudaSuccess;
}

} // namespace course::client

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* out) {
  return make_stream("cudaStreamCreate", out, cudaStreamDefault, 0);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* out, unsigned flags) {
  return make_stream("cudaStreamCreateWithFlags", out, flags, 0);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* out, unsigned flags, int priority) {
  return make_stream("cudaStreamCreateWithPriority", out, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  constexpr const char* kCall = "cudaStreamDestroy";
  {
    const std::lock_guard lock(handles().mutex);
    if (handles().streams.erase(stream)) return cudaSuccess;
  }
  return fail(kCall, cudaErrorInvalidResourceHandle, kNoStream);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return wait_for("cudaStreamSynchronize", stream);
}
COURSE_ALSO(cudaStreamSynchronize_ptsz, cudaStreamSynchronize);

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  constexpr const char* kCall = "cudaStreamQuery";
  if (find(stream) && !forbidden_in_capture(kCall, stream) && is_busy(number_of(stream)))
    return cudaErrorNotReady;
  return wait_for(kCall, stream);
}
COURSE_ALSO(cudaStreamQuery_ptsz, cudaStreamQuery);

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  constexpr const char* kCall = "cudaStreamWaitEvent";
  if (!find(stream)) return fail(kCall, cudaErrorInvalidResourceHandle, kNoStream);
  const CUevent_st* found = find(event);
  if (!found) return fail(kCall, cudaErrorInvalidResourceHandle, kNoEvent);
  if (const auto kept =
          captured(kCall, stream, WaitWork{event, (flags & cudaEventWaitExternal) != 0}))
    return *kept;
  if (any_streams()) tell_of(kCall, What::wait, number_of(stream), found->number);
  return context_error(kCall);
}
COURSE_ALSO(cudaStreamWaitEvent_ptsz, cudaStreamWaitEvent);

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  constexpr const char* kCall = "cudaStreamGetFlags";
  const CUstream_st* found = find(stream);
  if (!found) return fail(kCall, cudaErrorInvalidResourceHandle, kNoStream);
  if (!flags) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  *flags = found->flags;
  return cudaSuccess;
}
COURSE_ALSO(cudaStreamGetFlags_ptsz, cudaStreamGetFlags);

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  constexpr const char* kCall = "cudaStreamGetPriority";
  const CUstream_st* found = find(stream);
  if (!found) return fail(kCall, cudaErrorInvalidResourceHandle, kNoStream);
  if (!priority) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  *priority = found->priority;
  return cudaSuccess;
}
COURSE_ALSO(cudaStreamGetPriority_ptsz, cudaStreamGetPriority);

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  constexpr const char* kCall = "cudaStreamGetId";
  const CUstream_st* found = find(stream);
  if (!found) return fail(kCall, cudaErrorInvalidResourceHandle, kNoStream);
  if (!id) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  *id = found->id;
  return cudaSuccess;
}
COURSE_ALSO(cudaStreamGetId_ptsz, cudaStreamGetId);

// Where a window of memory is to stay in the L2, and the like: kept for who asks.
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID which,
                                   const cudaStreamAttrValue* value) {
  constexpr const char* kCall = "cudaStreamSetAttribute";
  CUstream_st* found = find(stream);
  if (!found) return fail(kCall, cudaErrorInvalidResourceHandle, kNoStream);
  if (!value || !is_of_streams(which)) return fail(kCall, cudaErrorInvalidValue, kNoAttribute);
  const std::lock_guard lock(handles().mutex);
  if (which == cudaStreamAttributePriority)
    found->priority = std::clamp(value->priority, kGreatestPriority, 0);
  else
    found->attributes[which] = *value;
  return cudaSuccess;
}
COURSE_ALSO(cudaStreamSetAttribute_ptsz, cudaStreamSetAttribute);

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID which,
                                   cudaStreamAttrValue* value) {
  constexpr const char* kCall = "cudaStreamGetAttribute";
  CUstream_st* found = find(stream);
  if (!found) return fail(kCall, cudaErrorInvalidResourceHandle, kNoStream);
  if (!value || !is_of_streams(which)) return fail(kCall, cudaErrorInvalidValue, kNoAttribute);
  const std::lock_guard lock(handles().mutex);
  *value = {};
  if (which == cudaStreamAttributePriority)
    value->priority = found->priority;
  else if (const auto kept = found->attributes.find(which); kept != found->attributes.end())
    *value = kept->second;
  return cudaSuccess;
}
COURSE_ALSO(cudaStreamGetAttribute_ptsz, cudaStreamGetAttribute);

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  constexpr const char* kCall = "cudaStreamGetDevice";
  if (!find(stream)) return fail(kCall, cudaErrorInvalidResourceHandle, kNoStream);
  if (!device) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  *device = 0;
  return cudaSuccess;
}
COURSE_ALSO(cudaStreamGetDevice_ptsz, cudaStreamGetDevice);

// Everything before it is done, so host functions and callbacks run at once. What they tell the
// rest of the program is an order that nobody else sees: the host counts as having waited.
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  constexpr const char* kCall = "cudaLaunchHostFunc";
  if (!find(stream)) return fail(kCall, cudaErrorInvalidResourceHandle, kNoStream);
  if (!function) return fail(kCall, cudaErrorInvalidValue, "a null pointer for the function");
  if (const auto lost = context_error(kCall)) return lost;
  if (const auto kept = captured(kCall, stream, HostWork{function, data})) return *kept;
  host_waited(kCall, stream);
  function(data);
  return cudaSuccess;
}
COURSE_ALSO(cudaLaunchHostFunc_ptsz, cudaLaunchHostFunc);

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned flags) {
  constexpr const char* kCall = "cudaStreamAddCallback";
  if (!find(stream)) return fail(kCall, cudaErrorInvalidResourceHandle, kNoStream);
  if (!callback || flags != 0) {
    return fail(kCall, cudaErrorInvalidValue, "a null pointer, or a flag");
  }
  if (const auto lost = context_error(kCall)) return lost;
  if (const auto capturing = forbidden_in_capture(kCall, stream)) return capturing;
  host_waited(kCall, stream);
  callback(stream, cudaSuccess, data);
  return cudaSuccess;
}
COURSE_ALSO(cudaStreamAddCallback_ptsz, cudaStreamAddCallback);

cudaError_t cudaEventCreate(cudaEvent_t* out) {
  return make_event("cudaEventCreate", out, cudaEventDefault);
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* out, unsigned flags) {
  return make_event("cudaEventCreateWithFlags", out, flags);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  {
    const std::lock_guard lock(handles().mutex);
    if (handles().events.erase(event)) return cudaSuccess;
  }
  return fail("cudaEventDestroy", cudaErrorInvalidResourceHandle, kNoEvent);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return record("cudaEventRecord", event, stream, false);
}
COURSE_ALSO(cudaEventRecord_ptsz, cudaEventRecord);

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  constexpr const char* kCall = "cudaEventRecordWithFlags";
  if (flags & ~static_cast<unsigned>(cudaEventRecordExternal)) {
    return fail(kCall, cudaErrorInvalidValue, "no such flag");
  }
  return record(kCall, event, stream, flags & cudaEventRecordExternal);
}
COURSE_ALSO(cudaEventRecordWithFlags_ptsz, cudaEventRecordWithFlags);

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return wait_for("cudaEventSynchronize", event);
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  constexpr const char* kCall = "cudaEventQuery";
  if (!forbidden_in_capture(kCall) && is_busy(event)) return cudaErrorNotReady;
  return wait_for(kCall, event);
}

// A function that is recorded has no times: nothing is executed. A program that runs live gets the
// time that passed on this computer while the kernels were emulated, and its user is told so.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  constexpr const char* kCall = "cudaEventElapsedTime";
  const CUevent_st* first = find(begin);
  const CUevent_st* last = find(end);
  if (!milliseconds) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  if (!first || !last) return fail(kCall, cudaErrorInvalidResourceHandle, kNoEvent);
  if (!first->recorded || !last->recorded || first->flags & cudaEventDisableTiming ||
      last->flags & cudaEventDisableTiming) {
    return fail(kCall, cudaErrorInvalidResourceHandle,
                "an event that was not recorded, or was made without timing");
  }
  if (const auto refused = tell(kCall, protocol::ElapsedTime{})) return refused;
  *milliseconds = std::chrono::duration<float, std::milli>(last->at - first->at).count();
  return cudaSuccess;
}

} // extern "C"
