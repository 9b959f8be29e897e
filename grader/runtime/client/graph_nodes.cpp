// The nodes of a graph: adding them, what is before each, and what a graph is asked of them.
#include "runtime/client/graph.hpp"

#include <algorithm>
#include <cstring>

using namespace course::client;

namespace {

cudaError_t add(const char* call, cudaGraphNode_t* out, cudaGraph_t graph,
                const cudaGraphNode_t* before, std::size_t count, Work work) {
  if (!out) return fail(call, cudaErrorInvalidValue, kNoPlace);
  *out = nullptr;
  if (!is_graph(graph)) return fail(call, cudaErrorInvalidValue, kNoGraph);
  if (count && !before)
    return fail(call, cudaErrorInvalidValue, "a null pointer for the dependencies");
  std::vector<CUgraphNode_st*> all(before, before + count);
  for (const auto* node : all)
    if (!is_node(const_cast<cudaGraphNode_t>(node)) || node->graph != graph)
      return fail(call, cudaErrorInvalidValue, "a dependency is not a node of this graph");
  *out = add_node(*graph, std::move(work), std::move(all));
  return cudaSuccess;
}

template <class T>
cudaError_t give(const char* call, const std::vector<T>& all, T* out, size_t* count) {
  if (!count) return fail(call, cudaErrorInvalidValue, kNoPlace);
  if (out) {
    for (std::size_t i = 0; i < *count; ++i) out[i] = i < all.size() ? all[i] : T{};
    *count = std::min(*count, all.size());
  } else {
    *count = all.size();
  }
  return cudaSuccess;
}

} // namespace

extern "C" {

// ---- nodes

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                  const cudaGraphNode_t* before, size_t count) {
  return add("cudaGraphAddEmptyNode", out, graph, before, count, EmptyWork{});
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                   const cudaGraphNode_t* before, size_t count,
                                   const cudaKernelNodeParams* params) {
  constexpr const char* kCall = "cudaGraphAddKernelNode";
  cudaError_t status = cudaSuccess;
  auto work = kernel_node(kCall, params, status);
  return work ? add(kCall, out, graph, before, count, std::move(*work)) : status;
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                   const cudaGraphNode_t* before, size_t count,
                                   const cudaMemcpy3DParms* params) {
  constexpr const char* kCall = "cudaGraphAddMemcpyNode";
  cudaError_t status = cudaSuccess;
  auto work = copy_node(kCall, params, status);
  return work ? add(kCall, out, graph, before, count, std::move(*work)) : status;
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* out, cudaGraph_t graph,
                                     const cudaGraphNode_t* before, size_t count, void* to,
                                     const void* from, size_t size, cudaMemcpyKind kind) {
  return add("cudaGraphAddMemcpyNode1D", out, graph, before, count,
             copy_node(to, from, size, kind));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* out, cudaGraph_t graph,
                                           const cudaGraphNode_t* before, size_t count,
                                           const void* symbol, const void* from, size_t size,
                                           size_t offset, cudaMemcpyKind kind) {
  return add("cudaGraphAddMemcpyNodeToSymbol", out, graph, before, count,
             SymbolWork{symbol, const_cast<void*>(from), true, size, offset, kind});
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* out, cudaGraph_t graph,
                                             const cudaGraphNode_t* before, size_t count, void* to,
                                             const void* symbol, size_t size, size_t offset,
                                             cudaMemcpyKind kind) {
  return add("cudaGraphAddMemcpyNodeFromSymbol", out, graph, before, count,
             SymbolWork{symbol, to, false, size, offset, kind});
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                   const cudaGraphNode_t* before, size_t count,
                                   const cudaMemsetParams* params) {
  constexpr const char* kCall = "cudaGraphAddMemsetNode";
  if (!params) return fail(kCall, cudaErrorInvalidValue, "a null pointer");
  return add(kCall, out, graph, before, count, fill_node(*params));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                 const cudaGraphNode_t* before, size_t count,
                                 const cudaHostNodeParams* params) {
  constexpr const char* kCall = "cudaGraphAddHostNode";
  if (!params || !params->fn) return fail(kCall, cudaErrorInvalidValue, "a null pointer");
  return add(kCall, out, graph, before, count, HostWork{params->fn, params->userData});
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                       const cudaGraphNode_t* before, size_t count,
                                       cudaGraph_t child) {
  constexpr const char* kCall = "cudaGraphAddChildGraphNode";
  if (!is_graph(child)) return fail(kCall, cudaErrorInvalidValue, kNoGraph);
  return add(kCall, out, graph, before, count, GraphWork{clone_graph(*child)});
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                        const cudaGraphNode_t* before, size_t count,
                                        cudaEvent_t event) {
  return add("cudaGraphAddEventRecordNode", out, graph, before, count, RecordWork{event, true});
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                      const cudaGraphNode_t* before, size_t count,
                                      cudaEvent_t event) {
  return add("cudaGraphAddEventWaitNode", out, graph, before, count, WaitWork{event, true});
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* before,
                             const cudaGraphEdgeData*, size_t count, cudaGraphNodeParams* params) {
  constexpr const char* kCall = "cudaGraphAddNode";
  cudaError_t status = cudaSuccess;
  auto work = any_node(kCall, params, status);
  return work ? add(kCall, out, graph, before, count, std::move(*work)) : status;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                     size_t count) {
  constexpr const char* kCall = "cudaGraphAddDependencies";
  if (!is_graph(graph)) return fail(kCall, cudaErrorInvalidValue, kNoGraph);
  for (size_t i = 0; i < count; ++i) {
    if (!is_node(from[i]) || !is_node(to[i]) || from[i]->graph != graph || to[i]->graph != graph)
      return fail(kCall, cudaErrorInvalidValue, kNoNode);
    auto& before = to[i]->before;
    if (std::find(before.begin(), before.end(), from[i]) != before.end())
      return fail(kCall, cudaErrorInvalidValue, "this dependency is there already");
    before.push_back(from[i]);
  }
  return cudaSuccess;
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                        size_t count) {
  constexpr const char* kCall = "cudaGraphRemoveDependencies";
  if (!is_graph(graph)) return fail(kCall, cudaErrorInvalidValue, kNoGraph);
  for (size_t i = 0; i < count; ++i)
    if (!is_node(to[i]) || std::erase(to[i]->before, from[i]) == 0)
      return fail(kCall, cudaErrorInvalidValue, "there is no such dependency");
  return cudaSuccess;
}

// ---- questions

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  constexpr const char* kCall = "cudaGraphGetNodes";
  if (!is_graph(graph)) return fail(kCall, cudaErrorInvalidValue, kNoGraph);
  std::vector<cudaGraphNode_t> all;
  for (const auto& node : graph->nodes) all.push_back(node.get());
  return give(kCall, all, nodes, count);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  constexpr const char* kCall = "cudaGraphGetRootNodes";
  if (!is_graph(graph)) return fail(kCall, cudaErrorInvalidValue, kNoGraph);
  std::vector<cudaGraphNode_t> all;
  for (const auto& node : graph->nodes)
    if (node->before.empty()) all.push_back(node.get());
  return give(kCall, all, nodes, count);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* data, size_t* count) {
  constexpr const char* kCall = "cudaGraphGetEdges";
  if (!is_graph(graph)) return fail(kCall, cudaErrorInvalidValue, kNoGraph);
  if (!count) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  std::vector<cudaGraphNode_t> starts, ends;
  for (const auto& node : graph->nodes)
    for (auto* before : node->before) starts.push_back(before), ends.push_back(node.get());
  size_t room = *count;
  give(kCall, starts, from, &room);
  if (data) std::memset(data, 0, *count * sizeof *data);
  return give(kCall, ends, to, count);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                         cudaGraphEdgeData* data, size_t* count) {
  constexpr const char* kCall = "cudaGraphNodeGetDependencies";
  if (!is_node(node)) return fail(kCall, cudaErrorInvalidValue, kNoNode);
  if (data && count) std::memset(data, 0, *count * sizeof *data);
  return give(kCall, node->before, nodes, count);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                           cudaGraphEdgeData* data, size_t* count) {
  constexpr const char* kCall = "cudaGraphNodeGetDependentNodes";
  if (!is_node(node)) return fail(kCall, cudaErrorInvalidValue, kNoNode);
  if (data && count) std::memset(data, 0, *count * sizeof *data);
  std::vector<cudaGraphNode_t> all;
  for (const auto& other : node->graph->nodes)
    if (std::find(other->before.begin(), other->before.end(), node) != other->before.end())
      all.push_back(other.get());
  return give(kCall, all, nodes, count);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  constexpr const char* kCall = "cudaGraphNodeGetType";
  if (!is_node(node)) return fail(kCall, cudaErrorInvalidValue, kNoNode);
  if (!type) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  *type = type_of_work(node->work);
  return cudaSuccess;
}

} // extern "C"
