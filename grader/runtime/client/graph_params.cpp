// What the nodes of a graph do: made of what a program says of it, read, and changed, in a graph
// and in one that was instantiated.
#include "runtime/client/graph.hpp"

using namespace course::client;

namespace {

template <class T>
cudaError_t set(const char* call, cudaGraphNode_t node, Work work) {
  if (!is_node(node) || !std::holds_alternative<T>(node->work))
    return fail(call, cudaErrorInvalidValue, "this is not a node of that kind");
  node->work = std::move(work);
  return cudaSuccess;
}

// The step that a node has become; nullptr after an error, which `status` is set to.
CUgraphExec_st::Step* step_of(const char* call, cudaGraphExec_t graph, cudaGraphNode_t node,
                              cudaError_t& status) {
  auto* found = find_executable(graph);
  if (!found) {
    status = fail(call, cudaErrorInvalidValue, kNoExec);
    return nullptr;
  }
  for (auto& step : found->steps)
    if (step.node == node) return &step;
  status = fail(call, cudaErrorInvalidValue,
                "this node is not of the graph that was instantiated: keep the graph's own nodes");
  return nullptr;
}

// Changes an instantiated node to work of the same kind.
cudaError_t change(const char* call, cudaGraphExec_t graph, cudaGraphNode_t node, Work work) {
  cudaError_t status = cudaSuccess;
  auto* step = step_of(call, graph, node, status);
  if (!step) return status;
  if (step->work.index() != work.index())
    return fail(call, cudaErrorInvalidValue, "the node is of another kind");
  step->work = std::move(work);
  return cudaSuccess;
}

} // namespace

std::optional<Work> course::client::kernel_node(const char* call, const cudaKernelNodeParams* of,
                                                cudaError_t& status) {
  if (!of || of->extra) {
    status = fail(call, cudaErrorInvalidValue,
                  of ? "arguments in `extra` are not available" : "a null pointer");
    return std::nullopt;
  }
  auto work = kernel_work(call, of->func, of->gridDim, of->blockDim, of->kernelParams,
                          of->sharedMemBytes, status);
  if (!work) return std::nullopt;
  return std::move(*work);
}

std::optional<Work> course::client::copy_node(const char* call, const cudaMemcpy3DParms* of,
                                              cudaError_t& status) {
  if (!of) {
    status = fail(call, cudaErrorInvalidValue, "a null pointer");
    return std::nullopt;
  }
  auto work = copy_work(call, *of, status);
  if (!work) return std::nullopt;
  return std::move(*work);
}

Work course::client::copy_node(void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
  return CopyWork{{address_of(to), size, 0}, {address_of(from), size, 0}, size, 1, 1, kind};
}

Work course::client::fill_node(const cudaMemsetParams& of) {
  return FillWork{of.dst, of.pitch, of.value, of.elementSize, of.width, of.height};
}

// Of any kind that a generic node has.
std::optional<Work> course::client::any_node(const char* call, const cudaGraphNodeParams* of,
                                             cudaError_t& status) {
  if (!of) {
    status = fail(call, cudaErrorInvalidValue, "a null pointer");
    return std::nullopt;
  }
  switch (of->type) {
  case cudaGraphNodeTypeKernel: {
    const cudaKernelNodeParams params{of->kernel.func,         of->kernel.gridDim,
                                      of->kernel.blockDim,     of->kernel.sharedMemBytes,
                                      of->kernel.kernelParams, of->kernel.extra};
    return kernel_node(call, &params, status);
  }
  case cudaGraphNodeTypeMemcpy:
    return copy_node(call, &of->memcpy.copyParams, status);
  case cudaGraphNodeTypeMemset:
    return FillWork{of->memset.dst,         of->memset.pitch, of->memset.value,
                    of->memset.elementSize, of->memset.width, of->memset.height};
  case cudaGraphNodeTypeHost:
    return HostWork{of->host.fn, of->host.userData};
  case cudaGraphNodeTypeEmpty:
    return EmptyWork{};
  case cudaGraphNodeTypeGraph:
    if (is_graph(of->graph.graph)) return GraphWork{clone_graph(*of->graph.graph)};
    status = fail(call, cudaErrorInvalidValue, kNoGraph);
    return std::nullopt;
  case cudaGraphNodeTypeEventRecord:
    return RecordWork{of->eventRecord.event, true};
  case cudaGraphNodeTypeWaitEvent:
    return WaitWork{of->eventWait.event, true};
  default:
    status = static_cast<cudaError_t>(refuse(call, "with a node of this type"));
    return std::nullopt;
  }
}

extern "C" {

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* params) {
  constexpr const char* kCall = "cudaGraphKernelNodeGetParams";
  auto* work = is_node(node) ? std::get_if<KernelWork>(&node->work) : nullptr;
  if (!work || !params) return fail(kCall, cudaErrorInvalidValue, kNoNode);
  node->shown = shown_arguments(*work);
  *params = {const_cast<void*>(work->function),   work->grid,         work->block,
             static_cast<unsigned>(work->shared), node->shown.data(), nullptr};
  return cudaSuccess;
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* params) {
  constexpr const char* kCall = "cudaGraphMemsetNodeGetParams";
  const auto* work = is_node(node) ? std::get_if<FillWork>(&node->work) : nullptr;
  if (!work || !params) return fail(kCall, cudaErrorInvalidValue, kNoNode);
  *params = {work->to, work->pitch, work->value, work->element, work->width, work->height};
  return cudaSuccess;
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* params) {
  constexpr const char* kCall = "cudaGraphHostNodeGetParams";
  const auto* work = is_node(node) ? std::get_if<HostWork>(&node->work) : nullptr;
  if (!work || !params) return fail(kCall, cudaErrorInvalidValue, kNoNode);
  *params = {work->function, work->data};
  return cudaSuccess;
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  constexpr const char* kCall = "cudaGraphChildGraphNodeGetGraph";
  const auto* work = is_node(node) ? std::get_if<GraphWork>(&node->work) : nullptr;
  if (!work || !graph) return fail(kCall, cudaErrorInvalidValue, kNoNode);
  *graph = work->graph.get();
  return cudaSuccess;
}

// ---- changes of a graph, and of an instantiated one

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* params) {
  constexpr const char* kCall = "cudaGraphKernelNodeSetParams";
  cudaError_t status = cudaSuccess;
  auto work = kernel_node(kCall, params, status);
  return work ? set<KernelWork>(kCall, node, std::move(*work)) : status;
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* params) {
  constexpr const char* kCall = "cudaGraphMemcpyNodeSetParams";
  cudaError_t status = cudaSuccess;
  auto work = copy_node(kCall, params, status);
  return work ? set<CopyWork>(kCall, node, std::move(*work)) : status;
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           size_t size, cudaMemcpyKind kind) {
  return set<CopyWork>("cudaGraphMemcpyNodeSetParams1D", node, copy_node(to, from, size, kind));
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* params) {
  constexpr const char* kCall = "cudaGraphMemsetNodeSetParams";
  if (!params) return fail(kCall, cudaErrorInvalidValue, "a null pointer");
  return set<FillWork>(kCall, node, fill_node(*params));
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* params) {
  constexpr const char* kCall = "cudaGraphHostNodeSetParams";
  if (!params || !params->fn) return fail(kCall, cudaErrorInvalidValue, "a null pointer");
  return set<HostWork>(kCall, node, HostWork{params->fn, params->userData});
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t graph, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* params) {
  constexpr const char* kCall = "cudaGraphExecKernelNodeSetParams";
  cudaError_t status = cudaSuccess;
  auto work = kernel_node(kCall, params, status);
  return work ? change(kCall, graph, node, std::move(*work)) : status;
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t graph, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* params) {
  constexpr const char* kCall = "cudaGraphExecMemcpyNodeSetParams";
  cudaError_t status = cudaSuccess;
  auto work = copy_node(kCall, params, status);
  return work ? change(kCall, graph, node, std::move(*work)) : status;
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t graph, cudaGraphNode_t node,
                                               void* to, const void* from, size_t size,
                                               cudaMemcpyKind kind) {
  return change("cudaGraphExecMemcpyNodeSetParams1D", graph, node, copy_node(to, from, size, kind));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t graph, cudaGraphNode_t node,
                                             const cudaMemsetParams* params) {
  constexpr const char* kCall = "cudaGraphExecMemsetNodeSetParams";
  if (!params) return fail(kCall, cudaErrorInvalidValue, "a null pointer");
  return change(kCall, graph, node, fill_node(*params));
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t graph, cudaGraphNode_t node,
                                           const cudaHostNodeParams* params) {
  constexpr const char* kCall = "cudaGraphExecHostNodeSetParams";
  if (!params || !params->fn) return fail(kCall, cudaErrorInvalidValue, "a null pointer");
  return change(kCall, graph, node, HostWork{params->fn, params->userData});
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t graph, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  return change("cudaGraphExecEventRecordNodeSetEvent", graph, node, RecordWork{event, true});
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t graph, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  return change("cudaGraphExecEventWaitNodeSetEvent", graph, node, WaitWork{event, true});
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t graph, cudaGraphNode_t node,
                                       cudaGraphNodeParams* params) {
  constexpr const char* kCall = "cudaGraphExecNodeSetParams";
  cudaError_t status = cudaSuccess;
  auto work = any_node(kCall, params, status);
  return work ? change(kCall, graph, node, std::move(*work)) : status;
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t graph, cudaGraphNode_t node, unsigned enabled) {
  cudaError_t status = cudaSuccess;
  auto* step = step_of("cudaGraphNodeSetEnabled", graph, node, status);
  if (step) step->enabled = enabled != 0;
  return status;
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t graph, cudaGraphNode_t node,
                                    unsigned* enabled) {
  constexpr const char* kCall = "cudaGraphNodeGetEnabled";
  if (!enabled) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  cudaError_t status = cudaSuccess;
  const auto* step = step_of(kCall, graph, node, status);
  if (step) *enabled = step->enabled;
  return status;
}

} // extern "C"
