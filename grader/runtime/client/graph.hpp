// Graphs: nodes with their work, and what has to be done before each.
#pragma once

#include "runtime/client/work.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

// The types that the API names and hides.
struct CUgraphNode_st {
  CUgraph_st* graph = nullptr;
  course::client::Work work;
  std::vector<CUgraphNode_st*> before;      // nodes of the same graph
  const CUgraphNode_st* original = nullptr; // that it was cloned from
  std::vector<void*> shown;                 // of a kernel: its arguments, for who asks for them
};
struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes; // in the order they were added
};
struct CUgraphExec_st {
  struct Step {
    const CUgraphNode_st* node = nullptr; // of the graph that it was made of
    course::client::Work work;
    std::vector<std::size_t> before; // steps
    bool enabled = true;
  };
  std::vector<Step> steps; // each behind those before it
  unsigned long long flags = 0;
  // Streams and events of branches, as the grader numbers them: made at the first launch.
  std::vector<std::uint32_t> lanes, events;
};

namespace course::client {

// Graphs, nodes and executable graphs that exist: handles of others are refused.
bool is_graph(cudaGraph_t);
bool is_node(cudaGraphNode_t);

// A graph that the program has to destroy.
cudaGraph_t make_graph();

CUgraphNode_st* add_node(CUgraph_st&, Work, std::vector<CUgraphNode_st*> before);

std::shared_ptr<CUgraph_st> clone_graph(const CUgraph_st&);
CUgraphExec_st* find_executable(cudaGraphExec_t); // nullptr: there is none
cudaGraphNodeType type_of_work(const Work&);

// The work of a node, as a program describes it; nothing after an error, which `status` is set to.
std::optional<Work> kernel_node(const char* call, const cudaKernelNodeParams*, cudaError_t& status);
std::optional<Work> copy_node(const char* call, const cudaMemcpy3DParms*, cudaError_t& status);
std::optional<Work> any_node(const char* call, const cudaGraphNodeParams*, cudaError_t& status);
Work copy_node(void* to, const void* from, std::size_t size, cudaMemcpyKind);
Work fill_node(const cudaMemsetParams&);

inline constexpr const char* kNoGraph = "this is not a graph";
inline constexpr const char* kNoNode = "this is not a node of a graph";
inline constexpr const char* kNoExec = "this is not an instantiated graph";

// Whether `node` is among `ends`, or before one of them.
bool leads_to(const CUgraphNode_st* node, const std::vector<CUgraphNode_st*>& ends);

} // namespace course::client
