// Over 400 lines, as handles, their steps and launches are one thing to whoever reads it.
//
// Graphs: made node by node or by capture, instantiated, changed, launched.
//
// A launch does the nodes one after the other, each behind those before it. To the grader, which
// looks for races, each branch is a stream of its own with events where branches meet: two nodes
// without a path between them are unordered, as on a GPU.
#include "runtime/client/graph.hpp"

#include "runtime/client/managed.hpp"
#include "runtime/client/streams.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <set>

using namespace course::client;

namespace {

constexpr std::size_t kNone = ~std::size_t{0};

// Never destroyed: a program's own exit handlers may still use them.
struct Known {
  std::mutex mutex;
  std::set<const CUgraph_st*> graphs;
  std::set<const CUgraphNode_st*> nodes;
  std::map<cudaGraphExec_t, std::unique_ptr<CUgraphExec_st>> executables;
};
Known& known() {
  static auto& made = *new Known;
  return made;
}

void forget(const CUgraph_st& graph) {
  const std::lock_guard lock(known().mutex);
  known().graphs.erase(&graph);
  for (const auto& node : graph.nodes) known().nodes.erase(node.get());
}

void destroy(CUgraph_st* graph) {
  forget(*graph);
  delete graph;
}

// ---- the steps of a graph

// Nodes, each behind those before it; those that could be next in the order they were added.
// Nothing when they are in a circle.
std::optional<std::vector<const CUgraphNode_st*>> in_order(const CUgraph_st& graph) {
  std::vector<const CUgraphNode_st*> order;
  std::set<const CUgraphNode_st*> done;
  const auto ready = [&](const CUgraphNode_st& node) {
    return !done.contains(&node) &&
           std::all_of(node.before.begin(), node.before.end(),
                       [&](const auto* before) { return done.contains(before); });
  };
  for (bool moved = true; moved;) {
    moved = false;
    for (const auto& node : graph.nodes) {
      if (!ready(*node)) continue;
      order.push_back(node.get());
      done.insert(node.get());
      moved = true;
    }
  }
  if (order.size() != graph.nodes.size()) return std::nullopt;
  return order;
}

// Adds the steps of a graph behind `before`. Gives its last ones, on which what follows depends;
// nothing where its nodes are in a circle.
std::optional<std::vector<std::size_t>> add_steps(const CUgraph_st& graph,
                                                  const std::vector<std::size_t>& before,
                                                  std::vector<CUgraphExec_st::Step>& steps) {
  const auto order = in_order(graph);
  if (!order) return std::nullopt;
  std::map<const CUgraphNode_st*, std::vector<std::size_t>> ends; // of each node
  std::set<const CUgraphNode_st*> last;
  for (const auto* node : *order) {
    std::vector<std::size_t> mine = node->before.empty() ? before : std::vector<std::size_t>{};
    for (const auto* each : node->before) {
      mine.insert(mine.end(), ends[each].begin(), ends[each].end());
      last.erase(each);
    }
    last.insert(node);
    if (const auto* inner = std::get_if<GraphWork>(&node->work)) {
      auto inner_ends = add_steps(*inner->graph, mine, steps);
      if (!inner_ends) return std::nullopt;
      ends[node] = inner_ends->empty() ? mine : std::move(*inner_ends);
      continue;
    }
    ends[node] = {steps.size()};
    steps.push_back({node, node->work, std::move(mine), true});
  }
  std::vector<std::size_t> all;
  for (const auto* node : *order)
    if (last.contains(node)) all.insert(all.end(), ends[node].begin(), ends[node].end());
  return all;
}

// ---- launches

// The lane (a stream to the grader) of each step. The first is the stream of the launch; a step
// goes on where one before it was the last.
std::vector<std::size_t> lanes_of(const std::vector<CUgraphExec_st::Step>& steps) {
  std::vector<std::size_t> lane(steps.size()), last; // the last step of each lane
  for (std::size_t i = 0; i < steps.size(); ++i) {
    lane[i] = kNone;
    for (const auto before : steps[i].before)
      if (lane[i] == kNone && last[lane[before]] == before) lane[i] = lane[before];
    if (lane[i] == kNone) {
      lane[i] = last.size();
      last.push_back(i);
    }
    last[lane[i]] = i;
  }
  return lane;
}

class Run {
public:
  Run(const char* call, CUgraphExec_st& graph, cudaStream_t stream)
      : call_(call), graph_(graph), lane_(lanes_of(graph.steps)) {
    std::size_t lanes = 1;
    for (const auto lane : lane_) lanes = std::max(lanes, lane + 1);
    const std::uint32_t first = number_of_stream(stream);
    while (graph.lanes.size() + 1 < lanes) graph.lanes.push_back(make_inner_stream(call));
    streams_.assign(1, first);
    streams_.insert(streams_.end(), graph.lanes.begin(),
                    graph.lanes.begin() + static_cast<std::ptrdiff_t>(lanes - 1));
  }

  cudaError_t all() {
    const bool branches = streams_.size() > 1;
    const std::size_t start = graph_.steps.size(); // its event: that the launch may begin
    if (branches) record_inner(call_, streams_[0], event(start));
    for (std::size_t i = 0; i < graph_.steps.size(); ++i) {
      const auto& step = graph_.steps[i];
      const auto stream = streams_[lane_[i]];
      if (step.before.empty() && lane_[i] != 0) wait_inner(call_, stream, event(start));
      for (const auto before : step.before)
        if (lane_[before] != lane_[i]) wait_inner(call_, stream, event(before));
      if (step.enabled) {
        const OnStream on(stream);
        const bool in_host = std::holds_alternative<HostWork>(step.work);
        if (in_host) begin_host_function(stream, branches);
        if (const auto status = perform(call_, step.work)) return status;
        if (in_host && branches) guard_managed(call_);
      }
      if (branches) record_inner(call_, stream, event(i));
    }
    for (std::size_t i = 0; branches && i < graph_.steps.size(); ++i) {
      wait_inner(call_, streams_[0], event(i));
      const auto& step = graph_.steps[i];
      if (step.enabled && std::holds_alternative<HostWork>(step.work))
        host_waited_inner(call_, event(i));
    }
    return cudaSuccess;
  }

private:
  // What a host function tells the rest of the program is an order that nobody else sees: the host
  // counts as having waited. Not within branches of this launch, which was asked for before: there
  // it counts so afterwards, and what the function touches is not looked at.
  void begin_host_function(std::uint32_t stream, bool branches) {
    if (branches)
      open_managed(call_);
    else
      host_waited_for_number(call_, stream);
  }

  std::uint32_t event(std::size_t step) {
    while (graph_.events.size() <= step) graph_.events.push_back(make_inner_event());
    return graph_.events[step];
  }

  const char* call_;
  CUgraphExec_st& graph_;
  std::vector<std::size_t> lane_;
  std::vector<std::uint32_t> streams_; // of each lane
};

cudaError_t instantiate(const char* call, cudaGraphExec_t* out, cudaGraph_t graph,
                        unsigned long long flags) {
  if (!out) return fail(call, cudaErrorInvalidValue, kNoPlace);
  *out = nullptr;
  if (!is_graph(graph)) return fail(call, cudaErrorInvalidValue, kNoGraph);
  if (flags & cudaGraphInstantiateFlagDeviceLaunch)
    return static_cast<cudaError_t>(refuse(call, "for launches by kernels"));
  auto made = std::make_unique<CUgraphExec_st>();
  made->flags = flags;
  if (!add_steps(*graph, {}, made->steps))
    return fail(call, cudaErrorInvalidValue, "its nodes wait for each other in a circle");
  const std::lock_guard lock(known().mutex);
  *out = made.get();
  known().executables[*out] = std::move(made);
  return cudaSuccess;
}

} // namespace

std::shared_ptr<CUgraph_st> course::client::clone_graph(const CUgraph_st& graph) {
  std::shared_ptr<CUgraph_st> copy(make_graph(), destroy);
  std::map<const CUgraphNode_st*, CUgraphNode_st*> of;
  for (const auto& node : graph.nodes) {
    Work work = node->work;
    if (auto* inner = std::get_if<GraphWork>(&work)) inner->graph = clone_graph(*inner->graph);
    auto* made = add_node(*copy, std::move(work), {});
    made->original = node.get();
    of[node.get()] = made;
  }
  for (const auto& node : graph.nodes)
    for (auto* before : node->before) of[node.get()]->before.push_back(of[before]);
  return copy;
}

CUgraphExec_st* course::client::find_executable(cudaGraphExec_t graph) {
  const std::lock_guard lock(known().mutex);
  return known().executables.contains(graph) ? graph : nullptr;
}

bool course::client::is_graph(cudaGraph_t graph) {
  const std::lock_guard lock(known().mutex);
  return known().graphs.contains(graph);
}
bool course::client::is_node(cudaGraphNode_t node) {
  const std::lock_guard lock(known().mutex);
  return known().nodes.contains(node);
}

cudaGraph_t course::client::make_graph() {
  auto* graph = new CUgraph_st;
  const std::lock_guard lock(known().mutex);
  known().graphs.insert(graph);
  return graph;
}

CUgraphNode_st* course::client::add_node(CUgraph_st& graph, Work work,
                                         std::vector<CUgraphNode_st*> before) {
  auto& node = graph.nodes.emplace_back(std::make_unique<CUgraphNode_st>());
  node->graph = &graph;
  node->work = std::move(work);
  node->before = std::move(before);
  const std::lock_guard lock(known().mutex);
  known().nodes.insert(node.get());
  return node.get();
}

bool course::client::leads_to(const CUgraphNode_st* node,
                              const std::vector<CUgraphNode_st*>& ends) {
  std::set<const CUgraphNode_st*> seen;
  std::vector<const CUgraphNode_st*> left(ends.begin(), ends.end());
  while (!left.empty()) {
    const auto* at = left.back();
    left.pop_back();
    if (at == node) return true;
    if (seen.insert(at).second) left.insert(left.end(), at->before.begin(), at->before.end());
  }
  return false;
}

cudaGraphNodeType course::client::type_of_work(const Work& work) {
  constexpr cudaGraphNodeType kTypes[] = {
      cudaGraphNodeTypeEmpty,       cudaGraphNodeTypeKernel,    cudaGraphNodeTypeMemcpy,
      cudaGraphNodeTypeMemset,      cudaGraphNodeTypeMemcpy,    cudaGraphNodeTypeHost,
      cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeWaitEvent, cudaGraphNodeTypeGraph};
  return kTypes[work.index()];
}

cudaError_t course::client::perform(const char* call, const Work& work) {
  struct {
    const char* call;
    cudaError_t operator()(const EmptyWork&) const { return context_error(call); }
    cudaError_t operator()(const KernelWork& w) const { return do_kernel(call, w); }
    cudaError_t operator()(const CopyWork& w) const { return do_copy(call, w); }
    cudaError_t operator()(const FillWork& w) const { return do_fill(call, w); }
    cudaError_t operator()(const SymbolWork& w) const { return do_symbol(call, w); }
    cudaError_t operator()(const HostWork& w) const {
      w.function(w.data);
      return cudaSuccess;
    }
    cudaError_t operator()(const RecordWork& w) const { return record_event(call, w.event); }
    cudaError_t operator()(const WaitWork& w) const { return wait_event(call, w.event); }
    cudaError_t operator()(const GraphWork&) const { return cudaSuccess; } // its steps are there
  } doing{call};
  return std::visit(doing, work);
}

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* out, unsigned flags) {
  constexpr const char* kCall = "cudaGraphCreate";
  if (!out || flags) return fail(kCall, cudaErrorInvalidValue, out ? "no such flag" : kNoPlace);
  if (const auto lost = context_error(kCall)) return lost;
  *out = make_graph();
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (!is_graph(graph)) return fail("cudaGraphDestroy", cudaErrorInvalidValue, kNoGraph);
  destroy(graph);
  return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t* out, cudaGraph_t graph) {
  constexpr const char* kCall = "cudaGraphClone";
  if (!out) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  if (!is_graph(graph)) return fail(kCall, cudaErrorInvalidValue, kNoGraph);
  const auto copy = clone_graph(*graph);
  *out = make_graph();
  (*out)->nodes = std::move(copy->nodes);
  for (auto& node : (*out)->nodes) node->graph = *out;
  return cudaSuccess;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* out, cudaGraphNode_t node,
                                     cudaGraph_t graph) {
  constexpr const char* kCall = "cudaGraphNodeFindInClone";
  if (!out) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  if (!is_graph(graph)) return fail(kCall, cudaErrorInvalidValue, kNoGraph);
  for (const auto& each : graph->nodes) {
    if (each->original != node) continue;
    *out = each.get();
    return cudaSuccess;
  }
  return fail(kCall, cudaErrorInvalidValue, "the clone has no such node");
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  if (!is_node(node)) return fail("cudaGraphDestroyNode", cudaErrorInvalidValue, kNoNode);
  CUgraph_st& graph = *node->graph;
  for (auto& other : graph.nodes) std::erase(other->before, node);
  {
    const std::lock_guard lock(known().mutex);
    known().nodes.erase(node);
  }
  std::erase_if(graph.nodes, [&](const auto& each) { return each.get() == node; });
  return cudaSuccess;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t graph, cudaGraph_t with,
                                cudaGraphExecUpdateResultInfo* info) {
  constexpr const char* kCall = "cudaGraphExecUpdate";
  auto* found = find_executable(graph);
  if (!found) return fail(kCall, cudaErrorInvalidValue, kNoExec);
  if (!is_graph(with)) return fail(kCall, cudaErrorInvalidValue, kNoGraph);
  if (!info) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  *info = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
  std::vector<CUgraphExec_st::Step> steps;
  if (!add_steps(*with, {}, steps) || steps.size() != found->steps.size()) {
    info->result = cudaGraphExecUpdateErrorTopologyChanged;
    return fail(kCall, cudaErrorGraphExecUpdateFailure,
                "the graph has other nodes than the one that was instantiated; instantiate it");
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto &mine = found->steps[i], &theirs = steps[i];
    const bool same_type = type_of_work(mine.work) == type_of_work(theirs.work);
    if (same_type && mine.before == theirs.before) continue;
    info->result = same_type ? cudaGraphExecUpdateErrorTopologyChanged
                             : cudaGraphExecUpdateErrorNodeTypeChanged;
    info->errorNode = const_cast<cudaGraphNode_t>(theirs.node);
    return fail(kCall, cudaErrorGraphExecUpdateFailure,
                same_type ? "a node waits for others than in the graph that was instantiated; "
                            "instantiate it"
                          : "a node is of another type than in the graph that was instantiated; "
                            "instantiate it");
  }
  for (std::size_t i = 0; i < steps.size(); ++i) found->steps[i].work = std::move(steps[i].work);
  return cudaSuccess;
}

// ---- instantiated graphs

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* out, cudaGraph_t graph,
                                 unsigned long long flags) {
  return instantiate("cudaGraphInstantiate", out, graph, flags);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* out, cudaGraph_t graph,
                                          unsigned long long flags) {
  return instantiate("cudaGraphInstantiateWithFlags", out, graph, flags);
}
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* out, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* params) {
  constexpr const char* kCall = "cudaGraphInstantiateWithParams";
  if (!params) return fail(kCall, cudaErrorInvalidValue, "a null pointer");
  const auto status = instantiate(kCall, out, graph, params->flags);
  params->errNode_out = nullptr;
  params->result_out =
      status == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
  return status;
}
COURSE_ALSO(cudaGraphInstantiateWithParams_ptsz, cudaGraphInstantiateWithParams);

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t graph, unsigned long long* flags) {
  constexpr const char* kCall = "cudaGraphExecGetFlags";
  const auto* found = find_executable(graph);
  if (!found || !flags) return fail(kCall, cudaErrorInvalidValue, kNoExec);
  *flags = found->flags;
  return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t graph, cudaStream_t) {
  if (!find_executable(graph)) return fail("cudaGraphUpload", cudaErrorInvalidValue, kNoExec);
  return context_error("cudaGraphUpload");
}
COURSE_ALSO(cudaGraphUpload_ptsz, cudaGraphUpload);

cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
  constexpr const char* kCall = "cudaGraphLaunch";
  auto* found = find_executable(graph);
  if (!found) return fail(kCall, cudaErrorInvalidValue, kNoExec);
  if (!is_stream(stream))
    return fail(kCall, cudaErrorInvalidResourceHandle, "this is not a stream");
  if (const auto capturing = forbidden_in_capture(kCall, stream)) return capturing;
  return Run(kCall, *found, stream).all();
}
COURSE_ALSO(cudaGraphLaunch_ptsz, cudaGraphLaunch);

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
  {
    const std::lock_guard lock(known().mutex);
    if (known().executables.erase(graph)) return cudaSuccess;
  }
  return fail("cudaGraphExecDestroy", cudaErrorInvalidValue, kNoExec);
}

} // extern "C"
