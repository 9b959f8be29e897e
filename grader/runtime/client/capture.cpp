// Capture: what a stream is given becomes nodes of a graph, and is not done.
//
// Of each captured stream the last nodes are kept, which the next one follows. An event that is
// recorded there stands for them; a stream that waits for it is captured from then on too, and has
// to be joined again, by an event that the first stream waits for, before the capture ends.
#include "runtime/client/graph.hpp"
#include "runtime/client/streams.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <thread>

using namespace course::client;

namespace {

using Nodes = std::vector<CUgraphNode_st*>;

struct Capture {
  cudaStream_t origin = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;
  unsigned long long id = 0;
  CUgraph_st* graph = nullptr;
  bool into_given = false;            // a graph that was there before
  bool invalid = false;               // a call has ended it
  std::map<cudaStream_t, Nodes> last; // of each captured stream
  std::map<cudaEvent_t, Nodes> events;
};

struct Captures {
  std::recursive_mutex mutex;
  std::vector<std::unique_ptr<Capture>> open;
  unsigned long long next_id = 1;
};

Captures& captures() {
  static auto& made = *new Captures; // a program's own exit handlers may still use it
  return made;
}

thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

Capture* capture_of(cudaStream_t stream) {
  for (auto& each : captures().open)
    if (each->last.contains(stream)) return each.get();
  return nullptr;
}

Capture* capture_with(cudaEvent_t event) {
  for (auto& each : captures().open)
    if (each->events.contains(event)) return each.get();
  return nullptr;
}

void add_all(Nodes& to, const Nodes& from) {
  for (auto* node : from)
    if (std::find(to.begin(), to.end(), node) == to.end()) to.push_back(node);
}

cudaError_t invalidate(const char* call, Capture& capture, cudaError_t status, std::string why) {
  capture.invalid = true;
  return fail(call, status, std::move(why));
}

constexpr const char* kInvalid = "an earlier call has ended this capture; cudaStreamEndCapture, "
                                 "and capture without that call";

// A call that uses the default stream would wait for streams that only note what they are given.
std::optional<cudaError_t> uses_default_stream(const char* call) {
  for (auto& each : captures().open) {
    if (each->mode == cudaStreamCaptureModeRelaxed || !waits_for_legacy(each->origin)) continue;
    return invalidate(call, *each, cudaErrorStreamCaptureImplicit,
                      "it uses the default stream, which waits for the stream that is being "
                      "captured; give it that stream, or make the stream with "
                      "cudaStreamNonBlocking");
  }
  return std::nullopt;
}

cudaError_t keep_event(const char* call, Capture& capture, cudaStream_t stream,
                       const RecordWork& record) {
  if (!record.external) {
    capture.events[record.event] = capture.last[stream];
    return cudaSuccess;
  }
  if (!is_event(record.event))
    return fail(call, cudaErrorInvalidResourceHandle, "this is not an event");
  capture.last[stream] = {add_node(*capture.graph, record, capture.last[stream])};
  return cudaSuccess;
}

cudaError_t keep_wait(const char* call, Capture* capture, cudaStream_t stream,
                      const WaitWork& wait) {
  Capture* source = capture_with(wait.event);
  if (wait.external && capture) {
    capture->last[stream] = {add_node(*capture->graph, wait, capture->last[stream])};
    return cudaSuccess;
  }
  if (!source)
    return invalidate(call, *capture, cudaErrorStreamCaptureIsolation,
                      "the event was recorded outside of the capture");
  if (capture && source != capture)
    return invalidate(call, *capture, cudaErrorStreamCaptureMerge,
                      "the event was recorded in another capture");
  add_all(source->last[stream], source->events[wait.event]);
  return cudaSuccess;
}

// Whether this thread may make calls that could disturb a capture.
Capture* disturbed() {
  if (thread_mode == cudaStreamCaptureModeRelaxed) return nullptr;
  for (auto& each : captures().open) {
    const bool own = each->thread == std::this_thread::get_id();
    if (each->mode == cudaStreamCaptureModeGlobal ||
        (own && each->mode == cudaStreamCaptureModeThreadLocal))
      return each.get();
  }
  return nullptr;
}

cudaError_t begin(const char* call, cudaStream_t stream, cudaStreamCaptureMode mode,
                  CUgraph_st* graph, Nodes before) {
  if (!is_stream(stream)) return fail(call, cudaErrorInvalidResourceHandle, "this is not a stream");
  if (is_legacy_stream(stream))
    return fail(call, cudaErrorStreamCaptureUnsupported,
                "the default stream cannot be captured; make one with cudaStreamCreate");
  const std::lock_guard lock(captures().mutex);
  if (capture_of(stream)) return fail(call, cudaErrorIllegalState, "it is being captured already");
  if (const auto lost = context_error(call)) return lost;
  auto capture = std::make_unique<Capture>();
  capture->origin = stream;
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->id = captures().next_id++;
  capture->into_given = graph != nullptr;
  capture->graph = graph ? graph : make_graph();
  capture->last[stream] = std::move(before);
  captures().open.push_back(std::move(capture));
  return cudaSuccess;
}

} // namespace

std::optional<cudaError_t> course::client::captured(const char* call, cudaStream_t stream,
                                                    Work work) {
  const std::lock_guard lock(captures().mutex);
  if (captures().open.empty()) return std::nullopt;
  Capture* capture = capture_of(stream);
  const auto* wait = std::get_if<WaitWork>(&work);
  if (wait && !capture && capture_with(wait->event)) return keep_wait(call, nullptr, stream, *wait);
  if (!capture && is_legacy_stream(stream)) return uses_default_stream(call);
  if (!capture) return std::nullopt;
  if (capture->invalid) return fail(call, cudaErrorStreamCaptureInvalidated, kInvalid);
  if (wait) return keep_wait(call, capture, stream, *wait);
  if (const auto* record = std::get_if<RecordWork>(&work))
    return keep_event(call, *capture, stream, *record);
  Nodes& last = capture->last[stream];
  last = {add_node(*capture->graph, std::move(work), last)};
  return cudaSuccess;
}

bool course::client::is_captured(cudaStream_t stream) {
  const std::lock_guard lock(captures().mutex);
  return !captures().open.empty() && capture_of(stream);
}

cudaError_t course::client::forbidden_in_capture(const char* call) {
  const std::lock_guard lock(captures().mutex);
  Capture* capture = disturbed();
  if (!capture) return cudaSuccess;
  return invalidate(call, *capture, cudaErrorStreamCaptureUnsupported,
                    "a stream is being captured into a graph, of which this cannot be a part; "
                    "call it before cudaStreamBeginCapture or after cudaStreamEndCapture");
}

cudaError_t course::client::forbidden_in_capture(const char* call, cudaStream_t stream) {
  const std::lock_guard lock(captures().mutex);
  if (captures().open.empty()) return cudaSuccess;
  if (Capture* capture = capture_of(stream))
    return invalidate(call, *capture, cudaErrorStreamCaptureUnsupported,
                      "the stream is being captured into a graph: what it is given is not done "
                      "yet, and cannot be waited for");
  if (!is_legacy_stream(stream)) return cudaSuccess;
  return uses_default_stream(call).value_or(cudaSuccess);
}

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return begin("cudaStreamBeginCapture", stream, mode, nullptr, {});
}
COURSE_ALSO(cudaStreamBeginCapture_ptsz, cudaStreamBeginCapture);

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData*, size_t count,
                                          cudaStreamCaptureMode mode) {
  constexpr const char* kCall = "cudaStreamBeginCaptureToGraph";
  if (!is_graph(graph)) return fail(kCall, cudaErrorInvalidValue, "this is not a graph");
  if (count && !dependencies)
    return fail(kCall, cudaErrorInvalidValue, "a null pointer for the dependencies");
  return begin(kCall, stream, mode, graph, Nodes(dependencies, dependencies + count));
}
COURSE_ALSO(cudaStreamBeginCaptureToGraph_ptsz, cudaStreamBeginCaptureToGraph);

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* out) {
  constexpr const char* kCall = "cudaStreamEndCapture";
  if (!out) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  *out = nullptr;
  std::unique_ptr<Capture> capture;
  {
    const std::lock_guard lock(captures().mutex);
    auto& open = captures().open;
    const auto found = std::find_if(open.begin(), open.end(),
                                    [&](const auto& each) { return each->last.contains(stream); });
    if (found == open.end())
      return fail(kCall, cudaErrorIllegalState, "this stream is not being captured");
    if ((*found)->origin != stream)
      return fail(kCall, cudaErrorStreamCaptureUnmatched,
                  "the capture was begun in another stream");
    capture = std::move(*found);
    open.erase(found);
  }
  const auto give_up = [&](cudaError_t status, const char* why) {
    if (!capture->into_given) cudaGraphDestroy(capture->graph);
    return fail(kCall, status, why);
  };
  if (capture->invalid) return give_up(cudaErrorStreamCaptureInvalidated, kInvalid);
  for (const auto& [other, last] : capture->last)
    for (const auto* node : last)
      if (!leads_to(node, capture->last[stream]))
        return give_up(cudaErrorStreamCaptureUnjoined,
                       "another stream was captured as well, and this one does not wait for what "
                       "it was given last: record an event there, and wait for it here");
  *out = capture->graph;
  return cudaSuccess;
}
COURSE_ALSO(cudaStreamEndCapture_ptsz, cudaStreamEndCapture);

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  constexpr const char* kCall = "cudaStreamIsCapturing";
  if (!is_stream(stream))
    return fail(kCall, cudaErrorInvalidResourceHandle, "this is not a stream");
  if (!status) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  const std::lock_guard lock(captures().mutex);
  const Capture* capture = capture_of(stream);
  *status = !capture           ? cudaStreamCaptureStatusNone
            : capture->invalid ? cudaStreamCaptureStatusInvalidated
                               : cudaStreamCaptureStatusActive;
  return cudaSuccess;
}
COURSE_ALSO(cudaStreamIsCapturing_ptsz, cudaStreamIsCapturing);

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edges, size_t* count) {
  const auto known = cudaStreamIsCapturing(stream, status);
  if (known != cudaSuccess || *status != cudaStreamCaptureStatusActive) return known;
  const std::lock_guard lock(captures().mutex);
  Capture* capture = capture_of(stream);
  auto& last = capture->last[stream];
  if (id) *id = capture->id;
  if (graph) *graph = capture->graph;
  if (dependencies) *dependencies = last.data();
  if (edges) *edges = nullptr; // all of the ordinary kind
  if (count) *count = last.size();
  return cudaSuccess;
}
COURSE_ALSO(cudaStreamGetCaptureInfo_ptsz, cudaStreamGetCaptureInfo);

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                const cudaGraphEdgeData*, size_t count,
                                                unsigned flags) {
  constexpr const char* kCall = "cudaStreamUpdateCaptureDependencies";
  const std::lock_guard lock(captures().mutex);
  Capture* capture = capture_of(stream);
  if (!capture) return fail(kCall, cudaErrorIllegalState, "this stream is not being captured");
  if (count && !nodes) return fail(kCall, cudaErrorInvalidValue, "a null pointer for the nodes");
  auto& last = capture->last[stream];
  if (flags == cudaStreamSetCaptureDependencies) last.clear();
  add_all(last, Nodes(nodes, nodes + count));
  return cudaSuccess;
}
COURSE_ALSO(cudaStreamUpdateCaptureDependencies_ptsz, cudaStreamUpdateCaptureDependencies);

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  if (!mode) return fail("cudaThreadExchangeStreamCaptureMode", cudaErrorInvalidValue, kNoPlace);
  std::swap(*mode, thread_mode);
  return cudaSuccess;
}

} // extern "C"
